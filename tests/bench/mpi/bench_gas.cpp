// SPDX-License-Identifier: BSD-3-Clause
#include "bench_gas.hpp"

#include <mpi.h>

#include <algorithm>
#include <array>
#include <boost/mpi/communicator.hpp>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "core/block_store.hpp"
#include "dynamics/ballistic.hpp"
#include "dynamics/brownian.hpp"
#include "model/particle_memory.hpp"
#include "model/reorder.hpp"
#include "parallel/collectives.hpp"
#include "placement/placement.hpp"
#include "ricochet/kinetic/engine_choice.hpp"
#include "ricochet/mpi/mpi_exchange.hpp"

namespace ricochet::bench {
namespace {

/// Random placement and an fcc crystal, which would not melt, are avoided beyond these fractions.
constexpr double densest_random_3d = 0.32, densest_random_2d = 0.4;
/// Brownian steps before the measurement.
constexpr std::uint64_t num_warm_up_steps = steps_between_sorts;

SlabDecomposition slabs_of(const BenchCase& of, const Box& box, int num_ranks) {
    return SlabDecomposition::even(SliceGrid(box, 0.5 * of.size_ratio), num_ranks);
}

/// At rest, on this rank alone.
Particles place_tile(Exchange& alone, const BenchCase& of) {
    const bool is_dense = of.fraction > (of.dimension == 2 ? densest_random_2d : densest_random_3d);
    World tile{.box = of.tile(), .species = of.species_of_tile()};
    tile.seed = of.random_seed;
    if (!is_dense) return place_at_random(tile, alone).particles;
    const LatticeKind kind = of.dimension == 2 ? LatticeKind::square : LatticeKind::sc;
    return place_on_lattice(kind, tile, alone).particles;
}

/// At rest in the mean, and with the temperature that the drawn velocities have.
void set_velocities(Exchange& exchange, const BenchCase& of, std::uint64_t seed, Particles& particles) {
    assign_velocities(particles, InitialVelocities::maxwell, 1.0, of.dimension, seed);
    NetMomentum net;
    net.add(particles);
    reduce_exact(exchange, std::span<ExactSum>(net.sums));
    remove_drift(particles, net.drift());
}

Particles equilibrated_tile(const BenchCase& of) {
    MpiExchange alone(boost::mpi::communicator(MPI_COMM_SELF, boost::mpi::comm_duplicate));
    BenchGas gas(alone, of, of.tile(), place_tile(alone, of), 0);
    set_velocities(alone, of, of.random_seed, gas.owned());
    gas.run_elastic(of.equilibrate, of.particles_per_tile());
    return std::move(gas.owned());
}

/// Calls do_with(k, position, tile number) for the copies of particle k in all tiles.
template <class Function>
void for_each_copy(const BenchCase& of, const Box& box, Vec3 position, Function&& do_with) {
    const std::uint64_t n = of.tiles_per_axis;
    const Vec3 tile = of.tile().size;
    for (std::uint64_t t = 0; t < of.num_tiles(); ++t) {
        const std::array<std::uint64_t, 3> cell{t % n, t / n % n, t / n / n};
        Vec3 copy;
        for (int axis = 0; axis < of.dimension; ++axis) {
            copy[axis] =
                position[axis] + static_cast<double>(cell[static_cast<std::size_t>(axis)]) * tile[axis];
            if (copy[axis] >= box.size[axis]) copy[axis] = 0;
        }
        do_with(copy, t);
    }
}

/// The copies of the tile that lie in this rank's slab. In two passes, so that no memory is left over.
Particles share_of_tiles(const Exchange& exchange, const BenchCase& of, const Particles& tile) {
    const Box box = of.box();
    const SlabDecomposition slabs = slabs_of(of, box, exchange.size());
    const auto is_mine = [&](Vec3 position) { return slabs.owner(position.x) == exchange.rank(); };
    std::size_t count = 0;
    for (const Motion& motion : tile.motion)
        for_each_copy(of, box, motion.position, [&](Vec3 copy, std::uint64_t) { count += is_mine(copy); });
    Particles share;
    reserve_with_spare(share, count);
    for (std::size_t k = 0; k < tile.size(); ++k)
        for_each_copy(of, box, tile.motion[k].position, [&](Vec3 copy, std::uint64_t t) {
            if (!is_mine(copy)) return;
            Motion motion = tile.motion[k];
            motion.position = copy;
            motion.id = t * of.particles_per_tile() + tile.motion[k].id;
            share.push_back(motion, tile.attributes[k], {});
        });
    return share;
}

std::unique_ptr<StepEngine> engine_for(const World& world, PhaseClock& clock) {
    return make_step_engine(world, ContactRules(world), {.clock = &clock});
}

/// Contacts per particle before the measurement: tiles forget that they were the same; a single one warms up.
double contacts_to_decorrelate(const BenchCase& of) {
    if (of.num_tiles() == 1) return 0.5;
    return of.fraction < 0.05 ? 1 : 2;
}

}  // namespace

BenchGas::BenchGas(Exchange& exchange, const BenchCase& of, const Box& box, Particles owned,
                   double brownian_dt)
    : exchange_(exchange),
      case_(of),
      owned_(std::move(owned)),
      clock_(std::make_unique<PhaseClock>()),
      engine_(engine_for(of.world(box, brownian_dt), *clock_)),
      stepper_(exchange, *engine_, box, slabs_of(of, box, exchange.size()), *clock_) {}

void BenchGas::elastic_step(double dt) {
    run_step(dt);
    finish_step();
}

void BenchGas::run_step(double dt) {
    ContactCounter contacts;  // as in a run without a collision log
    stepper_.run(owned_, step_, dt, contacts);
    num_contacts_ += static_cast<std::uint64_t>(contacts.num_pairs());
}

void BenchGas::brownian_step(double dt) {
    {
        const PhaseClock::Scope scope = clock_->enter(Phase::drive);
        drive_brownian(owned_, case_.dimension, dt, case_.random_seed, step_);
    }
    run_step(dt);
    finish_step();
}

void BenchGas::finish_step() {
    ++step_;
    if (!has_just_sorted()) return;
    const PhaseClock::Scope scope = clock_->enter(Phase::sorting);
    reorder(owned_, engine_->spatial_order());
}

void BenchGas::run_elastic(double contacts_per_particle, std::uint64_t num_particles) {
    const double dt = elastic_timestep(case_, best_elastic_step(case_.fraction));
    const double wanted = contacts_per_particle * static_cast<double>(num_particles) / 2;
    const std::uint64_t before = num_contacts_;
    for (std::int64_t contacts = 0; static_cast<double>(contacts) < wanted || !has_just_sorted();) {
        elastic_step(dt);
        contacts = static_cast<std::int64_t>(num_contacts_ - before);
        exchange_.sum(std::span(&contacts, 1));
    }
}

Phases BenchGas::phases() const {
    Phases result{};
    for (std::size_t k = 0; k < result.size(); ++k) result[k] = clock_->seconds(phase_names[k].phase);
    return result;
}

BenchGas make_gas(Exchange& exchange, const BenchCase& of, double dt) {
    std::optional<BenchGas> elastic;
    elastic.emplace(exchange, of, of.box(), share_of_tiles(exchange, of, equilibrated_tile(of)), 0);
    set_velocities(exchange, of, of.random_seed + 1, elastic->owned());
    elastic->run_elastic(contacts_to_decorrelate(of), of.num_particles);
    if (!of.is_brownian) return std::move(*elastic);
    // A stepper of its own: sub-windows as of the elastic gas would be far too long for it.
    Particles particles = std::move(elastic->owned());
    elastic.reset();
    BenchGas gas(exchange, of, of.box(), std::move(particles), dt);
    gas.owned().attributes.change_all(
        [&](Attributes& attributes) { attributes.mass = effective_mass(1.0, dt, attributes.diffusion); });
    for (std::uint64_t k = 0; k < num_warm_up_steps; ++k) gas.brownian_step(dt);
    return gas;
}

}  // namespace ricochet::bench
