// SPDX-License-Identifier: BSD-3-Clause
#include "kinetic/delaunay.hpp"

namespace ricochet {

void Delaunay::begin(const KineticSetting& setting, TopologicalQueue& queue) {
    constexpr int most_in_a_step = 2;
    num_rebuilt_ = setting.is_rebuilt ? num_rebuilt_ + 1 : 0;
    const bool was_in_cells = setting.is_rebuilt && uses_cells_;
    uses_cells_ = was_in_cells || setting.may_overlap || num_rebuilt_ > most_in_a_step ||
                  !(is_flat_ ? plane_.begin(setting, queue) : space_.begin(setting, queue));
    if (uses_cells_) cells_.begin(setting, queue);
}

void Delaunay::save() {
    saved_uses_cells_ = uses_cells_;
    visit(*this, [](auto& structure) { structure.save(); });
}

void Delaunay::restore() {
    uses_cells_ = saved_uses_cells_;
    visit(*this, [](auto& structure) { structure.restore(); });
}

}  // namespace ricochet
