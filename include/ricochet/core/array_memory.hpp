// SPDX-License-Identifier: BSD-3-Clause
//
// Memory of large arrays, and of arrays that are kept from step to step.
//
// Large pages. The islands of a step, and the sort of spheres into cells, access memory in an order that caches
// cannot foresee. With pages of 4 KiB the processor then also waits for page addresses: it keeps about two
// thousand of them. Many systems give pages of 2 MiB only on request (note 22 of tests/bench/notes.md).
//
// Prefetching is a hint to the processor, without effect on anything but time.
//
// Kept vectors. By default, a vector that grows by one element copies all elements into twice the memory. Old
// and new memory exist at once, and nothing is ever given back.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

namespace ricochet {

constexpr std::size_t large_page_bytes = std::size_t{1} << 21;

/// Asks the system to put this memory into large pages, if it has some. Contents do not change. Only memory
/// that has not been touched profits; later it is too late, or costs a copy.
void prefer_large_pages(void* begin, std::size_t num_bytes) noexcept;

/// Brings a cache line into the first cache, for data that are read at once. The address need not be valid.
/// The empty volatile statement keeps the call: GCC 12 deletes calls of functions that only prefetch.
inline void prefetch(const void* address) {
    __builtin_prefetch(address);
    asm volatile("" : : "r"(address));
}

/// Brings a cache line into the second cache, for much data at a time, or for data that are read later. It
/// takes none of the few line buffers of the first cache, which loads need.
inline void prefetch_far(const void* address) {
    constexpr int is_read = 0, second_cache = 2;
    __builtin_prefetch(address, is_read, second_cache);
    asm volatile("" : : "r"(address));
}

/// From now on large arrays of the process get memory of their own, which returns to the system when they are
/// freed. By default, glibc takes ever larger arrays from the heap after the first has been freed. There,
/// later allocations keep freed memory alive, so the memory of placement would stay for the whole run. The
/// next arrays would also find memory that has been touched.
void keep_large_arrays_apart();

/// From now on memory that is freed stays with the process, for the next arrays of its kind. Frames, blocks of the
/// log and samples, and the libraries that write them, make the same arrays again and again. Memory that is fresh from
/// the system costs more than what is done with it: each page is found and cleared first.
///
/// Called when the particles are placed, so that the memory of the start has gone. Undoes keep_large_arrays_apart.
void keep_freed_memory();

/// vector.reserve(size), in large pages.
template <class T>
void reserve_in_large_pages(std::vector<T>& vector, std::size_t size) {
    if (size <= vector.capacity()) return;
    std::vector<T> roomier;
    roomier.reserve(size);
    prefer_large_pages(roomier.data(), size * sizeof(T));
    roomier.insert(roomier.end(), vector.begin(), vector.end());
    vector.swap(roomier);
}

/// Bytes that the vectors hold, used or not.
template <class... T>
std::size_t bytes_of(const std::vector<T>&... vectors) {
    return (std::size_t{0} + ... + (vectors.capacity() * sizeof(T)));
}

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
