// SPDX-License-Identifier: BSD-3-Clause
//
// See reference_rates.hpp. First what is decided by gaps, then the gaps of a pair, a wall and a body.
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

double time_of_miss(const Outlook& rest) {
    return rest.now + rest.tau * (rest.a / (rest.a + rest.b + rest.s));
}

Prospect prospect_of(const Outlook& rest, double chance) {
    if (rest.chord_time < never) return {rest.chord_time, chance < reactivity(rest)};
    const double bridge = fixed::exp(-2 * rest.a * rest.b / (rest.s * rest.s));
    if (!(chance < reactivity(rest) * bridge)) return {never, false};
    return {.time = time_of_miss(rest), .reacts = true, .is_miss = true};
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

namespace {

/// The gaps of a particle of this radius, and what of the rest they share.
Outlook outlook_at_body(const ContactScene& scene, double rate, double chord_time,
                        const Participant& particle, const BodySurface& surface, double radius) {
    const Motion& motion = particle.motion;
    const double diffusion = diffusion_of(scene, particle);
    Vec3 last = advanced(motion.position, motion.velocity, scene.end - motion.time);
    if (chord_time < never) {  // it turns back there
        const Vec3 turning = place_at(motion, chord_time);
        const Vec3 n = normal_at(surface, turning);
        const Vec3 back = advanced(motion.velocity, n, -2 * std::max(0.0, dot(motion.velocity, n)));
        last = advanced(turning, back, scene.end - chord_time);
    }
    Outlook rest{};
    rest.now = motion.time;
    rest.tau = scene.end - rest.now;
    rest.a = std::max(0.0, distance_from_whole(surface, motion.position) - radius);
    rest.b = std::max(0.0, distance_from_whole(surface, last) - radius);
    rest.s = std::sqrt(2 * diffusion * rest.tau);
    rest.h = rate / diffusion;
    rest.is_at_once = rate == never;
    rest.chord_time = chord_time;
    return rest;
}

}  // namespace

double time_of_miss_at_body(const ContactScene& scene, const Participant& particle,
                            const BodySurface& surface) {
    return time_of_miss(outlook_at_body(scene, 0, never, particle, surface, particle.attributes.radius));
}

Prospect rated_prospect_at_body(const ContactScene& scene, double rate, double chord_time,
                                const Participant& particle, const BodySurface& surface) {
    const double radius = particle.attributes.radius;
    Outlook rest = outlook_at_body(scene, rate, chord_time, particle, surface, radius);
    const Vec3 turning =
        chord_time < never ? place_at(particle.motion, chord_time) : particle.motion.position;
    const int directions = curved_directions(surface, turning, scene.rules.dimension());
    const double sign = surface.from_inside ? -1 : 1;
    const double curve = surface.distance + sign * radius;
    if (directions > 0 && curve > 0) {
        rest.k = std::max(0.5 * directions / (sign * curve), -1 / rest.s);
        rest.crossed = directions * (rest.s * rest.s) / (curve * curve);
    }
    if (is_out_of_reach(rest)) return {never, false};
    return prospect_of(rest, chance_of(scene, particle, surface.id, 0));
}

/// Half as often as it would react at twice the rate. A miss ends where a mirror would show its end; a sphere has more
/// room there, or less.
Prospect rated_prospect_of_passing(const ContactScene& scene, double permeability, double chord_time,
                                   const Participant& particle, const BodySurface& surface) {
    Outlook rest = outlook_at_body(scene, 2 * permeability, chord_time, particle, surface, 0);
    const Vec3 last = place_at(particle.motion, scene.end);
    rest.b = std::abs(distance_from_whole(surface, last));  // it may be beyond
    if (is_out_of_reach(rest)) return {never, false};
    if (chord_time == never && !are_in_one_mirror(surface, particle.motion.position, last))
        return {never, false};
    double share = 1;
    const double r = surface.distance;
    const int dimension = scene.rules.dimension();
    const int now = r > 0 ? curved_directions(surface, particle.motion.position, dimension) : 0;
    const int then = r > 0 ? curved_directions(surface, last, dimension) : 0;
    const auto room = [&](double out, double in, int directions) {
        if (directions == 0) return 1.0;
        const double root = std::sqrt(surface.from_inside ? out / in : in / out);
        return directions == 1 ? std::sqrt(root) : root;
    };
    const double in_now = std::max(0.0, r - rest.a), in_then = std::max(0.0, r - rest.b);
    if (!(chord_time < never))
        share = now == then ? room((r + rest.a) * (r + rest.b), in_now * in_then, now)
                            : room(r + rest.a, in_now, now) * room(r + rest.b, in_then, then);
    share = std::min(2.0, share);
    if (!(share > 0)) return {never, false};
    Prospect prospect = prospect_of(rest, 2 * chance_of(scene, particle, surface.id, 0) / share);
    prospect.shift = (2 * distance_from_whole(surface, last)) * normal_at(surface, last);
    return prospect;
}

}  // namespace ricochet::test
