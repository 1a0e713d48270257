// SPDX-License-Identifier: BSD-3-Clause
//
// The exchange that the other tests of the parallel layer stand on, and the records in its messages.
#include <gtest/gtest.h>

#include <stdexcept>

#include "parallel/serial_exchange.hpp"
#include "tests/support/exchange_checks.hpp"
#include "tests/support/thread_exchange.hpp"

namespace ricochet {
namespace {

using test::run_ranks;

class ThreadExchangeTest : public testing::TestWithParam<int> {};

TEST_P(ThreadExchangeTest, SwapsMessages) { run_ranks(GetParam(), test::check_swap); }
TEST_P(ThreadExchangeTest, SendsFromAnyToAny) { run_ranks(GetParam(), test::check_all_to_all); }
TEST_P(ThreadExchangeTest, Reduces) { run_ranks(GetParam(), test::check_reductions); }
TEST_P(ThreadExchangeTest, GathersAndBroadcasts) { run_ranks(GetParam(), test::check_gather_and_broadcast); }

INSTANTIATE_TEST_SUITE_P(RankCounts, ThreadExchangeTest, testing::Values(1, 2, 3, 4, 5, 7));

TEST(SerialExchange, IsAnExchangeOfOneRank) {
    SerialExchange exchange;
    test::check_swap(exchange);
    test::check_all_to_all(exchange);
    test::check_reductions(exchange);
    test::check_gather_and_broadcast(exchange);
}

TEST(ThreadExchange, ReportsWaitingForAnEndedRank) {
    const auto one_leaves = [](Exchange& exchange) {
        exchange.bit_or(0);
        if (exchange.rank() != 1) exchange.bit_or(0);
    };
    EXPECT_THROW(run_ranks(3, one_leaves), std::logic_error);
}

TEST(ThreadExchange, ReportsDifferentCollectives) {
    const auto mismatch = [](Exchange& exchange) {
        if (exchange.rank() == 1)
            exchange.bit_or(0);
        else
            exchange.all_gather({});
    };
    EXPECT_THROW(run_ranks(3, mismatch), std::logic_error);
}

TEST(ThreadExchange, ReportsUnmatchedNeighbours) {
    const auto one_sided = [](Exchange& exchange) {
        const std::vector<int> neighbours(exchange.rank() == 0 ? 1 : 0, 1);
        const std::vector<Bytes> outgoing(neighbours.size());
        std::vector<Bytes> incoming;
        exchange.swap_messages(MessagePhase::halo, neighbours, outgoing, incoming);
    };
    EXPECT_THROW(run_ranks(2, one_sided), std::logic_error);
}

TEST(ThreadExchange, AFailureLeavesNobodyWaiting) {
    const auto failing = [](Exchange& exchange) {
        if (exchange.rank() == 2) throw std::out_of_range("rank 2");
        exchange.bit_or(0);
    };
    EXPECT_THROW(run_ranks(4, failing), std::out_of_range);
}

TEST(Records, ComeBackAsTheyWereAppended) {
    const std::vector<double> numbers{1.5, -0.0, 3e300};
    const std::vector<std::uint64_t> ids{7, ~std::uint64_t{0}};
    Bytes message;
    append_records(message, std::span<const double>(numbers));
    append_records(message, std::span<const std::uint64_t>(ids));
    std::vector<double> numbers_read;
    std::vector<std::uint64_t> ids_read;
    read_records(message, 0, 3, numbers_read);
    read_records(message, 24, 2, ids_read);
    EXPECT_EQ(numbers_read, numbers);
    EXPECT_EQ(ids_read, ids);
}

TEST(Records, AMessageThatIsTooShortIsADefect) {
    const Bytes message(12);
    std::vector<double> numbers;
    EXPECT_THROW(read_records(message, 0, 2, numbers), std::logic_error);
    EXPECT_THROW(read_records(message, numbers), std::logic_error);
}

}  // namespace
}  // namespace ricochet
