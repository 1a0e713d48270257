// SPDX-License-Identifier: BSD-3-Clause
#include "search/slices.hpp"

#include "ricochet/search/search_method.hpp"

namespace ricochet {

std::unique_ptr<BroadPhase> make_slices(const Box& box, const SearchOptions& options) {
    return std::make_unique<Slices>(box, options.is_study);
}

}  // namespace ricochet
