// SPDX-License-Identifier: BSD-3-Clause
#include "kinetic/tetrahedra_builder.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "kinetic/power_certificate3.hpp"

namespace ricochet {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

/// An image of a point.
struct Image {
    std::uint32_t point = Tetrahedra::none;
    PeriodOffset offset{};
    friend bool operator==(const Image&, const Image&) = default;
};

Vec3 cross(Vec3 a, Vec3 b) { return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x}; }

/// Points sorted into cells of about two each.
class PointGrid {
  public:
    PointGrid(std::span<const WeightedPoint> points, Vec3 period) : points_(points), period_(period) {
        const double volume = period.x * period.y * period.z;
        spacing_ = std::cbrt(volume / static_cast<double>(points.size()));
        constexpr double widths_per_spacing = 1.2, most_cells = 1000;
        for (int axis = 0; axis < 3; ++axis) {
            const auto k = static_cast<std::size_t>(axis);
            count_[k] = static_cast<int>(
                std::clamp(std::floor(period[axis] / (widths_per_spacing * spacing_)), 1.0, most_cells));
            width_[axis] = period[axis] / count_[k];
        }
        first_.assign(static_cast<std::size_t>(count_[0]) * static_cast<std::size_t>(count_[1]) *
                              static_cast<std::size_t>(count_[2]) +
                          1,
                      0);
        for (const WeightedPoint& point : points) {
            ++first_[number_of(point.position) + 1];
            most_weight_ = std::max(most_weight_, point.weight);
        }
        for (std::size_t cell = 1; cell < first_.size(); ++cell) first_[cell] += first_[cell - 1];
        sorted_.resize(points.size());
        std::vector<std::uint32_t> next(first_.begin(), first_.end() - 1);
        for (std::uint32_t k = 0; k < points.size(); ++k) sorted_[next[number_of(points[k].position)]++] = k;
    }

    double spacing() const { return spacing_; }
    double most_weight() const { return most_weight_; }
    double weight(const Image& image) const { return points_[image.point].weight; }
    Vec3 position(const Image& image) const {
        const Vec3 at = points_[image.point].position;
        return {at.x + image.offset[0] * period_.x, at.y + image.offset[1] * period_.y,
                at.z + image.offset[2] * period_.z};
    }

    /// visit(image, position) for all points in the cells that a ball overlaps.
    template <class Visit>
    void for_each_near(Vec3 centre, double radius, Visit&& visit) const {
        std::array<int, 3> low{}, high{};
        for (int axis = 0; axis < 3; ++axis) {
            const auto k = static_cast<std::size_t>(axis);
            low[k] = static_cast<int>(std::floor((centre[axis] - radius) / width_[axis]));
            high[k] = static_cast<int>(std::floor((centre[axis] + radius) / width_[axis]));
        }
        for (int x = low[0]; x <= high[0]; ++x)
            for (int y = low[1]; y <= high[1]; ++y)
                for (int z = low[2]; z <= high[2]; ++z) visit_cell({x, y, z}, visit);
    }

  private:
    std::size_t number_of(Vec3 at) const {
        std::array<int, 3> cell{};
        for (int axis = 0; axis < 3; ++axis) {
            const auto k = static_cast<std::size_t>(axis);
            cell[k] = std::clamp(static_cast<int>(at[axis] / width_[axis]), 0, count_[k] - 1);
        }
        return number_of(cell);
    }
    std::size_t number_of(const std::array<int, 3>& cell) const {
        return (static_cast<std::size_t>(cell[0]) * static_cast<std::size_t>(count_[1]) +
                static_cast<std::size_t>(cell[1])) *
                   static_cast<std::size_t>(count_[2]) +
               static_cast<std::size_t>(cell[2]);
    }
    template <class Visit>
    void visit_cell(std::array<int, 3> cell, Visit& visit) const {
        Image image;
        for (std::size_t k = 0; k < 3; ++k) {
            const int laps = cell[k] >= 0 ? cell[k] / count_[k] : -((count_[k] - 1 - cell[k]) / count_[k]);
            constexpr int most_laps = 60;  // differences of offsets have eight bits
            if (std::abs(laps) > most_laps) return;
            image.offset[k] = static_cast<std::int8_t>(laps);
            cell[k] -= laps * count_[k];
        }
        const std::size_t number = number_of(cell);
        for (std::size_t k = first_[number]; k < first_[number + 1]; ++k) {
            image.point = sorted_[k];
            visit(image, position(image));
        }
    }

