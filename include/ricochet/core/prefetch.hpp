// SPDX-License-Identifier: BSD-3-Clause
//
// Prefetching: a hint to the processor, without effect on anything but time.
#pragma once

namespace ricochet {

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

}  // namespace ricochet
