// SPDX-License-Identifier: BSD-3-Clause
//
// To be included before any header of Highway by sources whose vector code decides bits: it leaves the
// targets that have fused multiply-add in hardware, and the fallback without vectors (SCALAR or
// EMU128, by compiler).
#pragma once

#define HWY_COMPILE_ALL_ATTAINABLE
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_SSE4)
