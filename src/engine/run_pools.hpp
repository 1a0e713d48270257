// SPDX-License-Identifier: BSD-3-Clause
//
// What the runs of islands append: how to undo them, contacts, boundary events, claimed slots.
//
// Layout: flat pools. One island runs at a time, so what a run appends is one range of each pool. A range
// that stands last is removed when its run is discarded; any other is dead weight until the window is
// committed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/block_store.hpp"
#include "engine/boundary_event.hpp"
#include "engine/contact_pool.hpp"
#include "engine/holders.hpp"
#include "engine/slot_matter.hpp"
#include "engine/slot_state.hpp"

namespace ricochet {

/// A boundary event to be sent.
struct OutgoingEvent {
    NeighbourMask receivers = 0;  ///< none: of a run that was discarded
    BoundaryEvent event;
};

/// Elements [begin, end) of a pool. A rank has fewer than 2^31 contacts in a step (EngineOptions::most_changes sees to
/// it).
struct PoolRange {
    std::uint32_t begin = 0, end = 0;
};

struct RunPools {
    explicit RunPools(BlockStore& store) : undo(store), matter_undo(store), contacts(store) {}

    /// Empties all but the contacts, among which it closes the gaps that discarded runs have left.
    void clear();
    /// Closes the gaps in the contacts.
    void close_gaps();

    BlockVector<SlotUndo> undo;
    BlockVector<MatterUndo> matter_undo;  ///< beside `undo`, or empty where matter does not change
    ContactPool contacts;                 ///< of the window; emptied by the caller
    std::vector<OutgoingEvent> outgoing;
    std::vector<Slot> claims;
    std::vector<PoolRange> dead_contacts;  ///< of discarded runs, not at the end
};

}  // namespace ricochet
