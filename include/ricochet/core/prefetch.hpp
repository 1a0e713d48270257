// SPDX-License-Identifier: BSD-3-Clause
//
// A hint to the processor, without effect on anything but time.
#pragma once

namespace ricochet {

/// Asks for the cache line of the address, which need not be valid. (GCC 12 takes a function that does
/// nothing but prefetch for one without effect and deletes the calls of it: the empty volatile statement is
/// what keeps them.)
inline void prefetch(const void* address) {
    __builtin_prefetch(address);
    asm volatile("" : : "r"(address));
}

}  // namespace ricochet
