// SPDX-License-Identifier: BSD-3-Clause
//
// Whether a result is unchanged since it was written. Every flush leaves checksums of the complete rows and
// of all that describes them (src/result/result_seal.hpp). Not covered: free room, rows beyond the counters,
// the .xdmf file.
//
// The HDF5 library may crash, or read for ever, on a damaged file. A program that must survive lets another
// process check first (src/app/separate_check.hpp).
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "ricochet/files/result_position.hpp"
#include "ricochet/parallel/exchange.hpp"

namespace ricochet {

/// What is wrong with the counters, the description and the places of the rows, as a sentence; none when all
/// is right. `on_piece` is called now and then. Throws InputError when `path` is not a result that opens, or
/// has no checksums. Local. Reads no rows.
std::optional<std::string> find_damage_of_structure(
    const std::string& path, const std::function<void()>& on_piece = [] {});

/// Whether the description has a checksum. A run that is ended while the description changes, for example
/// while the file is closed, leaves none. Throws like find_damage_of_structure. Local.
bool has_checked_description(const std::string& path);

/// What is wrong with the first rows of a result, those of `position`, by comparison with its sums. By
/// default these are all complete rows. The ranks share the reading; the same on all. Collective.
std::optional<std::string> find_damage_of_rows(
    Exchange& exchange, const std::string& path, const ResultPosition& position,
    const std::function<void()>& on_piece = [] {});

/// Both checks, for all complete rows, by one rank. Throws like find_damage_of_structure.
std::optional<std::string> find_damage_of_result(
    const std::string& path, const std::function<void()>& on_piece = [] {});

}  // namespace ricochet
