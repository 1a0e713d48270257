// SPDX-License-Identifier: BSD-3-Clause
#include "ricochet/engine/islands.hpp"

namespace ricochet {
namespace {

/// Empties the range; what stands last in the pool is removed from it.
template <class T>
void drop(std::vector<T>& pool, PoolRange& range) {
    if (range.end == pool.size()) pool.resize(range.begin);
    range = {};
}

}  // namespace

void IslandForest::clear(LocalSet& set) {
    for (const Slot slot : pinned_) set.status(slot).island = no_island;
    for (const Slot slot : claims) set.status(slot).island = no_island;
    pinned_.clear();
    claims.clear();
    undo.clear();
    contacts.clear();
    straddling.clear();
    later.clear();
    islands_.clear();
    pending_.clear();
    imposed_.clear();
    changed_.clear();
}

std::uint32_t IslandForest::new_island() {
    const std::uint32_t island = size();
    islands_.emplace_back().parent = island;
    return island;
}

std::uint32_t IslandForest::pin(LocalSet& set, Slot slot) {
    std::uint32_t& island = set.status(slot).island;
    if (island == no_island) island = new_island();
    pinned_.push_back(slot);
    return island = find(island);
}

std::uint32_t IslandForest::join_slot(LocalSet& set, std::uint32_t island, Slot slot) {
    std::uint32_t& current = set.status(slot).island;
    pinned_.push_back(slot);
    if (current == no_island) return current = island;
    return unite(find(current), island);
}

void IslandForest::add_pending(LocalSet& set, const Prediction& prediction) {
    std::uint32_t root = pin(set, prediction.a);
    if (prediction.b < first_wall_slot) root = join_slot(set, root, prediction.b);
    const auto node = static_cast<std::uint32_t>(pending_.size());
    pending_.push_back({prediction, no_island});
    Island& island = islands_[root];
    if (island.first_pending == no_island)
        island.first_pending = node;
    else
        pending_[island.last_pending].next = node;
    island.last_pending = node;
}

std::uint32_t IslandForest::unite(std::uint32_t a, std::uint32_t b) {
    if (a == b) return a;
    Island& into = islands_[a];
    Island& from = islands_[b];
    from.parent = a;
    if (from.first_pending != no_island) {
        if (into.first_pending == no_island)
            into.first_pending = from.first_pending;
        else
            pending_[into.last_pending].next = from.first_pending;
        into.last_pending = from.last_pending;
    }
    if (from.first_changed != no_island) {
        if (into.first_changed == no_island)
            into.first_changed = from.first_changed;
        else
            changed_[into.last_changed].next = from.first_changed;
        into.last_changed = from.last_changed;
    }
    for (auto k = from.first_imposed; k != no_island;) {
        const auto next = imposed_[k].next;
        imposed_[k].next = into.first_imposed;
        into.first_imposed = k;
        k = next;
    }
    return a;
}

void IslandForest::add_imposed(std::uint32_t root, std::uint32_t event) {
    imposed_.push_back({event, islands_[root].first_imposed});
    islands_[root].first_imposed = static_cast<std::uint32_t>(imposed_.size() - 1);
}

void IslandForest::begin_run(std::uint32_t root) {
    Island& island = islands_[root];
    island.undo.begin = undo.size();
    island.contacts.begin = contacts.size();
    island.straddling.begin = straddling.size();
    island.later.begin = later.size();
    island.claims.begin = claims.size();
    island.max_extent = {};
    island.has_cap_hit = false;
}

void IslandForest::end_run(std::uint32_t root) {
    Island& island = islands_[root];
    island.undo.end = undo.size();
    island.contacts.end = contacts.size();
    island.straddling.end = straddling.size();
    island.later.end = later.size();
    island.claims.end = claims.size();
    island.is_current = true;
}

void IslandForest::roll_back(LocalSet& set, std::uint32_t root) {
    Island& island = islands_[root];
    if (!island.is_current) return;
    for (auto k = island.undo.end; k-- > island.undo.begin;) {
        set.restore(undo[k]);
        const auto node = static_cast<std::uint32_t>(changed_.size());
        changed_.push_back({undo[k].slot, no_island});
        if (island.first_changed == no_island)
            island.first_changed = node;
        else
            changed_[island.last_changed].next = node;
        island.last_changed = node;
    }
    for (auto k = island.claims.begin; k < island.claims.end; ++k) set.status(claims[k]).island = no_island;
    drop(undo, island.undo);
    drop(contacts, island.contacts);
    drop(straddling, island.straddling);
    drop(later, island.later);
    drop(claims, island.claims);
    island.is_current = false;
}

}  // namespace ricochet
