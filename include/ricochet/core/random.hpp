// SPDX-License-Identifier: BSD-3-Clause
//
// Random numbers without state: each is a function of (seed, stream, id, step, block). So a particle draws
// the same numbers on any rank, in any order and after any restart.
//
// Algorithm: Philox4x32-10 (Salmon, Moraes, Dror & Shaw, "Parallel random numbers: as easy as 1, 2, 3",
// SC'11), as in the Random123 library, whose published test vectors it reproduces. The 128-bit counter holds
// the arguments side by side, so different arguments never share a counter; the 64-bit key is the seed:
//
//   word 0, 1   id                     word 3, bits  0..15   step, bits 32..47
//   word 2      step, bits 0..31       word 3, bits 16..23   stream
//                                      word 3, bits 24..31   block
//
// Reason for this generator: it needs only 32-bit multiplications, which every vector unit has. Ten rounds
// pass all known tests. Disadvantage: steps end at 2^48, and one (stream, id, step) has 256 blocks of 128
// bits.
#pragma once

#include <array>
#include <cstdint>

#include "ricochet/core/check.hpp"

namespace ricochet {

/// The purpose of a random number. Numbers of different streams are independent. Values are part of the
/// results: never renumber.
enum class Stream : std::uint8_t {
    brownian = 0,          ///< displacements; step is the time step
    velocity = 1,          ///< initial velocities
    radius = 2,            ///< sizes from a distribution
    placement = 3,         ///< proposed positions; step is the attempt
    permutation = 4,       ///< shuffles of lattice sites or species
    equilibration = 5,     ///< displacements of the unrecorded steps before the run
    contact_response = 6,  ///< random responses to contacts
    decay = 7,             ///< which particles decay, how, and the directions of their products
    tether = 8,            ///< which tethers break
    drive = 9,             ///< directions in which particles are driven; step is the interval
    acceleration = 10,     ///< how strongly each particle is driven
    growth = 11,           ///< velocities while a start grows
    release = 12,          ///< velocities along axes on which a contact or a decay sets particles free
    thermal = 13           ///< velocities with which particles leave a thermal surface
};

using PhiloxCounter = std::array<std::uint32_t, 4>;
using PhiloxKey = std::array<std::uint32_t, 2>;

namespace detail {
inline constexpr std::uint32_t philox_multiplier_0 = 0xD2511F53u;
inline constexpr std::uint32_t philox_multiplier_1 = 0xCD9E8D57u;
inline constexpr std::uint32_t philox_weyl_0 = 0x9E3779B9u;
inline constexpr std::uint32_t philox_weyl_1 = 0xBB67AE85u;
inline constexpr int philox_rounds = 10;

constexpr std::uint32_t low_half(std::uint64_t a) { return static_cast<std::uint32_t>(a); }
constexpr std::uint32_t high_half(std::uint64_t a) { return static_cast<std::uint32_t>(a >> 32); }
}  // namespace detail

/// The Philox4x32-10 bijection.
constexpr PhiloxCounter philox_4x32_10(PhiloxCounter c, PhiloxKey key) {
    using namespace detail;
    for (int round = 0; round < philox_rounds; ++round) {
        const std::uint64_t product_0 = std::uint64_t{philox_multiplier_0} * c[0];
        const std::uint64_t product_1 = std::uint64_t{philox_multiplier_1} * c[2];
        c = {high_half(product_1) ^ c[1] ^ key[0], low_half(product_1), high_half(product_0) ^ c[3] ^ key[1],
             low_half(product_0)};
        key = {key[0] + philox_weyl_0, key[1] + philox_weyl_1};
    }
    return c;
}

/// All arguments but the particle and the block.
struct RandomKey {
    std::uint64_t seed = 0;
    Stream stream = Stream::brownian;
    std::uint64_t step = 0;  ///< time step, or attempt; below 2^48
};

/// Steps from this one on have no random numbers of their own.
inline constexpr std::uint64_t max_random_step = std::uint64_t{1} << 48;

/// Two independent 64-bit words: one block of the generator.
using RandomWords = std::array<std::uint64_t, 2>;

namespace detail {

/// Word 3 of the counter.
constexpr std::uint32_t counter_top(const RandomKey& key, unsigned block) {
    return (high_half(key.step) & 0xffffu) | (static_cast<std::uint32_t>(key.stream) << 16) | (block << 24);
}

}  // namespace detail

/// The words of block 0..255 of particle `id` under `key`.
constexpr RandomWords random_words(const RandomKey& key, std::uint64_t id, unsigned block = 0) {
    using namespace detail;
    RICOCHET_DCHECK_LT(key.step, max_random_step);
    RICOCHET_DCHECK_LE(block, 255);
    const PhiloxCounter words =
        philox_4x32_10({low_half(id), high_half(id), low_half(key.step), counter_top(key, block)},
                       {low_half(key.seed), high_half(key.seed)});
    return {words[0] | (std::uint64_t{words[1]} << 32), words[2] | (std::uint64_t{words[3]} << 32)};
}

/// Uniform in [0, 1), a multiple of 2^-53.
constexpr double uniform_from(std::uint64_t word) { return static_cast<double>(word >> 11) * 0x1p-53; }

/// Uniform in (0, 1], a multiple of 2^-53.
constexpr double uniform_above_zero_from(std::uint64_t word) {
    return static_cast<double>((word >> 11) + 1) * 0x1p-53;
}

/// Uniform integer in [0, bound), bound > 0, by the high half of a product. Probabilities differ by at most
/// bound/2^64.
constexpr std::uint64_t bounded_from(std::uint64_t word, std::uint64_t bound) {
    RICOCHET_DCHECK_GT(bound, 0);
    __extension__ using Wide = unsigned __int128;
    return static_cast<std::uint64_t>((Wide{word} * bound) >> 64);
}

/// The words of one (key, id) one after another, at most 512, for loops that draw an unknown number of them.
/// It is a cursor, not a state: two cursors of the same arguments give the same words.
class RandomSequence {
  public:
    constexpr RandomSequence(const RandomKey& key, std::uint64_t id) : key_(key), id_(id) {}

    constexpr std::uint64_t next() {
        if (position_ % 2 == 0) words_ = random_words(key_, id_, position_ / 2);
        return words_[position_++ % 2];
    }
    constexpr double uniform() { return uniform_from(next()); }
    constexpr double uniform_above_zero() { return uniform_above_zero_from(next()); }
    constexpr std::uint64_t below(std::uint64_t bound) { return bounded_from(next(), bound); }
    /// Number of words left.
    constexpr unsigned remaining() const { return 512 - position_; }

  private:
    RandomKey key_;
    std::uint64_t id_;
    unsigned position_ = 0;
    RandomWords words_{};
};

}  // namespace ricochet
