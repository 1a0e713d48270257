// SPDX-License-Identifier: BSD-3-Clause
//
// Prints hashes of everything on which an instruction set could leave a trace: the normals, gravity, the contact
// times (of pairs, of lists, with walls), and whole runs on one and on three ranks, ballistic and Brownian. Two
// builds give the same bits when they print the same lines after the first, which names the targets.
#include <hwy/highway.h>

#include <bit>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

#include "core/hash.hpp"
#include "core/simd.hpp"
#include "dynamics/brownian.hpp"
#include "dynamics/normal.hpp"
#include "geometry/contact_time.hpp"
#include "geometry/obstacle.hpp"
#include "model/particle_hash.hpp"
#include "tests/support/gravity_systems.hpp"
#include "tests/support/hash_random.hpp"
#include "tests/support/slab_run.hpp"
#include "tests/support/systems.hpp"

namespace ricochet::test {
namespace {

/// Numbers by their bits, in order.
class Words {
  public:
    void add(double value) { words_.push_back(std::bit_cast<std::uint64_t>(value)); }
    void add(const Vec3& v) {
        for (const double value : {v.x, v.y, v.z}) add(value);
    }
    void add(std::uint64_t value) { words_.push_back(value); }
    std::uint64_t hash() const { return hash_values(std::span<const std::uint64_t>(words_)); }

