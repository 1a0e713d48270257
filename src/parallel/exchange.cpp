// SPDX-License-Identifier: BSD-3-Clause
#include "ricochet/parallel/exchange.hpp"

#include "ricochet/core/error.hpp"

namespace ricochet {

void Exchange::offer_end_of_start() {
    if (!is_end_wanted_ || bit_or(is_end_wanted_() ? 1 : 0) == 0) return;
    throw StoppedAtStart(
        "stopped by a signal before the first step: nothing was written; give the same command again");
}

}  // namespace ricochet
