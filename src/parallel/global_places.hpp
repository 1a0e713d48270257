// SPDX-License-Identifier: BSD-3-Clause
//
// The places of keys that are spread over the ranks in the order of all of them.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "ricochet/parallel/exchange.hpp"

namespace ricochet {

/// result[k]: how many keys of all ranks are less than keys[k]. All keys differ. Collective: a sort across ranks, and
/// an exchange back. No rank holds more than about its share.
std::vector<std::uint64_t> places_in_order(Exchange& exchange, std::span<const std::uint64_t> keys);

}  // namespace ricochet
