// SPDX-License-Identifier: BSD-3-Clause
//
// The instruction sets that vector code can use on this machine. The best one is chosen at run time. Results
// never depend on it; tests force each one to show this.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace ricochet {

struct SimdTarget {
    std::int64_t id = 0;  ///< Highway's bit for the target
    std::string name;     ///< such as AVX2, AVX3 (AVX-512) or SCALAR
};

/// The instruction sets that this machine has and the program was built for, best first; SCALAR is the last.
std::vector<SimdTarget> supported_simd_targets();

/// Makes all vector code of the process use one target as long as the object lives. For tests and benchmarks.
/// Not thread-safe.
class ForcedSimdTarget {
  public:
    explicit ForcedSimdTarget(const SimdTarget& target);
    ~ForcedSimdTarget();
    ForcedSimdTarget(const ForcedSimdTarget&) = delete;
    ForcedSimdTarget(ForcedSimdTarget&&) = delete;
    ForcedSimdTarget& operator=(const ForcedSimdTarget&) = delete;
    ForcedSimdTarget& operator=(ForcedSimdTarget&&) = delete;
};

}  // namespace ricochet
