// SPDX-License-Identifier: BSD-3-Clause
//
// Arrays of one length that are walked side by side, one row after another. Each in memory of its own, large
// ones all begin at the beginning of a page, so that what they hold of a row competes for one set of the
// first cache. That is bad with as many arrays as the set has ways, and it can be worse: AMD's Zen looks for
// a line by a hash of its address in which bits 16 and 21 cancel, so that of arrays which lie 2 MiB + 64 KiB
// apart only one at a time can be in its first cache (loads from two of them in turn: 7 ns instead of 1.1;
// the same for bits 15 and 20, 17 and 22, 18 and 23, 19 and 24, 14 and 25, 13 and 26, 12 and 27).
//
// Measured, with four arrays of midpoints and reaches that had come to lie that far apart (540,000 floats
// each): sorting balls into cells took 2.5 times as long, finding their primary contacts 1.4 times.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "ricochet/core/vector_memory.hpp"

namespace ricochet {

/// num_columns arrays of elements T in one piece of memory, so far apart that the elements of a row, and
/// those of the rows about it, belong to different sets.
template <class T, std::size_t num_columns>
class Columns {
  public:
    T* operator[](std::size_t column) { return memory_.data() + offset(column); }
    const T* operator[](std::size_t column) const { return memory_.data() + offset(column); }

    /// Makes room for so many rows; what the columns hold, and where they are, may change.
    void make_room(std::size_t num_rows) {
        if (num_rows <= num_rows_) return;
        num_rows_ = num_rows + num_rows / spare;
        pitch_ = (num_rows_ + page - 1) / page * page + stagger;
        std::vector<T>().swap(memory_);
        reserve_in_large_pages(memory_, offset(num_columns));
        memory_.resize(offset(num_columns));
    }

  private:
    static constexpr std::size_t spare = 32;  ///< a room is that part larger than was asked for
    static constexpr std::size_t line = 64 / sizeof(T), page = 4096 / sizeof(T);
    static_assert(num_columns < page / line && sizeof(T) <= 64 && 64 % sizeof(T) == 0);
    /// One for an array elsewhere that is walked with these, at the beginning of a page.
    static constexpr std::size_t stagger = page / line / (num_columns + 1) * line;

    std::size_t offset(std::size_t column) const { return stagger + column * pitch_; }

    std::size_t num_rows_ = 0;  ///< for which there is room
    std::size_t pitch_ = 0;     ///< from column to column
    std::vector<T> memory_;
};

}  // namespace ricochet
