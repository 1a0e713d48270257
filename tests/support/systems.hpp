// SPDX-License-Identifier: BSD-3-Clause
//
// Systems to run: random gases, and the degenerate ones on which codes like this break. Every system is
// deterministic, starts without overlap deeper than rounding (those with coincident particles say so) and
// satisfies L/2 > r_a + r_b + d_a + d_b for its dt.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <optional>
#include <string>
#include <vector>

#include "tests/support/hash_random.hpp"
#include "tests/support/reference.hpp"
#include "tests/support/restitution.hpp"
#include "tests/support/worlds.hpp"

namespace ricochet::test {

struct System {
    std::string name;
    Box box;
    Particles particles;
    Restitution restitution{1};
    std::optional<World> world;  ///< in place of `restitution`, where set; its box is that of the system
    double dt = 0.1;
    int num_steps = 4;  ///< a sensible number for a comparison
};

/// The system's world; where it has none, all bounce with its restitution. If dt is another than the world's, effective
/// masses stay, but for rounding.
World world_of(const System& system);
/// Its rules. Where they change matter, products remember which particles they have absorbed.
ContactRules rules_of(const System& system);

/// A kind of particle for the generators.
struct Kind {
    double radius = 0.5;
    double mass = 1;
    std::size_t count = 0;
};

// --- the pieces of which systems are made ------------------------------------------------------------------------

/// 2D when size.z is 0.
Box periodic_box(Vec3 size);
/// Walls on the given axes, the others periodic; 2D when size.z is 0.
Box walled_box(Vec3 size, std::initializer_list<std::size_t> axes = {0, 1, 2});
double shortest_edge(const Box& box);
/// Of the periodic axes, or this if there is none so short.
double shortest_period(const Box& box, double otherwise);

System empty_system(std::string name, const Box& box, double dt, int num_steps = 4);
/// With these species, and this rule for all pairs; as world_with has it for walls.
System system_of(std::string name, const Box& box, double dt, const std::vector<Matter>& species,
                 const ContactRule& common = Bounce{}, int num_steps = 4);

/// Appends a particle with the next id; species 0 unless set afterwards.
void add_particle(System& system, Vec3 position, Vec3 velocity, double radius = 0.5, double mass = 1);
/// Appends a particle with the radius, mass and diffusion that its species has in the system's world.
void add_of_species(System& system, SpeciesIndex species, Vec3 position, Vec3 velocity = {});

/// Places the kinds (kind k has species k) at random without overlap, largest radius first, inside the part
/// [low, high) of the box; ids are shuffled. Throws when a particle finds no room in 100,000 attempts.
/// O(N) with a grid of cells.
void fill_at_random(System& system, const std::vector<Kind>& kinds, Vec3 low, Vec3 high, std::uint64_t seed);
/// A part of a box.
struct Part {
    Vec3 low, high;
};
/// A gas at kT = 1, in the box or in a part of it.
System gas_of(std::string name, const Box& box, double dt, const std::vector<Kind>& kinds, std::uint64_t seed,
              const std::optional<Part>& part = {});

/// The sites of a simple cubic (square) lattice; those along x come first.
std::vector<Vec3> lattice_sites(std::array<int, 3> count, Vec3 first, Vec3 spacing = {1, 1, 1});
/// Each component a multiple of 1/4, and at most 1.
Vec3 coarse_velocity(int dimension, HashRandom& random);
/// Places particles on half of n sites along each axis, two apart: centres and velocities are multiples of 1/4.
void fill_on_faces(System& system, int n, HashRandom& random);

/// Velocities: normal with variance kT/m per component, then the mean momentum removed and the temperature
/// set exactly (to rounding): kinetic energy = d (N-1) kT / 2.
void thermalise(System& system, double kT, std::uint64_t seed);

/// The same ids, in an order unrelated to the position.
void shuffle_ids(System& system, std::uint64_t seed);
/// Ids become id -> a random value below 2^62, all different, in an order unrelated to the position.
void scatter_ids(System& system, std::uint64_t seed);
/// Particles of one kind share a record again, which generators give to each: as in runs, which hold few kinds. In
/// every second system, by its number of particles, so that both ways to keep attributes are tested.
void share_records_of_some(System& system);

/// Volume (area) of the spheres (discs) themselves.
double volume(const Particles& particles, int dimension);
double volume_of_sphere(double radius, int dimension);
/// 0 without particles, likewise below.
double largest_radius(const Particles& particles);
double fastest_speed(const Particles& particles);

// --- random pieces -----------------------------------------------------------------------------------------------

/// Walls on one axis in three.
void set_random_walls(Box& box, HashRandom& random);
/// At kT = 1; of a particle alone, normal ones.
void give_random_velocities(System& system, HashRandom& random);

/// How the kinds of a gas are drawn.
struct RandomKinds {
    std::uint64_t count = 1;
    double largest = 0;  ///< radius: of the first kind
    double ratio = 1;    ///< of this radius to the least of the others
    double room = 0;     ///< volume (area) for all; a particle takes a cube (square) that it touches
    std::function<double(bool is_first)> mass;
    std::function<std::uint64_t(bool is_first)> most;  ///< particles of a kind, where there is room
};
std::vector<Kind> random_kinds(const RandomKinds& of, int dimension, HashRandom& random);

/// Sets velocities to 0 along axes that particles do not move along.
void stop_along_frozen_axes(Particles& particles);
/// Each species moves along all axes, along some, or rests. In systems with a world some that rest overlap others.
void freeze_random_axes(System& system, HashRandom& random);
/// Few particles in the hollow of a solid, which is made of particles that rest and overlap each other.
std::vector<System> systems_with_solids();
/// The same in one of three systems, by a number of its own.
void freeze_axes_of_some(System& system, std::uint64_t seed);

// --- gases -------------------------------------------------------------------------------------------------------

/// Equal particles of diameter and mass 1 at volume (area) fraction `fraction`, periodic cube (square), at
/// kT = 1. Random placement up to 0.3 (2D: 0.45), above it a jittered fcc (hexagonal) lattice: equilibrate.
/// The lattice has 4 k^3 sites (2D: nearly square box of 2 k^2): the particle number is the nearest such.
System equal_gas(int dimension, std::size_t num_particles, double fraction, std::uint64_t seed);

/// A random system with almost everything random: dimension, box, walls, kinds, restitution, ids; 6 to 300
/// particles, up to several contacts per particle and step. For fuzzing: every seed gives another one.
System arbitrary_system(std::uint64_t seed);

/// Small random systems (40-300 particles): 2D and 3D, equal and 1:10 radii and masses, periodic, walled and
/// mixed, elastic and not, dilute and dense.
std::vector<System> random_systems();

// --- the hard cases ----------------------------------------------------------------------------------------------

/// The hard cases: thin slab, one cell, centres on faces, common coordinates, touching clusters and rows,
/// fast particles, corners, coincident centres, coordinates that wrap onto L.
std::vector<System> degenerate_systems();

/// n^3 spheres of diameter 1 on a simple cubic lattice that fills its periodic box: every sphere touches six
/// others and has no free length. Ends at the contact cap.
System jammed_lattice(int n, std::uint64_t seed);

/// Bounding spheres of diameter 1 in a row along `axis` with the given gaps, the first one moving at `speed`
/// towards the others; periodic box much longer than the row.
System newtons_cradle(int axis, std::size_t num_spheres, double gap, double speed);

/// A patch of about `n`^3/2 touching spheres on fcc sites in open space with shuffled ids, hit by a
/// projectile.
System touching_cluster(int n, std::uint64_t seed);

/// Three pairs, X (p and r), Y (q and y) and Z (s and w), whose contacts chain within one step: resolved
/// alone, X stops p, and Y then finds the way of q free; but Z sends s to take r away before p touches it, so
/// that p flies on and is met by q. An engine that resolves X, Y, Z in this order and then undoes X must look
/// for the contact of p and q again. `order` is the order of the pairs in memory (0 X, 1 Y, 2 Z).
System rollback_trap(const std::array<int, 3>& order);

/// A disc that two touching rows lean on, the longer one along (3, 4). Both are hit at exactly one time. The shorter
/// one hits the disc first, by generations. The other one then sends it off, too fast to be touched again. An engine
/// that looks for contacts of the shorter row afterwards must not take the disc as it is by then. `row_first`: in
/// memory, the long one.
System tied_rows(bool row_first);

/// Throws unless L/2 > r_a + r_b + d_a + d_b on every periodic axis for every pair, as at the start of a
/// step.
void require_unique_images(const System& system);

}  // namespace ricochet::test
