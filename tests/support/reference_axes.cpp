// SPDX-License-Identifier: BSD-3-Clause
#include "tests/support/reference_axes.hpp"

#include <algorithm>
#include <cmath>

#include "core/math.hpp"
#include "ricochet/core/random.hpp"
#include "tests/support/reference_arithmetic.hpp"

namespace ricochet::test {
namespace {

/// a1 b1 + a2 b2 + a3 b3, summed as the engine does.
double scalar(const ByAxis& a, const ByAxis& b) {
    return std::fma(a[2], b[2], std::fma(a[1], b[1], a[0] * b[0]));
}

ByAxis numbers(Vec3 v) { return {v.x, v.y, v.z}; }

/// Two on the axes where at least one slides, with the direction of contact there.
struct Slides {
    ByAxis ease_low{}, ease_high{}, ease{};
    ByAxis g{};        ///< a unit vector
    double share = 0;  ///< of the normal that lies along it
    double ease_along_g = 0;

    Slides(const Attributes& low, const Attributes& high, Vec3 n)
        : ease_low(ease_of(low)), ease_high(ease_of(high)) {
        double largest = 0;
        for (std::size_t a = 0; a < 3; ++a) {
            ease[a] = ease_low[a] + ease_high[a];
            const bool slides = !is_fixed(low, static_cast<int>(a)) || !is_fixed(high, static_cast<int>(a));
            g[a] = slides ? n[static_cast<int>(a)] : 0;
            largest = std::max(largest, std::abs(g[a]));
        }
        if (largest == 0) {
            const auto first =
                std::find_if(ease.begin(), ease.end(), [](double of_axis) { return of_axis > 0; });
            g = {};
            g.at(static_cast<std::size_t>(first - ease.begin())) = 1;
        } else {
            for (double& component : g) component /= largest;
            const double length = std::sqrt(scalar(g, g));
            for (double& component : g) component /= length;
            share = largest * length;
        }
        share = std::max(share, 0x1p-300);
        ease_along_g = scalar(g, {ease[0] * g[0], ease[1] * g[1], ease[2] * g[2]});
    }

