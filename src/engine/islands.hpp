// SPDX-License-Identifier: BSD-3-Clause
//
// Islands: the connected components of the contacts that are pending in one sub-window.
//
// Algorithm: particles that share a pending contact belong to one island (union-find). Islands are run one
// after the other, each with the same small event queue (island_runner.hpp). A sub-window of 0.05 to 0.1
// expected contacts per particle falls into many islands of one or two contacts, so no global event queue is
// needed. Whole-step islands would percolate at high density; sub-windows are essential.
//
// Islands run speculatively: without waiting for events from neighbours, or from islands that turn out to be
// connected. What proves wrong is rolled back (D. R. Jefferson, Virtual Time, ACM TOPLAS 7 (1985) 404).
//
// A slot is *pinned* to an island by a pending contact or a remote event, and stays with it. It is *claimed*
// while a run predicts a contact for it inside the window, and released when that run is rolled back. A run
// that reaches a slot of another island proves that the two are one. Both are rolled back and merged (rare:
// note 17 of tests/bench/notes.md).
//
// Layout: what runs append lies in pools (run_pools.hpp). An island fits into a cache line: most have one
// contact, and what is written and read once per contact is what limits large systems.
//
// Invariant: a run that is rolled back takes back changes to which other islands may have reacted by *not*
// predicting a contact. So an island keeps every slot that a discarded run had changed, and searches it again
// at the start of each later run. Without this, contacts are lost and the result depends on the rank count.
//
// Cost: O(1) per contact, but for the search.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "core/block_store.hpp"
#include "engine/local_motion.hpp"
#include "engine/run_pools.hpp"
#include "model/rounding.hpp"
#include "ricochet/core/array_memory.hpp"

namespace ricochet {

/// A closed chain of nodes in a pool, named by its last one, whose successor is the first: two chains are
/// joined in no time.
using Chain = std::uint32_t;
inline constexpr Chain no_chain = 0xffffffffu;

struct alignas(64) Island {
    std::uint32_t parent = 0;                    ///< itself, or the island it was merged into
    Chain pending = no_chain;                    ///< contacts predicted for this window
    Chain remote = no_chain;                     ///< remote events
    Chain changed = no_chain;                    ///< slots changed by discarded runs
    PoolRange undo, contacts, outgoing, claims;  ///< what the current run appended
    std::array<float, 3> largest_extent{};       ///< StepEngine::max_extent of the current run, rounded up
    bool is_current = false;                     ///< its latest run stands
    bool has_cap_hit = false;                    ///< of the current run
    std::uint16_t largest_speed = 0;             ///< see include_speed

    Vec3 max_extent() const { return {largest_extent[0], largest_extent[1], largest_extent[2]}; }
    /// The largest speed of the slots that the current run has changed, before and after: half of a single precision
    /// number, rounded up.
    double max_speed() const {
        return static_cast<double>(std::bit_cast<float>(std::uint32_t{largest_speed} << 16));
    }
    void include_speed(double speed) {
        const auto bits = std::bit_cast<std::uint32_t>(static_cast<float>(float_up * speed)) + 0xffffu;
        largest_speed = std::max(largest_speed, static_cast<std::uint16_t>(bits >> 16));
    }
    void include(Vec3 extent) {
        for (int axis = 0; axis < 3; ++axis) {
            float& largest = largest_extent[static_cast<std::size_t>(axis)];
            largest = std::max(largest, static_cast<float>(float_up * extent[axis]));
        }
    }
};
static_assert(sizeof(Island) == 64);

/// The islands of one sub-window. Plain storage and structure; IslandRunner runs the events.
class IslandForest {
  public:
    explicit IslandForest(BlockStore& store) : store_(store) {}

    /// Forgets all islands and what their runs have appended, but for the contacts of the window.
    void clear(LocalMotion& local, RunPools& pools);

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

    /// Uses up the contacts that wait for the window. Leaves stale ones out; the slots of each other become
    /// one island. The order is that of `first slot / 2^k`, so that islands that follow each other are
    /// neighbours in space. Returns the number of contacts taken.
    std::size_t open(LocalMotion& local, BlockVector<WaitingContact>& waiting);
    /// Those that were taken over.
    std::span<const WaitingContact> pending() const { return pending_; }
    /// The island that the slot is pinned to or claimed by; a new one when there is none.
    std::uint32_t pin(LocalMotion& local, Slot slot);
    /// An island without slots.
    std::uint32_t add();
    /// Joins two roots that are not current. Returns the root of the union, the lower of the two. Islands are
    /// run by number, so the union comes up when the first of its contacts does.
    std::uint32_t unite(std::uint32_t a, std::uint32_t b);

