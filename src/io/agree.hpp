// SPDX-License-Identifier: BSD-3-Clause
//
// Errors that only some ranks see, made into errors that all ranks throw, so that nobody waits for a rank
// that has gone.
#pragma once

#include <boost/mpi/communicator.hpp>
#include <optional>
#include <string>

namespace ricochet {

/// The message of the lowest rank that has one, on all ranks; nothing when none has. Collective.
std::optional<std::string> agreed_message(const boost::mpi::communicator& ranks,
                                          const std::optional<std::string>& own);

/// Throws Error with the message of the lowest rank that has one, on all ranks. Collective.
template <class Error>
void throw_together(const boost::mpi::communicator& ranks, const std::optional<std::string>& own) {
    if (const auto message = agreed_message(ranks, own)) throw Error(*message);
}

}  // namespace ricochet
