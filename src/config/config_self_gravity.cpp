// SPDX-License-Identifier: BSD-3-Clause
//
// The rules of mutual gravity: what has no sum of forces, or would not end.
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <string>
#include <vector>

#include "config/checked_input.hpp"
#include "model/free_fall.hpp"
#include "model/gravity_images.hpp"

namespace ricochet::detail {

namespace {

class MutualGravity : CheckedInput {
  public:
    using CheckedInput::CheckedInput;

    void apply() {
        if (!config_.self_gravity || !has("self_gravity")) return;
        if (has("box.size") && has("box.boundary")) check_images();
        if (!config_.fields) check_restitution();  // those of a uniform field ask for as much
    }

  private:
    void check_images() {
        if (!has_lattice_sum(config_.box, config_.self_gravity->law.form))
            report("self_gravity.law",
                   "got inverse in a box with two periodic axes of three, expected inverse_square, or one or "
                   "three periodic axes (by this law the forces of more and more images have no limit)");
        if (elongation(config_.box) > most_elongated)
            report("box.size",
                   fmt::format(
                       "got a box of {:.3g} cubes on its shortest periodic edge, {:.3g}, expected at most {} "
                       "with self_gravity, edges between walls included; lengthen that edge, or shorten the "
                       "others (the sum over far images would take the time and memory of many cubes)",
                       elongation(config_.box), shortest_period(config_.box), most_elongated));
    }

    void check_restitution() {
        std::vector<std::string> paths{"contacts.restitution"};
        for (std::size_t k = 0; k < config_.contacts.pairs.size(); ++k)
            if (config_.contacts.pairs[k].b != wall_species)
                paths.push_back(fmt::format("contacts.pairs.{}.restitution", k));
        for (const std::string& path : paths) {
            if (!has(path) || has_section(path) || number(path) == 1 || is_given("contacts.collapse"))
                continue;
            report(path, fmt::format("got {}, expected 1 with self_gravity, or contacts.collapse, such as "
                                     "{{duration: {:.1g}}} (what loses energy settles on others, and touches "
                                     "them infinitely often in a finite time)",
                                     text(path), 0.01 * shortest_fall()));
        }
    }

    double shortest_fall() const {
        double shortest = std::numeric_limits<double>::infinity();
        for (const Species& species : config_.species) {
            const double radius =
                species.radius_distribution ? species.radius_distribution->minimum : species.radius;
            if (radius > 0 && species.mass > 0 && config_.self_gravity->law.constant > 0)
                shortest =
                    std::min(shortest, free_fall_time(config_.self_gravity->law, radius, species.mass));
        }
        return shortest < std::numeric_limits<double>::infinity() ? shortest : config_.run.timestep;
    }
};

}  // namespace

void apply_self_gravity(const TreeNode& root, Config& config, Issues& issues) {
    MutualGravity(root, config, issues).apply();
}

}  // namespace ricochet::detail
