// SPDX-License-Identifier: BSD-3-Clause
#include "dynamics/decays.hpp"

#include <algorithm>
#include <span>
#include <string>
#include <utility>

#include "dynamics/decay_room.hpp"
#include "geometry/path.hpp"
#include "model/rounding.hpp"
#include "model/unwrap.hpp"
#include "parallel/collectives.hpp"
#include "parallel/global_places.hpp"
#include "ricochet/core/error.hpp"

namespace ricochet {
namespace {

Vec3 wrapped_into(const Box& box, Vec3 point) {
    for (int axis = 0; axis < box.dimension; ++axis)
        if (box.is_periodic(axis)) point[axis] = wrapped(point[axis], box.size[axis]);
    return point;
}

/// Where the surfaces of two products touch; the centre of one.
Vec3 point_of(const DecayRules::Products& products, const Box& box) {
    return wrapped_into(box, advanced(products.position_first, products.direction, products.first.radius));
}

/// Without a second product `newborn`, and so `high`, is no_id.
Contact decay_record(double time, ParticleId parent, SpeciesIndex species, ParticleId newborn,
                     std::uint32_t channel, const DecayRules::Products& products) {
    const bool parent_is_low = parent < newborn;
    return {.key = {time, 0, std::min(parent, newborn), std::max(parent, newborn)},
            .point = {},
            .normal = parent_is_low ? products.direction : Vec3{} - products.direction,
            .distance = newborn == no_id ? 0 : products.first.radius + products.second.radius,
            .species_low = parent_is_low ? species : absent_species,
            .species_high = parent_is_low ? absent_species : species,
            .product_low = (parent_is_low ? products.first : products.second).species,
            .product_high = (parent_is_low ? products.second : products.first).species,
            .rule = channel,
            .effect = ContactEffect::decay};
}

/// Tethered particles keep their species and do not decay.
bool is_tethered(const Particles& owned, std::size_t k) {
    return owned.track.keeps_tethers() && !owned.track.tethers()[k].empty();
}

}  // namespace

void Decays::start(const Particles& owned) {
    if (!rules_.have_births()) return;
    ParticleId largest = 0;
    for (const Motion& motion : owned.motion) largest = std::max(largest, motion.id);
    next_id_ = max_of_ranks(exchange_, largest) + 1;
}

std::vector<Contact> Decays::decay(HalfStep half, Particles& owned) {
    if (are_none()) return {};
    std::vector<Parent> parents = parents_in(half, owned);
    if (bodies_.has_bodies()) leave_out_those_at_bodies(parents, half, owned);
    if (rules_.some_ask_for_room()) leave_out_those_without_room(parents, half, owned);
    if (next_id_) give_new_ids(parents, owned, half.step);
    std::vector<Contact> records;
    records.reserve(parents.size());
    for (const Parent& parent : parents) records.push_back(replace(parent, half, owned));
    owned.remove_absent();
    return records;
}

std::vector<Decays::Parent> Decays::parents_in(HalfStep half, const Particles& owned) const {
    std::vector<Parent> parents;
    for (std::size_t k = 0; k < owned.size(); ++k) {
        const auto channel = rules_.channel_of(owned.attributes[k].species, owned.motion[k].id, half);
        if (!channel || is_tethered(owned, k)) continue;
        const bool is_birth = rules_.channels()[*channel].is_birth();
        parents.push_back({k, *channel, is_birth ? owned.track.absorbed(k) : no_id});
    }
    return parents;
}

/// A product that touches a body, as its parent may, does not overlap it. One that rests where its parent rested keeps
/// its place, also in a surface.
void Decays::leave_out_those_at_bodies(std::vector<Parent>& parents, HalfStep half,
                                       const Particles& owned) const {
    std::erase_if(parents, [&](const Parent& parent) {
        const Motion& motion = owned.motion[parent.index];
        const Attributes& before = owned.attributes[parent.index];
        const DecayRules::Products products = rules_.products_of(parent.channel, motion, before, half);
        const auto has_room = [&](const Attributes& product, Vec3 position) {
            const bool stays = before.rests() && product.rests() && position == motion.position;
            return is_absent(product) || stays ||
                   (bodies_.keeps_off(position, deep_overlap_down * product.radius, product.species) &&
                    bodies_.are_on_one_side(motion.position, position, product.species));
        };
        return !has_room(products.first, products.position_first) ||
               !has_room(products.second, products.position_second);
    });
}

void Decays::leave_out_those_without_room(std::vector<Parent>& parents, HalfStep half,
                                          const Particles& owned) const {
    std::vector<WantedPlace> places;
    std::vector<std::size_t> parent_of_place;
    for (std::size_t k = 0; k < parents.size(); ++k) {
        const Motion& motion = owned.motion[parents[k].index];
        const std::uint32_t channel = parents[k].channel;
        const DecayRules::Products products =
            rules_.products_of(channel, motion, owned.attributes[parents[k].index], half);
        const auto add = [&](const Attributes& product, Vec3 position) {
            if (is_absent(product)) return;
            const Sphere sphere{wrapped_into(box_, position), product.radius, motion.id};
            places.push_back({sphere, product.species, rules_.asks_for_room(channel)});
            parent_of_place.push_back(k);
        };
        add(products.first, products.position_first);
        add(products.second, products.position_second);
    }
    const std::vector<bool> is_occupied =
        find_occupied(exchange_, box_, rules_.contact_rules(), places, owned);
    std::vector<bool> is_left_out(parents.size());
    for (std::size_t p = 0; p < is_occupied.size(); ++p)
        if (is_occupied[p]) is_left_out[parent_of_place[p]] = true;
    std::vector<Parent> kept;
    for (std::size_t k = 0; k < parents.size(); ++k)
        if (!is_left_out[k]) kept.push_back(parents[k]);
    parents = std::move(kept);
}

void Decays::give_new_ids(std::vector<Parent>& parents, const Particles& owned, std::uint64_t step) {
    std::vector<Parent*> without;
    std::vector<ParticleId> ids;
    for (Parent& parent : parents) {
        if (!rules_.channels()[parent.channel].is_birth() || parent.id_of_second != no_id) continue;
        without.push_back(&parent);
        ids.push_back(owned.motion[parent.index].id);
    }
    const std::uint64_t total = sum_of_ranks(exchange_, ids.size());
    if (total == 0) return;
    if (total > first_obstacle_id - *next_id_)
        throw RunError("step " + std::to_string(step) + ": there are no ids left for " +
                       std::to_string(total) + " new particles after id " + std::to_string(*next_id_ - 1) +
                       "; expected ids below 2^63: start with smaller ids");
    const std::vector<std::uint64_t> places = places_in_order(exchange_, ids);
    for (std::size_t k = 0; k < without.size(); ++k) without[k]->id_of_second = *next_id_ + places[k];
    *next_id_ += total;
}

/// The parent by its products.
Contact Decays::replace(const Parent& parent, HalfStep half, Particles& owned) const {
    const std::size_t k = parent.index;
    const Motion before = owned.motion[k];
    const Attributes attributes = owned.attributes[k];
    const DecayRules::Products products = rules_.products_of(parent.channel, before, attributes, half);
    Contact record = decay_record(rules_.time_of(half), before.id, attributes.species, parent.id_of_second,
                                  parent.channel, products);
    record.point = point_of(products, box_);
    const PeriodicWrap wrap(box_);
    Track track = owned.track[k];
    if (parent.id_of_second != no_id) {
        Motion newborn{products.position_second, products.velocity_second, before.time, parent.id_of_second};
        Track of_newborn{.origin = {}, .image = track.image};
        of_newborn.origin = unwrapped_position(newborn, of_newborn, box_);
        wrap(newborn.position, of_newborn.image);
        owned.push_back(newborn, products.second, of_newborn);
        track.absorbed = no_id;
    }
    owned.motion[k].position = products.position_first;
    owned.motion[k].velocity = products.velocity_first;
    wrap(owned.motion[k].position, track.image);
    owned.attributes.set(k, products.first);
    owned.track.set(k, track);
    return record;
}

}  // namespace ricochet
