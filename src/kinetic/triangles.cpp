// SPDX-License-Identifier: BSD-3-Clause
#include "kinetic/triangles.hpp"

#include <algorithm>

namespace ricochet {

void Triangles::start(std::size_t num_slots, Slot vertex) {
    opposite_edge_.assign(num_slots, EdgeName{none});
    triangles_.assign(2, Triangle{});
    put(0, {Corner{vertex, 0, 0}, {vertex, 1, 0}, {vertex, 1, 1}});
    put(1, {Corner{vertex, 0, 0}, {vertex, 1, 1}, {vertex, 0, 1}});
    link(0, 4);
    link(1, 5);
    link(2, 3);
}

/// Into a frame in which the offset of the first corner is 0.
void Triangles::put(std::uint32_t triangle, std::array<Corner, 3> corners) {
    const Corner first = corners[0], origin{first.slot, 0, 0};
    for (std::uint32_t k = 0; k < 3; ++k) {
        triangles_[triangle].corner[k] = shifted(corners[k], first, origin);
        opposite_edge_[corners[k].slot] = 3 * triangle + k;
    }
}

void Triangles::link(EdgeName a, EdgeName b) {
    triangles_[a / 3].twin[a % 3] = b;
    triangles_[b / 3].twin[b % 3] = a;
}

EdgeName Triangles::set_stamp(EdgeName edge, std::uint32_t stamp) {
    const EdgeName other = twin(edge), lower = std::min(edge, other), higher = std::max(edge, other);
    triangles_[lower / 3].stamp[lower % 3] = stamp;
    triangles_[higher / 3].stamp[higher % 3] = 0;
    return lower;
}

Quadrilateral Triangles::quadrilateral(EdgeName edge) const {
    const EdgeName other = twin(edge);
    const Corner &begin = corner(after(edge)), &end = corner(before(edge));
    return {corner(edge), begin, end, shifted(corner(other), corner(before(other)), begin)};
}

void Triangles::split(std::uint32_t triangle, Corner vertex) {
    const Triangle old = triangles_[triangle];
    const auto [a, b, c] = old.corner;
    const auto second = static_cast<std::uint32_t>(size()), third = second + 1;
    triangles_.resize(size() + 2);
    put(triangle, {a, b, vertex});
    put(second, {b, c, vertex});
    put(third, {c, a, vertex});
    // The twins of the outer edges may be outer edges too.
    const std::array<EdgeName, 3> outer{3 * second + 2, 3 * third + 2, 3 * triangle + 2};
    for (std::uint32_t k = 0; k < 3; ++k) {
        const EdgeName other = old.twin[k];
        link(outer[k], other / 3 == triangle ? outer[other % 3] : other);
    }
    link(3 * triangle, 3 * second + 1);
    link(3 * second, 3 * third + 1);
    link(3 * third, 3 * triangle + 1);
}

void Triangles::flip(EdgeName edge) {
    const EdgeName other = twin(edge);
    const auto [a, b, c, d] = quadrilateral(edge);
    const std::uint32_t left = edge / 3, right = other / 3;
    const std::array<EdgeName, 4> before_flip{after(other), before(edge), after(edge), before(other)};
    const std::array<EdgeName, 4> after_flip{3 * left, 3 * left + 2, 3 * right, 3 * right + 2};
    std::array<EdgeName, 4> twins{};
    for (std::size_t k = 0; k < 4; ++k) {
        twins[k] = twin(before_flip[k]);
        // The twins of the outer edges may be outer edges too.
        const auto* const found = std::find(before_flip.begin(), before_flip.end(), twins[k]);
        if (found != before_flip.end())
            twins[k] = after_flip[static_cast<std::size_t>(found - before_flip.begin())];
    }
    put(left, {a, b, d});
    put(right, {d, c, a});
    for (std::size_t k = 0; k < 4; ++k) link(after_flip[k], twins[k]);
    link(3 * left + 1, 3 * right + 1);
}

}  // namespace ricochet
