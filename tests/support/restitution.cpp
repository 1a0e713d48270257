// SPDX-License-Identifier: BSD-3-Clause
#include "tests/support/restitution.hpp"

#include <algorithm>

namespace ricochet::test {

Restitution& Restitution::set(SpeciesIndex a, SpeciesIndex b, double value) {
    const Rule added{std::min(a, b), std::max(a, b), value};
    std::erase_if(rules_, [&](const Rule& rule) { return rule.low == added.low && rule.high == added.high; });
    rules_.push_back(added);
    return *this;
}

double Restitution::operator()(SpeciesIndex a, SpeciesIndex b) const {
    for (const Rule& rule : rules_)
        if (rule.low == std::min(a, b) && rule.high == std::max(a, b)) return rule.value;
    return default_;
}

}  // namespace ricochet::test