    std::span<const WeightedPoint> points_;
    Vec3 period_, width_;
    double spacing_ = 0, most_weight_ = 0;
    std::array<int, 3> count_{};
    std::vector<std::uint32_t> first_;   ///< by cell, in sorted_; one more than there are
    std::vector<std::uint32_t> sorted_;  ///< points by cell
};

/// Three corners and the side to look at: along cross(b - a, c - a).
using FacetCorners = std::array<Image, 3>;

/// A facet, wherever its frame is.
struct FacetKey {
    std::array<std::uint32_t, 3> vertex;  ///< ascending
    std::array<PeriodOffset, 2> offset;   ///< of the second and the third from the first
    friend bool operator==(const FacetKey&, const FacetKey&) = default;
};
struct FacetKeyHash {
    std::size_t operator()(const FacetKey& key) const {
        std::uint64_t h = 0;
        const auto mix = [&h](std::uint64_t value) {
            h = (h ^ value) * 0x9e3779b97f4a7c15u;
            h ^= h >> 29;
        };
        for (const std::uint32_t vertex : key.vertex) mix(vertex);
        for (const PeriodOffset& offset : key.offset)
            for (const std::int8_t value : offset) mix(static_cast<std::uint8_t>(value));
        return static_cast<std::size_t>(h);
    }
};

class TetrahedraBuilder {
  public:
    TetrahedraBuilder(std::span<const WeightedPoint> points, Vec3 period, Tetrahedra& tetrahedra)
        : points_(points), period_(period), grid_(points, period), tetrahedra_(tetrahedra) {}

    BuildResult run();

  private:
    struct Nearest {
        Image image;
        double distance = infinite;
    };

    template <class Distance>
    Nearest nearest_to(const Image& a, double foot, Distance&& distance) const;
    bool add_first();
    bool add(const FacetCorners& triangle, const Image& apex);
    std::optional<Image> apex_of(const FacetCorners& triangle) const;
    FacetCorners outside_of(Facet facet) const;
    FacetKey key_of(Facet facet) const;
    bool is_whole() const;
    bool neighbours_differ() const;

    std::span<const WeightedPoint> points_;
    Vec3 period_;
    PointGrid grid_;
    Tetrahedra& tetrahedra_;
    std::unordered_map<FacetKey, Facet, FacetKeyHash> open_;
    std::vector<Facet> to_do_;  ///< those that are open, and others
    bool is_too_small_ = false;
};

BuildResult TetrahedraBuilder::run() {
    tetrahedra_.clear(points_.size());
    constexpr std::size_t most_per_point = 1000;
    bool is_done = add_first();
    while (is_done && !to_do_.empty()) {
        const Facet facet = to_do_.back();
        to_do_.pop_back();
        if (tetrahedra_[facet.tetrahedron].neighbour[facet.corner] != Tetrahedra::none) continue;
        const FacetCorners triangle = outside_of(facet);
        const std::optional<Image> apex = apex_of(triangle);
        is_done = apex && add(triangle, *apex) && tetrahedra_.size() < most_per_point * points_.size();
    }
    if (is_too_small_) return BuildResult::torus_too_small;
    if (!is_done || !is_whole()) return BuildResult::failed;
    return neighbours_differ() ? BuildResult::done : BuildResult::torus_too_small;
}

