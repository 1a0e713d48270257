// SPDX-License-Identifier: BSD-3-Clause
#include "ricochet/observe/observer.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>

namespace ricochet {

void Observer::add_records(std::span<const Contact> contacts) {
    std::array<ContactBrief, 64> briefs;
    while (!contacts.empty()) {
        const std::size_t count = std::min(briefs.size(), contacts.size());
        for (std::size_t k = 0; k < count; ++k) briefs[k] = brief_of(contacts[k]);
        add_briefs(std::span<const ContactBrief>(briefs.data(), count));
        contacts = contacts.subspan(count);
    }
}

std::span<const double> Sample::of(std::string_view column) const {
    std::size_t first = 0;
    for (const ObservableInfo& info : columns) {
        if (info.name == column) return values.subspan(first, info.num_values());
        first += info.num_values();
    }
    throw std::out_of_range("a sample has no column " + std::string(column));
}

}  // namespace ricochet
