// SPDX-License-Identifier: BSD-3-Clause
#include "geometry/sphere_grid.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "ricochet/core/check.hpp"

namespace ricochet {

SphereGrid::SphereGrid(const Box& box, double edge, std::size_t expected) : cells_(box, edge) {
    nodes_.reserve(expected);
    rehash(std::bit_ceil(std::max<std::size_t>(expected + expected / 2, 16)));
}

void SphereGrid::link(std::uint32_t node) {
    constexpr Cell mask = (Cell{1} << 21) - 1;
    const Cell cell = nodes_[node].cell;
    std::uint32_t& head = heads_[bucket(cell & mask, (cell >> 21) & mask, cell >> 42)];
    nodes_[node].next = head;
    head = node;
}

void SphereGrid::rehash(std::size_t num_buckets) {
    heads_.assign(num_buckets, end_of_chain);
    for (std::size_t node = 0; node < nodes_.size(); ++node) link(static_cast<std::uint32_t>(node));
}

void SphereGrid::insert(const Sphere& sphere) {
    if (nodes_.size() >= heads_.size()) rehash(2 * heads_.size());
    // Usually there are a few more spheres than expected; doubling the memory would be too much.
    if (nodes_.size() == nodes_.capacity()) nodes_.reserve(nodes_.size() + nodes_.size() / 4 + 16);
    nodes_.push_back({sphere, cell_of(sphere.centre), end_of_chain});
    link(static_cast<std::uint32_t>(nodes_.size() - 1));
}

int size_class(double radius, double largest) {
    RICOCHET_DCHECK_LE(radius, largest);
    int result = 0;
    for (double bound = 0.5 * largest; radius <= bound && result < num_size_classes - 1; bound *= 0.5)
        ++result;
    return result;
}

double class_top(int size_class, double largest) { return std::ldexp(largest, -size_class); }

SphereLevels::SphereLevels(const Box& box, double largest,
                           const std::array<std::uint64_t, num_size_classes>& expected)
    : largest_(largest) {
    levels_.reserve(num_size_classes);
    for (int c = 0; c < num_size_classes; ++c) {
        const std::uint64_t count = expected[static_cast<std::size_t>(c)];
        levels_.emplace_back(box, 2 * class_top(c, largest), static_cast<std::size_t>(count));
    }
}

void SphereLevels::insert(const Sphere& sphere) {
    levels_[static_cast<std::size_t>(size_class(sphere.radius, largest_))].insert(sphere);
}

}  // namespace ricochet
