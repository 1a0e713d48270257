// SPDX-License-Identifier: BSD-3-Clause
#include "placement/lattice.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "model/box_fit.hpp"
#include "ricochet/core/check.hpp"

namespace ricochet {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
/// A lattice without vacancies may have this part of the widest spacing, and this multiple of the diameter.
constexpr double least_part_of_widest = 0.95, least_gap = 1.005;

bool is_chessboard(LatticeKind type) { return type == LatticeKind::fcc || type == LatticeKind::hexagonal; }

/// Length over which the layers of an axis are spread.
double open_length(const Box& box, double margin, int axis) {
    return box.has_walls(axis) ? box.size[axis] - 2 * margin : box.size[axis];
}

/// The spacing of a cubic (square) arrangement of `count` layer crossings. By bisection, because cube roots
/// differ between C libraries.
double even_spacing(const Box& box, double count) {
    double low = 0, high = std::max({box.size.x, box.size.y, box.size.z});
    for (int k = 0; k < 60; ++k) {
        const double middle = 0.5 * (low + high);
        const double power = box.dimension == 2 ? middle * middle : middle * middle * middle;
        (power * count < box.volume() ? low : high) = middle;
    }
    return high;
}

struct LayerRange {
    std::uint64_t first, last, stride;
};

/// The numbers of layers to try across an axis: from less than half of to more than twice the even number.
/// More layers than sites are useless, however long the axis is.
LayerRange layers_to_try(const Box& box, int axis, double spacing, bool chessboard, std::uint64_t count) {
    const double even = std::min(box.size[axis] / spacing, static_cast<double>(count));
    const bool needs_even_number = chessboard && box.is_periodic(axis);
    const auto first = std::max<std::uint64_t>(1, static_cast<std::uint64_t>(0.4 * even));
    const auto last = static_cast<std::uint64_t>(2.2 * even) + 4;
    if (!needs_even_number) return {first, last, 1};
    return {first + first % 2, last + last % 2, 2};
}

}  // namespace

std::string_view to_string(LatticeKind type) {
    constexpr std::array<std::string_view, 4> names{"sc", "fcc", "square", "hexagonal"};
    return names[static_cast<std::size_t>(type)];
}

int dimension_of(LatticeKind type) { return type == LatticeKind::sc || type == LatticeKind::fcc ? 3 : 2; }

Lattice::Lattice(LatticeKind type, const Box& box, double margin, std::array<std::uint64_t, 3> layers)
    : box_(box), margin_(margin), is_chessboard_(is_chessboard(type)), layers_(layers) {
    for (int axis = 0; axis < box.dimension; ++axis) {
        const auto n = static_cast<double>(layers[static_cast<std::size_t>(axis)]);
        const double gaps = box.has_walls(axis) ? n - 1 : n;
        spacing_[axis] = gaps > 0 ? open_length(box, margin, axis) / gaps : 0;
    }
    num_sites_ = layers[0] / (is_chessboard_ ? 2 : 1) * layers[1] * layers[2];
}

Lattice Lattice::widest(LatticeKind type, const Box& box, double margin, std::uint64_t count) {
    RICOCHET_CHECK_EQ(box.dimension, dimension_of(type));
    RICOCHET_CHECK_GT(count, 0);
    const bool chessboard = is_chessboard(type);
    const double spacing = even_spacing(box, static_cast<double>(count) * (chessboard ? 2 : 1));
    const LayerRange ys = layers_to_try(box, 1, spacing, chessboard, count);
    const LayerRange zs =
        box.dimension == 2 ? LayerRange{1, 1, 1} : layers_to_try(box, 2, spacing, chessboard, count);
    Lattice best(type, box, margin, {0, 0, 0}), full = best;
    double widest = -1, widest_full = -1;
    for (std::uint64_t z = zs.first; z <= zs.last; z += zs.stride)
        for (std::uint64_t y = ys.first; y <= ys.last; y += ys.stride) {
            const std::uint64_t sites_per_row = (count + y * z - 1) / (y * z);
            const Lattice lattice(type, box, margin, {sites_per_row * (chessboard ? 2 : 1), y, z});
            const double distance = lattice.nearest_distance();
            if (distance > widest || (distance == widest && lattice.num_sites() < best.num_sites())) {
                widest = distance;
                best = lattice;
            }
            if (lattice.num_sites() == count && distance > widest_full) {
                widest_full = distance;
                full = lattice;
            }
        }
    const bool is_worth_filling =
        widest_full >= least_part_of_widest * widest && widest_full >= 2 * margin * least_gap;
    return is_worth_filling ? full : best;
}

