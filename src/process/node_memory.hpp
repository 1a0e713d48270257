// SPDX-License-Identifier: BSD-3-Clause
//
// Whether each node has the memory that its ranks will need. The test comes before any particle is placed.
// Without it the kernel would later end a rank without a message, or the node would start to swap.
#pragma once

#include <filesystem>
#include <optional>

#include "plan/plan.hpp"
#include "ricochet/parallel/exchange.hpp"

namespace ricochet {

/// Bytes that programs on this node may still allocate. This is what the kernel calls available, or less
/// where a control group (of a batch job or a container) has a limit. None where the system does not say.
/// `root` is put before the paths read. Local.
std::optional<double> available_memory(const std::filesystem::path& root = "/");

/// Throws InputError, the same on all ranks, where the ranks of some node will need more memory than it has
/// available. Collective.
void require_memory(Exchange& exchange, const Config& config, const ParticleSummary& particles,
                    const RunPlan& plan);

}  // namespace ricochet
