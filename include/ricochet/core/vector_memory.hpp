// SPDX-License-Identifier: BSD-3-Clause
//
// Memory of vectors that are kept from step to step. By default, a vector that grows by one element copies
// all elements into twice the memory. Old and new memory exist at once, and nothing is ever given back.
#pragma once

#include <cstddef>
#include <vector>

#include "ricochet/core/large_arrays.hpp"

namespace ricochet {

/// Empties a vector that is kept for its memory. Frees the memory when the latest use needed less than a
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

/// Makes room for `size` elements; the contents may be lost. A vector that must grow frees its old memory
/// first, and gets little more than is requested.
template <class T>
void make_room(std::vector<T>& vector, std::size_t size) {
    if (size <= vector.capacity()) return;
    std::vector<T>().swap(vector);
    reserve_in_large_pages(vector, size + size / 32);
}

/// The same, and resizes the vector to `size` uninitialised elements.
template <class T>
void resize_for_overwrite(std::vector<T>& vector, std::size_t size) {
    make_room(vector, size);
    vector.resize(size);
}

}  // namespace ricochet
