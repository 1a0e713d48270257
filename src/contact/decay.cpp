// SPDX-License-Identifier: BSD-3-Clause
#include "contact/decay.hpp"

#include <algorithm>
#include <cmath>

#include "contact/frozen_axes.hpp"
#include "core/math.hpp"

namespace ricochet {

DecayRules::DecayRules(const World& world)
    : box_(world.box),
      rules_(world),
      channels_(world.decays),
      timestep_(world.timestep),
      thresholds_(world.species.size()) {
    std::vector<double> rates(world.species.size(), 0);
    for (std::uint32_t k = 0; k < channels_.size(); ++k) {
        rates[channels_[k].from] += channels_[k].rate;
        thresholds_[channels_[k].from].push_back({k, rates[channels_[k].from]});
    }
    for (const auto& [from, products, rate] : channels_)
        asks_for_room_.push_back(passes_all(from) &&
                                 std::any_of(products.begin(), products.end(), [this](SpeciesIndex product) {
                                     return product != absent_species && !passes_all(product);
                                 }));
    for (SpeciesIndex s = 0; s < rates.size(); ++s) {
        const double probability = fixed::one_minus_exp_of_minus(rates[s] * (0.5 * timestep_));
        for (Threshold& threshold : thresholds_[s])
            threshold.probability = rates[s] > 0 ? probability * (threshold.probability / rates[s]) : 0;
    }
}

bool DecayRules::have_births() const {
    return std::any_of(channels_.begin(), channels_.end(),
                       [](const DecayChannel& channel) { return channel.is_birth(); });
}

bool DecayRules::some_ask_for_room() const {
    return std::find(asks_for_room_.begin(), asks_for_room_.end(), true) != asks_for_room_.end();
}

bool DecayRules::passes_all(SpeciesIndex species) const {
    for (SpeciesIndex other = 0; other < rules_.num_species(); ++other)
        if (rules_.pair_overlap(species, other) != Overlap::passes) return false;
    return true;
}

RandomWords DecayRules::words_of(ParticleId id, HalfStep half, unsigned block) const {
    constexpr unsigned blocks_per_half = 2;
    return random_words({rules_.seed(), Stream::decay, half.step}, id,
                        (half.is_second ? blocks_per_half : 0) + block);
}

std::optional<std::uint32_t> DecayRules::channel_of(SpeciesIndex species, ParticleId id,
                                                    HalfStep half) const {
    const std::vector<Threshold>& thresholds = thresholds_[species];
    if (thresholds.empty()) return std::nullopt;
    const double number = uniform_from(words_of(id, half, 0)[0]);
    for (const Threshold& threshold : thresholds)
        if (number < threshold.probability) return threshold.channel;
    return std::nullopt;
}

/// Uniform on the sphere (2D: the circle). Its height along an axis is uniform too (Archimedes).
Vec3 DecayRules::random_direction(ParticleId id, HalfStep half) const {
    const RandomWords words = words_of(id, half, 1);
    const auto [sin, cos] = fixed::sincos_2pi(uniform_from(words[0]));
    if (box_.dimension == 2) return {cos, sin, 0};
    const double height = 2 * uniform_from(words[1]) - 1;
    const double across = std::sqrt(1 - height * height);
    return {across * cos, across * sin, height};
}

DecayRules::Products DecayRules::products_of(std::uint32_t channel, const Motion& motion,
                                             const Attributes& attributes, HalfStep half) const {
    const auto [first, second] = channels_[channel].products;
    const Attributes product_first = product_of(rules_, attributes, first);
    const Attributes product_second = product_of(rules_, attributes, second);
    Products products{.first = product_first,
                      .second = product_second,
                      .position_first = motion.position,
                      .position_second = motion.position,
                      .direction = {},
                      .velocity_first = velocity_of(product_first, false, motion, attributes, half),
                      .velocity_second = velocity_of(product_second, true, motion, attributes, half)};
    if (first == absent_species) return products;
    if (second != absent_species) {
        products.direction = random_direction(motion.id, half);
        put_side_by_side(products);
    }
    keep_between_walls(products);
    return products;
}

/// 0 of what there is not.
Vec3 DecayRules::velocity_of(const Attributes& product, bool is_second, const Motion& motion,
                             const Attributes& parent, HalfStep half) const {
    if (is_absent(product)) return {};
    if ((product.frozen_axes | parent.frozen_axes) == 0) return motion.velocity;
    const RandomKey key{rules_.seed(), Stream::release, half.step};
    const std::uint64_t seed = random_words(key, motion.id, half.is_second ? 1 : 0)[is_second ? 1 : 0];
    return velocity_of_product(motion.velocity, parent.frozen_axes, product,
                               {rules_, seed, half.step, motion.id});
}

/// Both are where the parent was, with the direction in which they part.
void DecayRules::put_side_by_side(Products& products) const {
    const Vec3 parent = products.position_first;
    const double distance = products.first.radius + products.second.radius;
    if ((products.first.frozen_axes | products.second.frozen_axes) == 0) {
        const double total = products.first.mass + products.second.mass;
        products.position_first =
            advanced(parent, products.direction, -(distance * (products.second.mass / total)));
        products.position_second = advanced(products.position_first, products.direction, distance);
        return;
    }
    turn_between_walls(products);
    const Vec3 way_first = way_to_centre(products.first, products.second);
    const Vec3 way_second = way_to_centre(products.second, products.first);
    for (int axis = 0; axis < box_.dimension; ++axis) {
        const double offset = distance * products.direction[axis];
        // Where both are frozen the first stays.
        const double part = way_first[axis] + way_second[axis] == 0 ? 1 : way_second[axis];
        products.position_first[axis] = std::fma(-offset, way_first[axis], parent[axis]);
        products.position_second[axis] = std::fma(offset, part, parent[axis]);
    }
}

/// Where one product stays, and the other would not be between the walls, it lies on the opposite side.
void DecayRules::turn_between_walls(Products& products) const {
    const double distance = products.first.radius + products.second.radius;
    for (int axis = 0; axis < box_.dimension; ++axis) {
        const bool stays_first = !products.first.moves_along(axis);
        if (box_.is_periodic(axis) || (!stays_first && products.second.moves_along(axis))) continue;
        double& along = products.direction[axis];
        const double offset = stays_first ? distance * along : -(distance * along);
        const double there = products.position_first[axis] + offset;
        const double radius = (stays_first ? products.second : products.first).radius;
        if (there < radius || there > box_.size[axis] - radius) along = -along;
    }
}

/// Both are moved by the same, so that they still touch. What does not fit between two walls overlaps both alike. A
/// product that is frozen stays.
void DecayRules::keep_between_walls(Products& products) const {
    const double radius_first = products.first.radius;
    const double radius_second = is_absent(products.second) ? radius_first : products.second.radius;
    for (int axis = 0; axis < box_.dimension; ++axis) {
        if (box_.is_periodic(axis)) continue;
        const double length = box_.size[axis];
        double& first = products.position_first[axis];
        double& second = products.position_second[axis];
        const bool moves_first = products.first.moves_along(axis);
        const bool moves_second = products.second.moves_along(axis);
        const double below = -std::min({first - radius_first, second - radius_second, 0.0});
        const double above = std::max({first + radius_first - length, second + radius_second - length, 0.0});
        if (moves_first && moves_second) {
            first += below - above;
            second += below - above;
        }
        const auto inside = [length](double x, double radius) {
            return std::max(std::min(x, length - radius), std::min(radius, length / 2));
        };
        if (moves_first) first = inside(first, radius_first);
        if (moves_second) second = inside(second, radius_second);
    }
}

}  // namespace ricochet
