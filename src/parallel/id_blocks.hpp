// SPDX-License-Identifier: BSD-3-Clause
//
// The dense ids 0 ... total-1, cut into one contiguous block per rank; sizes differ by one at most.
#pragma once

#include <algorithm>
#include <cstdint>

#include "ricochet/parallel/exchange.hpp"

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
    /// The rank whose block contains `id` < total.
    int rank_of(std::uint64_t id) const {
        const std::uint64_t in_long_blocks = remainder_ * (quotient_ + 1);
        if (id < in_long_blocks) return static_cast<int>(id / (quotient_ + 1));
        return static_cast<int>(remainder_ + (id - in_long_blocks) / quotient_);
    }

  private:
    std::uint64_t quotient_, remainder_;  // the first `remainder_` blocks are one longer
};

/// Calls f(first, last) for parts of this rank's block of ids, in their order. Between them the start may be
/// ended. Collective.
template <class Function>
void for_each_part(const IdBlocks& blocks, Exchange& exchange, Function&& f) {
    constexpr std::uint64_t fewest_ids = 1 << 20, most_parts = 4096;
    const std::uint64_t longest = blocks.count(0), end = blocks.last(exchange.rank());
    const std::uint64_t ids_of_part = std::max(fewest_ids, longest / most_parts);
    std::uint64_t first = blocks.first(exchange.rank());
    for (std::uint64_t done = 0; done < longest; done += ids_of_part) {
        const std::uint64_t last = std::min(first + ids_of_part, end);
        f(first, last);
        first = last;
        exchange.offer_end_of_start();
    }
}

/// The same with f(id) for each id.
template <class Function>
void for_each_id(const IdBlocks& blocks, Exchange& exchange, Function&& f) {
    for_each_part(blocks, exchange, [&](std::uint64_t first, std::uint64_t last) {
        for (std::uint64_t id = first; id < last; ++id) f(id);
    });
}

}  // namespace ricochet
