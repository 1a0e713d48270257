// SPDX-License-Identifier: BSD-3-Clause
//
// What placement tests share, with threads or with MPI as ranks.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <numeric>
#include <ostream>
#include <string>
#include <vector>

#include "core/hash.hpp"
#include "model/particle_hash.hpp"
#include "model/size_distribution.hpp"
#include "placement/placement.hpp"
#include "ricochet/model/box.hpp"

namespace ricochet::test {

inline constexpr auto periodic = Boundary::periodic;
inline constexpr auto reflecting = Boundary::reflecting;

inline Box cube(double length, Boundary boundary = periodic) {
    return {3, {length, length, length}, {boundary, boundary, boundary}};
}
inline Box square(double length, Boundary boundary = periodic) {
    return {2, {length, length, 0}, {boundary, boundary, boundary}};
}
inline Species particles_of(double radius, std::uint64_t count) {
    Species species;
    species.name = "s";
    species.radius = radius;
    species.mass = 1;
    species.count = count;
    return species;
}

inline World start_world(const Box& box, const std::vector<Species>& species, std::uint64_t seed = 5) {
    World world{.box = box, .species = species};
    world.seed = seed;
    return world;
}

using Place = std::function<Placement(Exchange&)>;

struct PlacementCase {
    std::string name;
    Box box;
    std::vector<Species> species;
    Place place;

    friend void PrintTo(const PlacementCase& c, std::ostream* out) { *out << c.name; }
};

inline PlacementCase random_case(std::string name, Box box, std::vector<Species> species,
                                 std::uint64_t seed = 5) {
    return {std::move(name), box, species,
            [=](Exchange& exchange) { return place_at_random(start_world(box, species, seed), exchange); }};
}
inline PlacementCase lattice_case(std::string name, LatticeKind kind, Box box, std::vector<Species> species) {
    return {std::move(name), box, species,
            [=](Exchange& exchange) { return place_on_lattice(kind, start_world(box, species), exchange); }};
}

/// Starts that differ in all that placement distinguishes; each takes well under a second.
inline std::vector<PlacementCase> placement_cases() {
    Species protein = particles_of(0, 400);
    protein.radius_distribution = LogNormalRadius{0.5, 0.324, 0.1, 1.65};
    protein.stokes_einstein = StokesEinstein{0.7, 2.0};
    return {
        random_case("dilute", cube(20), {particles_of(0.5, 700)}),
        random_case("walls", cube(8, reflecting), {particles_of(0.5, 200)}),
        random_case("at_the_random_limit", cube(8), {particles_of(0.5, 330)}),
        random_case("one_to_ten", cube(12), {particles_of(0.2, 2000), particles_of(2, 6)}),
        random_case("log_normal", {3, {20, 8, 8}, {periodic, reflecting, periodic}}, {protein}),
        random_case("discs", {2, {30, 10, 0}, {periodic, reflecting, periodic}}, {particles_of(0.5, 170)}),
        random_case("thin_strips", {3, {2.5, 20, 20}, {periodic, periodic, periodic}},
                    {particles_of(0.5, 300)}),
        random_case("fewer_than_ranks", cube(9), {particles_of(2, 3)}),
        random_case("dense", cube(10), {particles_of(0.5, 800)}),
        random_case("dense_discs", square(20), {particles_of(0.5, 320)}),
        lattice_case("fcc_mixture", LatticeKind::fcc, cube(10),
                     {particles_of(0.5, 500), particles_of(0.3, 300)}),
        lattice_case("hexagonal", LatticeKind::hexagonal, square(20), {particles_of(0.5, 300)})};
}

/// The particles of several ranks in the order of their ids.
inline Particles sorted_by_id(const Particles& particles) {
    std::vector<std::size_t> order(particles.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(),
              [&](std::size_t a, std::size_t b) { return particles.motion[a].id < particles.motion[b].id; });
    Particles result;
    for (const std::size_t k : order) result.append(particles, k);
    return result;
}

/// All particles of the box, on every rank, by id. Collective.
inline Particles gathered(const Particles& local, Exchange& exchange) {
    Particles all;
    for (const Bytes& bytes : exchange.all_gather(std::as_bytes(std::span(local.motion))))
        read_records(std::span<const std::byte>(bytes), all.motion);
    const std::vector<Attributes> attributes(local.attributes.begin(), local.attributes.end());
    for (const Bytes& bytes : exchange.all_gather(std::as_bytes(std::span(attributes)))) {
        std::vector<Attributes> theirs;
        read_records(std::span<const std::byte>(bytes), theirs);
        for (const Attributes& of_one : theirs) all.attributes.push_back(of_one);
    }
    std::vector<Track> tracks;
    for (std::size_t k = 0; k < local.size(); ++k) tracks.push_back(local.track[k]);
    for (const Bytes& bytes : exchange.all_gather(std::as_bytes(std::span(tracks)))) {
        std::vector<Track> theirs;
        read_records(std::span<const std::byte>(bytes), theirs);
        for (const Track& of_one : theirs) all.track.push_back(of_one);
    }
    return sorted_by_id(all);
}

inline bool same_bits(const Particles& a, const Particles& b) {
    return a.size() == b.size() && a.attributes.size() == b.attributes.size() && a.size() > 0 &&
           std::memcmp(a.motion.data(), b.motion.data(), a.size() * sizeof(Motion)) == 0 &&
           std::equal(a.attributes.begin(), a.attributes.end(), b.attributes.begin()) &&
           fingerprint(a) == fingerprint(b);
}

}  // namespace ricochet::test