/// The face or edge of the cell of `a` with the least distance(image, separation from `a`). Distances are measured from
/// a foot. They are at least half the separation, but for the foot's own distance and weights.
template <class Distance>
TetrahedraBuilder::Nearest TetrahedraBuilder::nearest_to(const Image& a, double foot,
                                                         Distance&& distance) const {
    const Vec3 origin = grid_.position(a);
    Nearest nearest;
    for (double radius = 2 * grid_.spacing();; radius *= 2) {
        grid_.for_each_near(origin, radius, [&](const Image& image, Vec3 at) {
            if (image == a) return;
            const double here = distance(image, at - origin);
            if (here < nearest.distance) nearest = {image, here};
        });
        const double nearest_beyond = 0.5 * (radius - grid_.most_weight() / radius) - foot;
        if (nearest.distance < nearest_beyond || radius > 4 * norm(period_)) return nearest;
    }
}

/// The nearest face of a point's cell leads to an edge. The edge of that face nearest to the foot of the perpendicular
/// leads to a triangle.
bool TetrahedraBuilder::add_first() {
    if (points_.empty()) return false;
    const Image a{0, {}};
    const double weight = grid_.weight(a);
    const Nearest face = nearest_to(a, 0, [&](const Image& image, Vec3 apart) {
        const double length = norm(apart);
        return (length * length - grid_.weight(image) + weight) / (2 * length);
    });
    if (face.image.point == Tetrahedra::none) return false;
    const Vec3 towards = grid_.position(face.image) - grid_.position(a);
    const Vec3 direction = (1 / norm(towards)) * towards;
    const Vec3 foot = face.distance * direction;
    const Nearest edge = nearest_to(a, norm(foot), [&](const Image& image, Vec3 apart) {
        if (image == face.image) return infinite;
        const Vec3 along = apart - dot(apart, direction) * direction;
        return (0.5 * (dot(apart, apart) - grid_.weight(image) + weight) - dot(foot, apart)) / norm(along);
    });
    if (edge.image.point == Tetrahedra::none) return false;
    const FacetCorners triangle{a, face.image, edge.image};
    const std::optional<Image> apex = apex_of(triangle);
    return apex && add(triangle, *apex);
}

/// In front of the triangle.
std::optional<Image> TetrahedraBuilder::apex_of(const FacetCorners& triangle) const {
    const Vec3 origin = grid_.position(triangle[0]);
    const Vec3 u = grid_.position(triangle[1]) - origin, v = grid_.position(triangle[2]) - origin;
    const double weight = grid_.weight(triangle[0]);
    const double lifted_u = dot(u, u) - grid_.weight(triangle[1]) + weight;
    const double lifted_v = dot(v, v) - grid_.weight(triangle[2]) + weight;
    const Vec3 normal = cross(u, v);
    const double area = dot(normal, normal);
    if (!(area > 0)) return std::nullopt;
    const Vec3 unit = (1 / std::sqrt(area)) * normal;
    const Vec3 foot = (0.5 / area) * (lifted_u * cross(v, normal) + lifted_v * cross(normal, u));
    const double room = std::max(0.0, grid_.most_weight() - weight);
    constexpr double least_front = 1e-10;  // as the sine of an angle: a point in the plane is behind it
    std::optional<Image> best;
    double height = 0.5 * grid_.spacing();
    while (height < 8 * norm(period_)) {
        double lowest = height;
        const Vec3 centre = foot + height * unit;
        grid_.for_each_near(
            origin + centre, std::sqrt(dot(centre, centre) + room), [&](const Image& image, Vec3 at) {
                const Vec3 apart = at - origin;
                const double front = dot(unit, apart);
                if (!(front > 0 && front * front > least_front * least_front * dot(apart, apart))) return;
                const double above = dot(apart, apart) - grid_.weight(image) + weight - 2 * dot(foot, apart);
                if (!(above < 2 * front * lowest)) return;
                if (image == triangle[0] || image == triangle[1] || image == triangle[2]) return;
                lowest = above / (2 * front);
                best = image;
            });
        if (best) return best;
        height *= 1.7;
    }
    return std::nullopt;
}

