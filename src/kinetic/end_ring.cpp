// SPDX-License-Identifier: BSD-3-Clause
#include "kinetic/end_ring.hpp"

#include <algorithm>
#include <tuple>

#include "ricochet/core/check.hpp"

namespace ricochet {

void EndRing::build(std::size_t num_slots, bool is_ring, std::vector<Item>& items) {
    RICOCHET_CHECK_LT(items.size(), nowhere);
    std::sort(items.begin(), items.end(), [](const Item& p, const Item& q) {
        return std::tie(p.at, p.velocity, p.end) < std::tie(q.at, q.velocity, q.end);
    });
    is_ring_ = is_ring;
    ends_.clear();
    places_.assign(2 * num_slots, nowhere);
    stamps_.assign(2 * num_slots, 0);
    images_.assign(2 * num_slots, 0);
    for (const Item& item : items) {
        places_[item.end] = static_cast<Place>(ends_.size());
        images_[item.end] = static_cast<std::int16_t>(item.image);
        ends_.push_back(item.end);
    }
}

}  // namespace ricochet
