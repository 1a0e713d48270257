// SPDX-License-Identifier: BSD-3-Clause
//
// Whether a node has the memory that its ranks will need, asked before any particle is placed: afterwards the
// kernel ends one rank without a word, or the node starts to swap.
#pragma once

#include <filesystem>
#include <optional>

#include "ricochet/app/plan.hpp"
#include "ricochet/parallel/mpi_exchange.hpp"

namespace ricochet {

/// Bytes that programs on this node may still take: what the kernel calls available, or less where a control
/// group (of a batch job or a container) has a limit. None where the system does not say. `root` is put
/// before the paths read. Local.
std::optional<double> available_memory(const std::filesystem::path& root = "/");

/// Throws InputError, the same on all ranks, where the ranks of some node will need more memory than it has
/// available. Collective.
void require_memory(MpiExchange& exchange, const Config& config, const ParticleSummary& particles,
                    const RunPlan& plan);

}  // namespace ricochet
