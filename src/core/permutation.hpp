// SPDX-License-Identifier: BSD-3-Clause
//
// A shuffle of 0 ... n-1 that any rank can evaluate at any index without a table.
//
// Algorithm: a Feistel network permutes the numbers of an even count of bits that covers n. Results outside
// [0, n) are put in again until they fall inside ("cycle walking", fewer than four times on average). Four
// rounds with a mixing function of 64 bits are far more than a shuffle of particles needs (Luby & Rackoff
// 1988).
#pragma once

#include <bit>
#include <cstdint>

#include "ricochet/core/check.hpp"

namespace ricochet {

class KeyedPermutation {
  public:
    /// A permutation of 0 ... size-1; another key gives another permutation.
    /// Requires: size <= 2^62.
    KeyedPermutation(std::uint64_t size, std::uint64_t key)
        : size_(size),
          key_(key),
          half_bits_((static_cast<unsigned>(std::bit_width(size < 2 ? 1 : size - 1)) + 1) / 2) {
        RICOCHET_CHECK_LE(size, std::uint64_t{1} << 62);
    }

    /// The image of `index` < size; one to one onto [0, size).
    std::uint64_t operator()(std::uint64_t index) const {
        RICOCHET_DCHECK_LT(index, size_);
        do {
            index = network(index);
        } while (index >= size_);
        return index;
    }

  private:
    static std::uint64_t mixed(std::uint64_t x) {  // the finaliser of MurmurHash3
        x = (x ^ (x >> 33)) * 0xff51afd7ed558ccdu;
        x = (x ^ (x >> 33)) * 0xc4ceb9fe1a85ec53u;
        return x ^ (x >> 33);
    }
    std::uint64_t network(std::uint64_t index) const {
        const std::uint64_t mask = (std::uint64_t{1} << half_bits_) - 1;
        std::uint64_t left = index >> half_bits_, right = index & mask;
        for (std::uint64_t round = 1; round <= 4; ++round) {
            const std::uint64_t word = mixed(key_ + round * 0x9e3779b97f4a7c15u) ^ right;
            const std::uint64_t next = left ^ (mixed(word) & mask);
            left = right;
            right = next;
        }
        return (left << half_bits_) | right;
    }

    std::uint64_t size_, key_;
    unsigned half_bits_;
};

}  // namespace ricochet
