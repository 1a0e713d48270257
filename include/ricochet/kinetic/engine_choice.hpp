// SPDX-License-Identifier: BSD-3-Clause
//
// The engine for a search: that of islands (engine/islands.hpp), or the one with one queue of events
// (src/kinetic/queue_engine.hpp). All give the same bits.
#pragma once

#include <memory>

#include "ricochet/engine/step_engine.hpp"

namespace ricochet {

/// An engine for the world, whose contacts follow these rules: its own, or others while a run equilibrates. `automatic`
/// is cells here; search/search_choice.hpp chooses by the density. The engine copies what it needs. The loop must be
/// possible for the search (is_possible).
std::unique_ptr<StepEngine> make_step_engine(const World& world, const ContactRules& rules,
                                             const EngineOptions& options);

}  // namespace ricochet
