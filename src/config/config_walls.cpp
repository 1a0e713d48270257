// SPDX-License-Identifier: BSD-3-Clause
//
// The rules of walls that move: they must leave room until the run ends, and their paths must be near what the input
// describes.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <optional>
#include <string>

#include "config/checked_input.hpp"
#include "model/size_distribution.hpp"
#include "model/wall_path.hpp"
#include "model/world_facts.hpp"

namespace ricochet::detail {

namespace {

class Walls : CheckedInput {
  public:
    using CheckedInput::CheckedInput;

    void apply() {
        if (config_.walls.empty() || !has("box.size") || !has("run.timestep")) return;
        const std::size_t num_issues = issues_.size();
        for (std::size_t k = 0; k < config_.walls.size(); ++k) check_wall(k);
        check_placement();
        check_moves();
        check_decays();
        check_restitution();
        if (issues_.size() == num_issues) complete_free_volume();
    }

    /// Once the number of particles is known.
    void check_room() {
        if (config_.walls.empty() || !has("box.size") || !has("run.timestep") || !has("run.steps")) return;
        for (int axis = 0; axis < config_.box.dimension; ++axis) check_room_along(axis);
        if (config_.placement.method != PlacementMethod::file && issues_.size() == 0) check_packing();
    }

  private:
    static std::string path_of(std::size_t k) { return fmt::format("walls.{}", k); }

    void check_wall(std::size_t k) {
        const std::string path = path_of(k), key = path + ".face";
        if (!has(key)) return;
        const WallOptions& wall = config_.walls[k];
        const int axis = axis_of(wall.face);
        if (axis >= config_.box.dimension)
            return report(
                key, fmt::format("got {}, expected faces along x or y in a box of 2 dimensions", text(key)));
        if (config_.box.is_periodic(axis))
            return report(key, fmt::format("got {}, expected faces along axes with walls (box.boundary is "
                                           "periodic along {})",
                                           text(key), "xyz"[axis]));
        for (std::size_t m = 0; m < k; ++m)
            if (has(path_of(m) + ".face") && config_.walls[m].face == wall.face)
                return report(key, fmt::format("got {} twice, expected each wall once", text(key)));
        const std::string velocity = path + ".velocity";
        if (!wall.vibrating && wall.velocity == 0 && has(velocity) == is_given(velocity) &&
            !is_given(path + ".vibrating"))
            return report(path, "got a wall that rests, expected velocity or vibrating");
        if (wall.vibrating && has(path + ".vibrating.frequency")) check_frequency(wall, path);
    }

    /// The path in a step is a parabola.
    void check_frequency(const WallOptions& wall, const std::string& path) {
        const double largest = 1 / (2 * std::numbers::pi * config_.run.timestep);
        if (wall.vibrating->frequency <= largest) return;
        report(
            path + ".vibrating.frequency",
            fmt::format("got {}, expected at most {:.4g} = 1/(2 pi run.timestep), or shorter steps (the wall "
                        "moves on parabolas from step to step)",
                        text(path + ".vibrating.frequency"), largest));
    }

    void check_placement() {
        if (!has("placement.method") || config_.placement.method != PlacementMethod::grow) return;
        for (const WallOptions& wall : config_.walls)
            if (wall.vibrating)
                return report("placement.method",
                              "got grow with vibrating walls, expected random, dense, lattice or file (these "
                              "walls are inside their faces from the start)");
    }

    /// A wall would pass over them.
    void check_moves() {
        for (const WallOptions& wall : config_.walls)
            for (std::size_t k = 0; k < config_.species.size(); ++k) {
                const std::string path = fmt::format("species.{}.moves", k);
                const int axis = axis_of(wall.face);
                if (!has(path) || (config_.species[k].frozen_axes >> axis & 1) == 0) continue;
                return report(
                    path,
                    fmt::format("got {} with a wall that moves along {}, expected a species that "
                                "moves along {} (the wall would pass over it)",
                                axes_in_words(config_.box, config_.species[k]), "xyz"[axis], "xyz"[axis]));
            }
    }

    void check_decays() {
        for (std::size_t k = 0; k < config_.decays.size(); ++k)
            if (config_.decays[k].products.size() > 1 && has(fmt::format("decays.{}.to", k)))
                report(fmt::format("decays.{}.to", k),
                       "got 2 products with walls that move, expected at most 1 (the second would be born "
                       "beyond "
                       "a wall)");
    }

    bool vibrates(WallFace face) const {
        return std::any_of(config_.walls.begin(), config_.walls.end(),
                           [face](const WallOptions& wall) { return wall.face == face && wall.vibrating; });
    }

    /// What loses energy at a wall that comes towards it touches it infinitely often in a finite time. Without any
    /// rebound it does so whatever the duration of contacts.
    bool is_refused(double restitution) const {
        return is_given("contacts.collapse") ? restitution == 0 : restitution < 1;
    }

