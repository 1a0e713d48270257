// SPDX-License-Identifier: BSD-3-Clause
//
// Islands: the connected components of the contacts that are pending in one sub-window.
//
// Particles that share a pending contact belong to one island. Each island runs its own small event heap; a
// sub-window of 0.05-0.1 expected contacts per particle falls into many islands of one or two contacts, and
// no global event queue is needed. Whole-step islands would percolate at high density; sub-windows are
// essential.
//
// A slot is *pinned* to an island by a pending or an imposed event and stays with it; it is *claimed* while a
// run predicts a contact for it inside the window, and released when that run is undone. A run that reaches a
// slot of another island proves that the two are one: both are rolled back and merged (0.5-2.5 % of islands).
//
// The rollback rule. A run that is rolled back takes back changes that other islands may already have seen
// and reacted to by *not* predicting a contact. So every slot that a discarded run had changed is noted in
// its island and searched again at the start of each later run. Without this, contacts are lost and the
// result depends on the rank count.
//
// Storage: flat pools; a run appends, and since one island runs at a time, what it appended is one range per
// pool. The range of a discarded run is dead weight until the window is committed.
#pragma once

#include <cstdint>
#include <vector>

#include "ricochet/engine/local_set.hpp"

namespace ricochet {

/// A contact (or imposed event) that a neighbour must be told of.
struct StraddlingEvent {
    NeighbourMask receivers = 0;
    BoundaryEvent event;
};

/// Elements [begin, end) of a pool.
struct PoolRange {
    std::size_t begin = 0, end = 0;
};

struct Island {
    std::uint32_t parent = 0;  ///< itself, or the island it was merged into
    bool is_current = false;   ///< its latest run stands
    std::uint32_t first_pending = no_island,
                  last_pending = no_island;   ///< list in IslandForest's pending nodes
    std::uint32_t first_imposed = no_island;  ///< list of imposed events
    std::uint32_t first_changed = no_island, last_changed = no_island;  ///< slots changed by discarded runs
    PoolRange undo, contacts, straddling, later, claims;                ///< what the current run appended
    Vec3 max_extent;  ///< StepEngine::max_extent of the current run
    bool has_cap_hit = false;
    CapHit cap_hit;
};

/// The islands of one sub-window. Plain storage and structure; the events are run by WindowResolver.
class IslandForest {
  public:
    void clear(LocalSet& set);

    std::uint32_t find(std::uint32_t island) {
        while (islands_[island].parent != island) {
            islands_[island].parent = islands_[islands_[island].parent].parent;
            island = islands_[island].parent;
        }
        return island;
    }
    Island& operator[](std::uint32_t island) { return islands_[island]; }
    const Island& operator[](std::uint32_t island) const { return islands_[island]; }
    std::uint32_t size() const { return static_cast<std::uint32_t>(islands_.size()); }
    bool is_root(std::uint32_t island) const { return islands_[island].parent == island; }

    /// Files a pending contact: its slots become one island.
    void add_pending(LocalSet& set, const Prediction& prediction);
    /// The island that the slot is pinned to or claimed by; a new one when there is none.
    std::uint32_t pin(LocalSet& set, Slot slot);
    /// Joins two roots that are not current; returns the root of the union.
    std::uint32_t unite(std::uint32_t a, std::uint32_t b);

    void add_imposed(std::uint32_t root, std::uint32_t event);
    void forget_imposed() {
        imposed_.clear();
        for (Island& island : islands_) island.first_imposed = no_island;
    }

    /// Undoes the island's current run and notes the slots that it had changed.
    void roll_back(LocalSet& set, std::uint32_t root);
    /// Brackets a run: what it appends to the pools belongs to the island.
    void begin_run(std::uint32_t root);
    void end_run(std::uint32_t root);

    template <class Visit>
    void for_each_pending(std::uint32_t root, Visit&& visit) const {
        for (auto k = islands_[root].first_pending; k != no_island; k = pending_[k].next)
            visit(pending_[k].prediction);
    }
    /// Null when there is no such island or nothing is pending in it.
    const Prediction* first_pending(std::uint32_t island) const {
        if (island >= size() || islands_[island].first_pending == no_island) return nullptr;
        return &pending_[islands_[island].first_pending].prediction;
    }
    template <class Visit>
    void for_each_imposed(std::uint32_t root, Visit&& visit) const {
        for (auto k = islands_[root].first_imposed; k != no_island; k = imposed_[k].next)
            visit(imposed_[k].event);
    }

    /// Visits the slots that discarded runs of the island had changed, until a visit returns false.
    template <class Visit>
    bool for_each_changed(std::uint32_t root, Visit&& visit) const {
        for (auto k = islands_[root].first_changed; k != no_island; k = changed_[k].next) {
            if (!visit(changed_[k].slot)) return false;
        }
        return true;
    }

    // Filled by runs.
    std::vector<SlotUndo> undo;
    std::vector<Contact> contacts;
    std::vector<StraddlingEvent> straddling;
    std::vector<Prediction> later;  ///< predictions for later windows
    std::vector<Slot> claims;

  private:
    struct PendingNode {
        Prediction prediction;
        std::uint32_t next;
    };
    struct ImposedNode {
        std::uint32_t event;
        std::uint32_t next;
    };
    struct ChangedNode {
        Slot slot;
        std::uint32_t next;
    };

    std::uint32_t new_island();
    std::uint32_t join_slot(LocalSet& set, std::uint32_t island, Slot slot);

    std::vector<Island> islands_;
    std::vector<PendingNode> pending_;
    std::vector<ImposedNode> imposed_;
    std::vector<ChangedNode> changed_;
    std::vector<Slot> pinned_;
};

}  // namespace ricochet
