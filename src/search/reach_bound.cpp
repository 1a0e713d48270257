// SPDX-License-Identifier: BSD-3-Clause
#include "search/reach_bound.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace ricochet {

namespace {

/// The spheres with reaches in [2^k, 2^(k+1)).
struct ReachClass {
    std::size_t count = 0;
    float largest = 0;
};

constexpr int num_classes = 256;
std::size_t class_of(float reach) {
    return static_cast<std::size_t>(
        reach > 0 ? std::clamp(std::ilogb(reach) + num_classes / 2, 0, num_classes - 1) : 0);
}

}  // namespace

void ReachBound::choose(std::span<const BoundingSphere> spheres, double density, int num_axes) {
    std::array<ReachClass, num_classes> classes{};
    double sum = 0;
    for (const BoundingSphere& sphere : spheres) {
        ReachClass& of = classes[class_of(sphere.reach)];
        ++of.count;
        of.largest = std::max(of.largest, sphere.reach);
        sum += static_cast<double>(sphere.reach);
    }
    const double mean = spheres.empty() ? 0 : sum / static_cast<double>(spheres.size());
    double least_cost = std::numeric_limits<double>::infinity();
    std::size_t num_above = 0;
    bound_ = 0;
    for (std::size_t k = classes.size(); k-- > 0;) {
        if (classes[k].count == 0) continue;
        const auto largest = static_cast<double>(classes[k].largest);
        const double cost =
            density * std::pow(2 * (mean + largest), num_axes) + static_cast<double>(num_above);
        if (cost < least_cost) {
            least_cost = cost;
            bound_ = largest;
        }
        num_above += classes[k].count;
    }
    chosen_ = bound_;
    above_.clear();
    is_above_.assign(spheres.size(), 0);
    for (Slot slot = 0; slot < spheres.size(); ++slot) {
        if (static_cast<double>(spheres[slot].reach) <= bound_) continue;
        above_.push_back(slot);
        is_above_[slot] = 1;
    }
}

void ReachBound::note_enlarged(Slot slot, double reach) {
    if (reach <= bound_ || is_above(slot)) return;
    constexpr double moderate = 1.2;
    constexpr std::size_t few = 32;
    if (reach <= moderate * chosen_ || above_.size() >= few + is_above_.size() / 256) {
        bound_ = reach;
        return;
    }
    above_.push_back(slot);
    is_above_[slot] = 1;
}

}  // namespace ricochet
