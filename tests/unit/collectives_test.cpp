// SPDX-License-Identifier: BSD-3-Clause
//
// What ranks agree on and bring together.
#include "parallel/collectives.hpp"

#include <gtest/gtest.h>

#include <array>
#include <string>
#include <vector>

#include "ricochet/core/error.hpp"
#include "ricochet/core/exact_sum.hpp"
#include "tests/support/message_of.hpp"
#include "tests/support/thread_exchange.hpp"

namespace ricochet {
namespace {

using test::message_of;
using test::run_ranks;

TEST(Collectives, LowestRankWithErrorSpeaksForAll) {
    run_ranks(4, [](Exchange& exchange) {
        std::optional<std::string> mine;
        EXPECT_EQ(agreed_message(exchange, mine), std::nullopt);
        if (exchange.rank() >= 2) mine = "rank " + std::to_string(exchange.rank());
        EXPECT_EQ(agreed_message(exchange, mine), "rank 2");
        EXPECT_EQ(message_of<RunError>([&] { throw_together<RunError>(exchange, mine); }), "rank 2");
        // An error without words is one as well.
        EXPECT_EQ(
            agreed_message(exchange, exchange.rank() == 3 ? std::optional<std::string>("") : std::nullopt),
            "");
    });
}

TEST(Collectives, ErrorsOfRankZeroAreThrownByAll) {
    run_ranks(3, [](Exchange& exchange) {
        int num_calls = 0;
        run_on_root<InputError>(exchange, [&] { ++num_calls; });
        EXPECT_EQ(num_calls, exchange.rank() == 0 ? 1 : 0);
        const auto refuse = [&] { run_on_root<InputError>(exchange, [] { throw InputError("refused"); }); };
        EXPECT_EQ(message_of<InputError>(refuse), "refused");
    });
}

TEST(Collectives, OtherErrorsOfRankZeroEndTheWorld) {
    const auto fail = [](Exchange& exchange) {
        run_on_root<InputError>(exchange, [] { throw RunError("something else"); });
    };
    EXPECT_THROW(run_ranks(3, fail), RunError);
}

TEST(Collectives, NumbersOfAllRanks) {
    run_ranks(3, [](Exchange& exchange) {
        const std::uint64_t large = (std::uint64_t{1} << 62) + static_cast<std::uint64_t>(exchange.rank());
        EXPECT_EQ(max_of_ranks(exchange, large), (std::uint64_t{1} << 62) + 2);
        EXPECT_EQ(sum_of_ranks(exchange, large), 3 * (std::uint64_t{1} << 62) + 3);
        std::array<std::uint64_t, 2> checksums{~std::uint64_t{0}, large};
        sum_over_ranks(exchange, checksums);
        EXPECT_EQ(checksums[0], std::uint64_t{0} - 3);
        EXPECT_EQ(checksums[1], 3 * (std::uint64_t{1} << 62) + 3);
    });
}

TEST(Collectives, RowsFollowEachOtherInRankOrder) {
    constexpr std::array<std::uint64_t, 5> counts{3, 0, std::uint64_t{1} << 40, 7, 0};
    for (const int num_ranks : {1, 2, 3, 5})
        run_ranks(num_ranks, [&](Exchange& exchange) {
            std::uint64_t first = 0, total = 0;
            for (int rank = 0; rank < num_ranks; ++rank) {
                if (rank == exchange.rank()) first = total;
                total += counts.at(static_cast<std::size_t>(rank));
            }
            const GlobalRows rows =
                locate_rows(exchange, counts.at(static_cast<std::size_t>(exchange.rank())));
            EXPECT_EQ(rows.first, first);
            EXPECT_EQ(rows.total, total);
        });
}

TEST(Collectives, TextAndRecordsOfOneRank) {
    run_ranks(3, [](Exchange& exchange) {
        const bool is_root = exchange.rank() == 1;
        EXPECT_EQ(broadcast_text(exchange, is_root ? "a text" : "another", 1), "a text");
        EXPECT_EQ(broadcast_text(exchange, is_root ? "" : "another", 1), "");
        std::vector<std::uint64_t> records(is_root ? 2 : 5, is_root ? 7u : 1u);
        broadcast_records(exchange, records, 1);
        EXPECT_EQ(records, (std::vector<std::uint64_t>{7, 7}));
    });
}

TEST(Collectives, RecordsComeInRankOrder) {
    run_ranks(3, [](Exchange& exchange) {
        const std::vector<int> mine(static_cast<std::size_t>(exchange.rank()), exchange.rank());
        const std::vector<int> expected{1, 2, 2};
        EXPECT_EQ(all_gather_records<int>(exchange, mine), expected);
        EXPECT_EQ(gather_records<int>(exchange, mine, 1),
                  exchange.rank() == 1 ? expected : std::vector<int>{});
    });
}

TEST(Collectives, ExactSumsDoNotDependOnTheRanks) {
    const std::vector<double> terms{1e300, 1, -1e300, 1e-300, 0.1, -3e17, 3e17, 1e-30, -0.1};
    ExactSum serial;
    for (const double term : terms) serial.add(term);
    for (const int num_ranks : {1, 2, 3, 4, 7})
        run_ranks(num_ranks, [&](Exchange& exchange) {
            std::array<ExactSum, 2> sums;
            for (std::size_t k = 0; k < terms.size(); ++k)
                if (static_cast<int>(k) % num_ranks == exchange.rank()) {
                    sums[0].add(terms[k]);
                    sums[1].add(-terms[k]);
                }
            reduce_exact(exchange, std::span<ExactSum>(sums));
            EXPECT_EQ(sums[0], serial);
            EXPECT_EQ(sums[1].value(), -serial.value());
        });
}

}  // namespace
}  // namespace ricochet
