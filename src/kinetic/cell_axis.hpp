// SPDX-License-Identifier: BSD-3-Clause
//
// One axis of a grid of cells that particles cross (cells_crossing.hpp).
//
// Layout: equal cells from `lower` on. Of a periodic axis only a part may be of interest: then one more cell, of
// another width, closes the ring. Without a period the first and the last cell have no outer end. So each place is in
// some cell, wherever paths lead.
//
// Where all cells would be neighbours of each other there is one cell only, and nothing to cross.
#pragma once

#include <algorithm>
#include <cmath>

#include "geometry/contact_time.hpp"

namespace ricochet {

class CellAxis {
  public:
    CellAxis() = default;
    /// Divides [lower, lower + extent) into cells at least as wide as both widths say. `period`: 0 where there is none.
    /// Cells are never narrower than least_width.
    CellAxis(double lower, double extent, double period, double least_width, double wished_width)
        : lower_(lower), extent_(extent), period_(period) {
        if (period > 0 && period - extent < least_width) extent_ = period;
        const double most = std::floor(extent_ / std::max(least_width, wished_width));
        const bool has_rest = period > 0 && extent_ < period;
        const double fewest = period > 0 ? 4 - (has_rest ? 1 : 0) : 3;
        if (!(most >= fewest)) return;  // one cell
        num_equal_ = static_cast<int>(std::min(most, 1e9));
        size_ = num_equal_ + (has_rest ? 1 : 0);
        width_ = extent_ / num_equal_;
    }

    int size() const { return size_; }
    /// The least width of a cell; infinite where there is one only.
    double least_width() const {
        if (size_ == 1) return never;
        return size_ > num_equal_ ? std::min(width_, period_ - extent_) : width_;
    }

    int cell_of(double x) const {
        if (size_ == 1) return 0;
        const double u = offset(x);
        if (size_ > num_equal_ && u >= extent_) return num_equal_;
        return static_cast<int>(std::clamp(u / width_, 0.0, num_equal_ - 0.5));
    }
    /// The cells that [low, high] meets but for rounding: the first, and how many follow each other from there.
    struct Range {
        int first = 0, count = 1;
    };
    Range cells_within(double low, double high) const {
        constexpr double nearly = 1 - 1e-9;
        if (size_ == 1) return {};
        const int first = cell_of(low), last = cell_of(high);
        if (period_ == 0) return {first, last - first + 1};
        const bool goes_round = first == last && offset(high) < offset(low);
        if (goes_round || high - low >= nearly * period_) return {first, size_};
        return {first, (last - first + size_) % size_ + 1};
    }
    /// The next cell in a direction, 1 or -1; negative where there is none.
    int next(int cell, int direction) const {
        const int beside = cell + direction;
        if (period_ == 0) return beside < size_ ? beside : -1;
        return beside < 0 ? size_ - 1 : beside == size_ ? 0 : beside;
    }
    double width(int cell) const { return cell == num_equal_ ? period_ - extent_ : width_; }
    /// How far x is beyond the middle of a cell, in the nearest image. There must be several cells.
    double beyond_middle(int cell, double x) const {
        const bool is_rest = cell == num_equal_;
        const double beyond = x - (lower_ + (is_rest ? extent_ + 0.5 * width(cell) : (cell + 0.5) * width_));
        return period_ > 0 ? beyond - period_ * std::nearbyint(beyond / period_) : beyond;
    }
    /// How long a centre at x, in the cell but for rounding, needs to leave it.
    double time_to_leave(int cell, double x, double velocity) const {
        if (size_ == 1 || velocity == 0) return never;
        const int direction = velocity > 0 ? 1 : -1;
        if (next(cell, direction) < 0) return never;
        return std::max(0.0, 0.5 * width(cell) - direction * beyond_middle(cell, x)) / std::abs(velocity);
    }

  private:
    double offset(double x) const {
        const double u = x - lower_;
        return period_ > 0 ? u - period_ * std::floor(u / period_) : u;
    }

    double lower_ = 0, extent_ = 0;
    double period_ = 0;
    double width_ = 0;   ///< of the equal ones
    int num_equal_ = 1;  ///< those that have this width
    int size_ = 1;
};

}  // namespace ricochet
