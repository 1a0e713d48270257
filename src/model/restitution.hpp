// SPDX-License-Identifier: BSD-3-Clause
//
// What a law of restitution says of a contact. A constant is returned as it is. Powers are taken by the functions of
// core/math.hpp, which have the same bits everywhere: value exp(-exponent log(v / speed)).
#pragma once

#include "ricochet/model/world.hpp"

namespace ricochet {

namespace detail {

/// The coefficient by a law with an exponent. Apart from value_at, so that constant laws pay for a comparison only.
double power_law_at(const RestitutionLaw& law, double speed);

}  // namespace detail

/// The coefficient for this speed of approach along the normal. With an exponent it is 1 where the two do not approach.
inline double value_at(const RestitutionLaw& law, double speed) {
    if (law.is_constant()) [[likely]]
        return law.value;
    return detail::power_law_at(law, speed);
}

/// The speed of approach up to which contacts are elastic; 0 without an exponent.
double elastic_speed(const RestitutionLaw& law);

}  // namespace ricochet
