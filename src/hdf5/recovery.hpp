// SPDX-License-Identifier: BSD-3-Clause
//
// Brings an output of HDF5 back to a consistent state after its process was killed while it wrote.
//
// A file with a journal (live_journal.hpp) returns to its latest flush. What was announced by then is complete.
//
// A file that a killed run of an earlier version left has no journal. Its end of address may lie below what its
// metadata name. Opened for writing like that, HDF5 would put new objects on top of them. So the end is raised to
// that of the file. This heals the overlap, not a heap that was named and not written.
//
// All of this changes the output and requires that no other process writes it: the caller holds its lock.
#pragma once

#include <optional>
#include <string>

#include "ricochet/parallel/exchange.hpp"

namespace ricochet {

/// Brings the output back where it exists and needs it. Returns a sentence on what was done, on rank 0; none when
/// nothing was. Throws InputError on all ranks where the journal is of another run, RunError on all ranks when
/// reading or writing fails. May be interrupted at any moment and called again. Requires the output's lock.
/// Collective.
std::optional<std::string> recover_output(Exchange& exchange, const std::string& path);

/// Raises the end of address to the end of the file, where an output has no journal and the id of the run. Throws
/// RunError on all ranks when reading or writing fails. Requires the output's lock. Collective.
void heal_output_of_earlier_version(Exchange& exchange, const std::string& path, const std::string& run_id);

/// Makes place for a new output. An earlier one, which is about to be replaced, is brought back; a journal of
/// another run is removed. Throws RunError on all ranks when that fails. Requires the output's lock. Collective.
void settle_replaced_output(Exchange& exchange, const std::string& path);

/// Throws InputError on all ranks where a new output would have a journal beside it that is not its own.
/// Collective.
void require_no_journal(Exchange& exchange, const std::string& path);

}  // namespace ricochet
