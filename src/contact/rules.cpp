// SPDX-License-Identifier: BSD-3-Clause
#include "ricochet/contact/rules.hpp"

#include <algorithm>

namespace ricochet {

Overlap overlap_by(const ContactRule& rule) {
    if (std::holds_alternative<Pass>(rule)) return Overlap::passes;
    if (std::holds_alternative<Coalesce>(rule)) return Overlap::reacts;
    const React* const react = std::get_if<React>(&rule);
    return react != nullptr && react->is_certain() ? Overlap::reacts : Overlap::bounces;
}

bool ContactRules::may_react_overlapping(SpeciesIndex a) const {
    for (SpeciesIndex b = 0; b < num_species_; ++b)
        if (pair_overlap(a, b) == Overlap::reacts) return true;
    return false;
}

bool ContactRules::change_matter() const {
    const auto only_bounces = [](const NumberedRule& entry) {
        return std::holds_alternative<Bounce>(entry.rule);
    };
    return !std::all_of(pair_.begin(), pair_.end(), only_bounces) ||
           !std::all_of(wall_.begin(), wall_.end(), only_bounces);
}

}  // namespace ricochet
