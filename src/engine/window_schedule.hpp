// SPDX-License-Identifier: BSD-3-Clause
//
// The sub-windows of a step, and the predictions that wait for theirs.
//
// Layout: window k is [end(k-1), end(k)). The first begins and the last ends with the step; the ends are one
// array. Predictions lie in blocks of the store that all of the step uses (core/block_store.hpp). Windows
// have very different numbers of them, and none needs its room for long.
//
// Invariant: a prediction goes to the window that contains its time by comparison with the ends, never by
// arithmetic alone. Rounding then cannot put it behind an event of an earlier window.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include "core/block_store.hpp"
#include "engine/prediction.hpp"
#include "ricochet/core/check.hpp"
#include "ricochet/model/time_span.hpp"

namespace ricochet {

class WindowSchedule {
  public:
    explicit WindowSchedule(BlockStore& store) : store_(store) {}

    /// Divides the span into `count` >= 1 windows and files the given contacts, all in the span, which are
    /// used up.
    void plan(TimeSpan span, std::size_t count, BlockVector<InitialPrediction>& initial_predictions) {
        begin_ = span.begin;
        ends_.resize(count);
        for (std::size_t k = 0; k + 1 < count; ++k)
            ends_[k] = begin_ + span.length() * static_cast<double>(k + 1) / static_cast<double>(count);
        ends_.back() = span.end;
        per_time_ = static_cast<double>(count) / span.length();
        waiting_.clear();
        waiting_.reserve(count);
        while (waiting_.size() < count) waiting_.emplace_back(store_);
        initial_predictions.consume([this](const InitialPrediction& contact) { file(contact.waiting()); });
    }

    /// Cuts a window that has been opened in the middle. Its end, and those of all later ones, move up by one
    /// index. Files `contacts`, those that it was opened with, again. A window too short to be cut stays as
    /// it is.
    void halve(std::size_t window, std::span<const WaitingContact> contacts) {
        const double middle = begin(window) + 0.5 * (end(window) - begin(window));
        if (middle > begin(window) && middle < end(window)) {
            const auto at = static_cast<std::ptrdiff_t>(window);
            ends_.insert(ends_.begin() + at, middle);
            waiting_.emplace(waiting_.begin() + at, store_);
        }
        for (const WaitingContact& contact : contacts) file(contact);
    }

    /// Forgets all that has been filed for windows that have not been opened.
    void forget_waiting() {
        for (BlockVector<WaitingContact>& window : waiting_) window.clear();
    }

    std::size_t size() const { return ends_.size(); }
    /// The end of a window, of `window` or of a later one, that is nearest to `time`.
    double end_near(std::size_t window, double time) const {
        const auto first = ends_.begin() + static_cast<std::ptrdiff_t>(window);
        const auto later = std::lower_bound(first, ends_.end() - 1, time);
        return later != first && time - *(later - 1) < *later - time ? *(later - 1) : *later;
    }
    double end(std::size_t window) const { return ends_[window]; }
    double begin(std::size_t window) const { return window == 0 ? begin_ : ends_[window - 1]; }

    void file(const WaitingContact& contact) { waiting_[window_of(contact.time)].push_back(contact); }
    /// The prediction's time must lie behind the windows that have been opened.
    void file(const Prediction& p) { file(WaitingContact{p.time, p.a, p.b, p.stamp_a, p.stamp_b}); }
    /// What has been filed for the window; used up when it is opened.
    BlockVector<WaitingContact>& waiting(std::size_t window) { return waiting_[window]; }

  private:
    std::size_t window_of(double time) const {
        RICOCHET_DCHECK_GE(time, begin_);
        RICOCHET_DCHECK_LT(time, ends_.back());
        std::size_t k = static_cast<std::size_t>((time - begin_) * per_time_);
        if (k >= ends_.size()) k = ends_.size() - 1;
        while (k > 0 && time < ends_[k - 1]) --k;
        while (time >= ends_[k]) ++k;
        return k;
    }

    BlockStore& store_;
    double begin_ = 0;
    double per_time_ = 0;
    std::vector<double> ends_;
    std::vector<BlockVector<WaitingContact>> waiting_;
};

}  // namespace ricochet
