// SPDX-License-Identifier: BSD-3-Clause
//
// Member functions of WindowResolver, in the order in which a step calls them. Included by the files that
// instantiate it.
#pragma once

#include <algorithm>
#include <limits>
#include <string>

#include "ricochet/core/error.hpp"
#include "ricochet/engine/window_resolver.hpp"

namespace ricochet {

// ---------------------------------------------------------------------------------------------- start of the
// step

template <BroadPhase Search>
void WindowResolver<Search>::begin_step(Particles& local, std::size_t num_owned,
                                        std::span<const NeighbourMask> holders, double dt,
                                        const Coverage& coverage) {
    constexpr std::size_t most = first_wall_slot;
    if (local.size() >= most) {
        throw RunError("one rank holds " + std::to_string(local.size()) + " particles, expected fewer than " +
                       std::to_string(most) + ": use more ranks");
    }
    particles_ = &local;
    num_owned_ = num_owned;
    holders_.assign(holders.begin(), holders.end());
    dt_ = dt;
    coverage_ = coverage;
    run_counter_ = 0;
    has_strayed_ = false;
    max_displacement_ = 0;
    statistics_ = {};
    contacts_.clear();
    imposed_.clear();
    build_search();
    set_.load(local, num_owned, search_.order());
    index_copies();
    find_primary_contacts();
}

template <BroadPhase Search>
void WindowResolver<Search>::build_search() {
    constexpr double rounding = 1 + 1e-12;
    balls_.resize(particles_->size());
    for (std::size_t k = 0; k < balls_.size(); ++k) {
        const Motion& motion = particles_->motion[k];
        const double radius = particles_->attributes[k].radius;
        const double displacement = norm(motion.velocity) * dt_;
        balls_[k] = {path_midpoint(motion, dt_, box_), rounding * (radius + 0.5 * displacement)};
        if (k < num_owned_) max_displacement_ = std::max(max_displacement_, displacement);
    }
    SearchDomain domain{0, box_.size.x};
    if (!coverage_.is_whole_box) {
        const double lower =
            std::max(coverage_.lower - coverage_.halo_width, box_.is_periodic(0) ? -box_.size.x : 0);
        const double upper = std::min(coverage_.upper + coverage_.halo_width,
                                      box_.is_periodic(0) ? 2 * box_.size.x : box_.size.x);
        if (upper - lower < box_.size.x) domain = {lower, upper - lower};
    }
    search_.build(balls_, domain);
}

template <BroadPhase Search>
void WindowResolver<Search>::index_copies() {
    copy_slots_.clear();
    if (num_owned_ == particles_->size()) return;
    for (Slot slot = 0; slot < set_.size(); ++slot) {
        if (!set_.is_owned(slot)) copy_slots_.emplace_back(set_.motion(slot).id, slot);
    }
    std::sort(copy_slots_.begin(), copy_slots_.end());
}

template <BroadPhase Search>
template <class Visit>
void WindowResolver<Search>::for_each_wall_contact(Slot slot, Visit&& visit) const {
    const Motion& motion = set_.motion(slot);
    for (int axis = 0; axis < box_.dimension; ++axis) {
        if (!box_.has_walls(axis)) continue;
        const int face = 2 * axis + (motion.velocity[axis] > 0 ? 1 : 0);
        const double time = wall_contact_time(motion, set_.radius(slot), face, box_);
        if (time < dt_) visit(set_.predict_wall(slot, face, time));
    }
}

template <BroadPhase Search>
void WindowResolver<Search>::find_primary_contacts() {
    primaries_.clear();
    for (Slot slot = 0; slot < set_.size(); ++slot) {
        const SweptBall& ball = balls_[set_.status(slot).source];
        candidates_.clear();
        search_.collect(ball.midpoint, ball.reach, slot + 1, candidates_);
        for (const Slot other : candidates_) {
            const double time = set_.contact_time(slot, other);
            if (!(time < dt_)) continue;
            primaries_.push_back(set_.predict_pair(slot, other, time));
            if (set_.is_owned(slot) || set_.is_owned(other)) ++statistics_.num_predicted;
        }
        for_each_wall_contact(slot, [&](const Prediction& prediction) { primaries_.push_back(prediction); });
    }
    statistics_.num_searches += set_.size();
}

template <BroadPhase Search>
void WindowResolver<Search>::plan_windows(std::uint64_t count) {
    schedule_.plan(dt_, static_cast<std::size_t>(std::max<std::uint64_t>(count, 1)), primaries_);
    next_window_ = 0;
}

// ---------------------------------------------------------------------------------------------------- one
// window

template <BroadPhase Search>
void WindowResolver<Search>::begin_window() {
    if (set_.latest_stamp() > std::numeric_limits<std::uint32_t>::max() / 2) {
        throw RunError("more than 2^31 contacts of one rank in one step: use a smaller run.timestep");
    }
    window_begin_ = schedule_.begin(next_window_);
    window_end_ = schedule_.end(next_window_);
    imposed_.clear();
    for (const Prediction& prediction : schedule_.waiting(next_window_)) {
        if (!set_.is_stale(prediction)) forest_.add_pending(set_, prediction);
    }
    schedule_.clear(next_window_);
    ++next_window_;
}

template <BroadPhase Search>
void WindowResolver<Search>::resolve() {
    for (std::uint32_t island = 0; island < forest_.size(); ++island) {
        const std::uint32_t root = forest_.find(island);
        if (!forest_[root].is_current) run(root);
    }
}

template <BroadPhase Search>
void WindowResolver<Search>::run(std::uint32_t root) {
    for (;;) {
        const std::uint32_t conflict = attempt(root);
        ++statistics_.num_island_runs;
        if (conflict == no_conflict) return;
        const std::uint32_t other = forest_.find(conflict);
        forest_.roll_back(set_, root);
        forest_.roll_back(set_, other);
        root = forest_.unite(root, other);
        ++statistics_.num_merges;
    }
}

template <BroadPhase Search>
std::uint32_t WindowResolver<Search>::attempt(std::uint32_t root) {
    ++run_counter_;
    heap_.clear();
    forest_.begin_run(root);
    forest_.for_each_pending(root, [&](const Prediction& prediction) { heap_.push(prediction); });
    forest_.for_each_imposed(root, [&](std::uint32_t k) {
        const Imposed& imposed = imposed_[k];
        heap_.push({imposed.event.key.time, static_cast<std::uint32_t>(imposed.event.key.generation),
                    imposed.slot, imposed_marker, 0, k});
    });
    std::uint32_t conflict = search_changed(root);
    while (conflict == no_conflict && !heap_.empty() && !forest_[root].has_cap_hit) {
        conflict = apply(root, heap_.pop());
    }
    forest_.end_run(root);
    return conflict;
}

template <BroadPhase Search>
std::uint32_t WindowResolver<Search>::search_changed(std::uint32_t root) {
    if (!options_.use_research_rule) return no_conflict;
    std::uint32_t conflict = no_conflict;
    forest_.for_each_changed(root, [&](Slot slot) {
        conflict = search_from(root, slot, slot);
        return conflict == no_conflict;
    });
    return conflict;
}

template <BroadPhase Search>
std::uint32_t WindowResolver<Search>::apply(std::uint32_t root, const Prediction& event) {
    if (event.b == imposed_marker) return apply_imposed(root, event);
    if (set_.is_stale(event)) return no_conflict;
    return is_wall(event.b) ? apply_wall(root, event) : apply_pair(root, event);
}

template <BroadPhase Search>
std::uint32_t WindowResolver<Search>::apply_pair(std::uint32_t root, const Prediction& event) {
    const bool in_order = set_.motion(event.a).id < set_.motion(event.b).id;
    const Slot low = in_order ? event.a : event.b;
    const Slot high = in_order ? event.b : event.a;
    const Attributes& matter_low = set_.attributes(low);
    const Attributes& matter_high = set_.attributes(high);
    const ContactKey key = key_of(event);
    prepare_change(low);
    prepare_change(high);
    const Impact impact = collide_pair(
        set_.motion(low), set_.motion(high), event.time,
        {matter_low.mass, matter_high.mass, rules_.pair(matter_low.species, matter_high.species)},
        set_.images());
    finish_change(root, low, key);
    finish_change(root, high, key);
    record(key, low, high, impact);
    record_straddling(key, low, high);
    record_straddling(key, high, low);
    const std::uint32_t conflict = search_from(root, low, low);
    return conflict != no_conflict ? conflict : search_from(root, high, low);
}

template <BroadPhase Search>
std::uint32_t WindowResolver<Search>::apply_wall(std::uint32_t root, const Prediction& event) {
    const Attributes& matter = set_.attributes(event.a);
    const ContactKey key = key_of(event);
    prepare_change(event.a);
    const Impact impact = collide_wall(set_.motion(event.a), event.time, wall_face(event.b), matter,
                                       rules_.wall(matter.species));
    finish_change(root, event.a, key);
    record(key, event.a, event.b, impact);
    return search_from(root, event.a, event.a);
}

template <BroadPhase Search>
std::uint32_t WindowResolver<Search>::apply_imposed(std::uint32_t root, const Prediction& event) {
    const BoundaryEvent& imposed = imposed_[event.stamp_b].event;
    prepare_change(event.a);
    Motion& motion = set_.motion(event.a);
    motion.position = imposed.position;
    motion.velocity = imposed.velocity;
    motion.time = imposed.key.time;
    finish_change(root, event.a, imposed.key);
    return search_from(root, event.a, event.a);
}

// --------------------------------------------------------------------------------------- search after a
// change

/// Finds the contacts of the rest of the slot's path with all slots but `skip`.
template <BroadPhase Search>
std::uint32_t WindowResolver<Search>::search_from(std::uint32_t root, Slot slot, Slot skip) {
    constexpr double rounding = 1 + 1e-12;
    const Motion& motion = set_.motion(slot);
    const double query_time = std::max(motion.time, window_begin_);
    const double half_rest = 0.5 * (dt_ - motion.time);
    candidates_.clear();
    search_.collect(advanced(motion.position, motion.velocity, half_rest),
                    rounding * (norm(motion.velocity) * half_rest + set_.radius(slot)), 0, candidates_);
    ++statistics_.num_searches;
    for (const Slot other : candidates_) {
        if (other == slot || other == skip) continue;
        const std::uint32_t conflict = meet(root, slot, other, query_time);
        if (conflict != no_conflict) return conflict;
    }
    std::uint32_t conflict = no_conflict;
    for_each_wall_contact(slot, [&](const Prediction& prediction) {
        if (conflict == no_conflict) conflict = expect(root, prediction);
    });
    return conflict;
}

template <BroadPhase Search>
std::uint32_t WindowResolver<Search>::meet(std::uint32_t root, Slot slot, Slot other, double query_time) {
    if (set_.motion(other).time > query_time) {
        const std::uint32_t island = set_.status(other).island;
        if (island != no_island && forest_.find(island) != root && could_have_met(slot, other, query_time))
            return island;
    }
    const double time = set_.contact_time(slot, other);
    return time < dt_ ? expect(root, set_.predict_pair(slot, other, time)) : no_conflict;
}

/// Puts a predicted contact where it belongs: on the heap, or aside for a later window.
template <BroadPhase Search>
std::uint32_t WindowResolver<Search>::expect(std::uint32_t root, const Prediction& prediction) {
    if (prediction.time >= window_end_) {
        forest_.later.push_back(prediction);
        return no_conflict;
    }
    std::uint32_t conflict = take_in(root, prediction.a);
    if (conflict == no_conflict && prediction.b < first_wall_slot) conflict = take_in(root, prediction.b);
    if (conflict == no_conflict) heap_.push(prediction);
    return conflict;
}

template <BroadPhase Search>
std::uint32_t WindowResolver<Search>::take_in(std::uint32_t root, Slot slot) {
    std::uint32_t& island = set_.status(slot).island;
    if (island != no_island) return forest_.find(island) == root ? no_conflict : island;
    island = root;
    forest_.claims.push_back(slot);
    return no_conflict;
}

template <BroadPhase Search>
bool WindowResolver<Search>::could_have_met(Slot slot, Slot ahead, double query_time) const {
    const Motion& own = set_.motion(slot);
    const Motion& other = set_.motion(ahead);
    const Vec3 here = advanced(own.position, own.velocity, query_time - own.time);
    const double distance = norm(minimum_image(here - other.position, set_.images()));
    const double span = other.time - query_time;
    const double closest = (norm(own.velocity) + set_.status(ahead).peak_speed) * span;
    constexpr double rounding = 1 + 1e-9;
    return distance <= rounding * (set_.contact_distance(slot, ahead) + closest);
}

// ------------------------------------------------------------------------------------ bookkeeping of one
// contact

template <BroadPhase Search>
void WindowResolver<Search>::prepare_change(Slot slot) {
    SlotStatus& status = set_.status(slot);
    if (status.run == run_counter_) return;
    forest_.undo.push_back(set_.undo_record(slot));
    status.run = run_counter_;
    status.peak_speed = norm(set_.motion(slot).velocity);
}

template <BroadPhase Search>
void WindowResolver<Search>::finish_change(std::uint32_t root, Slot slot, const ContactKey& key) {
    set_.mark_changed(slot, static_cast<std::uint32_t>(key.generation));
    const Motion& motion = set_.motion(slot);
    const double rest = dt_ - motion.time;
    const double excursion =
        search_.cover(slot, advanced(motion.position, motion.velocity, rest), set_.radius(slot));
    if (!set_.is_owned(slot)) return;
    watch_excursion(slot, excursion);
    Island& island = forest_[root];
    island.max_displacement = std::max(island.max_displacement, norm(motion.velocity) * rest);
    const std::uint64_t count = set_.status(slot).num_contacts;
    if (count >= options_.contact_cap && !island.has_cap_hit) {
        island.has_cap_hit = true;
        island.cap_hit = {key, motion.id, count};
    }
}

/// A path that leaves its midpoint by more than the halo allows for is harmless deep inside the slab.
template <BroadPhase Search>
void WindowResolver<Search>::watch_excursion(Slot slot, double excursion) {
    if (coverage_.is_whole_box || excursion <= coverage_.assumed_excursion) return;
    const double reach = excursion + set_.radius(slot) + coverage_.max_radius + coverage_.assumed_excursion;
    const double x = balls_[set_.status(slot).source].midpoint.x;
    if (x - reach < coverage_.lower || x + reach > coverage_.upper) has_strayed_ = true;
}

template <BroadPhase Search>
typename WindowResolver<Search>::Ids WindowResolver<Search>::ids_of(const Prediction& p) const {
    const ContactKey key = key_of(p);
    return {key.low, key.high};
}

template <BroadPhase Search>
ContactKey WindowResolver<Search>::key_of(const Prediction& p) const {
    if (p.b == imposed_marker) return imposed_[p.stamp_b].event.key;
    const ParticleId a = set_.motion(p.a).id;
    const ParticleId b =
        is_wall(p.b) ? first_wall_id + static_cast<ParticleId>(wall_face(p.b)) : set_.motion(p.b).id;
    return {p.time, p.generation, std::min(a, b), std::max(a, b)};
}

/// The contact's entry in the record: written by the owner of the lower id. `high` may be a wall.
template <BroadPhase Search>
void WindowResolver<Search>::record(const ContactKey& key, Slot low, Slot high, const Impact& impact) {
    if (!set_.is_owned(low)) return;
    const bool is_with_wall = is_wall(high);
    Vec3 point = set_.motion(low).position;
    if (!is_with_wall) point = advanced(point, impact.normal, set_.radius(low));
    for (int axis = 0; axis < box_.dimension; ++axis) {
        if (box_.is_periodic(axis)) point[axis] = wrapped(point[axis], box_.size[axis]);
    }
    if (is_with_wall) {
        const int axis = wall_face(high) / 2;
        point[axis] = wall_face(high) % 2 == 1 ? box_.size[axis] : 0;
    }
    forest_.contacts.push_back({.key = key,
                                .point = point,
                                .normal = impact.normal,
                                .impulse = impact.impulse,
                                .speed = impact.speed,
                                .distance = impact.distance,
                                .species_low = set_.attributes(low).species,
                                .species_high = is_with_wall ? wall_species : set_.attributes(high).species});
}

/// Tells the neighbours that have `slot` but not its partner.
template <BroadPhase Search>
void WindowResolver<Search>::record_straddling(const ContactKey& key, Slot slot, Slot partner) {
    if (holders_.empty() || !set_.is_owned(slot)) return;
    const NeighbourMask receivers = holders(slot) & ~holders(partner);
    if (receivers == 0) return;
    const Motion& motion = set_.motion(slot);
    forest_.straddling.push_back({receivers, {key, motion.id, motion.position, motion.velocity}});
}

// ------------------------------------------------------------------------------------ exchange with the
// neighbours

template <BroadPhase Search>
void WindowResolver<Search>::collect_straddling(unsigned neighbour,
                                                std::vector<BoundaryEvent>& events) const {
    const NeighbourMask bit = NeighbourMask{1} << neighbour;
    const std::size_t first = events.size();
    for (std::uint32_t island = 0; island < forest_.size(); ++island) {
        if (!forest_.is_root(island)) continue;
        const PoolRange range = forest_[island].straddling;
        for (std::size_t k = range.begin; k < range.end; ++k) {
            if ((forest_.straddling[k].receivers & bit) != 0) events.push_back(forest_.straddling[k].event);
        }
    }
    std::sort(events.begin() + static_cast<std::ptrdiff_t>(first), events.end(),
              [](const BoundaryEvent& p, const BoundaryEvent& q) {
                  return p.key != q.key ? p.key < q.key : p.particle < q.particle;
              });
}

template <BroadPhase Search>
Slot WindowResolver<Search>::local_slot(ParticleId id) const {
    const auto at = std::lower_bound(copy_slots_.begin(), copy_slots_.end(), std::pair{id, Slot{0}});
    return at != copy_slots_.end() && at->first == id ? at->second : imposed_marker;
}

template <BroadPhase Search>
std::vector<typename WindowResolver<Search>::Imposed> WindowResolver<Search>::localised(
    const std::vector<BoundaryEvent>& events) const {
    std::vector<Imposed> imposed;
    for (const BoundaryEvent& event : events) {
        const Slot slot = local_slot(event.particle);
        if (slot != imposed_marker) imposed.push_back({slot, event});
    }
    std::sort(imposed.begin(), imposed.end(), [](const Imposed& p, const Imposed& q) {
        return p.slot != q.slot ? p.slot < q.slot : p.event.key < q.event.key;
    });
    return imposed;
}

template <BroadPhase Search>
bool WindowResolver<Search>::impose(std::vector<BoundaryEvent> events) {
    const std::vector<Imposed> next = localised(events);
    if (next == imposed_) return false;
    // Walk both lists slot by slot; every slot whose events differ runs again.
    for (std::size_t i = 0, j = 0; i < imposed_.size() || j < next.size();) {
        const Slot slot = std::min(i < imposed_.size() ? imposed_[i].slot : imposed_marker,
                                   j < next.size() ? next[j].slot : imposed_marker);
        const std::size_t old_begin = i, new_begin = j;
        while (i < imposed_.size() && imposed_[i].slot == slot) ++i;
        while (j < next.size() && next[j].slot == slot) ++j;
        if (!std::equal(imposed_.begin() + static_cast<std::ptrdiff_t>(old_begin),
                        imposed_.begin() + static_cast<std::ptrdiff_t>(i),
                        next.begin() + static_cast<std::ptrdiff_t>(new_begin),
                        next.begin() + static_cast<std::ptrdiff_t>(j))) {
            reopen(slot);
        }
    }
    imposed_ = next;
    forest_.forget_imposed();
    for (std::size_t k = 0; k < imposed_.size(); ++k) {
        forest_.add_imposed(forest_.find(set_.status(imposed_[k].slot).island),
                            static_cast<std::uint32_t>(k));
    }
    return true;
}

/// Makes the island of the slot run again, with the slot pinned to it.
template <BroadPhase Search>
void WindowResolver<Search>::reopen(Slot slot) {
    const std::uint32_t island = set_.status(slot).island;
    if (island != no_island) {
        forest_.roll_back(set_, forest_.find(island));
        ++statistics_.num_repairs;
    }
    forest_.pin(set_, slot);
}

template <BroadPhase Search>
std::optional<CapHit> WindowResolver<Search>::cap_hit() const {
    std::optional<CapHit> earliest;
    for (std::uint32_t island = 0; island < forest_.size(); ++island) {
        if (!forest_.is_root(island) || !forest_[island].has_cap_hit) continue;
        const CapHit& hit = forest_[island].cap_hit;
        if (!earliest || hit.key < earliest->key) earliest = hit;
    }
    return earliest;
}

template <BroadPhase Search>
void WindowResolver<Search>::commit_window() {
    for (std::uint32_t k = 0; k < forest_.size(); ++k) {
        if (!forest_.is_root(k)) continue;
        const Island& island = forest_[k];
        const auto begin = forest_.contacts.begin();
        contacts_.insert(contacts_.end(), begin + static_cast<std::ptrdiff_t>(island.contacts.begin),
                         begin + static_cast<std::ptrdiff_t>(island.contacts.end));
        for (std::size_t p = island.later.begin; p < island.later.end; ++p) {
            if (!set_.is_stale(forest_.later[p])) schedule_.file(forest_.later[p]);
        }
        max_displacement_ = std::max(max_displacement_, island.max_displacement);
        ++statistics_.num_islands;
        statistics_.largest_island =
            std::max<std::uint64_t>(statistics_.largest_island, island.contacts.end - island.contacts.begin);
    }
    forest_.clear(set_);
}

// ------------------------------------------------------------------------------------------------ end of the
// step

template <BroadPhase Search>
void WindowResolver<Search>::end_step() {
    for (Slot slot = 0; slot < set_.size(); ++slot) {
        const std::uint32_t source = set_.status(slot).source;
        if (source >= num_owned_) continue;
        Motion motion = set_.motion(slot);
        fly_to(motion, dt_);
        motion.time = 0;
        auto& image = particles_->attributes[source].image;
        for (int axis = 0; axis < box_.dimension; ++axis) {
            if (box_.is_periodic(axis))
                wrap_counting(motion.position[axis], box_.size[axis], image[static_cast<std::size_t>(axis)]);
        }
        particles_->motion[source] = motion;
    }
}

template <BroadPhase Search>
std::vector<std::uint32_t> WindowResolver<Search>::spatial_order() const {
    std::vector<std::uint32_t> order;
    order.reserve(num_owned_);
    for (const std::uint32_t source : search_.order()) {
        if (source < num_owned_) order.push_back(source);
    }
    return order;
}

}  // namespace ricochet
