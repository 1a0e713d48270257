// SPDX-License-Identifier: BSD-3-Clause
//
// Arrays of one length that loops walk side by side, one row after another.
//
// Layout: all in one piece of memory, shifted against each other. Large arrays with memory of their own all
// begin at the beginning of a page. The elements of a row then compete for one set of the first cache, which
// may have no more ways than there are arrays. AMD's Zen is worse: it finds a line by a hash of its address,
// in which bits 16 and 21 cancel. Of arrays 2 MiB + 64 KiB apart it can keep only one at a time in its first
// cache (note 23 of tests/bench/notes.md).
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "ricochet/core/array_memory.hpp"
#include "ricochet/core/check.hpp"

namespace ricochet {

/// Contains num_columns arrays of elements T. Elements of a row, and of the rows next to it, belong to
/// different sets of the first cache.
template <class T, std::size_t num_columns>
class Columns {
  public:
    T* operator[](std::size_t column) { return memory_.data() + offset(column); }
    const T* operator[](std::size_t column) const { return memory_.data() + offset(column); }

    /// Makes room for num_rows rows; contents and addresses may change.
    void make_room(std::size_t num_rows) {
        if (num_rows <= num_rows_) return;
        num_rows_ = num_rows + num_rows / spare;
        pitch_ = (num_rows_ + page - 1) / page * page + stagger;
        std::vector<T>().swap(memory_);
        reserve_in_large_pages(memory_, offset(num_columns));
        memory_.resize(offset(num_columns));
    }

    std::size_t memory_bytes() const { return bytes_of(memory_); }

  private:
    static constexpr std::size_t spare = 32;  ///< one part in 32 more than requested
    static constexpr std::size_t line = 64 / sizeof(T), page = 4096 / sizeof(T);
    static_assert(num_columns < page / line && sizeof(T) <= 64 && 64 % sizeof(T) == 0);
    /// The shift of a column against the one before. The first place is left to an array elsewhere that
    /// begins at a page and is walked with these.
    static constexpr std::size_t stagger = page / line / (num_columns + 1) * line;

    std::size_t offset(std::size_t column) const {
        RICOCHET_DCHECK_LE(column, num_columns);
        return stagger + column * pitch_;
    }

    std::size_t num_rows_ = 0;  ///< capacity
    std::size_t pitch_ = 0;     ///< from column to column
    std::vector<T> memory_;
};

}  // namespace ricochet
