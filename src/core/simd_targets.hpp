// SPDX-License-Identifier: BSD-3-Clause
//
// Include this before any header of Highway, in sources whose vector code decides bits. It leaves the targets
// that have fused multiply-add in hardware, and the fallback without vectors (SCALAR or EMU128, by compiler).
// Builds of one target only (tests/simd) define HWY_COMPILE_ONLY_... themselves.
#pragma once

#if !defined(HWY_COMPILE_ONLY_SCALAR) && !defined(HWY_COMPILE_ONLY_STATIC)
#define HWY_COMPILE_ALL_ATTAINABLE
#endif
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_SSE4)
