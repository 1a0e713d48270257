// SPDX-License-Identifier: BSD-3-Clause
//
// Uses the installed engine in a project that knows nothing of MPI: two spheres meet head-on across the
// periodic face of the box and exchange their velocities.
#include <cstdio>
#include <vector>

#include "ricochet/core/version.hpp"
#include "ricochet/kinetic/engine_choice.hpp"

int main() {
    using namespace ricochet;
    const World world{.box = {3, {8, 8, 8}}, .species = std::vector<Species>(1)};
    const Attributes sphere{.radius = 0.5, .mass = 1};
    Particles particles;
    particles.push_back({.position = {1, 4, 4}, .velocity = {-1, 0, 0}, .id = 0}, sphere, {});
    particles.push_back({.position = {7, 4, 4}, .velocity = {1, 0, 0}, .id = 1}, sphere, {});

    const auto engine = make_step_engine(world, ContactRules(world), EngineOptions());
    const std::vector<Contact> contacts = resolve_step(*engine, particles, 1.0, 1);

    std::printf("ricochet %s (%s): %zu contact\n", version(), git_id(), contacts.size());
    if (contacts.size() != 1 || contacts[0].key.time != 0.5) return 1;
    for (const Motion& motion : particles.motion)
        if (motion.velocity != Vec3{motion.id == 0 ? 1.0 : -1.0, 0, 0}) return 1;
    return 0;
}
