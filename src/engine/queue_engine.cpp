// SPDX-License-Identifier: BSD-3-Clause
#include "engine/queue_engine.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include "engine/kinetic_engine.hpp"
#include "search/all_slots.hpp"
#include "search/cells_crossing.hpp"
#include "search/cells_every_move.hpp"
#include "search/delaunay.hpp"
#include "search/kinetic_sweep.hpp"
#include "search/sphere_links.hpp"
#include "search/time_bounds.hpp"

namespace ricochet {
namespace {

template <KineticStructure Structure>
std::unique_ptr<StepEngine> make(const World& world, const ContactRules& rules,
                                 const EngineOptions& options) {
    return std::make_unique<QueueEngine<Structure>>(world, rules, options);
}

struct KineticMethod {
    std::string_view word;  ///< of the registered search
    std::unique_ptr<StepEngine> (*make)(const World&, const ContactRules&, const EngineOptions&);
};
constexpr std::array kinetic_methods{KineticMethod{"all_pairs", make<AllSlots>},
                                     KineticMethod{"spatial_tree", make<SpatialTreeCrossing>},
                                     KineticMethod{"cells_crossing", make<CellsCrossing>},
                                     KineticMethod{"cells_every_move", make<CellsEveryMove>},
                                     KineticMethod{"sweep_and_prune", make<KineticSweep>},
                                     KineticMethod{"time_bounds", make<TimeBounds>},
                                     KineticMethod{"delaunay", make<Delaunay>}};

}  // namespace

std::unique_ptr<StepEngine> make_queue_engine(const World& world, const ContactRules& rules,
                                              const EngineOptions& options) {
    const std::string_view word = registered(options.search).word;
    const auto method = std::find_if(kinetic_methods.begin(), kinetic_methods.end(),
                                     [word](const KineticMethod& kinetic) { return kinetic.word == word; });
    if (method == kinetic_methods.end()) return make<SphereLinks>(world, rules, options);
    return method->make(world, rules, options);
}

}  // namespace ricochet