    double speed_along_g(const Participant& low, const Participant& high) const {
        return scalar(numbers(high.motion.velocity - low.motion.velocity), g);
    }
    /// Changes the relative velocity along g by this much.
    void push(Participant& low, Participant& high, double speed) const {
        for (std::size_t a = 0; a < 3; ++a) {
            double& of_high = high.motion.velocity[static_cast<int>(a)];
            double& of_low = low.motion.velocity[static_cast<int>(a)];
            of_high = std::fma(ease_high[a] * g[a] / ease_along_g, speed, of_high);
            of_low = std::fma(ease_low[a] * g[a] / ease_along_g, -speed, of_low);
        }
    }
};

/// Twice the energy of relative motion.
double twice_energy_of(const ByAxis& u, const ByAxis& ease) {
    ByAxis momentum{};
    for (std::size_t a = 0; a < 3; ++a) momentum[a] = ease[a] == 0 ? 0 : u[a] / ease[a];
    return scalar(u, momentum);
}

/// Two that a tether holds and that hardly come nearer: 1/4096 of the speed that their energy allows goes inwards.
double end_circling_on_axes(const Slides& slides, Participant& low, Participant& high) {
    constexpr double part = 1.0 / 4096;
    const ByAxis before = numbers(high.motion.velocity - low.motion.velocity);
    const double outward = scalar(before, slides.g);
    const double energy = twice_energy_of(before, slides.ease);
    const double wanted = part * std::sqrt(slides.ease_along_g * energy);
    ByAxis tangent{};
    for (std::size_t a = 0; a < 3; ++a)
        tangent[a] = std::fma(slides.ease[a] * slides.g[a], -(outward / slides.ease_along_g), before[a]);
    const double energy_of_tangent = twice_energy_of(tangent, slides.ease);
    if (outward <= -wanted || energy_of_tangent <= energy / 2) return 0;
    const double factor = std::sqrt((1 - part * part) * energy / energy_of_tangent);
    for (std::size_t a = 0; a < 3; ++a) {
        if (slides.ease[a] == 0) continue;
        const double after =
            std::fma(slides.ease[a] * slides.g[a], -(wanted / slides.ease_along_g), factor * tangent[a]);
        const double change = after - before[a];
        double& of_high = high.motion.velocity[static_cast<int>(a)];
        double& of_low = low.motion.velocity[static_cast<int>(a)];
        of_high = of_high + change * (slides.ease_high[a] / slides.ease[a]);
        of_low = of_low - change * (slides.ease_low[a] / slides.ease[a]);
    }
    return outward + wanted;
}

/// Of mean 0 and variance 1.
double normal_of(const Liberation& by, int axis) {
    const RandomKey key{.seed = by.seed, .stream = Stream::release, .step = by.step};
    const RandomWords words = random_words(key, by.id, static_cast<unsigned>(axis));
    const double length = std::sqrt(-2 * fixed::log(uniform_above_zero_from(words[0])));
    return length * fixed::sincos_2pi(uniform_from(words[1])).cos;
}

}  // namespace

bool is_fixed(const Attributes& attributes, int axis) {
    return (attributes.frozen_axes & (1u << static_cast<unsigned>(axis))) != 0;
}

bool never_meet(const Attributes& low, const Attributes& high) {
    for (int axis = 0; axis < 3; ++axis)
        if (!is_fixed(low, axis) || !is_fixed(high, axis)) return false;
    return true;
}

ByAxis ease_of(const Attributes& attributes) {
    ByAxis ease{};
    for (int axis = 0; axis < 3; ++axis)
        if (!is_fixed(attributes, axis)) ease[static_cast<std::size_t>(axis)] = 1 / attributes.mass;
    return ease;
}

double turn_back_on_axes(Participant& low, Participant& high, Vec3 r, Vec3 n, double restitution,
                         bool are_held, const Rise& rise) {
    const Slides slides(low.attributes, high.attributes, n);
    const double speeds_before =
        sum_of_magnitudes(low.motion.velocity) + sum_of_magnitudes(high.motion.velocity);
    const double speed = slides.speed_along_g(low, high);
    double k = (1 + restitution) * speed;
    const bool go_on = are_held ? k < 0 : k > 0;  // by rounding
    if (go_on) k = 0;
    const double away = rise.speed(slides.ease_along_g);
    if (!are_held && away > 0) k = std::min(k, speed - away);
    slides.push(low, high, -k);
    if (are_held) k += end_circling_on_axes(slides, low, high);
    const double slope = dot(r, high.motion.velocity - low.motion.velocity);
    if (are_held ? slope > 0 : slope < 0) {  // by rounding
        const double speeds =
            speeds_before + sum_of_magnitudes(low.motion.velocity) + sum_of_magnitudes(high.motion.velocity);
        slides.push(low, high, are_held ? -(0x1p-50 * speeds) : 0x1p-50 * speeds);
    }
    return 0 - k / (slides.ease_along_g * slides.share);
}

double joining_impulse(const Attributes& low, const Attributes& high, Vec3 n, double normal_velocity) {
    const ByAxis a = ease_of(low), b = ease_of(high);
    const double ease = scalar(numbers(n), {(a[0] + b[0]) * n.x, (a[1] + b[1]) * n.y, (a[2] + b[2]) * n.z});
    return ease > 0 ? 0 - normal_velocity / ease : 0;
}

ByAxis centre_between(const Attributes& one, const Attributes& other) {
    const ByAxis a = ease_of(one), b = ease_of(other);
    ByAxis centre{};
    for (std::size_t k = 0; k < 3; ++k)
        if (a[k] + b[k] > 0) centre[k] = a[k] / (a[k] + b[k]);
    return centre;
}

Vec3 velocity_as(const Attributes& now, std::uint32_t fixed_before, Vec3 velocity, const Liberation& by) {
    for (int axis = 0; axis < 3; ++axis) {
        const bool was_fixed = (fixed_before & (1u << static_cast<unsigned>(axis))) != 0;
        if (is_fixed(now, axis))
            velocity[axis] = 0;
        else if (was_fixed && axis < by.rules.dimension())
            velocity[axis] = std::sqrt(by.rules.thermal_energy() / now.mass) * normal_of(by, axis);
    }
    return velocity;
}

}  // namespace ricochet::test
