// SPDX-License-Identifier: BSD-3-Clause
#include "search/skin_choice.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace ricochet {
namespace {

constexpr std::size_t most_in_sample = 512;

std::size_t stride_of(std::size_t num_spheres) { return num_spheres / most_in_sample + 1; }

/// Rearranges the values.
double median(std::vector<double>& values) {
    const auto middle = values.begin() + std::ssize(values) / 2;
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

}  // namespace

double SkinChoice::skin(std::span<const BoundingSphere> spheres) {
    if (wait_ > 0) {
        --wait_;
        return 0;
    }
    if (skin_ == 0) {
        const bool has_sample = !sample_.empty();
        if (has_sample) measure(spheres);
        if (!has_sample) take_sample(spheres);
    }
    if (skin_ == 0) return 0;
    cost_ = 1;
    age_ = 1;
    return skin_;
}

void SkinChoice::take_sample(std::span<const BoundingSphere> spheres) {
    for (std::size_t k = 0; k < spheres.size(); k += stride_of(spheres.size())) sample_.push_back(spheres[k]);
}

/// The median leaves out slots that have other particles now: copies at faces, and arrivals.
void SkinChoice::measure(std::span<const BoundingSphere> spheres) {
    constexpr double steps = 16, fewest_steps = 6, least_in_reaches = 0.02, most_in_reaches = 0.4;
    const std::size_t stride = stride_of(spheres.size());
    std::vector<double> displacements, reaches;
    for (std::size_t n = 0, k = 0; n < sample_.size() && k < spheres.size(); ++n, k += stride) {
        displacements.push_back(norm(minimum_image(spheres[k].midpoint() - sample_[n].midpoint(), images_)));
        reaches.push_back(static_cast<double>(spheres[k].reach));
    }
    sample_.clear();
    if (displacements.empty()) return back_off();
    const double displacement = median(displacements), reach = median(reaches);
    most_skin_ = most_in_reaches * reach;
    if (fewest_steps * displacement > most_skin_) return back_off();
    skin_ = std::clamp(steps * displacement, least_in_reaches * reach, most_skin_);
}

bool SkinChoice::lasts(std::size_t num_moved, std::size_t num_strays, std::size_t num_spheres) {
    constexpr double of_stray = 4, of_match = 0.25, of_comparing = 0.05;  // in searches, per particle
    const auto count = static_cast<double>(std::max<std::size_t>(1, num_spheres));
    const double cost =
        of_comparing +
        (of_stray * static_cast<double>(num_strays) + of_match * static_cast<double>(num_moved)) / count;
    if (cost * static_cast<double>(age_) >= cost_) {
        end_list();
        return false;
    }
    cost_ += cost;
    ++age_;
    return true;
}

/// Also adapts the skin of the next list: to displacements that have changed, and to how they add up.
void SkinChoice::end_list() {
    constexpr double worth_it = 0.7, wider = 1.25, narrower = 0.8;
    constexpr std::uint64_t short_life = 8, long_life = 64;
    if (cost_ > worth_it * static_cast<double>(age_)) return back_off();
    gap_ = least_gap;
    if (age_ < short_life) skin_ = std::min(wider * skin_, most_skin_);
    if (age_ > long_life) skin_ *= narrower;
}

void SkinChoice::back_off() {
    constexpr unsigned most_gap = 1024;
    skin_ = 0;
    wait_ = gap_;
    gap_ = std::min(2 * gap_, most_gap);
}

}  // namespace ricochet
