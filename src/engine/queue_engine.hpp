// SPDX-License-Identifier: BSD-3-Clause
//
// The engine with one queue of events per slab, in which a kinetic structure names the candidates
// (search/kinetic_structure.hpp). It gives the same bits as the engine of islands, and is mostly slower. It is there to
// compare the structures, and to check one engine by the other.
//
// Why the bits are the same: a contact time is a function of two states, wherever it is asked for. The order of the
// queue is the definition. And two that touch are neighbours before they do.
//
// Sub-windows are there for the exchange with neighbours only. When the list of remote events changes, the window is
// undone and run again as a whole. The halo is judged as after several search intervals: there are no bounding spheres.
//
// Source: M. L. Gavrilova and J. Rokne, "Collision Detection Optimization in a Multi-particle System", section 2.
#pragma once

#include <memory>

#include "ricochet/engine/step_engine.hpp"

namespace ricochet {

/// `options.search` may be any: a search for whole steps that is no kinetic structure links bounding spheres at the
/// start of the step (search/sphere_links.hpp).
std::unique_ptr<StepEngine> make_queue_engine(const World& world, const ContactRules& rules,
                                              const EngineOptions& options);

}  // namespace ricochet