double Lattice::nearest_distance() const {
    // Along one axis the nearest site is one layer away, or two on the chessboard. There, the diagonal of two
    // axes is the other candidate. An axis with no more layers than that has no such neighbour (only the
    // site's own image, which is no pair).
    const std::uint64_t step = is_chessboard_ ? 2 : 1;
    double nearest = infinity;
    for (int a = 0; a < box_.dimension; ++a) {
        const std::uint64_t layers = layers_[static_cast<std::size_t>(a)];
        if (layers > step) nearest = std::min(nearest, static_cast<double>(step) * spacing_[a]);
        for (int b = 0; is_chessboard_ && b < a; ++b) {
            if (layers < 2 || layers_[static_cast<std::size_t>(b)] < 2) continue;
            nearest = std::min(nearest, norm({spacing_[a], spacing_[b], 0}));
        }
    }
    return nearest;
}

std::optional<std::vector<Vec3>> Lattice::ways_within(double reach) const {
    constexpr double most = 1e6;
    std::array<std::int64_t, 3> farthest{};
    double num_tried = 1;
    for (int axis = 0; axis < box_.dimension; ++axis) {
        const auto a = static_cast<std::size_t>(axis);
        if (layers_[a] > 1)
            farthest[a] = static_cast<std::int64_t>(
                std::min(reach / spacing_[axis], static_cast<double>(layers_[a] - 1)));
        num_tried *= static_cast<double>(2 * farthest[a] + 1);
    }
    if (num_tried > most) return std::nullopt;
    std::vector<Vec3> ways;
    for (std::int64_t x = -farthest[0]; x <= farthest[0]; ++x)
        for (std::int64_t y = -farthest[1]; y <= farthest[1]; ++y)
            for (std::int64_t z = -farthest[2]; z <= farthest[2]; ++z) {
                const bool is_site = !is_chessboard_ || (x + y + z) % 2 == 0;
                const Vec3 way{static_cast<double>(x) * spacing_.x, static_cast<double>(y) * spacing_.y,
                               static_cast<double>(z) * spacing_.z};
                if (is_site && (x != 0 || y != 0 || z != 0) && norm(way) <= reach) ways.push_back(way);
            }
    return ways;
}

Vec3 Lattice::site(std::uint64_t index) const {
    RICOCHET_DCHECK_LT(index, num_sites_);
    const std::uint64_t sites_per_row = layers_[0] / (is_chessboard_ ? 2 : 1);
    const std::uint64_t row = index / sites_per_row;
    std::array<std::uint64_t, 3> layer{index % sites_per_row, row % layers_[1], row / layers_[1]};
    if (is_chessboard_) layer[0] = 2 * layer[0] + (layer[1] + layer[2]) % 2;
    Vec3 result;
    for (int axis = 0; axis < box_.dimension; ++axis) {
        const auto n = static_cast<double>(layer[static_cast<std::size_t>(axis)]);
        const double length = box_.size[axis];
        if (box_.is_periodic(axis))
            result[axis] = (n + 0.5) * spacing_[axis];
        else if (layers_[static_cast<std::size_t>(axis)] == 1)
            result[axis] = confined(0.5 * length, margin_, length);
        else
            result[axis] = confined(margin_ + n * spacing_[axis], margin_, length);
    }
    return result;
}

}  // namespace ricochet
