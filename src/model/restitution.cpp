// SPDX-License-Identifier: BSD-3-Clause
#include "model/restitution.hpp"

#include <algorithm>

#include "core/math.hpp"

namespace ricochet {

double detail::power_law_at(const RestitutionLaw& law, double speed) {
    if (!(speed > 0)) return 1;
    return std::min(1.0, law.value * fixed::exp(-(law.exponent * fixed::log(speed / law.speed))));
}

double elastic_speed(const RestitutionLaw& law) {
    if (law.is_constant()) return 0;
    return law.speed * fixed::exp(fixed::log(law.value) / law.exponent);
}

}  // namespace ricochet
