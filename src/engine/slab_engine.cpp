// SPDX-License-Identifier: BSD-3-Clause
#include "engine/slab_engine.hpp"

#include <algorithm>
#include <array>
#include <span>
#include <string>

#include "geometry/path.hpp"
#include "ricochet/core/check.hpp"
#include "ricochet/core/error.hpp"

namespace ricochet {

// --- the start of the step ---------------------------------------------------------------------------------

void SlabEngine::start_step(Particles& local, std::size_t num_owned, const Holders& holders,
                            const StepTask& task, const Coverage& coverage) {
    if (local.size() > most_local_particles) {
        throw RunError("one rank holds " + std::to_string(local.size()) + " particles, expected at most " +
                       std::to_string(most_local_particles) + ": use more ranks");
    }
    RICOCHET_CHECK_EQ(stage_, Stage::no_step);
    RICOCHET_CHECK_LE(num_owned, local.size());
    if (!coverage.is_whole_box) RICOCHET_CHECK_EQ(holders.size(), local.size());
    RICOCHET_CHECK_LE(task.span.begin, task.span.end);
    RICOCHET_CHECK(task.growth == 0 || (task.growth > 0 && !changes_matter()));
    stage_ = Stage::planning;
    particles_ = &local;
    num_owned_ = num_owned;
    max_extent_ = {};
    num_contacts_ = 0;
    arena().pools.contacts.keep(task.detail, context_.bodies_give_energy);
    context_.holders = &holders;
    context_.span = task.span;
    context_.step = task.number;
    context_.reach = task.reach;
    context_.growth = task.growth;
    context_.has_plain_contacts = task.growth == 0 && !changes_matter() && !context_.has_shapes;
    context_.has_plain_walls = context_.has_plain_contacts && !context_.falls && !context_.walls_move;
    if (context_.walls_move)
        context_.walls = wall_paths(context_.wall_motions, context_.frame.timestep, task.number);
    if (context_.falls || context_.walls_move) {
        RICOCHET_CHECK(task.growth == 0 && task.span.end <= context_.frame.timestep);
        RICOCHET_CHECK(!context_.has_rates);  // which are those of straight paths at walls
    }
    context_.coverage = coverage;
    if (has_tethers()) local.track.keep_tethers();
    context_.ends_step = task.ends_step;
    if (prevents_collapse()) local.track.keep_latest_contacts();
    arena().faces.start(coverage);
    arena().statistics = {};
}

void SlabEngine::load_set(bool has_uniform_attributes) {
    Particles& particles = *particles_;
    state_.local.load(particles, num_owned_, has_uniform_attributes, context_.span.begin);
    state_.pair_times.prepare(arena().contact_scratch);
    if (!context_.coverage.is_whole_box)
        shared_.build(std::span<const Motion>(particles.motion), *context_.holders);
}

// --- one window --------------------------------------------------------------------------------------------

void SlabEngine::close_last_window() {
    context_.remote.clear();
    arena().pools.contacts.clear();
}

void SlabEngine::commit(ContactSink& contacts) {
    RICOCHET_CHECK_EQ(stage_, Stage::in_window);
    stage_ = Stage::between_windows;
    IslandForest& forest = state_.forest;
    RunPools& pools = arena().pools;
    StepStatistics& counts = arena().statistics;
    for (std::uint32_t k = 0; k < forest.size(); ++k) {
        if (!forest.is_root(k)) continue;
        const Island& island = forest[k];
        max_extent_ = max(max_extent_, island.max_extent());
        ++counts.num_islands;
        counts.largest_island =
            std::max<std::uint64_t>(counts.largest_island, island.contacts.end - island.contacts.begin);
    }
    forest.clear(state_.local, pools);
    num_contacts_ += pools.contacts.size();
    pools.contacts.give_to(contacts);
}

Vec3 SlabEngine::max_extent() const {
    const IslandForest& forest = state_.forest;
    Vec3 extent = max_extent_;
    for (std::uint32_t k = 0; k < forest.size(); ++k)
        if (forest.is_root(k)) extent = max(extent, forest[k].max_extent());
    return extent;
}

std::optional<CapHit> SlabEngine::cap_hit() const { return state_.forest.cap_hit(); }

// --- the exchange with the neighbours ----------------------------------------------------------------------

void SlabEngine::collect_boundary_events(unsigned neighbour, std::vector<BoundaryEvent>& events) const {
    // Sorted by what is small.
    struct Entry {
        double time;
        const BoundaryEvent* event;
    };
    const NeighbourMask bit = NeighbourMask{1} << neighbour;
    std::vector<Entry> entries;
    for (const OutgoingEvent& outgoing : arena().pools.outgoing) {
        if ((outgoing.receivers & bit) != 0) entries.push_back({outgoing.event.key.time, &outgoing.event});
    }
    std::sort(entries.begin(), entries.end(), [](const Entry& p, const Entry& q) {
        if (p.time != q.time) return p.time < q.time;
        return p.event->key != q.event->key ? p.event->key < q.event->key
                                            : p.event->particle < q.event->particle;
    });
    events.reserve(events.size() + entries.size());
    for (const Entry& entry : entries) events.push_back(*entry.event);
}

/// Those of local particles, in the order of (slot, key).
std::vector<RemoteEvent> SlabEngine::localised(std::span<const BoundaryEvent> events) const {
    struct Entry {
        Slot slot;
        const BoundaryEvent* event;
    };
    std::vector<Entry> entries;
    entries.reserve(events.size());
    for (const BoundaryEvent& event : events) {
        if (const std::optional<Slot> slot = shared_.slot_of(event.particle))
            entries.push_back({*slot, &event});
    }
    std::sort(entries.begin(), entries.end(), [](const Entry& p, const Entry& q) {
        return p.slot != q.slot ? p.slot < q.slot : p.event->key < q.event->key;
    });
    std::vector<RemoteEvent> remote;
    remote.reserve(entries.size());
    for (const Entry& entry : entries) remote.push_back({entry.slot, *entry.event});
    return remote;
}

// --- the end of the step -----------------------------------------------------------------------------------

void SlabEngine::end_step() {
    RICOCHET_CHECK_EQ(stage_, Stage::between_windows);
    RICOCHET_CHECK(is_last());
    stage_ = Stage::no_step;
    note_ended();
    if (context_.rules.remember_absorbed()) write_absorbed();
    if (prevents_collapse()) write_latest_contacts();
    // The few that leave the box are listed, so that the loop has no calls in it.
    constexpr std::size_t at_once = 256;
    const PeriodicWrap wrap(context_.box);
    std::array<std::size_t, at_once> outside;
    for (std::size_t begin = 0; begin < num_owned_; begin += at_once) {
        std::size_t num_outside = 0;
        for (std::size_t k = begin; k < std::min(num_owned_, begin + at_once); ++k) {
            Motion& motion = particles_->motion[k];
            motion.position = position_at(motion, context_.span.end);
            motion.time = 0;
            if (!wrap.is_inside(motion.position)) outside[num_outside++] = k;
        }
        for (const std::size_t k : std::span(outside).first(num_outside)) {
            TrackList::Image image = particles_->track.image(k);
            wrap(particles_->motion[k].position, image);
            particles_->track.set_image(k, image);
        }
    }
}

/// Removing absent particles keeps the order of the rest.
void SlabEngine::note_ended() {
    ended_.clear();
    if (!context_.changes_matter || !state_.local.matter().has_ended()) return;
    for (Slot slot = 0; slot < num_owned_; ++slot)
        if (state_.local.matter().is_absent(slot)) ended_.push_back(slot);
}

void SlabEngine::write_absorbed() {
    for (Slot slot = 0; slot < num_owned_; ++slot) {
        const ParticleId absorbed = state_.local.matter().absorbed(slot);
        if (absorbed != SlotMatter::no_particle) particles_->track.set_absorbed(slot, absorbed);
    }
}

/// Relative to the begin of the step, while parts of it are left; else to its end, where the next begins.
void SlabEngine::write_latest_contacts() {
    const std::span<double> latest = particles_->track.latest_contacts();
    const double begin_of_next = context_.ends_step ? context_.span.end : 0;
    for (Slot slot = 0; slot < num_owned_; ++slot)
        latest[slot] = state_.local.latest_contact(slot) - begin_of_next;
}

void SlabEngine::abandon_step() {
    RICOCHET_CHECK_NE(stage_, Stage::no_step);
    stage_ = Stage::no_step;
    state_.forest.clear(state_.local, arena().pools);
    state_.local.restore_start();
}

/// Filters `slots` to owned survivors and renumbers them as if absent particles were removed.
BlockVector<std::uint32_t> SlabEngine::without_ended(std::span<const Slot> slots) {
    RICOCHET_CHECK_EQ(stage_, Stage::no_step);
    BlockVector<std::uint32_t> order(state_.memory);
    if (ended_.empty() && context_.coverage.is_whole_box) {  // there are no copies
        order.append(slots);
        return order;
    }
    if (ended_.empty()) {
        for (const Slot slot : slots)
            if (slot < num_owned_) order.push_back(slot);
        return order;
    }
    for (const Slot slot : slots) {
        if (slot >= num_owned_) continue;
        const auto next = std::lower_bound(ended_.begin(), ended_.end(), slot);
        if (next != ended_.end() && *next == slot) continue;
        order.push_back(slot - static_cast<Slot>(next - ended_.begin()));
    }
    return order;
}

}  // namespace ricochet
