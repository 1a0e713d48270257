// SPDX-License-Identifier: BSD-3-Clause
//
// Stable hashes of content: to compare states in one line, to guard checkpoints and golden results. Not for
// security.
//
// hash_bytes is XXH64 (Y. Collet's published specification), which has published test values and runs at
// memory speed. Fingerprint adds the hashes of the members of a set, so that it depends neither on their
// order nor on how they are spread over ranks. sequence_sum does the same for the numbers of a long array,
// each with its place in it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "ricochet/core/particles.hpp"

namespace ricochet {

/// XXH64 of the bytes, read as little-endian.
std::uint64_t hash_bytes(std::span<const std::byte> bytes, std::uint64_t seed = 0);

/// The same of a contiguous range of plain values without padding.
template <class T>
std::uint64_t hash_values(std::span<const T> values, std::uint64_t seed = 0) {
    static_assert(std::is_trivially_copyable_v<T>);
    return hash_bytes(std::as_bytes(values), seed);
}

/// What the `values`, which begin at place `first` of an array, add to the checksum of that array. The
/// checksum is the sum over any parts that make up the array, modulo 2^64, in any order. Words of 8 bytes, of
/// 4 where the size of T asks for it, go through a bijection that depends on seed and place: whatever happens
/// to one word is found with certainty. About 1 ns per word.
std::uint64_t sequence_sum(std::uint64_t seed, std::uint64_t first, std::span<const std::byte> values,
                           std::size_t value_bytes);

template <class T>
std::uint64_t sequence_sum(std::uint64_t seed, std::uint64_t first, std::span<const T> values) {
    static_assert(std::is_trivially_copyable_v<T>);
    return sequence_sum(seed, first, std::as_bytes(values), sizeof(T));
}

/// Hash of a multiset. Merging over ranks is adding both words modulo 2^64.
struct Fingerprint {
    std::uint64_t first = 0, second = 0;

    /// Adds one member, given as its bytes.
    void add(std::span<const std::byte> member);
    void merge(const Fingerprint& other) {
        first += other.first;
        second += other.second;
    }
    friend bool operator==(const Fingerprint&, const Fingerprint&) = default;
};

/// Fingerprint of a set of particles: every bit of their motion, attributes and track counts, their order
/// does not.
Fingerprint fingerprint(const Particles& particles);

}  // namespace ricochet
