// SPDX-License-Identifier: BSD-3-Clause
//
// Values by key, spread over the ranks: each is kept on the rank that a hash of its key names, where all find it.
//
// Layout: a sorted list of entries per rank. Every rank has about its share of the keys, wherever they come from.
//
// Invariant: a rank asks for each key once per call, however often it needs the value. So the rank of a key that all
// need gets one question of each rank.
//
// Cost: two exchanges of 8 bytes per key that a rank needs, and binary searches.
//
// Not done: keys that are added later.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "ricochet/parallel/exchange.hpp"

namespace ricochet {

class Directory {
  public:
    struct Entry {
        std::uint64_t key = 0, value = 0;

        friend auto operator<=>(const Entry&, const Entry&) = default;
    };

    /// Keys must differ, also those of different ranks. Collective.
    Directory(Exchange& exchange, std::span<const Entry> entries);

    /// The rank that keeps a key.
    static int rank_of(const Exchange& exchange, std::uint64_t key);

    /// The values of keys, in any order and as often as they come. Throws std::logic_error for a key without a value.
    /// Collective.
    std::vector<std::uint64_t> values_of(std::span<const std::uint64_t> keys);

    /// What this rank keeps, by key. Values may be changed.
    std::span<Entry> kept() { return kept_; }
    /// Requires: this rank keeps the key.
    Entry& kept(std::uint64_t key);

    /// That it has made so far.
    std::uint32_t num_exchanges() const { return num_exchanges_; }

  private:
    Exchange& exchange_;
    std::vector<Entry> kept_;
    std::uint32_t num_exchanges_ = 0;
};

}  // namespace ricochet
