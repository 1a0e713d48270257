// SPDX-License-Identifier: BSD-3-Clause
#include "geometry/overlap_census.hpp"

#include <algorithm>
#include <numeric>

#include "geometry/sphere_grid.hpp"

namespace ricochet {

namespace {

double largest_radius(const Particles& particles) {
    double largest = 0;
    for (const Attributes& a : particles.attributes) largest = std::max(largest, a.radius);
    return largest;
}

/// Indices of the particles, large size classes first, so that partners are always inserted already. Within a
/// class they follow the order of the cells, for speed.
std::vector<std::size_t> search_order(const Particles& particles, const std::vector<int>& classes,
                                      const SphereLevels& levels) {
    std::vector<std::size_t> order(classes.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    sort_by_cell(
        order, [&](std::size_t k) { return levels.level(classes[k]).cell_of(particles.motion[k].position); });
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return classes[a] < classes[b]; });
    return order;
}

/// Calls found(a, b, gap) for every pair, a and b indices, until it returns true.
template <class Found>
void visit_overlaps(const Box& box, const Particles& particles, double tolerance, Found&& found) {
    if (particles.size() == 0) return;
    const double largest = largest_radius(particles);
    std::vector<int> classes(particles.size());
    std::array<std::uint64_t, num_size_classes> counts{};
    for (std::size_t k = 0; k < particles.size(); ++k) {
        classes[k] = size_class(particles.attributes[k].radius, largest);
        ++counts[static_cast<std::size_t>(classes[k])];
    }
    SphereLevels levels(box, largest, counts);
    const ImageLengths images(box);
    for (const std::size_t k : search_order(particles, classes, levels)) {
        // The index replaces the id, because ids may be duplicate here.
        const Sphere own{particles.motion[k].position, particles.attributes[k].radius, k};
        const bool stopped =
            levels.any_touching(own.centre, own.radius, 0, classes[k], [&](const Sphere& other) {
                if (!overlapping(own, other, images, 1 - tolerance)) return false;
                const double distance = norm(minimum_image(other.centre - own.centre, images));
                return found(k, static_cast<std::size_t>(other.id), distance - (own.radius + other.radius));
            });
        if (stopped) return;
        levels.insert(own);
    }
}

}  // namespace

std::vector<OverlappingPair> find_overlaps(
    const Box& box, const Particles& particles, double tolerance, std::size_t limit,
    const std::function<bool(std::size_t, std::size_t, double)>& counts) {
    std::vector<OverlappingPair> result;
    if (limit == 0) return result;
    visit_overlaps(box, particles, tolerance, [&](std::size_t a, std::size_t b, double gap) {
        const std::size_t first = std::min(a, b), second = std::max(a, b);
        if (counts && !counts(first, second, gap)) return false;
        result.push_back({first, second, gap});
        return result.size() >= limit;
    });
    std::sort(result.begin(), result.end(), [](const OverlappingPair& a, const OverlappingPair& b) {
        return a.first != b.first ? a.first < b.first : a.second < b.second;
    });
    return result;
}

std::uint64_t count_overlaps(const Box& box, const Particles& particles, double tolerance) {
    std::uint64_t count = 0;
    visit_overlaps(box, particles, tolerance, [&](std::size_t, std::size_t, double) {
        ++count;
        return false;
    });
    return count;
}

}  // namespace ricochet
