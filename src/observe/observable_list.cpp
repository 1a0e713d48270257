// SPDX-License-Identifier: BSD-3-Clause
#include "observe/observable_list.hpp"

#include <optional>
#include <set>
#include <vector>

#include "core/readable.hpp"
#include "observe/observers.hpp"

namespace ricochet {
namespace {

/// A run that has what the ones before it lack.
struct ExampleRun {
    const char* heading;
    ObservedSystem system;
};

std::vector<ExampleRun> example_runs() {
    Species a, b;
    a.name = "A";
    b.name = "B";
    ObservedSystem plain{Box{}, {a, b}, std::nullopt};
    ObservedSystem with_walls = plain;
    with_walls.box.boundary.fill(Boundary::reflecting);
    ObservedSystem with_reactions = plain;
    with_reactions.has_changing_particles = true;
    with_reactions.rules = {"RULE"};
    with_reactions.rule_sticks = {false};
    with_reactions.rule_only_bounces = {false};
    ObservedSystem with_decays = with_reactions;
    with_decays.decays = {"DECAY"};
    ObservedSystem with_tethers = with_reactions;
    with_tethers.rule_sticks = {true};
    with_tethers.species_sticks = {true, true};
    return {{"In every run", plain},
            {"With walls", with_walls},
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
    for (const ExampleRun& run : example_runs()) {
        text += '\n' + std::string(run.heading) + ":\n";
        for (const auto& observer : make_observers(run.system)) {
            for (const ObservableInfo& info : observer->columns()) {
                if (!known.insert(info.name).second) continue;
                text += info.name + components(info) + '\n' + in_lines(info.meaning, "    ");
            }
        }
    }
    return text;
}

}  // namespace ricochet
