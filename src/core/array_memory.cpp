// SPDX-License-Identifier: BSD-3-Clause
#include "ricochet/core/array_memory.hpp"

#include <cstdint>

#ifdef __GLIBC__
#include <malloc.h>
#endif
#ifdef __linux__
#include <sys/mman.h>
#include <unistd.h>
#endif

namespace ricochet {

void prefer_large_pages([[maybe_unused]] void* begin, [[maybe_unused]] std::size_t num_bytes) noexcept {
#ifdef __linux__
    if (num_bytes < large_page_bytes) return;
    // The request covers the whole first page: an allocation with a mapping of its own begins there, and so
    // can a large page.
    const auto page = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
    const std::uintptr_t before = reinterpret_cast<std::uintptr_t>(begin) % page;
    // A refusal changes nothing but the speed.
    static_cast<void>(madvise(static_cast<std::byte*>(begin) - before, before + num_bytes, MADV_HUGEPAGE));
#endif
}

void keep_large_arrays_apart() {
#ifdef __GLIBC__
    constexpr int large = 1 << 20;  // bytes
    mallopt(M_MMAP_THRESHOLD, large);
#endif
}

void keep_freed_memory() {
#ifdef __GLIBC__
    constexpr int never = -1, spare = 1 << 26;  // bytes
    mallopt(M_MMAP_MAX, 0);
    mallopt(M_TRIM_THRESHOLD, never);
    mallopt(M_TOP_PAD, spare);
#endif
}

}  // namespace ricochet
