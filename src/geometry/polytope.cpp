// SPDX-License-Identifier: BSD-3-Clause
#include "geometry/polytope.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <utility>

#include "ricochet/core/check.hpp"

namespace ricochet {
namespace {

constexpr double flat = 1e-9;  ///< of the length: what is thinner counts as flat

using Corners = std::vector<std::uint32_t>;

Vec3 unit(Vec3 a) {
    const double length = norm(a);
    return {a.x / length, a.y / length, a.z / length};
}

Vec3 mean_of(const std::vector<Vec3>& points, const Corners& which) {
    Vec3 sum;
    for (const std::uint32_t k : which) sum = sum + points[k];
    return (1.0 / static_cast<double>(which.size())) * sum;
}

Corners all_of(const std::vector<Vec3>& points) {
    Corners all;
    for (std::uint32_t k = 0; k < points.size(); ++k) all.push_back(k);
    return all;
}

/// A face in the making: its normal, and the points in its plane.
struct Side {
    Vec3 normal;
    Corners points;
};

/// Finds the sides of a hull among the planes through two or three of its points.
class HullSides {
  public:
    HullSides(const std::vector<Vec3>& points, int dimension) : points_(points), dimension_(dimension) {
        const Vec3 middle = mean_of(points, all_of(points));
        for (const Vec3 point : points) size_ = std::max(size_, norm(point - middle));
    }

    /// Empty if the hull is flat.
    std::vector<Side> find() {
        const auto count = static_cast<std::uint32_t>(points_.size());
        for (std::uint32_t i = 0; i < count && !is_flat_; ++i)
            for (std::uint32_t j = i + 1; j < count && !is_flat_; ++j) {
                if (dimension_ == 2) {
                    try_plane(i, cross_product(points_[j] - points_[i], {0, 0, 1}), size_);
                    continue;
                }
                for (std::uint32_t k = j + 1; k < count && !is_flat_; ++k)
                    try_plane(i, cross_product(points_[j] - points_[i], points_[k] - points_[i]),
                              size_ * size_);
            }
        return is_flat_ ? std::vector<Side>{} : std::move(sides_);
    }

  private:
    /// The plane through a point; `scale`: the length of a typical normal; one that is far shorter has no direction.
    void try_plane(std::uint32_t through, Vec3 normal, double scale) {
        if (!(norm(normal) > flat * scale)) return;
        Side side{unit(normal), {}};
        const double slack = flat * size_;
        double least = 0, most = 0;
        for (std::uint32_t k = 0; k < points_.size(); ++k) {
            const double above = dot(side.normal, points_[k] - points_[through]);
            least = std::min(least, above);
            most = std::max(most, above);
            if (std::abs(above) <= slack) side.points.push_back(k);
        }
        if (most > slack && least < -slack) return;
        is_flat_ = is_flat_ || (most <= slack && least >= -slack);
        if (most > slack) side.normal = Vec3{} - side.normal;
        if (known_.insert(side.points).second) sides_.push_back(std::move(side));
    }