    void check_restitution() {
        const bool some_vibrate =
            std::any_of(config_.walls.begin(), config_.walls.end(),
                        [](const WallOptions& wall) { return wall.vibrating.has_value(); });
        if (!some_vibrate) return;
        const auto refuse = [this](const std::string& path) {
            report(
                path,
                fmt::format(
                    "got {} at a vibrating wall, expected 1, or above 0 with contacts.collapse (what loses "
                    "energy there may touch infinitely often in a finite time)",
                    text(path)));
        };
        const std::string of_walls = "contacts.walls.restitution";
        const std::string common = is_given(of_walls) ? of_walls : "contacts.restitution";
        if (has(common) && is_refused(config_.contacts.wall_restitution)) {
            if (is_given(of_walls)) return refuse(common);
            return report(
                common,
                fmt::format(
                    "got {} with a vibrating wall, expected either contacts.walls: {{restitution: 1}}, or a "
                    "restitution above 0 together with contacts.collapse (what loses energy at "
                    "that wall may touch infinitely often in a finite time)",
                    text(common)));
        }
        for (std::size_t k = 0; k < config_.contacts.pairs.size(); ++k) {
            const PairRule& rule = config_.contacts.pairs[k];
            const std::string key = fmt::format("contacts.pairs.{}.restitution", k);
            if (rule.b != wall_species || rule.body || !has(key) || !is_refused(rule.restitution.value_or(1)))
                continue;
            if (rule.faces.empty() || std::any_of(rule.faces.begin(), rule.faces.end(),
                                                  [this](WallFace face) { return vibrates(face); }))
                refuse(key);
        }
    }

    World moving_world() const {
        World world{.box = config_.box, .timestep = config_.run.timestep};
        for (const WallOptions& wall : config_.walls)
            world.walls[static_cast<std::size_t>(wall.face)] = wall_motion(wall);
        return world;
    }

    /// That which walls leave at the start; bodies beyond them are as rare as to be left out of account.
    void complete_free_volume() {
        const World world = moving_world();
        double part = 1;
        for (int axis = 0; axis < config_.box.dimension; ++axis) {
            double room = config_.box.size[axis];
            for (const std::size_t face :
                 {2 * static_cast<std::size_t>(axis), 2 * static_cast<std::size_t>(axis) + 1})
                room -= wall_depth(world.walls[face], config_.run.timestep, 0);
            part *= std::max(room, 0.0) / config_.box.size[axis];
        }
        config_.free_volume.value = part * room_volume(config_);
    }

    /// The room that is left along an axis at this step, at least.
    double room_after(int axis, double steps) const {
        double room = config_.box.size[axis];
        for (const WallOptions& wall : config_.walls)
            if (axis_of(wall.face) == axis)
                room -= wall.velocity * steps * config_.run.timestep +
                        (wall.vibrating ? 2 * wall.vibrating->amplitude : 0);
        return room;
    }

    void check_room_along(int axis) {
        double diameter = 0, speed = 0;
        std::optional<std::size_t> last;
        for (const Species& species : config_.species)
            diameter = std::max(diameter, 2 * largest_radius(species));
        for (std::size_t k = 0; k < config_.walls.size(); ++k) {
            if (!has(path_of(k) + ".face") || axis_of(config_.walls[k].face) != axis) continue;
            speed += config_.walls[k].velocity;
            if (!last || config_.walls[k].velocity > 0) last = k;
        }
        const auto steps = static_cast<double>(config_.run.num_steps);
        if (!last || room_after(axis, steps) > diameter) return;
        const double at_first = room_after(axis, 0);
        if (!(at_first > diameter))
            return report(
                path_of(*last),
                fmt::format("got walls that leave a room of {:.4g} along {}, expected more than the "
                            "largest diameter, {:.4g} (a wall swings by twice its amplitude)",
                            at_first, "xyz"[axis], diameter));
        const double meeting = std::floor((at_first - diameter) / (speed * config_.run.timestep));
        report(
            path_of(*last) + ".velocity",
            fmt::format("got {}: from step {:.0f} on walls leave no room along {} for the largest particle, "
                        "expected fewer steps (run.steps is {}) or a slower wall",
                        config_.walls[*last].velocity, meeting, "xyz"[axis], config_.run.num_steps));
    }

    void check_packing() {
        const World world{
            .box = config_.box, .free_volume = config_.free_volume.value, .species = config_.species};
        double content = volume_fraction(world) * room_volume(world), room = 1;
        for (int axis = 0; axis < config_.box.dimension; ++axis)
            room *= room_after(axis, static_cast<double>(config_.run.num_steps));
        const double limit = config_.box.dimension == 2 ? closest_packing_2d : closest_packing_3d;
        if (content <= limit * room) return;
        report("walls",
               fmt::format("got walls that compress particles to a volume fraction of {:.4g}, expected at "
                           "most {} (closest packing)",
                           content / room, limit));
    }
};

}  // namespace

void apply_walls(const TreeNode& root, Config& config, Issues& issues) {
    Walls(root, config, issues).apply();
}

void check_room_between_walls(const TreeNode& root, Config& config, Issues& issues) {
    Walls(root, config, issues).check_room();
}

}  // namespace ricochet::detail
