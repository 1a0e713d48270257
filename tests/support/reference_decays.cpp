// SPDX-License-Identifier: BSD-3-Clause
#include "tests/support/reference_decays.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <variant>

#include "core/math.hpp"
#include "model/size_distribution.hpp"
#include "ricochet/core/random.hpp"
#include "tests/support/reference_axes.hpp"

namespace ricochet::test {
namespace {

/// Blocks 0 and 1 are for what happens before a step, blocks 2 and 3 for after it.
double number_of(const ContactRules& rules, const DecayMoment& moment, ParticleId id, unsigned block,
                 std::size_t word) {
    const RandomKey key{.seed = rules.seed(), .stream = Stream::decay, .step = moment.step};
    return uniform_from(random_words(key, id, moment.is_after_step ? 2 + block : block)[word]);
}

/// The channel whose share of [0, probability to decay) holds the number.
std::optional<std::uint32_t> channel_by(double number, const std::vector<DecayChannel>& channels,
                                        SpeciesIndex species, double timestep) {
    double all = 0;
    for (const DecayChannel& channel : channels)
        if (channel.from == species) all += channel.rate;
    const double probability = fixed::one_minus_exp_of_minus(all * (timestep / 2));
    double up_to = 0;
    for (std::uint32_t k = 0; k < channels.size(); ++k) {
        if (channels[k].from != species) continue;
        up_to += channels[k].rate;
        if (all > 0 && number < probability * (up_to / all)) return k;
    }
    return std::nullopt;
}

Attributes as(const ContactRules& rules, const Attributes& parent, SpeciesIndex species) {
    if (species == parent.species) return parent;
    Attributes product;
    product.species = species;
    if (species == absent_species) return product;
    product.radius = rules.species(species).radius;
    product.frozen_axes = rules.species(species).frozen_axes;
    product.diffusion = diffusion_of(rules.species(species), product.radius);
    product.mass =
        rules.energy_time() > 0 ? rules.energy_time() / (2 * product.diffusion) : rules.species(species).mass;
    return product;
}

struct Product {
    Vec3 centre;
    double radius = 0;
    SpeciesIndex species = absent_species;
    Attributes attributes{};
};

/// By how much bodies must move up along an axis to stay between its walls.
double shift_of(const std::vector<Product>& bodies, int axis, double length) {
    double low = 0, high = 0;
    for (const Product& body : bodies) {
        low = std::max(low, 0 - (body.centre[axis] - body.radius));
        high = std::max(high, body.centre[axis] + body.radius - length);
    }
    return low - high;
}

void keep_inside(const Box& box, std::vector<Product>& bodies) {
    for (int axis = 0; axis < box.dimension; ++axis) {
        if (box.is_periodic(axis)) continue;
        const auto is_held = [axis](const Product& body) { return is_fixed(body.attributes, axis); };
        const bool is_one_held = std::any_of(bodies.begin(), bodies.end(), is_held);
        const double length = box.size[axis], shift = is_one_held ? 0 : shift_of(bodies, axis, length);
        for (Product& body : bodies) {
            if (is_held(body)) continue;
            double& x = body.centre[axis];
            x += shift;
            if (x > length - body.radius) x = length - body.radius;
            const double least = body.radius < length / 2 ? body.radius : length / 2;
            if (x < least) x = least;
        }
    }
}

Vec3 direction_of(const ContactRules& rules, int dimension, const DecayMoment& moment, ParticleId id) {
    const auto turn = fixed::sincos_2pi(number_of(rules, moment, id, 1, 0));
    if (dimension == 2) return {turn.cos, turn.sin, 0};
    const double z = 2 * number_of(rules, moment, id, 1, 1) - 1;
    const double across = std::sqrt(1 - z * z);
    return {across * turn.cos, across * turn.sin, z};
}

/// Into the box, with the count of lengths that this takes.
void wrap(const Box& box, Vec3& x, std::array<std::int64_t, 3>& image) {
    for (int axis = 0; axis < box.dimension; ++axis) {
        if (!box.is_periodic(axis)) continue;
        const double length = box.size[axis];
        const double laps = std::floor(x[axis] / length);
        if (laps == -1)
            x[axis] += length;
        else if (laps == 1)
            x[axis] -= length;
        else
            x[axis] = std::fma(-laps, length, x[axis]);
        image[static_cast<std::size_t>(axis)] += static_cast<std::int64_t>(laps);
        if (x[axis] >= length) {  // rounding: just below 0
            x[axis] -= length;
            ++image[static_cast<std::size_t>(axis)];
        }
    }
}

Vec3 unwrapped(const Box& box, Vec3 x, const std::array<std::int64_t, 3>& image) {
    for (int axis = 0; axis < box.dimension; ++axis)
        x[axis] =
            std::fma(static_cast<double>(image[static_cast<std::size_t>(axis)]), box.size[axis], x[axis]);
    return x;
}

struct Decaying {
    std::size_t index;
    std::uint32_t channel;
};

/// In the order of their ids. Tethered particles do not.
std::map<ParticleId, Decaying> decaying(const ContactRules& rules, const std::vector<DecayChannel>& channels,
                                        double timestep, const DecayMoment& moment,
                                        const Particles& particles) {
    std::map<ParticleId, Decaying> all;
    for (std::size_t k = 0; k < particles.size(); ++k) {
        if (particles.track.keeps_tethers() && !particles.track.tethers()[k].empty()) continue;
        const ParticleId id = particles.motion[k].id;
        const auto channel = channel_by(number_of(rules, moment, id, 0, 0), channels,
                                        particles.attributes[k].species, timestep);
        if (channel) all[id] = {k, *channel};
    }
    return all;
}

/// The one or two products, between the walls. A particle that ends has one of no species where it was.
struct Split {
    std::vector<Product> bodies;
    Attributes first, second;
    Vec3 direction;
    Vec3 velocity_first, velocity_second;
};

/// Where one of the two is fixed it stays, and the other goes to where a wall leaves it room, if need be to the
/// opposite side.
void part_on_axes(const Box& box, Split& split) {
    const Vec3 parent = split.bodies[0].centre;
    const double distance = split.first.radius + split.second.radius;
    const ByAxis of_first = centre_between(split.first, split.second);
    const ByAxis of_second = centre_between(split.second, split.first);
    for (int axis = 0; axis < box.dimension; ++axis) {
        const auto a = static_cast<std::size_t>(axis);
        const bool stays_first = is_fixed(split.first, axis), stays_second = is_fixed(split.second, axis);
        double way = distance * split.direction[axis];
        if (box.has_walls(axis) && (stays_first || stays_second)) {
            const double goes_to = parent[axis] + (stays_first ? way : -way);
            const double radius = (stays_first ? split.second : split.first).radius;
            if (goes_to < radius || goes_to > box.size[axis] - radius) {
                split.direction[axis] = -split.direction[axis];
                way = -way;
            }
        }
        split.bodies[0].centre[axis] = std::fma(-way, of_first[a], parent[axis]);
        split.bodies[1].centre[axis] =
            std::fma(way, stays_first && stays_second ? 1 : of_second[a], parent[axis]);
    }
}

Vec3 velocity_of(const ContactRules& rules, const DecayMoment& moment, const Motion& parent,
                 const Attributes& before, const Attributes& product, std::size_t which) {
    const RandomKey key{.seed = rules.seed(), .stream = Stream::release, .step = moment.step};
    const std::uint64_t seed = random_words(key, parent.id, moment.is_after_step ? 1 : 0)[which];
    return velocity_as(product, before.frozen_axes, parent.velocity, {rules, seed, moment.step, parent.id});
}

Split split_of(const Box& box, const ContactRules& rules, const DecayMoment& moment, const Motion& parent,
               const Attributes& before, const DecayChannel& channel) {
    Split split;
    split.first = as(rules, before, channel.products[0]);
    split.second = as(rules, before, channel.products[1]);
    const auto& [bodies, first, second, direction, velocity_first, velocity_second] = split;
    split.velocity_first = velocity_of(rules, moment, parent, before, first, 0);
    split.velocity_second = velocity_of(rules, moment, parent, before, second, 1);
    split.bodies.push_back({parent.position, first.radius, first.species, first});
    const bool has_fixed_axes = first.frozen_axes != 0 || second.frozen_axes != 0;
    if (second.species != absent_species && has_fixed_axes) {
        split.direction = direction_of(rules, box.dimension, moment, parent.id);
        split.bodies.push_back({parent.position, second.radius, second.species, second});
        part_on_axes(box, split);
    } else if (second.species != absent_species) {
        split.direction = direction_of(rules, box.dimension, moment, parent.id);
        const double distance = first.radius + second.radius;
        const double share = distance * (second.mass / (first.mass + second.mass));
        split.bodies[0].centre = advanced(parent.position, direction, -share);
        split.bodies.push_back(
            {advanced(bodies[0].centre, direction, distance), second.radius, second.species, second});
    }
    if (first.species != absent_species) keep_inside(box, split.bodies);
    return split;
}

// --- room ----------------------------------------------------------------------------------------------------

bool passes(const ContactRules& rules, SpeciesIndex a, SpeciesIndex b) {
    return std::holds_alternative<Pass>(rules.pair(a, b));
}

/// Only what passes all species leaves room to be asked for.
bool must_have_room(const ContactRules& rules, SpeciesIndex parent) {
    for (SpeciesIndex other = 0; other < rules.num_species(); ++other)
        if (!passes(rules, parent, other)) return false;
    return true;
}

bool are_in_each_other(const Box& box, const Product& a, const Product& b) {
    constexpr double deep = 1 - 1e-9;  // contacts are no overlaps
    const Vec3 r = minimum_image(a.centre - b.centre, ImageLengths(box));
    return norm(r) < deep * (a.radius + b.radius);
}

bool are_in_the_way(const Box& box, const ContactRules& rules, const std::vector<Product>& some,
                    const std::vector<Product>& others) {
    for (const Product& a : some)
        for (const Product& b : others)
            if (a.species != absent_species && b.species != absent_species &&
                !passes(rules, a.species, b.species) && are_in_each_other(box, a, b))
                return true;
    return false;
}

/// Sets the two products' positions in the record and in the particles.
Contact split(const Box& box, const ContactRules& rules, const DecayMoment& moment, Particles& particles,
              std::size_t k, const DecayChannel& channel, ParticleId newborn) {
    const Motion parent = particles.motion[k];
    const Attributes before = particles.attributes[k];
    Track track = particles.track[k];
    auto [bodies, first, second, n, velocity_first, velocity_second] =
        split_of(box, rules, moment, parent, before, channel);
    const bool has_second = channel.products[1] != absent_species;
    const double distance = has_second ? first.radius + second.radius : 0;
    Contact record;
    record.point = advanced(bodies[0].centre, n, first.radius);
    std::array<std::int64_t, 3> unused{};
    wrap(box, record.point, unused);
    record.distance = distance;
    if (has_second) {
        const Vec3 origin = unwrapped(box, bodies[1].centre, track.image);
        auto image = track.image;
        wrap(box, bodies[1].centre, image);
        particles.push_back({bodies[1].centre, velocity_second, parent.time, newborn}, second,
                            {origin, image});
        track.absorbed = no_id;
    }
    wrap(box, bodies[0].centre, track.image);
    particles.motion[k].position = bodies[0].centre;
    particles.motion[k].velocity = velocity_first;
    particles.attributes.set(k, first);
    particles.track.set(k, track);
    const bool is_low = parent.id < newborn;
    record.key.low = is_low ? parent.id : newborn;
    record.key.high = is_low ? newborn : parent.id;
    record.normal = is_low ? n : Vec3{0 - n.x, 0 - n.y, 0 - n.z};
    record.species_low = is_low ? before.species : absent_species;
    record.species_high = is_low ? absent_species : before.species;
    record.product_low = is_low ? first.species : second.species;
    record.product_high = is_low ? second.species : first.species;
    record.effect = ContactEffect::decay;
    return record;
}

/// All as they are before any of them, side by side. Of two in each other's way the one with the lower id comes first,
/// whatever becomes of it.
std::set<ParticleId> without_room(const Box& box, const ContactRules& rules,
                                  const std::vector<DecayChannel>& channels, const DecayMoment& moment,
                                  const Particles& particles, const std::map<ParticleId, Decaying>& all) {
    std::set<ParticleId> crowded;
    std::map<ParticleId, std::vector<Product>> wanted;
    for (const auto& [id, which] : all)
        wanted[id] = split_of(box, rules, moment, particles.motion[which.index],
                              particles.attributes[which.index], channels[which.channel])
                         .bodies;
    for (auto& [id, bodies] : wanted)
        for (Product& body : bodies) {
            std::array<std::int64_t, 3> unused{};
            wrap(box, body.centre, unused);
        }
    for (const auto& [id, bodies] : wanted) {
        if (!must_have_room(rules, channels[all.at(id).channel].from)) continue;
        for (std::size_t k = 0; k < particles.size(); ++k) {
            const Attributes& attributes = particles.attributes[k];
            const std::vector<Product> there{
                {particles.motion[k].position, attributes.radius, attributes.species, attributes}};
            if (particles.motion[k].id != id && are_in_the_way(box, rules, bodies, there)) crowded.insert(id);
        }
        for (const auto& [other, bodies_of_other] : wanted) {
            const bool comes_first =
                other < id || !must_have_room(rules, channels[all.at(other).channel].from);
            if (other != id && comes_first && are_in_the_way(box, rules, bodies, bodies_of_other))
                crowded.insert(id);
        }
    }
    return crowded;
}

/// Products that would overlap a body, or be beyond one, must wait. What is fixed may go on where it was.
bool are_in_bodies(const BodyRoom& room, Vec3 parent, const Attributes& of_parent,
                   const std::vector<Product>& products) {
    constexpr double deep = 1 - 1e-9;
    for (const Product& product : products) {
        if (product.species == absent_species) continue;
        if (never_meet(of_parent, product.attributes) && product.centre == parent) continue;
        if (!room.keeps_off(product.centre, deep * product.radius, product.species)) return true;
        if (!room.are_on_one_side(parent, product.centre, product.species)) return true;
    }
    return false;
}

}  // namespace

DecaysOfMoment reference_decays(const Box& box, const ContactRules& rules,
                                const std::vector<DecayChannel>& channels, double timestep,
                                const DecayMoment& moment, const BodyRoom& room, Particles& particles,
                                ParticleId& next_id) {
    DecaysOfMoment decays;
    std::map<ParticleId, Decaying> all = decaying(rules, channels, timestep, moment, particles);
    const std::size_t num_all = all.size();
    std::erase_if(all, [&](const auto& of) {
        const Motion& parent = particles.motion[of.second.index];
        const Attributes& of_parent = particles.attributes[of.second.index];
        const Split split = split_of(box, rules, moment, parent, of_parent, channels[of.second.channel]);
        return are_in_bodies(room, parent.position, of_parent, split.bodies);
    });
    decays.num_without_room += static_cast<int>(num_all - all.size());
    const std::set<ParticleId> crowded = without_room(box, rules, channels, moment, particles, all);
    for (const auto& [id, which] : all) {
        if (crowded.contains(id)) {
            ++decays.num_without_room;
            continue;
        }
        const DecayChannel& channel = channels[which.channel];
        ParticleId newborn = no_id;
        if (channel.products[1] != absent_species) {
            newborn = particles.track[which.index].absorbed;
            if (newborn == no_id) newborn = next_id++;
        }
        decays.records.push_back(split(box, rules, moment, particles, which.index, channel, newborn));
        decays.records.back().rule = which.channel;
        decays.records.back().key.time = moment.is_after_step ? timestep : 0;
    }
    particles.remove_absent();
    return decays;
}

std::vector<DecayChannel> random_decays(const System& system, HashRandom& random) {
    const auto num_species = static_cast<SpeciesIndex>(system.world->species.size());
    std::vector<DecayChannel> channels(1 + random.index(3));
    for (DecayChannel& channel : channels) {
        channel.from = static_cast<SpeciesIndex>(random.index(num_species));
        const std::uint64_t num_products = random.index(6);  // more than one in most
        for (std::size_t k = 0; k < std::min<std::uint64_t>(2, num_products); ++k)
            channel.products[k] = static_cast<SpeciesIndex>(random.index(num_species));
        channel.rate = random.uniform(0, 0.4) / system.dt;
    }
    return channels;
}

}  // namespace ricochet::test
