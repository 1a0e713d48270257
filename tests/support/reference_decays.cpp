// SPDX-License-Identifier: BSD-3-Clause
#include "tests/support/reference_decays.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "core/math.hpp"
#include "model/size_distribution.hpp"
#include "ricochet/core/random.hpp"

namespace ricochet::test {
namespace {

double number_of(const ContactRules& rules, std::uint64_t step, ParticleId id, unsigned block,
                 std::size_t word) {
    return uniform_from(
        random_words({.seed = rules.seed(), .stream = Stream::decay, .step = step}, id, block)[word]);
}

/// The channel whose share of [0, probability to decay) holds the number.
std::optional<std::uint32_t> channel_by(double number, const std::vector<DecayChannel>& channels,
                                        SpeciesIndex species, double timestep) {
    double all = 0;
    for (const DecayChannel& channel : channels)
        if (channel.from == species) all += channel.rate;
    const double probability = fixed::one_minus_exp_of_minus(all * timestep);
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
    product.diffusion = diffusion_of(rules.species(species), product.radius);
    product.mass =
        rules.energy_time() > 0 ? rules.energy_time() / (2 * product.diffusion) : rules.species(species).mass;
    return product;
}

struct Body {
    Vec3 centre;
    double radius;
};

/// By how much bodies must move up along an axis to stay between its walls.
double shift_of(const std::vector<Body>& bodies, int axis, double length) {
    double low = 0, high = 0;
    for (const Body& body : bodies) {
        low = std::max(low, 0 - (body.centre[axis] - body.radius));
        high = std::max(high, body.centre[axis] + body.radius - length);
    }
    return low - high;
}

void keep_inside(const Box& box, std::vector<Body>& bodies) {
    for (int axis = 0; axis < box.dimension; ++axis) {
        if (box.is_periodic(axis)) continue;
        const double length = box.size[axis], shift = shift_of(bodies, axis, length);
        for (Body& body : bodies) {
            double& x = body.centre[axis];
            x += shift;
            if (x > length - body.radius) x = length - body.radius;
            const double least = body.radius < length / 2 ? body.radius : length / 2;
            if (x < least) x = least;
        }
    }
}

Vec3 direction_of(const ContactRules& rules, int dimension, std::uint64_t step, ParticleId id) {
    const auto turn = fixed::sincos_2pi(number_of(rules, step, id, 1, 0));
    if (dimension == 2) return {turn.cos, turn.sin, 0};
    const double z = 2 * number_of(rules, step, id, 1, 1) - 1;
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

/// In the order of their ids. Who has tethers does not.
std::map<ParticleId, Decaying> decaying(const ContactRules& rules, const std::vector<DecayChannel>& channels,
                                        double timestep, std::uint64_t step, const Particles& particles) {
    std::map<ParticleId, Decaying> all;
    for (std::size_t k = 0; k < particles.size(); ++k) {
        if (particles.track.keeps_tethers() && !particles.track.tethers()[k].empty()) continue;
        const ParticleId id = particles.motion[k].id;
        const auto channel =
            channel_by(number_of(rules, step, id, 0, 0), channels, particles.attributes[k].species, timestep);
        if (channel) all[id] = {k, *channel};
    }
    return all;
}

/// Sets the two products' positions in the record and in the particles.
Contact split(const Box& box, const ContactRules& rules, std::uint64_t step, Particles& particles,
              std::size_t k, const DecayChannel& channel, ParticleId newborn) {
    const Motion parent = particles.motion[k];
    const Attributes before = particles.attributes[k];
    Track track = particles.track[k];
    const Attributes first = as(rules, before, channel.products[0]);
    const Attributes second = as(rules, before, channel.products[1]);
    const bool has_second = channel.products[1] != absent_species;
    const Vec3 n = has_second ? direction_of(rules, box.dimension, step, parent.id) : Vec3{};
    const double distance = has_second ? first.radius + second.radius : 0;
    std::vector<Body> bodies{{parent.position, first.radius}};
    if (has_second) {
        const double share = distance * (second.mass / (first.mass + second.mass));
        bodies[0].centre = advanced(parent.position, n, -share);
        bodies.push_back({advanced(bodies[0].centre, n, distance), second.radius});
    }
    if (first.species != absent_species) keep_inside(box, bodies);
    Contact record;
    record.point = advanced(bodies[0].centre, n, first.radius);
    std::array<std::int64_t, 3> unused{};
    wrap(box, record.point, unused);
    record.distance = distance;
    if (has_second) {
        const Vec3 origin = unwrapped(box, bodies[1].centre, track.image);
        auto image = track.image;
        wrap(box, bodies[1].centre, image);
        particles.push_back({bodies[1].centre, parent.velocity, parent.time, newborn}, second,
                            {origin, image});
        track.absorbed = no_id;
    }
    wrap(box, bodies[0].centre, track.image);
    particles.motion[k].position = bodies[0].centre;
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

}  // namespace

std::vector<Contact> reference_decays(const Box& box, const ContactRules& rules,
                                      const std::vector<DecayChannel>& channels, double timestep,
                                      std::uint64_t step, Particles& particles, ParticleId& next_id) {
    std::vector<Contact> records;
    for (const auto& [id, which] : decaying(rules, channels, timestep, step, particles)) {
        const DecayChannel& channel = channels[which.channel];
        ParticleId newborn = no_id;
        if (channel.products[1] != absent_species) {
            newborn = particles.track[which.index].absorbed;
            if (newborn == no_id) newborn = next_id++;
        }
        records.push_back(split(box, rules, step, particles, which.index, channel, newborn));
        records.back().rule = which.channel;
    }
    particles.remove_absent();
    return records;
}

std::vector<DecayChannel> random_decays(const System& system, HashRandom& random) {
    const auto num_species = static_cast<SpeciesIndex>(system.rules->num_species());
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
