// SPDX-License-Identifier: BSD-3-Clause
//
// All kinds of random systems in many short steps, over which lists of pairs are kept (search/verlet_cells.hpp),
// against the reference in every bit: steps x ranks x migration x sorts x intervals x rules.
// RICOCHET_SHORT_STEPS=FIRST:COUNT runs other seeds.
#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>

#include "tests/support/differential.hpp"
#include "tests/support/hash_random.hpp"
#include "tests/support/random_shapes.hpp"

namespace ricochet::test {
namespace {

/// A step in which particles move this part of their radius.
double step_of(const System& system, const SlabRunSettings& settings, double part) {
    double radius = 0, speed = 0;
    for (std::size_t k = 0; k < system.particles.size(); ++k) {
        radius += system.particles.attributes[k].radius;
        speed += norm(system.particles.motion[k].velocity);
    }
    constexpr double driven = 1;
    if (settings.drive.target_type() != Drive(ballistic()).target_type())
        speed = driven * static_cast<double>(system.particles.size());
    return speed > 0 ? std::min(system.dt, part * radius / speed) : system.dt;
}

FuzzCase short_steps_case(std::uint64_t seed) {
    FuzzCase (*const kinds[])(std::uint64_t) = {
        fuzz_case,        fuzz_case,      rule_fuzz_case,    rate_fuzz_case,    decay_fuzz_case,
        tether_fuzz_case, body_fuzz_case, gravity_fuzz_case, surface_fuzz_case, shape_fuzz_case};
    HashRandom random(seed ^ 0x73686f7274);
    FuzzCase fuzz = kinds[seed % std::size(kinds)](random.bits() >> 32);
    SlabRunSettings& settings = fuzz.settings;
    fuzz.system.dt = step_of(fuzz.system, settings, random.log_uniform(0.003, 0.06));
    settings.num_steps = 12 + static_cast<int>(random.index(40));
    const bool is_cut_once = !random.is_one_in(3);
    if (is_cut_once) settings.cuts_of_step = {};
    if (!random.is_one_in(4)) settings.engine.search = search_named("cells");
    if (!random.is_one_in(4)) settings.engine.loop = SearchLoop::windows;
    if (!has_step_search(settings.engine.search)) settings.engine.loop = SearchLoop::automatic;
    settings.steps_between_sorts = random.is_one_in(3) ? 1 : 4;
    fuzz.what += ", " + std::to_string(settings.num_steps) + " steps of " + std::to_string(fuzz.system.dt);
    return fuzz;
}

TEST(ShortStepsFuzz, ReferenceBitsOnAnyRanks) {
    const SeedRange seeds = seeds_of("RICOCHET_SHORT_STEPS", {0, 200});
    std::size_t num_contacts = 0;
    expect_reference_of_seeds(short_steps_case, seeds, [&](const FuzzCase&, const SlabRun& expected) {
        num_contacts += expected.contacts.size();
    });
    EXPECT_GT(num_contacts, 5 * seeds.count);
}

}  // namespace
}  // namespace ricochet::test
