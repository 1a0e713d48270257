// SPDX-License-Identifier: BSD-3-Clause
#include "search/boxes.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>

#include "ricochet/core/array_memory.hpp"
#include "ricochet/core/check.hpp"

namespace ricochet {

std::unique_ptr<BroadPhase> make_boxes(const Box& box, const SearchOptions& options) {
    return std::make_unique<Boxes>(box, options);
}

std::uint32_t Boxes::Axis::kept(std::int64_t box) const {
    const std::int64_t after = box >= begin ? box - begin : box - begin + num;
    return static_cast<std::uint32_t>(std::min(after, num_own));
}

/// `at` may lie up to one length of the box outside.
std::uint32_t Boxes::Axis::box_of(std::int64_t at) const {
    return kept((at & (FixedPoint::length - 1)) * num / FixedPoint::length);
}

void Boxes::choose_numbers(SearchDomain domain) {
    if (num_asked_ == 0)
        choose_by_density(domain);
    else
        for (std::size_t a = 0; a < 3; ++a)
            axes_[a].num = static_cast<int>(a) < box().dimension ? static_cast<std::int64_t>(num_asked_) : 1;
    constexpr double most_entries = 64;
    while (mean_entries() > most_entries && halve_numbers()) continue;
    set_window(domain);
}

void Boxes::choose_by_density(SearchDomain domain) {
    const auto size = static_cast<double>(spheres().size());
    double sum = 0, volume = domain.width;
    for (const BoundingSphere& sphere : spheres()) sum += static_cast<double>(sphere.reach);
    for (int axis = 1; axis < box().dimension; ++axis) volume *= box().size[axis];
    constexpr double reaches_wide = 3, spheres_per_box = 2, fewest = 64, most_per_sphere = 4;
    const double spacing = std::pow(spheres_per_box * volume / std::max(size, 1.0), 1.0 / box().dimension);
    const double edge = std::max(size > 0 ? reaches_wide * sum / size : 0, spacing);
    for (std::size_t a = 0; a < 3; ++a) {
        const int axis = static_cast<int>(a);
        const double fit = axis < box().dimension ? box().size[axis] / edge : 1;
        axes_[a].num = static_cast<std::int64_t>(std::clamp(fit, 1.0, static_cast<double>(most_along)));
    }
    const double share = domain.width / box().size.x;
    while (total_boxes() * share > std::max(fewest, most_per_sphere * size)) {
        Axis& most = *std::max_element(axes_.begin(), axes_.end(),
                                       [](const Axis& a, const Axis& b) { return a.num < b.num; });
        if (most.num == 1) break;
        most.num = (most.num + 1) / 2;
    }
}

double Boxes::total_boxes() const {
    double total = 1;
    for (const Axis& axis : axes_) total *= static_cast<double>(axis.num);
    return total;
}

/// About how many boxes a sphere meets.
double Boxes::mean_entries() const {
    if (spheres().empty()) return 1;
    double sum = 0;
    for (const FixedSphere& sphere : fixed_spheres()) {
        double entries = 1;
        for (std::size_t a = 0; a < 3; ++a) {
            const auto num = static_cast<double>(axes_[a].num);
            const double width =
                2 * static_cast<double>(sphere.extent[a]) / static_cast<double>(FixedPoint::length);
            entries *= std::min(num, 1 + width * num);
        }
        sum += entries;
    }
    return sum / static_cast<double>(spheres().size());
}

/// False if there is one box.
bool Boxes::halve_numbers() {
    const bool can_halve = total_boxes() > 1;
    for (Axis& axis : axes_) axis.num = (axis.num + 1) / 2;
    return can_halve;
}

void Boxes::set_window(SearchDomain domain) {
    for (Axis& axis : axes_) {
        axis.begin = 0;
        axis.num_own = axis.num;
    }
    if (domain.width >= box().size.x) return;
    Axis& x = axes_[0];
    const double edge = box().size.x / static_cast<double>(x.num);
    const double lower = domain.lower - slack();
    const auto first = static_cast<std::int64_t>(std::floor(lower / edge));
    const auto last = static_cast<std::int64_t>(std::floor((domain.lower + domain.width + slack()) / edge));
    if (last - first + 1 >= x.num) return;
    x.begin = ((first % x.num) + x.num) % x.num;
    x.num_own = last - first + 1;
}

/// Appends the kept boxes along one axis that the cube meets, each once.
void Boxes::find_along(const FixedSphere& sphere, std::size_t a, std::vector<std::uint32_t>& boxes) const {
    const Axis& axis = axes_[a];
    std::int64_t first = (sphere.low(a) * axis.num) >> 32, last = (sphere.high(a) * axis.num) >> 32;
    if (!fixed().is_ring(a)) {
        first = std::max<std::int64_t>(first, 0);
        last = std::min(last, axis.num - 1);
    }
    if (last - first + 1 >= axis.num) {
        first = 0;
        last = axis.num - 1;
    }
    bool is_outside = false;
    for (std::int64_t box = first; box <= last; ++box) {
        const std::int64_t in_ring = box < 0 ? box + axis.num : box >= axis.num ? box - axis.num : box;
        const std::uint32_t kept = axis.kept(in_ring);
        const bool is_shared = kept == axis.num_own && axis.num_own < axis.num;
        if (!is_shared || !is_outside) boxes.push_back(kept);
        is_outside = is_outside || is_shared;
    }
}

template <class Visit>
void Boxes::for_each_bucket(const FixedSphere& sphere, Visit&& visit) const {
    for (std::size_t a = 0; a < 3; ++a) {
        along_[a].clear();
        find_along(sphere, a, along_[a]);
    }
    const auto num_y = static_cast<std::uint32_t>(axes_[1].num),
               num_z = static_cast<std::uint32_t>(axes_[2].num);
    for (const std::uint32_t x : along_[0])
        for (const std::uint32_t y : along_[1])
            for (const std::uint32_t z : along_[2]) visit((x * num_y + y) * num_z + z);
}

void Boxes::find_buckets(const FixedSphere& sphere, std::vector<std::uint32_t>& buckets) const {
    for_each_bucket(sphere, [&](std::uint32_t bucket) { buckets.push_back(bucket); });
}

bool Boxes::contains(std::uint32_t bucket, const FixedPosition& position) const {
    const auto num_y = static_cast<std::uint32_t>(axes_[1].num),
               num_z = static_cast<std::uint32_t>(axes_[2].num);
    return bucket == (axes_[0].box_of(position[0]) * num_y + axes_[1].box_of(position[1])) * num_z +
                         axes_[2].box_of(position[2]);
}

/// A counting sort: the entries of each box are counted, then written from behind.
void Boxes::divide(SearchDomain domain, std::vector<std::uint32_t>& starts, std::vector<Slot>& slots) {
    choose_numbers(domain);
    const auto total = static_cast<std::size_t>(axes_[0].num_kept() * axes_[1].num * axes_[2].num);
    resize_for_overwrite(starts, total + 1);
    std::fill(starts.begin(), starts.end(), 0u);
    for (const FixedSphere& sphere : fixed_spheres())
        for_each_bucket(sphere, [&](std::uint32_t bucket) { ++starts[bucket]; });
    std::uint64_t end = 0;
    for (std::uint32_t& start : starts) {
        end += start;
        RICOCHET_CHECK_LE(end, std::numeric_limits<std::uint32_t>::max());
        start = static_cast<std::uint32_t>(end);
    }
    resize_for_overwrite(slots, end);
    for (std::size_t slot = fixed_spheres().size(); slot-- > 0;)
        for_each_bucket(fixed_spheres()[slot],
                        [&](std::uint32_t bucket) { slots[--starts[bucket]] = static_cast<Slot>(slot); });
}

}  // namespace ricochet
