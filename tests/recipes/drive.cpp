// SPDX-License-Identifier: BSD-3-Clause
//
// Recipe: a drive. It changes velocities between steps, here by a drag along x. It is a function of the step and of one
// particle, so the bits are the same on any number of ranks.
#include "ricochet/dynamics/drive.hpp"

#include <gtest/gtest.h>

#include <memory>

#include "tests/support/mpi/kept_run.hpp"

namespace {

using namespace ricochet;

class Drag final : public Drive {
    void after_drift(Particles& owned, DrivenStep /*step*/) const override {
        for (Motion& motion : owned.motion) motion.velocity.x *= 0.5;
    }
};

/// Lone particles keep half of their speed along x in each step.
TEST(Recipe, Drive) {
    const std::string input = R"(
box: {size: [50, 50, 50]}
species: [{name: ball, radius: 0.001, mass: 1, count: 10}]
dynamics: {type: ballistic, kT: 1}
run: {timestep: 0.1, steps: 3}
output: {file: none.h5md, trajectory_every: 1}
)";
    std::vector<Particles> frames;
    struct Frames final : Recorder {
        explicit Frames(std::vector<Particles>& into) : frames(into) {}
        void frame(std::uint64_t, double, const Particles& owned) override { frames.push_back(owned); }
        std::vector<Particles>& frames;
    } recorder(frames);
    MpiExchange exchange{boost::mpi::communicator()};
    Monitor silent;
    Simulation simulation(exchange, parse_config(input, "the input"), silent);
    simulation.add(std::make_unique<Drag>());
    simulation.run(recorder);
    ASSERT_EQ(frames.size(), 4u);
    for (const Motion& last : frames.back().motion)
        for (const Motion& first : frames.front().motion)
            if (first.id == last.id) {
                EXPECT_EQ(last.velocity.x, first.velocity.x / 8);
                EXPECT_EQ(last.velocity.y, first.velocity.y);
            }
}

}  // namespace
