// SPDX-License-Identifier: BSD-3-Clause
//
// How vectors that are kept from step to step hold on to memory. Left to itself, a vector that grows by one
// element copies all into a place twice as large, with old and new alive at once, and never gives anything
// back.
#pragma once

#include <cstddef>
#include <vector>

#include "ricochet/core/large_arrays.hpp"

namespace ricochet {

/// Empties a vector that is kept for its memory, and frees that when the latest use needed less than a
/// quarter of it: one exceptional step must not cost memory for ever.
template <class T>
void clear_and_trim(std::vector<T>& vector) {
    constexpr std::size_t few = 4096;
    if (vector.capacity() > few && vector.size() < vector.capacity() / 4) {
        const std::size_t room = 2 * vector.size();
        std::vector<T>().swap(vector);  // an assignment of {} would keep the memory
        reserve_in_large_pages(vector, room);
    }
    vector.clear();
}

/// Makes room for so many elements; what the vector holds may be lost. Where it must grow, the old memory is
/// freed before there is new, and that is little more than is asked for.
template <class T>
void make_room(std::vector<T>& vector, std::size_t size) {
    if (size <= vector.capacity()) return;
    std::vector<T>().swap(vector);
    reserve_in_large_pages(vector, size + size / 32);
}

/// The same, and brings the vector to that size, with elements of no defined value.
template <class T>
void resize_for_overwrite(std::vector<T>& vector, std::size_t size) {
    make_room(vector, size);
    vector.resize(size);
}

}  // namespace ricochet
