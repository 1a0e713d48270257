// SPDX-License-Identifier: BSD-3-Clause
#include "tests/support/scenario.hpp"

namespace ricochet::test {

Scenario& Scenario::box(const Box& box) {
    system_.box = box;
    return *this;
}

Scenario& Scenario::timestep(double dt) {
    system_.dt = dt;
    return *this;
}

Scenario& Scenario::restitution(const Restitution& restitution) {
    system_.restitution = restitution;
    return *this;
}

Scenario& Scenario::sphere(Vec3 position, Vec3 velocity, double radius, double mass, SpeciesIndex species) {
    add_particle(system_, position, velocity, radius, mass);
    if (species != 0) system_.particles.attributes.edit(system_.particles.size() - 1).species = species;
    return *this;
}

Scenario& Scenario::gas(const std::vector<Kind>& kinds, std::uint64_t seed) {
    return gas_between({}, system_.box.size, kinds, seed);
}

Scenario& Scenario::gas_between(Vec3 low, Vec3 high, const std::vector<Kind>& kinds, std::uint64_t seed) {
    fill_at_random(system_, kinds, low, high, seed);
    thermalise(system_, 1, seed + 1);
    return *this;
}

Scenario& Scenario::mirrored() {
    for (Motion& motion : system_.particles.motion) {
        motion.position.x = system_.box.size.x - motion.position.x;
        motion.velocity.x = -motion.velocity.x;
    }
    return *this;
}

Scenario& Scenario::steps(int count) {
    system_.num_steps = settings_.num_steps = count;
    return *this;
}

Scenario& Scenario::search(const TestedSearch& search) {
    settings_.engine.search = search.method;
    settings_.engine.loop = search.loop;
    return *this;
}

Scenario& Scenario::legs(std::uint64_t count) {
    settings_.engine.num_intervals = count;
    return *this;
}

Scenario& Scenario::windows(std::uint64_t count) {
    settings_.slabs.num_windows = count;
    return *this;
}

Scenario& Scenario::contact_cap(std::uint64_t contacts) {
    settings_.engine.contact_cap = contacts;
    return *this;
}

Scenario& Scenario::halo_factor(double factor) {
    settings_.slabs.excursion_factor = factor;
    return *this;
}

Scenario& Scenario::cuts(std::vector<std::int64_t> slices) {
    settings_.cuts = std::move(slices);
    return *this;
}

Scenario& Scenario::moving_cuts(std::uint64_t seed) {
    settings_.cuts_of_step = random_cuts(seed);
    return *this;
}

Scenario& Scenario::driven(Drive drive) {
    settings_.drive = std::move(drive);
    return *this;
}

Scenario& Scenario::without_generations() {
    settings_.engine.use_generations = false;
    return *this;
}

}  // namespace ricochet::test
