// SPDX-License-Identifier: BSD-3-Clause
#include "engine/run_pools.hpp"

#include <algorithm>

#include "ricochet/core/array_memory.hpp"

namespace ricochet {

void RunPools::clear() {
    close_gaps();
    undo.clear();
    matter_undo.clear();
    clear_and_trim(claims);
    clear_and_trim(outgoing);
}

void RunPools::close_gaps() {
    std::sort(dead_contacts.begin(), dead_contacts.end(),
              [](PoolRange p, PoolRange q) { return p.begin > q.begin; });
    for (const PoolRange gap : dead_contacts) {
        // The contacts are in no order: the last ones fill the gap.
        const std::size_t size = contacts.size();
        const std::size_t num_moved = std::min<std::size_t>(gap.end - gap.begin, size - gap.end);
        for (std::size_t k = 0; k < num_moved; ++k) contacts.copy_within(size - num_moved + k, gap.begin + k);
        contacts.shrink(size - (gap.end - gap.begin));
    }
    dead_contacts.clear();
}

}  // namespace ricochet
