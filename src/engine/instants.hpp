// SPDX-License-Identifier: BSD-3-Clause
//
// The instants at which particles have changed in this sub-window. Two contacts at exactly one instant are rare, but
// lattices and touching rows have them. A search at a time that no other contact has need not look for them.
//
// Algorithm: one bit per hashed time. Times that share a bit count as equal, which costs time and changes no result.
// What a discarded run has noted stays noted, for the same reason.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace ricochet {

class Instants {
  public:
    /// Forgets all. `num_expected`: about how many will be noted; more make false alarms frequent.
    void clear(std::size_t num_expected) {
        constexpr std::size_t times_per_word = 4, most_words = std::size_t{1} << 14;
        const std::size_t num_words = std::clamp<std::size_t>(num_expected / times_per_word, 2, most_words);
        words_.assign(std::bit_ceil(num_words), 0);
        shift_ = std::countl_zero(words_.size() * bits_per_word) + 1;
    }
    /// Notes the time. Returns whether it may have been noted before.
    bool note(double time) {
        constexpr std::uint64_t multiplier = 0x9e3779b97f4a7c15u;  // 2^64 divided by the golden ratio
        const std::uint64_t bit = (std::bit_cast<std::uint64_t>(time) * multiplier) >> shift_;
        std::uint64_t& word = words_[bit / bits_per_word];
        const std::uint64_t mask = std::uint64_t{1} << (bit % bits_per_word);
        const bool is_noted = (word & mask) != 0;
        word |= mask;
        return is_noted;
    }

  private:
    static constexpr std::size_t bits_per_word = 64;
    std::vector<std::uint64_t> words_;
    int shift_ = 0;
};

}  // namespace ricochet
