// SPDX-License-Identifier: BSD-3-Clause
//
// A kinetic structure: the pairs that may touch at the present time, kept as time goes on. The engine with one queue of
// events works with it (engine/queue_engine.hpp).
//
// It names candidates and decides nothing: contact times come from the engine. It knows when it changes by itself, and
// puts these *topological events* into a queue. The engine processes them in time, before contacts at an equal time.
//
// Invariant: two that touch are neighbours before they do. A pair is looked at when it becomes one of neighbours, and
// when a contact has changed a partner. So the structure may not be wrong by rounding: it needs a slack where two of
// its conditions could begin to hold at one instant.
//
// Stored motions are those of the latest contact, and stay so: a structure must advance them to the present time by
// itself, without writing.
//
// A structure that detects its own inconsistency reports it through `is_broken` (optional); it is then rebuilt.
//
// A structure that predicts when spheres approach walls implements `may_touch_wall`. Then contacts with walls are asked
// for only of those that may: at the start, after contacts and after events other than crossings.
//
// A structure that computes *certificates*, the times when conditions on several particles end, returns their number
// from `num_certificates`, for studies.
//
// Windows are run again when neighbours send other events. So a structure can save its state and restore it. Stamps of
// its events are not restored: they must never come again in a step.
//
// Source: M. L. Gavrilova and J. Rokne, "Collision Detection Optimization in a Multi-particle System",
// section 3.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "ricochet/model/attribute_list.hpp"
#include "ricochet/model/box.hpp"
#include "ricochet/model/particles.hpp"
#include "ricochet/search/broad_phase.hpp"
#include "ricochet/search/search_method.hpp"
#include "search/topological_queue.hpp"

namespace ricochet {

/// The events of time bounds, which are counted apart (time_bounds.hpp). A report belongs to the event before it, and
/// names the neighbours of a second particle. Other structures have `other` only.
enum class BoundEventKind : std::uint8_t { other, enters, leaves, reset, pair, wall, report };

/// What a structure is built from. It may keep a copy: the arrays stay in place for the step.
struct KineticSetting {
    std::span<const Motion> motion;    ///< by slot, each at its own time, which is at most `now`
    AttributeList::Lookup attributes;  ///< by slot; an absent one has no neighbours
    SearchDomain domain;               ///< along x, where most midpoints lie; centres may leave it
    double reach = 0;          ///< beyond surfaces, where partners react or are held; of each of the two
    double now = 0;            ///< within the step
    double end = 0;            ///< of the step, or of its part
    bool is_rebuilt = false;   ///< the structure had become wrong: it should last longer now
    bool may_overlap = false;  ///< rules do more than bounce: spheres may overlap, jump and change their size
};

/// It is made from a box and SearchOptions, or from a box, a SearchMethod and SearchOptions. `now` never goes
/// backwards, but for restore.
template <class S>
concept KineticStructure = requires(S structure, const S constant, const KineticSetting& setting,
                                    TopologicalQueue& queue, Slot slot, double now,
                                    const TopologicalEvent& event, std::vector<Slot>& found) {
    // Builds it for the present slots, and schedules its first events. O(slots) or a little more.
    structure.begin(setting, queue);
    // Appends all that the slot may touch before the next event, perhaps others, never itself.
    constant.neighbours(slot, found);
    // Lets an event take place and schedules what follows. Appends the slot's new neighbours and returns it; none for
    // an event that is void.
    { structure.process(event, queue, found) } -> std::same_as<std::optional<Slot>>;
    // The slot has changed its motion or attributes, or has become absent, now. Reschedules its events. False where the
    // structure cannot hold it and must be built anew.
    { structure.changed(slot, now, queue) } -> std::same_as<bool>;
    // Keeps the state, and goes back to the one that was kept last. The engine does the same with the queue.
    structure.save();
    structure.restore();
    // Appends the present slots, so that neighbours in space follow each other.
    constant.append_order(found);
    // Bytes that it holds.
    { constant.memory_bytes() } -> std::same_as<std::size_t>;
};

}  // namespace ricochet