  private:
    std::vector<std::uint64_t> words_;
};

void print(const std::string& subject, std::uint64_t hash) {
    std::printf("%s %016llx\n", subject.c_str(), static_cast<unsigned long long>(hash));
}

std::uint64_t hash_of_normals() {
    constexpr std::size_t count = 1'000'003;  // not a whole number of vectors
    std::vector<ParticleId> ids(count);
    for (std::size_t k = 0; k < count; ++k) ids[k] = k * 0x9e3779b97f4a7c15u;
    std::vector<double> x(count), y(count), z(count);
    standard_normals3({.seed = 7, .step = 12345}, ids, x, y, z);
    std::uint64_t hash = 0;
    for (const auto& values : {x, y, z}) hash = hash_values(std::span<const double>(values), hash);
    return hash;
}

/// The normals choose their target at run time: all targets must agree.
void print_normals() {
    const std::uint64_t chosen = hash_of_normals();
    for (const SimdTarget& target : supported_simd_targets()) {
        const ForcedSimdTarget forced(target);
        if (hash_of_normals() == chosen) continue;
        std::fprintf(stderr, "normals by %s differ\n", target.name.c_str());
        std::exit(1);
    }
    print("normals", chosen);
}

/// Gravity chooses its target too.
std::uint64_t hash_of_gravity() {
    Words words;
    for (const GravitySystem& system : gravity_systems(3000))
        for (const GravityMethod method : {GravityMethod::tree, GravityMethod::direct})
            for (const GravityField& field : fields_of(system, method)) {
                words.add(field.acceleration);
                words.add(field.potential);
            }
    return words.hash();
}

void print_gravity() {
    const std::uint64_t chosen = hash_of_gravity();
    for (const SimdTarget& target : supported_simd_targets()) {
        const ForcedSimdTarget forced(target);
        if (hash_of_gravity() == chosen) continue;
        std::fprintf(stderr, "gravity by %s differs\n", target.name.c_str());
        std::exit(1);
    }
    print("gravity", chosen);
}

/// Neighbours in a box, at different times of their own, many of them touching.
std::vector<Motion> neighbours(std::size_t count, double length) {
    HashRandom random(99);
    std::vector<Motion> motions(count);
    for (std::size_t k = 0; k < count; ++k)
        motions[k] = {{random.uniform(0, length), random.uniform(0, length), random.uniform(0, length)},
                      {random.normal(), random.normal(), random.normal()},
                      k % 3 == 0 ? 0 : random.uniform(0, 0.2),
                      k};
    return motions;
}

void print_contact_times() {
    constexpr double length = 6;
    const Box box = periodic_box({length, length, length});
    const ImageLengths images(box);
    const std::vector<Motion> motions = neighbours(600, length);
    Words pairs, lists, walls;
    std::vector<Slot> others, slots;
    std::vector<double> distances, times;
    for (std::size_t own = 0; own < motions.size(); ++own) {
        others.clear();
        for (std::size_t k = own + 1; k < motions.size(); ++k) {
            pairs.add(pair_contact_time(motions[own], motions[k], 1, images));
            others.push_back(static_cast<Slot>(k));
        }
        for (int face = 0; face < 6; ++face)
            walls.add(obstacle_contact_time(motions[own], 0.5, wall_at(box, face)));
        distances.assign(contacts_room(others.size()), 1.0);
        slots.resize(contacts_room(others.size()));
        times.resize(contacts_room(others.size()));
        const std::size_t count = find_contacts(motions[own], others, motions.data(), distances.data(),
                                                images, 3, 0.15, slots.data(), times.data());
        for (std::size_t k = 0; k < count; ++k) {
            lists.add(std::uint64_t{slots[k]});
            lists.add(times[k]);
        }
    }
    print("contact times of pairs", pairs.hash());
    print("contact times of lists", lists.hash());
    print("contact times with walls", walls.hash());
}

std::uint64_t hash_of_run(const SlabRun& run) {
    Words words;
    for (const Contact& contact : run.contacts) {
        words.add(contact.key.time);
        for (const std::uint64_t value : {contact.key.generation, contact.key.low, contact.key.high})
            words.add(value);
        words.add(contact.point);
        words.add(contact.normal);
        for (const double value : {contact.impulse, contact.speed, contact.distance}) words.add(value);
    }
    const Fingerprint state = fingerprint(run.particles);
    words.add(state.first);
    words.add(state.second);
    return words.hash();
}

void print_runs(const System& system, const char* kind, const SlabRunSettings& settings) {
    for (const int num_ranks : {1, 3}) {
        if (num_ranks > slice_grid_of(system).num_slices()) continue;
        const SlabRun run = run_on_threads(num_ranks, system, settings);
        print(std::string(kind) + " " + system.name + ", ranks " + std::to_string(num_ranks) + ", contacts " +
                  std::to_string(run.contacts.size()),
              hash_of_run(run));
    }
}

SlabRunSettings settings_of(const System& system) {
    SlabRunSettings settings;
    settings.num_steps = system.num_steps;
    return settings;
}

SlabRunSettings brownian_settings(const System& system) {
    SlabRunSettings settings = settings_of(system);
    const int dimension = system.box.dimension;
    const double dt = system.dt;
    settings.drive = [dimension, dt](Particles& particles, int step) {
        drive_brownian(particles, dimension, dt, 11, static_cast<std::uint64_t>(step));
    };
    return settings;
}

void print_all_runs() {
    std::vector<System> systems = random_systems();
    for (System& system : degenerate_systems()) systems.push_back(std::move(system));
    for (const System& system : systems) print_runs(system, "ballistic", settings_of(system));
    for (const int dimension : {2, 3}) {
        System gas = equal_gas(dimension, 3000, dimension == 3 ? 0.3 : 0.4, 5);
        gas.name = std::to_string(dimension) + "D gas";
        print_runs(gas, "ballistic", settings_of(gas));
        gas.particles.attributes.change_all([](Attributes& attributes) { attributes.diffusion = 0.03; });
        print_runs(gas, "Brownian", brownian_settings(gas));
    }
}

}  // namespace
}  // namespace ricochet::test

int main() {
    std::printf("search and contact times by %s, normals by", hwy::TargetName(HWY_STATIC_TARGET));
    for (const auto& target : ricochet::supported_simd_targets()) std::printf(" %s", target.name.c_str());
    std::printf("\n");
    ricochet::test::print_normals();
    ricochet::test::print_gravity();
    ricochet::test::print_contact_times();
    ricochet::test::print_all_runs();
    return 0;
}
