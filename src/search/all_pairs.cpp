// SPDX-License-Identifier: BSD-3-Clause
#include "search/all_pairs.hpp"

#include "ricochet/search/search_method.hpp"

namespace ricochet {

std::unique_ptr<BroadPhase> make_all_pairs(const Box& box, const SearchOptions& /*options*/) {
    return std::make_unique<AllPairs>(box);
}

}  // namespace ricochet
