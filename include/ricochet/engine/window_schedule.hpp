// SPDX-License-Identifier: BSD-3-Clause
//
// The sub-windows of a step and the predictions that wait for theirs. Window k is [end(k-1), end(k)),
// end(last) = dt. The boundaries are one array; a prediction goes to the window that contains its time by
// comparison with that array, never by arithmetic alone, so that rounding cannot put it behind an event of an
// earlier window.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "ricochet/events/prediction.hpp"

namespace ricochet {

class WindowSchedule {
  public:
    /// Divides [0, dt) into `count` >= 1 windows and files the given predictions (all with time < dt).
    void plan(double dt, std::size_t count, const std::vector<Prediction>& predictions) {
        ends_.resize(count);
        for (std::size_t k = 0; k < count; ++k) {
            ends_[k] = k + 1 == count ? dt : dt * static_cast<double>(k + 1) / static_cast<double>(count);
        }
        per_time_ = static_cast<double>(count) / dt;
        if (waiting_.size() < count) waiting_.resize(count);
        for (auto& window : waiting_) window.clear();
        for (const Prediction& prediction : predictions) file(prediction);
    }

    /// Cuts the window in the middle and files its predictions again; its end, and that of all later ones,
    /// moves up by one index. A window too short to be cut stays as it is.
    void halve(std::size_t window) {
        const double middle = begin(window) + 0.5 * (end(window) - begin(window));
        if (!(middle > begin(window) && middle < end(window))) return;
        const auto at = static_cast<std::ptrdiff_t>(window);
        ends_.insert(ends_.begin() + at, middle);
        const std::vector<Prediction> predictions = std::move(waiting_[window]);
        waiting_[window].clear();
        waiting_.insert(waiting_.begin() + at, std::vector<Prediction>());
        for (const Prediction& prediction : predictions) file(prediction);
    }

    std::size_t size() const { return ends_.size(); }
    double end(std::size_t window) const { return ends_[window]; }
    double begin(std::size_t window) const { return window == 0 ? 0 : ends_[window - 1]; }

    void file(const Prediction& prediction) { waiting_[window_of(prediction.time)].push_back(prediction); }
    const std::vector<Prediction>& waiting(std::size_t window) const { return waiting_[window]; }
    void clear(std::size_t window) { waiting_[window].clear(); }

  private:
    std::size_t window_of(double time) const {
        std::size_t k = static_cast<std::size_t>(time * per_time_);
        if (k >= ends_.size()) k = ends_.size() - 1;
        while (k > 0 && time < ends_[k - 1]) --k;
        while (time >= ends_[k]) ++k;
        return k;
    }

    double per_time_ = 0;
    std::vector<double> ends_;
    std::vector<std::vector<Prediction>> waiting_;
};

}  // namespace ricochet
