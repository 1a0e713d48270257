// SPDX-License-Identifier: BSD-3-Clause
//
// The sub-windows of a step and the predictions that wait for theirs. Window k is [end(k-1), end(k)),
// end(last) = dt. The boundaries are one array; a prediction goes to the window that contains its time by
// comparison with that array, never by arithmetic alone, so that rounding cannot put it behind an event of an
// earlier window.
#pragma once

#include <cstddef>
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
