// SPDX-License-Identifier: BSD-3-Clause
#include "ricochet/kinetic/engine_choice.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include "engine/window_resolver.hpp"
#include "kinetic/all_slots.hpp"
#include "kinetic/cells_crossing.hpp"
#include "kinetic/cells_every_move.hpp"
#include "kinetic/delaunay.hpp"
#include "kinetic/kinetic_sweep.hpp"
#include "kinetic/queue_engine.hpp"
#include "kinetic/sphere_links.hpp"
#include "kinetic/time_bounds.hpp"
#include "ricochet/core/check.hpp"

namespace ricochet {
namespace {

template <class Structure>
std::unique_ptr<KineticStructure> make(const Box& box, const EngineOptions& options) {
    return std::make_unique<Structure>(box, options);
}

/// A structure, and what takes its place in a step in which it has lost a contact. Cells that particles cross have no
/// more conditions than that they are wide enough; for these all pairs.
struct KineticMethod {
    using Make = std::unique_ptr<KineticStructure>(const Box&, const EngineOptions&);

    std::string_view word;  ///< of the registered search
    Make* make_structure;
    Make* make_reserve = make<CellsCrossing>;
};
constexpr std::array kinetic_methods{KineticMethod{"all_pairs", make<AllSlots>},
                                     KineticMethod{"spatial_tree", make<SpatialTreeCrossing>},
                                     KineticMethod{"cells_crossing", make<CellsCrossing>, make<AllSlots>},
                                     KineticMethod{"cells_every_move", make<CellsEveryMove>},
                                     KineticMethod{"sweep_and_prune", make<KineticSweep>},
                                     KineticMethod{"time_bounds", make<TimeBounds>},
                                     KineticMethod{"delaunay", make<Delaunay>}};
/// Searches for whole steps link bounding spheres at the start of the step.
constexpr KineticMethod any_other{{}, make<SphereLinks>};

const KineticMethod& kinetic_method(SearchMethod search) {
    const std::string_view word = registered(search).word;
    const auto* const method =
        std::find_if(kinetic_methods.begin(), kinetic_methods.end(),
                     [word](const KineticMethod& kinetic) { return kinetic.word == word; });
    return method == kinetic_methods.end() ? any_other : *method;
}

}  // namespace

std::unique_ptr<StepEngine> make_step_engine(const World& world, const ContactRules& rules,
                                             const EngineOptions& options) {
    RICOCHET_CHECK(is_possible(options.search, options.loop));
    if (loop_of(options.search, options.loop) == SearchLoop::windows)
        return std::make_unique<WindowResolver>(world, rules, options);
    const KineticMethod& method = kinetic_method(options.search);
    return std::make_unique<QueueEngine>(world, rules, options, method.make_structure(world.box, options),
                                         method.make_reserve(world.box, options));
}

}  // namespace ricochet
