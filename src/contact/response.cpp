// SPDX-License-Identifier: BSD-3-Clause
#include "contact/response.hpp"

#include <cmath>

namespace ricochet {

namespace {

double sum_of_magnitudes(Vec3 v) { return std::abs(v.x) + std::abs(v.y) + std::abs(v.z); }

/// Separates a pair that still approaches after its response by the rule that predicts contacts (r.u < 0).
/// That happens without rebound (e = 0), and where the approach was as slow as the rounding of the
/// velocities. Such a pair would collide for ever at this instant; it parts at eight units of rounding
/// instead.
void push_apart(Motion& low, Motion& high, Vec3 n, double share_low, double share_high) {
    const double push = 0x1p-50 * (sum_of_magnitudes(low.velocity) + sum_of_magnitudes(high.velocity));
    high.velocity = advanced(high.velocity, n, push * share_high);
    low.velocity = advanced(low.velocity, n, -(push * share_low));
}

}  // namespace

[[gnu::noinline]] Impact collide_pair(Motion& low, Motion& high, double time, const PairProperties& matter,
                                      const ImageLengths& images) {
    fly_to(low, time);
    fly_to(high, time);
    const Vec3 r = minimum_image(high.position - low.position, images);
    const double distance = norm(r);
    // Two centres at one place have no normal; any fixed one conserves momentum and energy.
    const Vec3 n = distance > 0 ? Vec3{r.x / distance, r.y / distance, r.z / distance} : Vec3{1, 0, 0};
    const double normal_velocity = dot(high.velocity - low.velocity, n);
    const double change = (1 + matter.restitution) * normal_velocity;
    const double total = matter.mass_low + matter.mass_high;
    high.velocity = advanced(high.velocity, n, -(change * (matter.mass_low / total)));
    low.velocity = advanced(low.velocity, n, change * (matter.mass_high / total));
    if (dot(r, high.velocity - low.velocity) < 0)
        push_apart(low, high, n, matter.mass_high / total, matter.mass_low / total);
    const double reduced_mass = matter.mass_low * matter.mass_high / total;
    return {
        .normal = n, .distance = distance, .speed = -normal_velocity, .impulse = -(change * reduced_mass)};
}

[[gnu::noinline]] Impact collide_wall(Motion& motion, double time, int face, const Attributes& attributes,
                                      double restitution) {
    fly_to(motion, time);
    const int axis = face / 2;
    const double outward = face % 2 == 1 ? 1 : -1;
    const double approach = outward * motion.velocity[axis];
    motion.velocity[axis] = -restitution * motion.velocity[axis];
    Vec3 normal;
    normal[axis] = outward;
    return {.normal = normal,
            .distance = attributes.radius,
            .speed = approach,
            .impulse = attributes.mass * (1 + restitution) * approach};
}

}  // namespace ricochet
