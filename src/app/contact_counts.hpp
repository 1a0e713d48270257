// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include "ricochet/events/contact.hpp"

namespace ricochet {

/// How many of the contacts are between two particles.
inline std::int64_t num_pair_contacts(std::span<const Contact> contacts) {
    return std::count_if(contacts.begin(), contacts.end(),
                         [](const Contact& c) { return c.species_high != wall_species; });
}

}  // namespace ricochet
