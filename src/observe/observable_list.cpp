// SPDX-License-Identifier: BSD-3-Clause
#include "observe/observable_list.hpp"

#include <set>
#include <vector>

#include "core/readable.hpp"
#include "observe/observers.hpp"

namespace ricochet {
namespace {

/// A world that has what the ones before it lack.
struct ExampleWorld {
    const char* heading;
    World world;
    std::string note = {};  ///< follows its observables
};

const char* const mutual_energy =
    "Under mutual gravity potential_energy is the sum of mass * potential / 2. The potential of a mass m at "
    "a distance "
    "d is -G m/(d^2 + softening^2)^1/2. By the law inverse it is G m/2 log(d^2 + softening^2). Along "
    "periodic axes it "
    "is that of all images, a particle's own too, and counts from another zero. Its mean over the box is 0 "
    "where all "
    "axes are periodic. Where some are, its mean is 0 over the plane or along the line of the mass. With one "
    "periodic "
    "axis L and the law inverse_square it is 2 G m/L log(d/L) far away.";

std::vector<ExampleWorld> example_worlds() {
    constexpr SpeciesIndex a = 0, b = 1;
    World plain{.box = {}, .species = std::vector<Species>(2)};
    plain.species[a].name = "A";
    plain.species[b].name = "B";
    World with_walls = plain;
    with_walls.box.boundary.fill(Boundary::reflecting);
    World with_bodies = with_walls;
    with_bodies.bodies = {{.name = "body", .shape = BodySphere{}}};
    World with_gravity = plain;
    with_gravity.gravity.x = 1;
    World with_moving_walls = with_walls;
    with_moving_walls.walls[0].velocity = 1;
    World with_reactions = plain;
    with_reactions.rules = {{a, b, React{.first = a}, 0}};
    World with_decays = with_reactions;
    with_decays.decays = {{.from = b}};
    World with_tethers = with_reactions;
    with_tethers.rules = {{a, b, Stick{}, 0}};
    return {{"In every run", plain},
            {"With walls", with_walls},
            {"With bodies", with_bodies},
            {"Under gravity, uniform or mutual", with_gravity, mutual_energy},
            {"With walls that move, and walls and bodies of a temperature", with_moving_walls},
            {"Where contacts change particles", with_reactions},
            {"Where particles decay", with_decays},
            {"Where contacts form tethers", with_tethers}};
}

std::string components(const ObservableInfo& info) {
    constexpr std::size_t most = 8;
    const std::vector<std::string>& labels = info.labels;
    std::string text;
    for (std::size_t k = 0; k < labels.size(); ++k) {
        if (labels.size() > most && k > most / 2 && k + 1 < labels.size()) continue;
        text += (k == 0 ? " [" : ", ") + (labels.size() > most && k == most / 2 ? "..." : labels[k]);
    }
    return info.is_vector() ? text + ']' : text;
}

}  // namespace

std::string describe_observables() {
    std::string text = "Each is at /ricochet/observables/NAME of a result, as step, time and value.\n";
    std::set<std::string> known;
    for (const ExampleWorld& example : example_worlds()) {
        text += '\n' + std::string(example.heading) + ":\n";
        for (const auto& observer : make_observers(example.world)) {
            for (const ObservableInfo& info : observer->columns()) {
                if (!known.insert(info.name).second) continue;
                text += info.name + components(info) + '\n' + in_lines(info.meaning, "    ");
            }
        }
        if (!example.note.empty()) text += in_lines(example.note, "");
    }
    return text;
}

}  // namespace ricochet
