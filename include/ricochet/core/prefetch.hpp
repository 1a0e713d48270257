// SPDX-License-Identifier: BSD-3-Clause
//
// A hint to the processor, without effect on anything but time.
#pragma once

namespace ricochet {

/// Asks for the cache line of the address, which need not be valid, to be brought into the first cache: for
/// what is read at once. (GCC 12 takes a function that does nothing but prefetch for one without effect and
/// deletes the calls of it: the empty volatile statement is what keeps them.)
inline void prefetch(const void* address) {
    __builtin_prefetch(address);
    asm volatile("" : : "r"(address));
}

/// The same into the second cache: for much at a time, and for what is read later. It may be out of the first
/// by then, and does not take one of the few places for lines under way to it, which loads need.
inline void prefetch_far(const void* address) {
    constexpr int is_read = 0, second_cache = 2;
    __builtin_prefetch(address, is_read, second_cache);
    asm volatile("" : : "r"(address));
}

}  // namespace ricochet