    const std::vector<Vec3>& points_;
    int dimension_;
    double size_ = 0;
    bool is_flat_ = false;
    std::set<Corners> known_;
    std::vector<Side> sides_;
};

/// Only those points that are corners, with the same order, in the numbers of the corners.
std::vector<Vec3> leave_corners(const std::vector<Vec3>& points, int dimension, std::vector<Side>& sides) {
    std::vector<int> num_sides(points.size(), 0);
    for (const Side& side : sides)
        for (const std::uint32_t k : side.points) ++num_sides[k];
    std::vector<std::uint32_t> number(points.size());
    std::vector<Vec3> corners;
    const auto is_corner = [&](std::uint32_t k) { return num_sides[k] >= dimension; };
    for (std::uint32_t k = 0; k < points.size(); ++k) {
        number[k] = static_cast<std::uint32_t>(corners.size());
        if (is_corner(k)) corners.push_back(points[k]);
    }
    for (Side& side : sides) {
        std::erase_if(side.points, [&](std::uint32_t k) { return !is_corner(k); });
        for (std::uint32_t& k : side.points) k = number[k];
    }
    return corners;
}

HalfSpace half_space_at(Vec3 normal, const std::vector<Vec3>& corners) {
    return {normal, support(corners, normal)};
}

Polytope::Edge edge_between(const std::vector<Vec3>& corners, std::uint32_t from, std::uint32_t to) {
    const Vec3 along = corners[to] - corners[from];
    return {from, to, unit(along), norm(along)};
}

/// The rim of a face along one of its edges.
HalfSpace rim_along(const Polytope& of, const Side& side, const Polytope::Edge& edge) {
    const Vec3 outwards = unit(cross_product(edge.direction, side.normal));
    const HalfSpace rim{outwards, dot(outwards, of.corners[edge.from])};
    if (rim.above(mean_of(of.corners, side.points)) < 0) return rim;
    return {Vec3{} - outwards, -rim.height};
}

/// The two ends of a side of a polygon.
std::vector<HalfSpace> ends_of(const Polytope& of, const Side& side) {
    const Vec3 along = edge_between(of.corners, side.points.front(), side.points.back()).direction;
    return {{along, dot(along, of.corners[side.points.back()])},
            {Vec3{} - along, -dot(along, of.corners[side.points.front()])}};
}

void add_edges(Polytope& of, const std::vector<Side>& sides) {
    for (std::size_t a = 0; a < sides.size(); ++a)
        for (std::size_t b = a + 1; b < sides.size(); ++b) {
            Corners common;
            std::set_intersection(sides[a].points.begin(), sides[a].points.end(), sides[b].points.begin(),
                                  sides[b].points.end(), std::back_inserter(common));
            if (common.size() != 2) continue;
            const Polytope::Edge edge = edge_between(of.corners, common[0], common[1]);
            of.edges.push_back(edge);
            for (const std::size_t k : {a, b}) of.faces[k].rims.push_back(rim_along(of, sides[k], edge));
        }
}

/// The volume of pyramids over the faces with their tip among the corners, and the centre of mass of all.
void weigh(Polytope& of, const std::vector<Side>& sides) {
    const Vec3 tip = mean_of(of.corners, all_of(of.corners));
    Vec3 moment;
    const auto add = [&](double volume, Vec3 centre) {
        of.volume += volume;
        moment = advanced(moment, centre, volume);
    };
    for (const Side& side : sides) {
        const Vec3 middle = mean_of(of.corners, side.points);
        if (of.dimension == 2) {
            const Vec3 a = of.corners[side.points.front()] - tip, b = of.corners[side.points.back()] - tip;
            add(0.5 * std::abs(cross_product(a, b).z), (1.0 / 3) * (a + b));
            continue;
        }
        for (const Polytope::Edge& edge : of.edges) {
            const auto is_here = [&](std::uint32_t k) { return std::ranges::binary_search(side.points, k); };
            if (!is_here(edge.from) || !is_here(edge.to)) continue;
            const Vec3 a = of.corners[edge.from] - tip, b = of.corners[edge.to] - tip, c = middle - tip;
            add(std::abs(dot(c, cross_product(a, b))) / 6, 0.25 * (a + b + c));
        }
    }
    of.centre = advanced(tip, moment, 1 / of.volume);
}

/// Those that are no nearer to an earlier one than what counts as flat.
std::vector<Vec3> without_repeats(const std::vector<Vec3>& points) {
    double size = 0;
    for (const Vec3 point : points) size = std::max(size, norm(point - points.front()));
    std::vector<Vec3> kept;
    for (const Vec3 point : points)
        if (std::ranges::none_of(kept, [&](Vec3 other) { return norm(point - other) <= 4 * flat * size; }))
            kept.push_back(point);
    return kept;
}

/// Euler's formula tells. A needle may lack faces, since those at its ends are too small to have a direction.
bool is_closed(const Polytope& of) {
    if (of.dimension == 2) return of.faces.size() == of.corners.size();
    return of.corners.size() + of.faces.size() == of.edges.size() + 2;
}

}  // namespace

std::optional<Polytope> convex_hull(const std::vector<Vec3>& all_points, int dimension) {
    RICOCHET_CHECK(dimension == 2 || dimension == 3);
    const std::vector<Vec3> points = without_repeats(all_points);
    if (points.size() <= static_cast<std::size_t>(dimension)) return std::nullopt;
    std::vector<Side> sides = HullSides(points, dimension).find();
    if (sides.size() <= static_cast<std::size_t>(dimension)) return std::nullopt;
    Polytope hull;
    hull.dimension = dimension;
    hull.corners = leave_corners(points, dimension, sides);
    for (const Side& side : sides)
        hull.faces.push_back({half_space_at(side.normal, hull.corners),
                              dimension == 2 ? ends_of(hull, side) : std::vector<HalfSpace>{}});
    if (dimension == 3) add_edges(hull, sides);
    if (!is_closed(hull)) return std::nullopt;
    weigh(hull, sides);
    return hull;
}

Polytope centred(Polytope of) {
    for (Vec3& corner : of.corners) corner = corner - of.centre;
    for (Polytope::Face& face : of.faces) {
        face.plane = half_space_at(face.plane.normal, of.corners);
        for (HalfSpace& rim : face.rims) rim.height -= dot(rim.normal, of.centre);
    }
    of.centre = {};
    return of;
}

double bounding_radius(const std::vector<Vec3>& corners) {
    double radius = 0;
    for (const Vec3 corner : corners) radius = std::max(radius, norm(corner));
    return radius;
}

double support(const std::vector<Vec3>& corners, Vec3 normal) {
    double most = -std::numeric_limits<double>::infinity();
    for (const Vec3 corner : corners) most = std::max(most, dot(normal, corner));
    return most;
}

}  // namespace ricochet
