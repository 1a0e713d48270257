// SPDX-License-Identifier: BSD-3-Clause
//
// Systems for gravity, and what tests compare of them.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstring>
#include <stdexcept>
#include <string>
#include <vector>

#include "gravity/self_gravity.hpp"
#include "parallel/serial_exchange.hpp"
#include "tests/support/hash_random.hpp"
#include "tests/support/systems.hpp"

namespace ricochet::test {

struct GravitySystem {
    std::string name;
    Box box;
    GravityLaw law;
    std::vector<GravitySource> sources = {};
};

/// Ids that are not in the order of storage, and masses that differ.
inline void add_source(GravitySystem& system, Vec3 position, HashRandom& random) {
    const ParticleId id = (system.sources.size() * 7919) % 1000003 + 5;
    system.sources.push_back({position, random.uniform(0.5, 1.5), id});
}

/// Equally distributed; the inverse law in two dimensions, the inverse square in three.
inline GravitySystem uniform_sources(Vec3 size, std::size_t count, std::uint64_t seed = 1) {
    GravitySystem system{
        .name = "uniform", .box = walled_box(size), .law = {.constant = 1.5, .softening = 1e-3}};
    if (size.z == 0) system.law.form = GravityForm::inverse;
    HashRandom random(seed);
    while (system.sources.size() < count)
        add_source(system, {random.uniform(0, size.x), random.uniform(0, size.y), random.uniform(0, size.z)},
                   random);
    return system;
}

/// Plummer's sphere of scale 1 in a box of 40 (Aarseth, Henon & Wielen, Astron. Astrophys. 37 (1974) 183).
inline GravitySystem plummer_sphere(std::size_t count, std::uint64_t seed = 2) {
    GravitySystem system{.name = "plummer", .box = walled_box({40, 40, 40}), .law = {.softening = 1e-3}};
    HashRandom random(seed);
    while (system.sources.size() < count) {
        const double radius = 1 / std::sqrt(std::pow(random.uniform(), -2.0 / 3) - 1);
        const Vec3 way = random.normal_vector(3);
        if (radius < 19) add_source(system, Vec3{20, 20, 20} + (radius / norm(way)) * way, random);
    }
    return system;
}

/// A flat disc of radius 1/2 in the unit box.
inline GravitySystem flat_disc(std::size_t count, std::uint64_t seed = 3) {
    GravitySystem system{.name = "flat disc", .box = walled_box({1, 1, 1}), .law = {.softening = 1e-2}};
    HashRandom random(seed);
    while (system.sources.size() < count) {
        const Vec3 place{random.uniform(), random.uniform(), 0.5 + 1e-3 * random.normal()};
        if (std::hypot(place.x - 0.5, place.y - 0.5) < 0.5) add_source(system, place, random);
    }
    return system;
}

/// Two heaps, far smaller than the deepest cell's neighbours, in a wide box with some others.
inline GravitySystem tiny_heaps(std::size_t count, std::uint64_t seed = 4) {
    GravitySystem system{
        .name = "tiny heaps", .box = walled_box({100, 100, 100}), .law = {.softening = 1e-6}};
    HashRandom random(seed);
    while (system.sources.size() < count) {
        const std::size_t k = system.sources.size() % 5;
        const Vec3 way = (k < 4 ? 1e-5 : 10.0) * random.normal_vector(3);
        const Vec3 centre = k < 2 ? Vec3{50, 50, 50} : k < 4 ? Vec3{20, 70, 30} : Vec3{50, 40, 50};
        add_source(system, max(Vec3{}, min(centre + way, system.box.size)), random);
    }
    return system;
}

/// All kinds, some of them flat or long.
inline std::vector<GravitySystem> gravity_systems(std::size_t count) {
    std::vector<GravitySystem> systems{uniform_sources({1, 1, 1}, count),
                                       uniform_sources({30, 2, 1}, count),
                                       uniform_sources({1, 2, 0}, count),
                                       plummer_sphere(count),
                                       flat_disc(count),
                                       tiny_heaps(count)};
    systems[1].name = "long box";
    systems[2].name = "rectangle";
    return systems;
}

/// In boxes with images along some axes, or all: cubic, long and tall ones.
inline std::vector<GravitySystem> periodic_gravity_systems(std::size_t count) {
    std::vector<GravitySystem> systems{uniform_sources({1, 1, 1}, count),
                                       uniform_sources({3, 1, 1.5}, count),
                                       uniform_sources({1, 1, 4}, count),
                                       uniform_sources({2, 1, 0}, count),
                                       plummer_sphere(count),
                                       tiny_heaps(count)};
    for (GravitySystem& system : systems) {
        system.box.boundary.fill(Boundary::periodic);
        system.name = "periodic " + system.name;
    }
    systems[2].box.boundary[2] = Boundary::reflecting;
    systems[4].box.boundary[1] = systems[4].box.boundary[2] = Boundary::reflecting;
    return systems;
}

inline std::vector<GravityField> fields_of(Exchange& exchange, const GravitySystem& system,
                                           const std::vector<GravitySource>& owned,
                                           GravityMethod method = GravityMethod::tree, double opening = 0.8) {
    SelfGravity gravity(exchange, system.box, {system.law, method, opening});
    std::vector<GravityField> fields;
    if (gravity.find_fields(owned, WithPotential::yes, fields)) throw std::logic_error("no fields");
    return fields;
}
inline std::vector<GravityField> fields_of(const GravitySystem& system,
                                           GravityMethod method = GravityMethod::tree, double opening = 0.8) {
    SerialExchange exchange;
    return fields_of(exchange, system, system.sources, method, opening);
}

inline bool equal_fields(const std::vector<GravityField>& a, const std::vector<GravityField>& b) {
    static_assert(sizeof(GravityField) == 4 * sizeof(double));
    return a.size() == b.size() &&
           (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof a[0]) == 0);
}

struct FieldErrors {
    double median = 0, of_99_percent = 0, largest = 0, of_potential = 0;
};

/// Relative errors of accelerations; the largest error of a potential, relative to the largest potential.
inline FieldErrors errors_of(const std::vector<GravityField>& fields,
                             const std::vector<GravityField>& exact) {
    std::vector<double> errors;
    FieldErrors result;
    double largest_potential = 0;
    for (std::size_t k = 0; k < fields.size(); ++k) {
        errors.push_back(norm(fields[k].acceleration - exact[k].acceleration) / norm(exact[k].acceleration));
        result.of_potential =
            std::max(result.of_potential, std::abs(fields[k].potential - exact[k].potential));
        largest_potential = std::max(largest_potential, std::abs(exact[k].potential));
    }
    result.of_potential /= largest_potential;
    std::sort(errors.begin(), errors.end());
    result.median = errors[errors.size() / 2];
    result.of_99_percent = errors[errors.size() * 99 / 100];
    result.largest = errors.back();
    return result;
}

}  // namespace ricochet::test
