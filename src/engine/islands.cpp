// SPDX-License-Identifier: BSD-3-Clause
#include "engine/islands.hpp"

#include <algorithm>
#include <bit>

#include "ricochet/core/array_memory.hpp"
#include "ricochet/core/check.hpp"

namespace ricochet {
namespace {

std::uint32_t end_of(std::size_t size) { return static_cast<std::uint32_t>(size); }

/// Empties the range; what stands last in the pool is removed from it.
template <class T>
void drop(std::vector<T>& pool, PoolRange& range) {
    if (range.end == pool.size()) pool.resize(range.begin);
    range = {};
}
template <class Pool>
void drop(Pool& pool, PoolRange& range) {
    if (range.end == pool.size()) pool.shrink(range.begin);
    range = {};
}

}  // namespace

void IslandForest::clear(LocalMotion& local, RunPools& pools) {
    for (const Slot slot : pinned_) local.status(slot).island = no_island;
    for (const Slot slot : pools.claims) local.status(slot).island = no_island;
    pools.clear();
    clear_and_trim(islands_);
    clear_and_trim(pinned_);
    clear_and_trim(pending_);
    clear_and_trim(pending_next_);
    clear_and_trim(remote_);
    clear_and_trim(changed_);
    clear_and_trim(changed_next_);
    cap_hits_.clear();
    jumps_.clear();
}

std::uint32_t IslandForest::add() {
    const std::uint32_t island = size();
    islands_.emplace_back().parent = island;
    return island;
}

std::uint32_t IslandForest::pin(LocalMotion& local, Slot slot) {
    std::uint32_t& island = local.status(slot).island;
    if (island == no_island) island = add();
    pinned_.push_back(slot);
    return island = find(island);
}

std::uint32_t IslandForest::join_slot(LocalMotion& local, std::uint32_t island, Slot slot) {
    std::uint32_t& current = local.status(slot).island;
    pinned_.push_back(slot);
    if (current == no_island) return current = island;
    return unite(find(current), island);
}

/// A counting sort. Predictions come from many sweeps over the system. Islands in their order would fetch
/// everything from memory once per sweep (note 19 of tests/bench/notes.md).
BlockVector<WaitingContact> IslandForest::in_order(const LocalMotion& local,
                                                   BlockVector<WaitingContact>& waiting) {
    constexpr std::size_t most_buckets = 1024;
    const int shift = std::max(0, static_cast<int>(std::bit_width(local.size())) -
                                      static_cast<int>(std::bit_width(most_buckets)) + 1);
    bucket_begin_.assign((local.size() >> shift) + 2, 0);
    waiting.for_each([&](const WaitingContact& contact) { ++bucket_begin_[(contact.a >> shift) + 1]; });
    for (std::size_t k = 1; k < bucket_begin_.size(); ++k) bucket_begin_[k] += bucket_begin_[k - 1];
    BlockVector<WaitingContact> sorted(store_);
    sorted.extend(waiting.size());
    waiting.consume(
        [&](const WaitingContact& contact) { sorted[bucket_begin_[contact.a >> shift]++] = contact; });
    return sorted;
}

/// Most of what waits is stale in the end. It is sorted in blocks, which the window has not filled yet. The
/// vectors have room for all, but only what is valid touches their memory.
std::size_t IslandForest::open(LocalMotion& local, BlockVector<WaitingContact>& waiting) {
    const BlockVector<WaitingContact> sorted = in_order(local, waiting);
    make_room(islands_, sorted.size());
    make_room(pending_, sorted.size());
    make_room(pending_next_, sorted.size());
    make_room(pinned_, 2 * sorted.size());
    sorted.for_each_block([&](std::span<const WaitingContact> some) {
        for (std::size_t k = 0; k < some.size(); ++k) {
            if (constexpr std::size_t ahead = 16; k + ahead < some.size()) {
                local.prefetch_status(some[k + ahead].a);
                if (const Partner b = some[k + ahead].b; b.is_particle()) local.prefetch_status(b.slot());
            }
            const WaitingContact& contact = some[k];
            if (local.is_stale(contact)) continue;
            std::uint32_t root = pin(local, contact.a);
            if (contact.b.is_particle()) root = join_slot(local, root, contact.b.slot());
            append(islands_[root].pending, pending_next_, end_of(pending_.size()));
            pending_.push_back(contact);
        }
    });
    return pending_.size();
}

std::uint32_t IslandForest::unite(std::uint32_t a, std::uint32_t b) {
    if (a == b) return a;
    RICOCHET_DCHECK(is_root(a) && is_root(b));
    RICOCHET_DCHECK(!islands_[a].is_current && !islands_[b].is_current);
    if (b < a) std::swap(a, b);
    Island& into = islands_[a];
    Island& from = islands_[b];
    from.parent = a;
    join(into.pending, pending_next_, from.pending);
    join(into.changed, changed_next_, from.changed);
    for (auto k = from.remote; k != no_chain;) {
        const auto next = remote_[k].next;
        remote_[k].next = into.remote;
        into.remote = k;
        k = next;
    }
    return a;
}

void IslandForest::add_remote(std::uint32_t root, std::uint32_t event) {
    remote_.push_back({event, root, islands_[root].remote});
    islands_[root].remote = end_of(remote_.size() - 1);
}

/// Only few islands have any, and to go through all would fetch them from memory.
void IslandForest::clear_remote() {
    for (const RemoteNode& node : remote_) islands_[find(node.island)].remote = no_chain;
    remote_.clear();
}

void IslandForest::begin_run(std::uint32_t root, const RunPools& pools) {
    Island& island = islands_[root];
    island.undo.begin = end_of(pools.undo.size());
    island.contacts.begin = end_of(pools.contacts.size());
    island.outgoing.begin = end_of(pools.outgoing.size());
    island.claims.begin = end_of(pools.claims.size());
    island.largest_extent = {};
    island.largest_speed = 0;
    if (root < jumps_.size()) jumps_[root] = 0;
}

void IslandForest::end_run(std::uint32_t root, const RunPools& pools) {
    Island& island = islands_[root];
    island.undo.end = end_of(pools.undo.size());
    island.contacts.end = end_of(pools.contacts.size());
    island.outgoing.end = end_of(pools.outgoing.size());
    island.claims.end = end_of(pools.claims.size());
    island.is_current = true;
}

void IslandForest::roll_back(LocalMotion& local, RunPools& pools, std::uint32_t root) {
    Island& island = islands_[root];
    if (!island.is_current) return;
    for (auto k = island.undo.end; k-- > island.undo.begin;) {
        local.restore(pools.undo[k]);
        if (local.has_changing_matter()) local.restore_matter(pools.undo[k].slot, pools.matter_undo[k]);
        changed_.push_back(pools.undo[k].slot);
        append(island.changed, changed_next_, end_of(changed_.size() - 1));
    }
    for (auto k = island.claims.begin; k < island.claims.end; ++k)
        local.status(pools.claims[k]).island = no_island;
    if (island.contacts.end != pools.contacts.size() && island.contacts.begin != island.contacts.end)
        pools.dead_contacts.push_back(island.contacts);
    drop(pools.undo, island.undo);
    if (local.has_changing_matter()) pools.matter_undo.shrink(pools.undo.size());
    drop(pools.contacts, island.contacts);
    for (auto k = island.outgoing.begin; k < island.outgoing.end; ++k) pools.outgoing[k].receivers = 0;
    drop(pools.outgoing, island.outgoing);
    drop(pools.claims, island.claims);
    if (island.has_cap_hit) std::erase_if(cap_hits_, [root](const auto& hit) { return hit.island == root; });
    island.has_cap_hit = false;
    island.is_current = false;
}

double IslandForest::peak_speed(const LocalMotion& local, const RunPools& pools, std::uint32_t root,
                                Slot slot) const {
    constexpr std::uint32_t few = 8;
    const Island& island = islands_[root];
    for (auto k = island.undo.begin; k < std::min(island.undo.end, island.undo.begin + few); ++k) {
        const SlotUndo& before = pools.undo[k];
        if (before.slot != slot) continue;
        if (local.status(slot).num_contacts != before.num_contacts + 1) break;
        return std::max(norm(before.velocity), norm(local.motion(slot).velocity));
    }
    return island.max_speed();
}

void IslandForest::add_jump(std::uint32_t root, double length) {
    if (jumps_.size() < islands_.size()) jumps_.resize(islands_.size(), 0);
    jumps_[root] += length;
}

std::optional<CapHit> IslandForest::cap_hit() const {
    std::optional<CapHit> earliest;
    for (const IslandCapHit& cap : cap_hits_) {
        if (!earliest || cap.hit.key < earliest->key) earliest = cap.hit;
    }
    return earliest;
}

}  // namespace ricochet
