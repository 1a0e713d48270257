// SPDX-License-Identifier: BSD-3-Clause
#include "core/hash.hpp"

#include <array>
#include <bit>
#include <cstring>

#include "ricochet/core/check.hpp"

namespace ricochet {
namespace {

static_assert(std::endian::native == std::endian::little);

constexpr std::uint64_t prime_1 = 0x9E3779B185EBCA87ULL, prime_2 = 0xC2B2AE3D27D4EB4FULL,
                        prime_3 = 0x165667B19E3779F9ULL, prime_4 = 0x85EBCA77C2B2AE63ULL,
                        prime_5 = 0x27D4EB2F165667C5ULL;

template <class Word>
Word load(const std::byte* p) {
    Word word;
    std::memcpy(&word, p, sizeof word);
    return word;
}

std::uint64_t round_of(std::uint64_t lane, std::uint64_t word) {
    return std::rotl(lane + word * prime_2, 31) * prime_1;
}

std::uint64_t merge_lane(std::uint64_t hash, std::uint64_t lane) {
    return (hash ^ round_of(0, lane)) * prime_1 + prime_4;
}

/// Takes whole stripes of 32 bytes from the front of `bytes`.
std::uint64_t hash_of_stripes(std::span<const std::byte>& bytes, std::uint64_t seed) {
    std::array<std::uint64_t, 4> lanes = {seed + prime_1 + prime_2, seed + prime_2, seed, seed - prime_1};
    for (; bytes.size() >= 32; bytes = bytes.subspan(32))
        for (std::size_t k = 0; k < 4; ++k)
            lanes[k] = round_of(lanes[k], load<std::uint64_t>(bytes.data() + 8 * k));
    std::uint64_t hash =
        std::rotl(lanes[0], 1) + std::rotl(lanes[1], 7) + std::rotl(lanes[2], 12) + std::rotl(lanes[3], 18);
    for (const std::uint64_t lane : lanes) hash = merge_lane(hash, lane);
    return hash;
}

/// The last 0 to 31 bytes.
std::uint64_t add_rest(std::uint64_t hash, std::span<const std::byte> bytes) {
    for (; bytes.size() >= 8; bytes = bytes.subspan(8))
        hash = std::rotl(hash ^ round_of(0, load<std::uint64_t>(bytes.data())), 27) * prime_1 + prime_4;
    if (bytes.size() >= 4) {
        hash = std::rotl(hash ^ (load<std::uint32_t>(bytes.data()) * prime_1), 23) * prime_2 + prime_3;
        bytes = bytes.subspan(4);
    }
    for (const std::byte byte : bytes)
        hash = std::rotl(hash ^ (static_cast<std::uint64_t>(byte) * prime_5), 11) * prime_1;
    return hash;
}

std::uint64_t avalanche(std::uint64_t hash) {
    hash = (hash ^ (hash >> 33)) * prime_2;
    hash = (hash ^ (hash >> 29)) * prime_3;
    return hash ^ (hash >> 32);
}

/// A bijection; finalizer 13 of D. Stafford (2011), as in SplitMix64 (Steele, Lea, Flood, OOPSLA 2014).
std::uint64_t mixed(std::uint64_t word) {
    word = (word ^ (word >> 30)) * 0xBF58476D1CE4E5B9ULL;
    word = (word ^ (word >> 27)) * 0x94D049BB133111EBULL;
    return word ^ (word >> 31);
}

template <class Word>
std::uint64_t sum_of_words(std::uint64_t seed, std::uint64_t first, std::span<const std::byte> bytes) {
    std::uint64_t sum = 0, place = mixed(seed) + first * prime_1;
    for (; bytes.size() >= sizeof(Word); bytes = bytes.subspan(sizeof(Word)), place += prime_1)
        sum += mixed(load<Word>(bytes.data()) + place);
    return sum;
}

}  // namespace

std::uint64_t hash_bytes(std::span<const std::byte> bytes, std::uint64_t seed) {
    const std::uint64_t length = bytes.size();
    const std::uint64_t start = length >= 32 ? hash_of_stripes(bytes, seed) : seed + prime_5;
    return avalanche(add_rest(start + length, bytes));
}

std::uint64_t sequence_sum(std::uint64_t seed, std::uint64_t first, std::span<const std::byte> values,
                           std::size_t value_bytes) {
    RICOCHET_CHECK_GT(value_bytes, 0);
    RICOCHET_CHECK_EQ(values.size() % value_bytes, 0);
    if (value_bytes % 8 == 0) return sum_of_words<std::uint64_t>(seed, first * (value_bytes / 8), values);
    if (value_bytes % 4 == 0) return sum_of_words<std::uint32_t>(seed, first * (value_bytes / 4), values);
    return sum_of_words<std::uint8_t>(seed, first * value_bytes, values);
}

void Fingerprint::add(std::span<const std::byte> member) {
    first += hash_bytes(member, 0);
    second += hash_bytes(member, prime_1);
}

}  // namespace ricochet