    void add_remote(std::uint32_t root, std::uint32_t event);
    void clear_remote();

    /// Rolls the island's current run back, and keeps the slots that it had changed for search.
    void roll_back(LocalMotion& local, RunPools& pools, std::uint32_t root);
    /// Brackets a run: what it appends to the pools belongs to the island.
    void begin_run(std::uint32_t root, const RunPools& pools);
    void end_run(std::uint32_t root, const RunPools& pools);

    /// Notes that the current run of the island has reached the cap on contacts.
    void note_cap(std::uint32_t root, const CapHit& hit) {
        islands_[root].has_cap_hit = true;
        cap_hits_.push_back({root, hit});
    }
    /// A bound on the speeds that the slot has had since just before the island's current run first changed
    /// it. Exact where that is one contact, as it nearly always is.
    double peak_speed(const LocalMotion& local, const RunPools& pools, std::uint32_t root, Slot slot) const;
    /// Notes that a particle of the island's current run has not flown, but jumped that far: a product, to the centre
    /// of mass.
    void add_jump(std::uint32_t root, double length);
    /// How far particles of the island's current run have jumped, all together.
    double jumps(std::uint32_t root) const { return root < jumps_.size() ? jumps_[root] : 0; }
    /// The earliest that current runs have reached.
    std::optional<CapHit> cap_hit() const;

    template <class Visit>
    void for_each_pending(std::uint32_t root, Visit&& visit) const {
        walk(islands_[root].pending, pending_next_, [&](std::uint32_t k) {
            visit(pending_[k].prediction());
            return true;
        });
    }
    template <class Visit>
    void for_each_remote(std::uint32_t root, Visit&& visit) const {
        for (auto k = islands_[root].remote; k != no_chain; k = remote_[k].next) visit(remote_[k].event);
    }

    /// Whether discarded runs of the island had changed any slots.
    bool has_changed(std::uint32_t root) const { return islands_[root].changed != no_chain; }
    /// Visits these slots, until a visit returns false.
    template <class Visit>
    void for_each_changed(std::uint32_t root, Visit&& visit) const {
        walk(islands_[root].changed, changed_next_, [&](std::uint32_t k) { return visit(changed_[k]); });
    }

    std::size_t memory_bytes() const {
        return bytes_of(islands_, pending_, pending_next_, remote_, changed_, changed_next_, cap_hits_,
                        jumps_, pinned_, bucket_begin_);
    }

  private:
    struct RemoteNode {
        std::uint32_t event;
        std::uint32_t island;  ///< that it was added to
        std::uint32_t next;
    };
    struct IslandCapHit {
        std::uint32_t island;
        CapHit hit;
    };

    BlockVector<WaitingContact> in_order(const LocalMotion& local, BlockVector<WaitingContact>& waiting);
    std::uint32_t join_slot(LocalMotion& local, std::uint32_t island, Slot slot);

    static void append(Chain& chain, std::vector<std::uint32_t>& next, std::uint32_t node) {
        next.push_back(node);
        join(chain, next, node);
    }
    static void join(Chain& chain, std::vector<std::uint32_t>& next, Chain other) {
        if (other == no_chain) return;
        if (chain != no_chain) std::swap(next[chain], next[other]);
        chain = other;
    }
    template <class Visit>
    static void walk(Chain chain, const std::vector<std::uint32_t>& next, Visit&& visit) {
        if (chain == no_chain) return;
        std::uint32_t node = chain;
        do {
            node = next[node];
            if (!visit(node)) return;
        } while (node != chain);
    }

    std::vector<Island> islands_;  ///< not in blocks: note 18 of tests/bench/notes.md
    std::vector<WaitingContact> pending_;
    std::vector<std::uint32_t> pending_next_;
    std::vector<RemoteNode> remote_;
    std::vector<Slot> changed_;
    std::vector<std::uint32_t> changed_next_;
    std::vector<IslandCapHit> cap_hits_;
    std::vector<double> jumps_;  ///< by island, of those up to the last that has any
    std::vector<Slot> pinned_;
    std::vector<std::uint32_t> bucket_begin_;  ///< scratch of in_order
    BlockStore& store_;
};

}  // namespace ricochet
