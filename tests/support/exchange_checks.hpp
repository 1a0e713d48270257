// SPDX-License-Identifier: BSD-3-Clause
//
// What every Exchange must do, on any number of ranks; run with threads in the unit tests and with MPI in the
// MPI tests. All ranks call every check.
#pragma once

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <limits>
#include <vector>

#include "ricochet/parallel/exchange.hpp"

namespace ricochet::test {

/// A message that tells its sender and its receiver, and where a byte is wrong.
inline Bytes marked_message(int from, int to, std::size_t length) {
    Bytes message(length);
    for (std::size_t k = 0; k < length; ++k)
        message[k] = static_cast<std::byte>((k * 31 + static_cast<std::size_t>(7 * from + to)) % 251);
    return message;
}

/// Different for every pair and direction, empty for some, beyond every limit of the exchange for others.
inline std::size_t marked_length(int from, int to) {
    constexpr std::array<std::size_t, 6> lengths{0, 1, 93, 4096, 20000, 70001};
    return lengths[static_cast<std::size_t>(from * 5 + to * 3) % lengths.size()];
}

/// The ring of ranks: no neighbour, one (which is on both sides), or two.
inline std::vector<int> ring_neighbours(const Exchange& exchange) {
    const int size = exchange.size(), next = (exchange.rank() + 1) % size,
              previous = (exchange.rank() + size - 1) % size;
    if (size == 1) return {};
    if (size == 2) return {next};
    return {previous, next};
}

inline void check_swap(Exchange& exchange) {
    const std::vector<int> neighbours = ring_neighbours(exchange);
    for (const MessagePhase phase : {MessagePhase::migration, MessagePhase::halo, MessagePhase::events,
                                     MessagePhase::events, MessagePhase::halo}) {
        std::vector<Bytes> outgoing, incoming;
        for (const int other : neighbours)
            outgoing.push_back(marked_message(exchange.rank(), other, marked_length(exchange.rank(), other)));
        exchange.swap_messages(phase, neighbours, outgoing, incoming);
        ASSERT_EQ(incoming.size(), neighbours.size());
        for (std::size_t n = 0; n < neighbours.size(); ++n) {
            const int other = neighbours[n];
            EXPECT_EQ(incoming[n],
                      marked_message(other, exchange.rank(), marked_length(other, exchange.rank())));
        }
    }
}

inline void check_all_to_all(Exchange& exchange) {
    std::vector<Bytes> outgoing;
    for (int r = 0; r < exchange.size(); ++r)
        outgoing.push_back(marked_message(exchange.rank(), r, marked_length(exchange.rank(), r)));
    const auto incoming = exchange.all_to_all(outgoing);
    ASSERT_EQ(static_cast<int>(incoming.size()), exchange.size());
    for (int r = 0; r < exchange.size(); ++r)
        EXPECT_EQ(incoming[static_cast<std::size_t>(r)],
                  marked_message(r, exchange.rank(), marked_length(r, exchange.rank())));
}

inline void check_reductions(Exchange& exchange) {
    const int size = exchange.size(), rank = exchange.rank();
    std::array<double, 3> values{static_cast<double>(rank), -static_cast<double>(rank), -5};
    exchange.max(values);
    EXPECT_EQ(values, (std::array<double, 3>{static_cast<double>(size - 1), 0, -5}));

    // Beyond what 32-bit counts or doubles can hold.
    const std::int64_t large = (std::int64_t{1} << 53) + 1;
    std::array<std::int64_t, 3> integers{large + rank, -rank, -large};
    exchange.max(integers);
    EXPECT_EQ(integers, (std::array<std::int64_t, 3>{large + size - 1, 0, -large}));

    std::vector<std::int64_t> sums(257, rank);
    sums[0] = large;
    exchange.sum(sums);
    EXPECT_EQ(sums[0], large * size);
    EXPECT_EQ(sums[256], size * (size - 1) / 2);

    // Modulo 2^64.
    std::int64_t most = std::numeric_limits<std::int64_t>::max();
    exchange.sum(std::span(&most, 1));
    EXPECT_EQ(static_cast<std::uint64_t>(most), static_cast<std::uint64_t>(size) * (~std::uint64_t{0} >> 1));

    const auto below = static_cast<std::uint64_t>(rank * (rank - 1) / 2);
    EXPECT_EQ(exchange.sum_below(static_cast<std::uint64_t>(rank)), below);
    EXPECT_EQ(exchange.sum_below(~std::uint64_t{0}), std::uint64_t{0} - static_cast<std::uint64_t>(rank));

    const std::uint64_t flag = std::uint64_t{1} << (40 + rank);
    EXPECT_EQ(exchange.bit_or(flag), ((std::uint64_t{1} << size) - 1) << 40);
    EXPECT_EQ(exchange.bit_or(0), 0u);
}

inline void check_gather_and_broadcast(Exchange& exchange) {
    const int rank = exchange.rank(), size = exchange.size(), root = size - 1;
    const Bytes mine = marked_message(rank, 0, marked_length(rank, 0));
    const auto everywhere = exchange.all_gather(mine);
    ASSERT_EQ(static_cast<int>(everywhere.size()), size);
    for (int r = 0; r < size; ++r)
        EXPECT_EQ(everywhere[static_cast<std::size_t>(r)], marked_message(r, 0, marked_length(r, 0)));
    const auto on_root = exchange.gather(mine, root);
    EXPECT_EQ(on_root, rank == root ? everywhere : std::vector<Bytes>{});

    for (const std::size_t length : {std::size_t{0}, std::size_t{5}, std::size_t{50000}}) {
        Bytes bytes = rank == root ? marked_message(1, 2, length) : Bytes(3);
        exchange.broadcast(bytes, root);
        EXPECT_EQ(bytes, marked_message(1, 2, length));
    }
}

}  // namespace ricochet::test
