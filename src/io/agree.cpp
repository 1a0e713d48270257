// SPDX-License-Identifier: BSD-3-Clause
#include "io/agree.hpp"

#include <boost/mpi/collectives/all_reduce.hpp>
#include <boost/mpi/collectives/broadcast.hpp>
#include <boost/mpi/operations.hpp>

namespace ricochet {

std::optional<std::string> agreed_message(const boost::mpi::communicator& ranks,
                                          const std::optional<std::string>& own) {
    const int candidate = own ? ranks.rank() : ranks.size();
    const int speaker = boost::mpi::all_reduce(ranks, candidate, boost::mpi::minimum<int>());
    if (speaker == ranks.size()) return std::nullopt;
    std::string message = own.value_or("");
    boost::mpi::broadcast(ranks, message, speaker);
    return message;
}

}  // namespace ricochet
