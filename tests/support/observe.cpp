// SPDX-License-Identifier: BSD-3-Clause
//
// See observe.hpp.
#include "tests/support/observe.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdio>
#include <map>
#include <sstream>

namespace ricochet::test {

namespace {

struct NamedValue {
    const char* name;
    std::uint64_t bits;
};

NamedValue named(const char* name, double value) { return {name, std::bit_cast<std::uint64_t>(value)}; }

std::vector<NamedValue> fields(const Motion& m, const Attributes& a, const Track& t) {
    return {named("x", m.position.x),
            named("y", m.position.y),
            named("z", m.position.z),
            named("vx", m.velocity.x),
            named("vy", m.velocity.y),
            named("vz", m.velocity.z),
            named("time", m.time),
            {"image x", static_cast<std::uint64_t>(t.image[0])},
            {"image y", static_cast<std::uint64_t>(t.image[1])},
            {"image z", static_cast<std::uint64_t>(t.image[2])},
            named("radius", a.radius),
            named("mass", a.mass),
            named("diffusion", a.diffusion),
            {"species", a.species}};
}

std::vector<NamedValue> fields(const Contact& c) {
    return {named("time", c.key.time),
            {"generation", c.key.generation},
            {"low", c.key.low},
            {"high", c.key.high},
            named("point x", c.point.x),
            named("point y", c.point.y),
            named("point z", c.point.z),
            named("normal x", c.normal.x),
            named("normal y", c.normal.y),
            named("normal z", c.normal.z),
            named("impulse", c.impulse),
            named("speed", c.speed),
            named("distance", c.distance),
            {"species low", c.species_low},
            {"species high", c.species_high},
            {"product low", c.product_low},
            {"product high", c.product_high},
            {"rule", c.rule},
            {"effect", static_cast<std::uint64_t>(c.effect)}};
}

std::string first_difference(const std::vector<NamedValue>& expected, const std::vector<NamedValue>& actual) {
    for (std::size_t k = 0; k < expected.size(); ++k) {
        if (expected[k].bits == actual[k].bits) continue;
        char text[160];
        std::snprintf(text, sizeof text, "%s: expected %016llx (%.17g), got %016llx (%.17g)",
                      expected[k].name, static_cast<unsigned long long>(expected[k].bits),
                      std::bit_cast<double>(expected[k].bits),
                      static_cast<unsigned long long>(actual[k].bits), std::bit_cast<double>(actual[k].bits));
        return text;
    }
    return "";
}

std::string text_of(const Tethers& tethers) {
    std::ostringstream text;
    text << "{";
    for (std::uint32_t k = 0; k < tethers.size(); ++k)
        text << " " << tethers.partner(k) << " of species " << tethers.species(k);
    text << " }";
    return text.str();
}

/// None where none are kept.
Tethers tethers_of(const Particles& particles, std::size_t k) {
    return particles.track.keeps_tethers() ? particles.track.tethers()[k] : Tethers();
}

std::string first_difference(const Tethers& expected, const Tethers& actual) {
    if (expected == actual) return "";
    return "tethers: expected " + text_of(expected) + ", got " + text_of(actual);
}

std::string describe(const ContactKey& key) {
    char text[120];
    std::snprintf(text, sizeof text, "(%.17g, %llu, %llu, %llu)", key.time,
                  static_cast<unsigned long long>(key.generation), static_cast<unsigned long long>(key.low),
                  static_cast<unsigned long long>(key.high));
    return text;
}

std::map<ParticleId, std::size_t> index_by_id(const Particles& particles) {
    std::map<ParticleId, std::size_t> index;
    for (std::size_t i = 0; i < particles.size(); ++i) index[particles.motion[i].id] = i;
    return index;
}

}  // namespace

Totals totals(const Particles& particles) {
    long double px = 0, py = 0, pz = 0, energy = 0, square = 0, fourth = 0, scale = 0;
    for (std::size_t i = 0; i < particles.size(); ++i) {
        const Vec3 v = particles.motion[i].velocity;
        const long double mass = particles.attributes[i].mass;
        const long double v2 = static_cast<long double>(v.x) * v.x + static_cast<long double>(v.y) * v.y +
                               static_cast<long double>(v.z) * v.z;
        px += mass * v.x;
        py += mass * v.y;
        pz += mass * v.z;
        energy += mass * v2 / 2;
        square += v2;
        fourth += v2 * v2;
        scale += mass * std::sqrt(v2);
    }
    const long double n = std::max<long double>(1, static_cast<long double>(particles.size()));
    return {{static_cast<double>(px), static_cast<double>(py), static_cast<double>(pz)},
            static_cast<double>(energy),
            static_cast<double>(square / n),
            static_cast<double>(fourth / n),
            static_cast<double>(scale)};
}

void CollisionSums::add(const std::vector<Contact>& contacts) {
    for (const Contact& contact : contacts) {
        largest_generation = std::max(largest_generation, contact.key.generation);
        if (contact.key.high >= first_obstacle_id) {
            ++num_wall;
            if (contact.body < wall_impulse.size()) wall_impulse[contact.body] += contact.impulse;
        } else {
            ++num_pair;
            virial += contact.impulse * contact.distance;
        }
    }
}

CollisionSums& CollisionSums::operator+=(const CollisionSums& other) {
    num_pair += other.num_pair;
    num_wall += other.num_wall;
    virial += other.virial;
    for (std::size_t face = 0; face < wall_impulse.size(); ++face)
        wall_impulse[face] += other.wall_impulse[face];
    largest_generation = std::max(largest_generation, other.largest_generation);
    return *this;
}

double CollisionSums::excess_compressibility(int dimension, std::size_t num_particles, double kT,
                                             double time) const {
    return virial / (dimension * static_cast<double>(num_particles) * kT * time);
}

double CollisionSums::collision_rate(std::size_t num_particles, double time) const {
    return 2 * static_cast<double>(num_pair) / (static_cast<double>(num_particles) * time);
}

OverlapCensus census_of_overlaps(const Box& box, const Particles& particles, double tolerance) {
    const ImageLengths images(box);
    double largest_radius = 0;
    for (const Attributes& a : particles.attributes) largest_radius = std::max(largest_radius, a.radius);
    std::vector<std::size_t> order(particles.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    const auto x = [&](std::size_t k) { return particles.motion[order[k]].position.x; };
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return particles.motion[a].position.x < particles.motion[b].position.x;
    });

