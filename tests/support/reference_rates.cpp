// SPDX-License-Identifier: BSD-3-Clause
//
// See reference_rates.hpp. First the gaps of a pair and of a wall, then what is decided by them.
#include "tests/support/reference_rates.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/math.hpp"
#include "tests/support/reference_axes.hpp"
#include "tests/support/reference_step.hpp"

namespace ricochet::test {

namespace {

/// A miss reacts only where 2 a b is at most this many s^2.
constexpr double farthest = 20;

/// The rest of a step as two partners have it before them.
struct Outlook {
    double now, tau;    ///< the later of their times, and what is left
    double a, b;        ///< gaps at the ends of the rest
    double s;           ///< sqrt(2 D tau), of the relative motion
    double h, k;        ///< rate and curvature at contact, 1/length
    double crossed;     ///< (s / R)^2 by each direction along the surface
    bool is_at_once;    ///< at an infinite rate
    double chord_time;  ///< infinite: a miss
};

/// The probability of a reaction where paths between these ends touch.
double reactivity(const Outlook& rest) {
    if (rest.is_at_once) return 1;
    const auto c = [&](double x) {
        const double z =
            (rest.a + rest.b) / (rest.s * std::numbers::sqrt2) + x * rest.s / std::numbers::sqrt2;
        return x * rest.s * std::sqrt(2 * std::numbers::pi) * fixed::erfcx(z);
    };
    double of_curvature = c(rest.k);
    if (rest.k > 0 && rest.a <= 1e-9 * rest.s) {  // in contact, as products of a decay are
        const double x = rest.h * rest.s;
        of_curvature = (1 - x / (1 + x) * (rest.h / (rest.h + 0.35 * rest.k)) / (1 + 1.35 * rest.crossed)) *
                       of_curvature;
    }
    return (c(rest.h + rest.k) - of_curvature) / (2 - of_curvature);
}

bool is_out_of_reach(const Outlook& rest) {
    return !(rest.chord_time < never) && 2 * rest.a * rest.b > farthest * rest.s * rest.s;
}

Prospect prospect_of(const Outlook& rest, double chance) {
    if (rest.chord_time < never) return {rest.chord_time, chance < reactivity(rest)};
    const double bridge = fixed::exp(-2 * rest.a * rest.b / (rest.s * rest.s));
    if (!(chance < reactivity(rest) * bridge)) return {never, false};
    return {
        .time = rest.now + rest.tau * (rest.a / (rest.a + rest.b + rest.s)), .reacts = true, .is_miss = true};
}

/// 0 of one that does not move at all.
double diffusion_of(const ContactScene& scene, const Participant& particle) {
    if (never_meet(particle.attributes, particle.attributes)) return 0;
    return 0.5 * (scene.rules.energy_time() / particle.attributes.mass);
}

Vec3 place_at(const Motion& motion, double time) {
    return advanced(motion.position, motion.velocity, time - motion.time);
}

/// From r at time `now` to the end, straight or reflected where the chord touches.
Vec3 separation_at_end(Vec3 r, Vec3 u, double now, double chord_time, double end) {
    if (!(chord_time < never)) return advanced(r, u, end - now);
    const Vec3 touching = advanced(r, u, chord_time - now);
    const double d = norm(touching);
    const Vec3 n = d == 0 ? Vec3{1, 0, 0} : (1 / d) * touching;
    return advanced(touching, advanced(u, n, -2 * std::min(0.0, dot(u, n))), end - chord_time);
}

}  // namespace

Prospect rated_prospect_of_pair(const ContactScene& scene, double rate, double chord_time,
                                const Participant& low, const Participant& high) {
    const double now = std::max(low.motion.time, high.motion.time);
    const Vec3 r =
        minimum_image(place_at(high.motion, now) - place_at(low.motion, now), ImageLengths(scene.box));
    const Vec3 u = high.motion.velocity - low.motion.velocity;
    const double contact_distance = low.attributes.radius + high.attributes.radius;
    const double diffusion = diffusion_of(scene, low) + diffusion_of(scene, high);
    const bool are_discs = scene.rules.dimension() == 2;
    const double surface = are_discs ? 2 * std::numbers::pi * contact_distance
                                     : 4 * contact_distance * std::numbers::pi * contact_distance;
    Outlook rest{};
    rest.now = now;
    rest.tau = scene.end - now;
    rest.a = std::max(0.0, norm(r) - contact_distance);
    rest.b = std::max(0.0, norm(separation_at_end(r, u, now, chord_time, scene.end)) - contact_distance);
    rest.s = std::sqrt(2 * diffusion * rest.tau);
    rest.h = rate / (surface * diffusion);
    rest.k = (are_discs ? 0.5 : 1) / contact_distance;
    rest.crossed = (are_discs ? 1 : 2) * (2 * diffusion * rest.tau) / (contact_distance * contact_distance);
    rest.is_at_once = rate == never;
    rest.chord_time = chord_time;
    if (is_out_of_reach(rest)) return {never, false};
    return prospect_of(rest, chance_of(scene, low, high.motion.id, high.num_contacts));
}

Prospect rated_prospect_at_wall(const ContactScene& scene, double rate, double chord_time,
                                const Participant& particle, int face) {
    const Motion& motion = particle.motion;
    const int axis = face / 2;
    const bool is_high_side = face % 2 == 1;
    const double x = motion.position[axis], v = motion.velocity[axis];
    const double approach = is_high_side ? v : -v;
    const double gap = (is_high_side ? scene.box.size[axis] - x : x) - particle.attributes.radius;
    const double diffusion = diffusion_of(scene, particle);
    const bool touches = chord_time < never;
    Outlook rest{};
    rest.now = motion.time;
    rest.tau = scene.end - motion.time;
    rest.a = std::max(0.0, gap);
    rest.b =
        std::max(0.0, touches ? std::abs(approach) * (scene.end - chord_time) : gap - approach * rest.tau);
    rest.s = std::sqrt(2 * diffusion * rest.tau);
    rest.h = rate / diffusion;
    rest.k = 0;
    rest.is_at_once = rate == never;
    rest.chord_time = chord_time;
    if (is_out_of_reach(rest)) return {never, false};
    return prospect_of(rest,
                       chance_of(scene, particle, first_obstacle_id + static_cast<ParticleId>(face), 0));
}

Prospect certain_prospect_at_body(const ContactScene& scene, double chord_time, const Participant& particle,
                                  ParticleId surface, double gap, double gap_at_end) {
    if (chord_time < never) return {chord_time, true};
    Outlook rest{};
    rest.now = particle.motion.time;
    rest.tau = scene.end - rest.now;
    rest.a = std::max(0.0, gap);
    rest.b = std::max(0.0, gap_at_end);
    rest.s = std::sqrt(2 * diffusion_of(scene, particle) * rest.tau);
    rest.is_at_once = true;
    rest.chord_time = never;
    if (is_out_of_reach(rest)) return {never, false};
    return prospect_of(rest, chance_of(scene, particle, surface, 0));
}

}  // namespace ricochet::test
