// SPDX-License-Identifier: BSD-3-Clause
//
// MpiExchange does what every Exchange must, also when its messages are cut into pieces.
#include <gtest/gtest.h>

#include <boost/mpi/communicator.hpp>

#include "ricochet/mpi/mpi_exchange.hpp"
#include "tests/support/exchange_checks.hpp"

namespace ricochet {
namespace {

/// The default limits; a first message that holds nothing but its length, with pieces of odd size; and a
/// first message that holds only some of the content.
class RanksMpiExchange : public testing::TestWithParam<MessageLimits> {
  protected:
    MpiExchange exchange_{boost::mpi::communicator(), GetParam()};
};

TEST_P(RanksMpiExchange, SwapsMessages) { test::check_swap(exchange_); }
TEST_P(RanksMpiExchange, SendsFromAnyToAny) { test::check_all_to_all(exchange_); }
TEST_P(RanksMpiExchange, Reduces) { test::check_reductions(exchange_); }
TEST_P(RanksMpiExchange, GathersAndBroadcasts) { test::check_gather_and_broadcast(exchange_); }

INSTANTIATE_TEST_SUITE_P(Limits, RanksMpiExchange,
                         testing::Values(MessageLimits{}, MessageLimits{8, 1001}, MessageLimits{100, 64}));

}  // namespace
}  // namespace ricochet