    OverlapCensus census;
    const std::size_t n = order.size();
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t step = 1; step < n; ++step) {
            const bool is_around = i + step >= n;
            if (is_around && !box.is_periodic(0)) break;
            const std::size_t j = (i + step) % n;
            const double ahead = x(j) - x(i) + (is_around ? box.size.x : 0);
            if (ahead > 2 * largest_radius) break;
            const Vec3 r = minimum_image(
                particles.motion[order[j]].position - particles.motion[order[i]].position, images);
            const double depth = particles.attributes[order[i]].radius +
                                 particles.attributes[order[j]].radius - std::sqrt(dot(r, r));
            census.deepest = std::max(census.deepest, depth);
            if (depth > tolerance) ++census.num_overlaps;
        }
    return census;
}

/// Of a run that does not keep it: 1.
static double latest_contact_of(const Particles& particles, std::size_t k) {
    return particles.track.keeps_latest_contacts() ? particles.track.latest_contacts()[k] : 1;
}

std::string first_difference(const Particles& expected, const Particles& actual) {
    if (expected.size() != actual.size())
        return "expected " + std::to_string(expected.size()) + " particles, got " +
               std::to_string(actual.size());
    const auto where = index_by_id(actual);
    for (std::size_t i = 0; i < expected.size(); ++i) {
        const ParticleId id = expected.motion[i].id;
        const auto found = where.find(id);
        if (found == where.end()) return "particle " + std::to_string(id) + " is missing";
        const std::size_t j = found->second;
        std::string text =
            first_difference(fields(expected.motion[i], expected.attributes[i], expected.track[i]),
                             fields(actual.motion[j], actual.attributes[j], actual.track[j]));
        if (text.empty()) text = first_difference(tethers_of(expected, i), tethers_of(actual, j));
        if (text.empty() && !(latest_contact_of(expected, i) == latest_contact_of(actual, j)))
            text = "another latest contact";
        if (!text.empty()) return "particle " + std::to_string(id) + ", " + text;
    }
    return "";
}

