// SPDX-License-Identifier: BSD-3-Clause
//
// The dense ids 0 ... total-1 cut into one contiguous block per rank, sizes differing by one at most.
#pragma once

#include <algorithm>
#include <cstdint>

namespace ricochet {

class IdBlocks {
  public:
    IdBlocks(std::uint64_t total, int num_ranks)
        : quotient_(total / static_cast<std::uint64_t>(num_ranks)),
          remainder_(total % static_cast<std::uint64_t>(num_ranks)) {}

    std::uint64_t first(int rank) const {
        const auto r = static_cast<std::uint64_t>(rank);
        return r * quotient_ + std::min(r, remainder_);
    }
    std::uint64_t last(int rank) const { return first(rank + 1); }  ///< one past the block
    std::uint64_t count(int rank) const { return last(rank) - first(rank); }
    /// Whose block `id` < total lies in.
    int rank_of(std::uint64_t id) const {
        const std::uint64_t in_long_blocks = remainder_ * (quotient_ + 1);
        if (id < in_long_blocks) return static_cast<int>(id / (quotient_ + 1));
        return static_cast<int>(remainder_ + (id - in_long_blocks) / quotient_);
    }

  private:
    std::uint64_t quotient_, remainder_;  // the first `remainder_` blocks are one longer
};

}  // namespace ricochet
