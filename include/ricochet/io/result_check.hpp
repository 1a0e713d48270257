// SPDX-License-Identifier: BSD-3-Clause
//
// Whether a result is as it was written: every flush leaves checksums of the complete rows and of all that
// describes them (src/io/result_seal.hpp). What is not covered says nothing: free room, rows beyond the
// counters, the .xdmf file.
//
// The HDF5 library may crash, or read for ever, on a damaged file. Whoever must go on then lets another
// process look first (src/app/separate_check.hpp).
#pragma once

#include <boost/mpi/communicator.hpp>
#include <functional>
#include <optional>
#include <string>

#include "ricochet/io/run_state.hpp"

namespace ricochet {

/// What is wrong with the counters, the description and the places of the rows, as a sentence; none when
/// nothing is. `on_piece` is called now and then. Throws InputError when `path` is not a result that opens,
/// or has no checksums. Local. Reads no rows.
std::optional<std::string> find_damage_of_structure(
    const std::string& path, const std::function<void()>& on_piece = [] {});

/// Whether the description has a checksum: a run that is ended while the description changes, e.g. while the
/// file is closed, leaves none. Throws as find_damage_of_structure. Local.
bool has_checked_description(const std::string& path);

/// What is wrong with the first rows of a result, those of `position`, held against its sums; by itself those
/// are all complete rows. The ranks share the reading; the same on all. Collective.
std::optional<std::string> find_damage_of_rows(
    const boost::mpi::communicator& ranks, const std::string& path, const ResultPosition& position,
    const std::function<void()>& on_piece = [] {});

/// Both, of all complete rows, by one rank. Throws as find_damage_of_structure.
std::optional<std::string> find_damage_of_result(
    const std::string& path, const std::function<void()>& on_piece = [] {});

}  // namespace ricochet