std::string first_difference(const std::vector<Contact>& expected, const std::vector<Contact>& actual) {
    const std::size_t common = std::min(expected.size(), actual.size());
    for (std::size_t k = 0; k < common; ++k) {
        const std::string text = first_difference(fields(expected[k]), fields(actual[k]));
        if (!text.empty())
            return "contact " + std::to_string(k) + " " + describe(expected[k].key) + " against " +
                   describe(actual[k].key) + ", " + text;
    }
    if (expected.size() == actual.size()) return "";
    const bool is_missing = expected.size() > common;
    return "expected " + std::to_string(expected.size()) + " contacts, got " + std::to_string(actual.size()) +
           (is_missing ? ", first missing " : ", first extra ") +
           describe(is_missing ? expected[common].key : actual[common].key);
}

void reverse_velocities(Particles& particles) {
    for (Motion& motion : particles.motion) motion.velocity = -motion.velocity;
}

namespace {

/// The displacement from particle i of `from` to particle j of `to`, by unwrapped positions.
Vec3 displacement(const Box& box, const Particles& from, std::size_t i, const Particles& to, std::size_t j) {
    Vec3 r = to.motion[j].position - from.motion[i].position;
    for (int axis = 0; axis < box.dimension; ++axis) {
        const auto a = static_cast<std::size_t>(axis);
        const std::int64_t boxes = to.track[j].image[a] - from.track[i].image[a];
        r[axis] += static_cast<double>(boxes) * box.size[axis];
    }
    return r;
}

}  // namespace

double mean_square_displacement(const Box& box, const Particles& from, const Particles& to) {
    double sum = 0;
    for (std::size_t i = 0; i < from.size(); ++i) {
        const Vec3 r = displacement(box, from, i, to, i);
        sum += dot(r, r);
    }
    return sum / static_cast<double>(from.size());
}

double largest_displacement(const Box& box, const Particles& a, const Particles& b) {
    const auto where = index_by_id(b);
    double largest = 0;
    for (std::size_t i = 0; i < a.size(); ++i)
        largest = std::max(largest, norm(displacement(box, a, i, b, where.at(a.motion[i].id))));
    return largest;
}

std::string what_is_wrong_with_tethers(const Particles& particles) {
    if (!particles.track.keeps_tethers()) return "";
    std::map<ParticleId, std::size_t> place;
    for (std::size_t k = 0; k < particles.size(); ++k) place[particles.motion[k].id] = k;
    for (std::size_t k = 0; k < particles.size(); ++k) {
        const ParticleId own = particles.motion[k].id;
        const Tethers& tethers = particles.track.tethers()[k];
        for (std::uint32_t n = 0; n < tethers.size(); ++n) {
            const ParticleId other = tethers.partner(n);
            const std::string pair = std::to_string(own) + " and " + std::to_string(other);
            const auto found = place.find(other);
            if (found == place.end()) return pair + ": the other is no more";
            if (!particles.track.tethers()[found->second].holds(own)) return pair + ": only one knows";
            if (particles.attributes[found->second].species != tethers.species(n))
                return pair + ": wrong species";
            for (std::uint32_t m = 0; m < n; ++m)
                if (tethers.partner(m) == other) return pair + ": twice";
        }
    }
    return "";
}

}  // namespace ricochet::test
