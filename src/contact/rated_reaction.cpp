// SPDX-License-Identifier: BSD-3-Clause
#include "contact/rated_reaction.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "contact/encounter.hpp"
#include "core/math.hpp"

namespace ricochet {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double sqrt_2 = 0x1.6a09e667f3bcdp+0;
constexpr double sqrt_2_pi = 0x1.40d931ff62706p+1;

/// The rest of a step, of two surfaces that approach each other at random.
struct Rest {
    double now, tau;         ///< when it begins, and how long it is
    double spread;           ///< s: sqrt(2 D tau)
    double gap, gap_at_end;  ///< a and b
    double chord_time;       ///< infinite: the chord misses
    double pull, curvature;  ///< h and k
    double bend;             ///< (dimension - 1) (s / R)^2; of a plane 0

    bool touches() const { return chord_time < infinity; }
};

/// c(x).
double scaled(const Rest& rest, double x) {
    const double xs = x * rest.spread;
    return xs * sqrt_2_pi * fixed::erfcx((rest.gap + rest.gap_at_end) / (rest.spread * sqrt_2) + xs / sqrt_2);
}

/// w: the share of c(k) that counts. Measured by the equilibrium of pairs that decays leave in contact.
double share_of_curvature(const Rest& rest) {
    constexpr double rounding = 1e-9;
    if (rest.gap > rounding * rest.spread || !(rest.curvature > 0)) return 1;
    const double hs = rest.pull * rest.spread;
    const double left_out =
        hs / (1 + hs) * (rest.pull / (rest.pull + 0.35 * rest.curvature)) / (1 + 1.35 * rest.bend);
    return 1 - left_out;
}

/// q: of reacting where the surfaces touch.
double chance_at_contact(const Rest& rest) {
    if (rest.pull == infinity) return 1;
    const double without = share_of_curvature(rest) * scaled(rest, rest.curvature);
    return (scaled(rest, rest.pull + rest.curvature) - without) / (2 - without);
}

constexpr double cut = 20;

bool is_too_far(const Rest& rest) {
    return !rest.touches() && 2 * rest.gap * rest.gap_at_end > cut * rest.spread * rest.spread;
}

/// Whether the number exceeds the probability exp(-x) that the paths between the ends touch, as 1 over a few terms of
/// the series of exp(x) shows. Not always where it does.
bool is_no_crossing(const Rest& rest, double uniform) {
    constexpr double more_than_rounding = 1 + 1e-8;
    const double x = 2 * rest.gap * rest.gap_at_end / (rest.spread * rest.spread);
    return uniform * (1 + x * (1 + x * (1.0 / 2 + x * (1.0 / 6 + x * (1.0 / 24))))) > more_than_rounding;
}

double time_of_miss(const Rest& rest) {
    return rest.now + rest.tau * (rest.gap / (rest.gap + rest.gap_at_end + rest.spread));
}

/// `uniform`: a random number in [0, 1).
RatedEvent event_in(const Rest& rest, double uniform) {
    // Neither of the two factors is above 1. The chance at contact takes longer to compute, and both take longer than a
    // bound.
    constexpr double more_than_rounding = 1 + 1e-9;
    if (!rest.touches() && is_no_crossing(rest, uniform)) return {infinity, false, false};
    const double bridge =
        rest.touches() ? 1 : fixed::exp(-2 * rest.gap * rest.gap_at_end / (rest.spread * rest.spread));
    const bool reacts = uniform < more_than_rounding * bridge && uniform < chance_at_contact(rest) * bridge;
    if (rest.touches()) return {rest.chord_time, reacts, true};
    if (!reacts) return {infinity, false, false};
    return {time_of_miss(rest), true, false};
}

/// The distance of the centres at the end of the step, after the reflection of the chord where it touches.
double distance_at_end(const PairContact& pair, Vec3 r, double now, double chord_time) {
    const Vec3 u = pair.high.velocity - pair.low.velocity;
    if (!(chord_time < infinity)) return norm(advanced(r, u, pair.setting.end - now));
    const Vec3 touching = advanced(r, u, chord_time - now);
    const double distance = norm(touching);
    const Vec3 n = distance > 0 ? (1 / distance) * touching : Vec3{1, 0, 0};
    const Vec3 reflected = advanced(u, n, -2 * std::min(0.0, dot(u, n)));
    return norm(advanced(touching, reflected, pair.setting.end - chord_time));
}

/// D of a particle; 0 of one that rests.
double diffusion_of(const ContactRules& rules, const Attributes& of) {
    return of.rests() ? 0 : 0.5 * (rules.energy_time() / of.mass);
}

}  // namespace

RatedEvent rated_event(double rate, const PairContact& pair, double chord_time) {
    const ContactRules& rules = *pair.setting.rules;
    const double now = std::max(pair.low.time, pair.high.time);
    const double tau = pair.setting.end - now;
    const Vec3 r = minimum_image(position_at(pair.high, now) - position_at(pair.low, now), pair.images);
    const double contact_distance = pair.attributes_low.radius + pair.attributes_high.radius;
    const double diffusion =
        diffusion_of(rules, pair.attributes_low) + diffusion_of(rules, pair.attributes_high);
    const bool is_flat = rules.dimension() == 2;
    const double surface = (is_flat ? 2 : 4 * contact_distance) * fixed::pi * contact_distance;
    const double bend = (is_flat ? 1 : 2) * (2 * diffusion * tau) / (contact_distance * contact_distance);
    const Rest rest{.now = now,
                    .tau = tau,
                    .spread = std::sqrt(2 * diffusion * tau),
                    .gap = std::max(0.0, norm(r) - contact_distance),
                    .gap_at_end = std::max(0.0, distance_at_end(pair, r, now, chord_time) - contact_distance),
                    .chord_time = chord_time,
                    .pull = rate / (surface * diffusion),
                    .curvature = (is_flat ? 0.5 : 1) / contact_distance,
                    .bend = bend};
    if (is_too_far(rest)) return {infinity, false, false};
    return event_in(
        rest, uniform_of(pair.setting, pair.low.id, pair.high.id, pair.num_before_low, pair.num_before_high));
}

