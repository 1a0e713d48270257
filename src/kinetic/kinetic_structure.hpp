// SPDX-License-Identifier: BSD-3-Clause
//
// A kinetic structure: the pairs that may touch at the present time, kept as time goes on. The engine with one queue of
// events works with it (kinetic/queue_engine.hpp).
//
// It names candidates and decides nothing: contact times come from the engine. It knows when it changes by itself, and
// puts these *topological events* into a queue. The engine processes them in time, before contacts at an equal time.
//
// Invariant: two particles that touch are neighbours before they touch. The engine computes the contact time of two
// particles when they become neighbours, and when a contact has changed one of them. So the structure may not be wrong
// by rounding: it needs a slack where two of its conditions could begin to hold at one instant.
//
// Stored motions are those of the latest contact, and stay so: a structure must advance them to the present time by
// itself, without writing.
//
// Windows are run again when neighbours send other events. So a structure can save its state and restore it. Stamps of
// its events are not restored: they must never come again in a step.
//
// Source: M. L. Gavrilova and J. Rokne, "Collision Detection Optimization in a Multi-particle System",
// section 3.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "kinetic/topological_queue.hpp"
#include "ricochet/engine/step_engine.hpp"
#include "ricochet/model/attribute_list.hpp"
#include "ricochet/model/box.hpp"
#include "ricochet/model/particles.hpp"
#include "ricochet/search/broad_phase.hpp"
#include "ricochet/search/search_method.hpp"

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
    double beyond_walls = 0;   ///< how far centres may leave the box there
    double now = 0;            ///< within the step
    double end = 0;            ///< of the step, or of its part
    bool is_rebuilt = false;   ///< the structure had become wrong: it should last longer now
    bool may_overlap = false;  ///< rules do more than bounce: spheres may overlap, jump and change their size
};

/// It is made from a box and EngineOptions. `now` never goes backwards, but for restore.
class KineticStructure {
  public:
    KineticStructure() = default;
    KineticStructure(const KineticStructure&) = delete;
    KineticStructure& operator=(const KineticStructure&) = delete;
    virtual ~KineticStructure() = default;

    /// Builds it for the present slots, and schedules its first events. O(slots) or a little more.
    virtual void begin(const KineticSetting& setting, TopologicalQueue& queue) = 0;
    /// Appends all that the slot may touch before the next event, perhaps others, never itself.
    virtual void neighbours(Slot slot, std::vector<Slot>& found) const = 0;
    /// Lets an event take place and schedules what follows. Appends the slot's new neighbours and returns it; none for
    /// an event that is void.
    virtual std::optional<Slot> process(const TopologicalEvent& event, TopologicalQueue& queue,
                                        std::vector<Slot>& found) = 0;
    /// The slot has changed its motion or attributes, or has become absent, now. Reschedules its events. False where
    /// the structure cannot hold it and must be built anew.
    virtual bool changed(Slot slot, double now, TopologicalQueue& queue) = 0;
    /// Keeps the state, and goes back to the one that was kept last. The engine does the same with the queue.
    virtual void save() = 0;
    virtual void restore() = 0;
    /// Appends the present slots, so that neighbours in space follow each other.
    virtual void append_order(std::vector<Slot>& order) const = 0;
    /// Bytes that it holds.
    virtual std::size_t memory_bytes() const = 0;

    /// Whether an event has shown that it is wrong. Then it is built anew.
    virtual bool is_broken() const { return false; }
    /// Whether cells stand in for it since it was begun last.
    virtual bool uses_cells() const { return false; }
    /// Whether it predicts when spheres approach walls. Then contacts with walls are asked for only of those that may
    /// touch one: at the start, after contacts, and after events other than crossings.
    virtual bool foresees_walls() const { return false; }
    /// Whether the slot may touch a wall before the next event.
    virtual bool may_touch_wall(Slot /*slot*/) const { return true; }
    /// The kind of the event that was processed last.
    virtual BoundEventKind latest_kind() const { return BoundEventKind::other; }
    /// How many *certificates* it has computed since it was made: times when conditions on several particles end. For
    /// studies.
    virtual std::uint64_t num_certificates() const { return 0; }
};

}  // namespace ricochet
