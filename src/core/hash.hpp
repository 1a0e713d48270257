// SPDX-License-Identifier: BSD-3-Clause
//
// Stable hashes of content: to compare states in one line, to guard checkpoints and golden results. Not for
// security.
//
// XXH64 (Y. Collet's published specification) has published test values and runs at memory speed; hash_bytes
// computes it. A Fingerprint adds the hashes of the members of a set. So it depends neither on their order
// nor on how they are spread over ranks. A sequence_sum does the same for the elements of a long array, each
// together with its index.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

namespace ricochet {

/// XXH64 of the bytes, read as little-endian.
std::uint64_t hash_bytes(std::span<const std::byte> bytes, std::uint64_t seed = 0);

/// The same of a contiguous range of plain values without padding.
template <class T>
std::uint64_t hash_values(std::span<const T> values, std::uint64_t seed = 0) {
    static_assert(std::is_trivially_copyable_v<T>);
    return hash_bytes(std::as_bytes(values), seed);
}

/// The contribution of `values`, which begin at index `first` of an array, to the checksum of that array. The
/// checksum is the sum of the contributions of all parts of the array, modulo 2^64, in any order. Each word
/// goes through a bijection that depends on seed and index, so any change of one word is detected. Words have
/// 8 bytes, or 4 where the size of T requires it.
/// Requires: values.size() is a multiple of value_bytes > 0.
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

}  // namespace ricochet