namespace {

/// At a plane.
Rest rest_at(const ObstacleContact& contact, double rate, Gaps gaps, double chord_time) {
    const double tau = contact.setting.end - contact.motion.time;
    const double diffusion = 0.5 * contact.setting.rules->energy_time() / contact.attributes.mass;
    return {.now = contact.motion.time,
            .tau = tau,
            .spread = std::sqrt(2 * diffusion * tau),
            .gap = std::max(0.0, gaps.now),
            .gap_at_end = std::max(0.0, gaps.at_end),
            .chord_time = chord_time,
            .pull = rate / diffusion,
            .curvature = 0,
            .bend = 0};
}

double uniform_at(const ObstacleContact& contact) {
    return uniform_of(contact.setting, contact.motion.id, contact.obstacle, contact.num_before, 0);
}

double root_of(double share, int directions) {
    const double root = std::sqrt(share);
    return directions == 2 ? root : std::sqrt(root);
}

/// How much room there is for one end of a path, over that for its image.
double share_of_image(double gap, const Bend& bend) {
    if (bend.directions == 0) return 1;
    const double radius = std::abs(bend.radius);
    const double outer = radius + gap, inner = std::max(0.0, radius - gap);
    return root_of(bend.radius < 0 ? outer / inner : inner / outer, bend.directions);
}

/// How much room there is for ends of paths on this side, over that for their images. Balances both directions.
double share_of_images(const Rest& rest, const Bend& bend, const Bend& bend_at_end) {
    constexpr double most = 2;
    if (bend.directions != bend_at_end.directions)
        return std::min(most, share_of_image(rest.gap, bend) * share_of_image(rest.gap_at_end, bend_at_end));
    if (bend.directions == 0) return 1;
    const double radius = std::abs(bend.radius);
    const double outer = (radius + rest.gap) * (radius + rest.gap_at_end);
    const double inner = std::max(0.0, radius - rest.gap) * std::max(0.0, radius - rest.gap_at_end);
    return std::min(most, root_of(bend.radius < 0 ? outer / inner : inner / outer, bend.directions));
}

}  // namespace

RatedEvent rated_event(double rate, const ObstacleContact& contact, Gaps gaps, const Bend& bend,
                       double chord_time) {
    Rest rest = rest_at(contact, rate, gaps, chord_time);
    if (is_too_far(rest)) return {infinity, false, false};
    if (bend.directions > 0) {
        rest.curvature = std::max(bend.curvature(), -1 / rest.spread);
        rest.bend = bend.directions * (rest.spread * rest.spread) / (bend.radius * bend.radius);
    }
    return event_in(rest, uniform_at(contact));
}

RatedEvent passing_event(double permeability, const ObstacleContact& contact, Gaps gaps, const Bend& bend,
                         const Bend& bend_at_end, double chord_time) {
    const Rest rest = rest_at(contact, 2 * permeability, gaps, chord_time);
    if (is_too_far(rest)) return {infinity, false, false};
    const double share = rest.touches() ? 1 : share_of_images(rest, bend, bend_at_end);
    if (!(share > 0)) return {infinity, false, false};
    return event_in(rest, 2 * uniform_at(contact) / share);
}

double time_of_miss(const ObstacleContact& contact, Gaps gaps) {
    return time_of_miss(rest_at(contact, 0, gaps, infinity));
}

Gaps gaps_at_plane(const ObstacleContact& contact, double distance, double chord_time) {
    const double gap = distance - contact.attributes.radius;
    const double approach = dot(contact.motion.velocity, contact.normal);
    const double end = contact.setting.end;
    return {gap, chord_time < infinity ? std::abs(approach) * (end - chord_time)
                                       : gap - approach * (end - contact.motion.time)};
}

bool is_beyond_cut(const ContactRules& rules, double end, const Motion& a, const Motion& b,
                   const Attributes& attributes_a, const Attributes& attributes_b,
                   const ImageLengths& images) {
    constexpr double more_than_rounding = 1 + 1e-9;
    const double now = std::max(a.time, b.time);
    const double tau = end - now;
    const Vec3 r = minimum_image(position_at(b, now) - position_at(a, now), images);
    const double contact_distance = attributes_a.radius + attributes_b.radius;
    const double gap = norm(r) - contact_distance;
    const double gap_at_end = norm(advanced(r, b.velocity - a.velocity, tau)) - contact_distance;
    const double squared_spread =
        2 * (diffusion_of(rules, attributes_a) + diffusion_of(rules, attributes_b)) * tau;
    return gap > 0 && gap_at_end > 0 && 2 * gap * gap_at_end > more_than_rounding * cut * squared_spread;
}

}  // namespace ricochet
