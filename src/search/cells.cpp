// SPDX-License-Identifier: BSD-3-Clause
#include "search/cells.hpp"

#include "ricochet/search/search_method.hpp"

namespace ricochet {

std::unique_ptr<BroadPhase> make_cells(const Box& box, const SearchOptions& options) {
    return std::make_unique<Cells>(box, options.is_study);
}

}  // namespace ricochet
