// SPDX-License-Identifier: BSD-3-Clause
//
// Which run a file belongs to. A run draws a random id when it starts anew and keeps it when it is continued.
// The result and every checkpoint carry the id: files of two runs are never mixed. They also carry hashes of
// what the run was started from: a run goes on only from what it began with. Neither decides a bit of the
// simulation, and `ricochet compare` leaves them out.
#pragma once

#include <boost/mpi/communicator.hpp>
#include <cstdint>
#include <string>

namespace ricochet {

struct Config;

struct RunIdentity {
    std::string run_id;            ///< 32 hexadecimal digits, random; empty where nobody drew one
    std::uint64_t input_hash = 0;  ///< hash_of_fixed_keys of the effective input
    std::uint64_t start_hash = 0;  ///< of the bytes of the start file; 0 without one

    friend bool operator==(const RunIdentity&, const RunIdentity&) = default;
};

/// The identity of a run of `config` that starts now, with a new id. A start file that cannot be read counts
/// as none: the reading of it reports why. The same on all ranks. Collective; the ranks share the bytes of
/// the start file.
RunIdentity new_identity(const boost::mpi::communicator& ranks, const Config& config);

/// What keeps files of `found` from belonging to a run of `now`: "its input is another", "its start file is
/// another"; empty when nothing does. The ids are left out, and so is a start file that is gone. Local.
std::string difference_in_origin(const RunIdentity& found, const RunIdentity& now);

}  // namespace ricochet