/// With the apex in front of the triangle.
bool TetrahedraBuilder::add(const FacetCorners& triangle, const Image& apex) {
    const std::uint32_t t =
        tetrahedra_.add({triangle[0].point, triangle[1].point, triangle[2].point, apex.point},
                        {triangle[0].offset, triangle[1].offset, triangle[2].offset, apex.offset});
    const Tetrahedron& added = tetrahedra_[t];
    for (std::size_t k = 0; k < 4; ++k)
        for (std::size_t l = 0; l < k; ++l)
            is_too_small_ = is_too_small_ || added.vertex[k] == added.vertex[l];
    if (is_too_small_) return false;
    for (std::uint32_t corner = 0; corner < 4; ++corner) {
        const Facet facet{t, corner};
        const auto [other, is_new] = open_.try_emplace(key_of(facet), facet);
        if (is_new) {
            to_do_.push_back(facet);
        } else {
            tetrahedra_.link(facet, other->second);
            open_.erase(other);
        }
    }
    return true;
}

/// The facet, with its tetrahedron, whose volume is positive, behind it.
FacetCorners TetrahedraBuilder::outside_of(Facet facet) const {
    const Tetrahedron& of = tetrahedra_[facet.tetrahedron];
    FacetCorners triangle;
    std::size_t next = 0;
    for (std::uint32_t k = 0; k < 4; ++k)
        if (k != facet.corner) triangle[next++] = {of.vertex[k], of.offset[k]};
    if (facet.corner % 2 == 1) std::swap(triangle[0], triangle[1]);
    return triangle;
}

FacetKey TetrahedraBuilder::key_of(Facet facet) const {
    FacetCorners corners = outside_of(facet);
    std::sort(corners.begin(), corners.end(),
              [](const Image& p, const Image& q) { return p.point < q.point; });
    FacetKey key{{corners[0].point, corners[1].point, corners[2].point}, {}};
    for (std::size_t k = 0; k < 3; ++k) {
        key.offset[0][k] = static_cast<std::int8_t>(corners[1].offset[k] - corners[0].offset[k]);
        key.offset[1][k] = static_cast<std::int8_t>(corners[2].offset[k] - corners[0].offset[k]);
    }
    return key;
}

bool TetrahedraBuilder::is_whole() const {
    if (!open_.empty()) return false;
    for (std::uint32_t k = 0; k < points_.size(); ++k)
        if (tetrahedra_.one_of(k) == Tetrahedra::none) return false;
    double volume = 0;
    for (std::uint32_t t = 0; t < tetrahedra_.size(); ++t) {
        const Tetrahedron& of = tetrahedra_[t];
        const auto at = [&](std::size_t k) { return grid_.position({of.vertex[k], of.offset[k]}); };
        const double part = six_volumes(at(0), at(1), at(2), at(3));
        if (!(part > 0)) return false;
        volume += part / 6;
    }
    const double whole = period_.x * period_.y * period_.z;
    return std::abs(volume - whole) < 1e-6 * whole;
}

/// The invariant of Tetrahedra.
bool TetrahedraBuilder::neighbours_differ() const {
    for (std::uint32_t t = 0; t < tetrahedra_.size(); ++t)
        for (std::uint32_t corner = 0; corner < 4; ++corner)
            if (!tetrahedra_.view({t, corner})) return false;
    return true;
}

}  // namespace

BuildResult build_tetrahedra(std::span<const WeightedPoint> points, Vec3 period, Tetrahedra& tetrahedra) {
    return TetrahedraBuilder(points, period, tetrahedra).run();
}

}  // namespace ricochet
