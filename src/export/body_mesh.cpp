// SPDX-License-Identifier: BSD-3-Clause
#include "export/body_mesh.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <optional>
#include <utility>
#include <variant>

#include "geometry/polytope.hpp"
#include "ricochet/model/vec3.hpp"

namespace ricochet {
namespace {

constexpr int most_segments = 48, least_segments = 6;
constexpr double most_polygons = 2e6;

/// How many straight edges a full circle gets, in a body of this number of spheres.
int segments_of(std::size_t num_spheres) {
    const double polygons = most_polygons / static_cast<double>(std::max<std::size_t>(num_spheres, 1));
    const int even =
        2 * static_cast<int>(std::sqrt(polygons / 2) / 2);  // a sphere of n segments has about n^2 / 2
    return std::clamp(even, least_segments, most_segments);
}

Vec3 unit(int axis) { return {axis == 0 ? 1.0 : 0.0, axis == 1 ? 1.0 : 0.0, axis == 2 ? 1.0 : 0.0}; }

Vec3 scaled_to_one(Vec3 v) { return 1 / norm(v) * v; }

Vec3 cross(Vec3 a, Vec3 b) { return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x}; }

/// Two directions that are at right angles to an axis of length 1, and to each other.
std::array<Vec3, 2> across(Vec3 axis) {
    int least = 0;
    for (int k = 1; k < 3; ++k)
        if (std::abs(axis[k]) < std::abs(axis[least])) least = k;
    const Vec3 first = scaled_to_one(cross(axis, unit(least)));
    return {first, cross(axis, first)};
}

/// The smallest box along the axes that contains a body; infinite along the axes that an endless one leaves open.
struct Extent {
    Vec3 low, high;
};

constexpr double infinite = std::numeric_limits<double>::infinity();

Extent extent_of(const BodySphere& of) {
    const Vec3 r{of.radius, of.radius, of.radius};
    return {of.centre - r, of.centre + r};
}

Extent extent_of(const BodyCapsule& of) {
    const Vec3 r{of.radius, of.radius, of.radius};
    return {min(of.from, of.to) - r, max(of.from, of.to) + r};
}

Extent extent_of(const BodyBox& of) { return {of.low, of.high}; }

/// Along an axis on which the body is the same everywhere it need not be repeated.
Extent extent_of(const BodyCylinder& of) {
    const auto bound = [&](int k, double sign) {
        return of.axis[k] != 0 ? sign * infinite : of.point[k] + sign * of.radius;
    };
    return {{bound(0, -1), bound(1, -1), bound(2, -1)}, {bound(0, 1), bound(1, 1), bound(2, 1)}};
}

Extent extent_of(const BodyPlane& of) {
    const auto bound = [&](int k, double sign) {
        return std::abs(of.normal[k]) == 1 ? of.point[k] : sign * infinite;
    };
    return {{bound(0, -1), bound(1, -1), bound(2, -1)}, {bound(0, 1), bound(1, 1), bound(2, 1)}};
}

class Mesher {
  public:
    explicit Mesher(const Box& box) : box_(box) {}

    void add(std::uint32_t number, const Body& body) {
        body_ = number;
        segments_ = most_segments;
        if (const auto* const many = std::get_if<BodySpheres>(&body.shape)) {
            segments_ = segments_of(many->spheres.size());
            for (const BodySphere& sphere : many->spheres) add_images(sphere);
            return;
        }
        std::visit([this](const auto& shape) { add_images(shape); }, body.shape);
    }

    BodyMesh take() { return std::move(mesh_); }

  private:
    void add_images(const BodySpheres&) {}

    /// The shape itself and its images that reach into the box.
    template <class Shape>
    void add_images(const Shape& shape) {
        const Extent extent = extent_of(shape);
        const auto shifts = [&](int axis) {
            std::vector<double> all;
            const double edge = box_.size[axis];
            const double low = extent.low[axis], high = extent.high[axis];
            const bool repeats = box_.is_periodic(axis) && std::isfinite(low);
            for (int image = repeats ? -1 : 0; image <= (repeats ? 1 : 0); ++image)
                if (!repeats || (low + image * edge < edge && high + image * edge > 0))
                    all.push_back(image * edge);
            return all;
        };
        for (const double x : shifts(0))
            for (const double y : shifts(1))
                for (const double z : shifts(2)) {
                    shift_ = {x, y, z};
                    draw(shape);
                }
    }

    std::int64_t add_point(Vec3 point) {
        mesh_.points.push_back(point + shift_);
        return static_cast<std::int64_t>(mesh_.points.size()) - 1;
    }

    template <class Points>
    void add_cell(const Points& points) {
        mesh_.connectivity.insert(mesh_.connectivity.end(), points.begin(), points.end());
        mesh_.offsets.push_back(static_cast<std::int64_t>(mesh_.connectivity.size()));
        mesh_.body.push_back(body_);
    }

    std::vector<std::int64_t> add_ring(Vec3 centre, double radius, Vec3 u, Vec3 v) {
        std::vector<std::int64_t> ring;
        for (int k = 0; k < segments_; ++k) {
            const double angle = 2 * std::numbers::pi * k / segments_;
            ring.push_back(add_point(centre + radius * (std::cos(angle) * u + std::sin(angle) * v)));
        }
        return ring;
    }

    void join(const std::vector<std::int64_t>& one, const std::vector<std::int64_t>& next) {
        for (std::size_t k = 0, after = 1; k < one.size(); ++k, after = (k + 1) % one.size())
            add_cell(std::array{one[k], one[after], next[after], next[k]});
    }

    void fan(std::int64_t pole, const std::vector<std::int64_t>& ring, bool is_first) {
        for (std::size_t k = 0, after = 1; k < ring.size(); ++k, after = (k + 1) % ring.size())
            add_cell(is_first ? std::array{pole, ring[after], ring[k]}
                              : std::array{pole, ring[k], ring[after]});
    }

    /// From one pole along rings of growing, constant and shrinking radius to the other.
    void draw_capsule(Vec3 from, Vec3 to, Vec3 axis, double radius) {
        const auto [u, v] = across(axis);
        const int quarter = std::max(segments_ / 4, 1);
        const std::int64_t first_pole = add_point(from - radius * axis);
        std::vector<std::int64_t> latest;
        const auto next_ring = [&, u = u, v = v](Vec3 centre, double angle) {  // from the first pole
            const auto ring =
                add_ring(centre - radius * std::cos(angle) * axis, radius * std::sin(angle), u, v);
            if (latest.empty())
                fan(first_pole, ring, true);
            else
                join(latest, ring);
            latest = ring;
        };
        for (int k = 1; k <= quarter; ++k) next_ring(from, std::numbers::pi / 2 * k / quarter);
        if (from != to) next_ring(to, std::numbers::pi / 2);
        for (int k = 1; k < quarter; ++k)
            next_ring(to, std::numbers::pi / 2 * (1 + static_cast<double>(k) / quarter));
        fan(add_point(to + radius * axis), latest, false);
    }

    void close(std::vector<std::int64_t> outline) {
        outline.push_back(outline.front());
        add_cell(outline);
    }

    void draw(const BodySphere& of) {
        if (box_.dimension == 2) return close(add_ring(of.centre, of.radius, unit(0), unit(1)));
        draw_capsule(of.centre, of.centre, unit(2), of.radius);
    }

    void draw(const BodyCapsule& of) {
        const Vec3 line = of.to - of.from;
        const Vec3 axis = dot(line, line) > 0 ? scaled_to_one(line) : unit(0);
        if (box_.dimension == 3) return draw_capsule(of.from, of.to, axis, of.radius);
        std::vector<std::int64_t> outline;
        const Vec3 side = cross(unit(2), axis);
        const auto add_half = [&](Vec3 centre, Vec3 begin, Vec3 middle) {
            for (int k = 0; k <= segments_ / 2; ++k) {
                const double angle = 2 * std::numbers::pi * k / segments_;
                outline.push_back(
                    add_point(centre + of.radius * (std::cos(angle) * begin + std::sin(angle) * middle)));
            }
        };
        add_half(of.to, -1 * side, axis);
        add_half(of.from, side, -1 * axis);
        close(outline);
    }

    /// As long as the box is along its axis.
    void draw(const BodyCylinder& of) {
        double least = infinite, most = -infinite;
        for (int corner = 0; corner < 8; ++corner) {
            const Vec3 place{(corner & 1) != 0 ? box_.size.x : 0, (corner & 2) != 0 ? box_.size.y : 0,
                             (corner & 4) != 0 ? box_.size.z : 0};
            const double along = dot(place - of.point, of.axis);
            least = std::min(least, along), most = std::max(most, along);
        }
        const auto [u, v] = across(of.axis);
        const auto low = add_ring(of.point + least * of.axis, of.radius, u, v);
        join(low, add_ring(of.point + most * of.axis, of.radius, u, v));
    }

    void draw(const BodyBox& of) {
        std::array<std::int64_t, 8> corner{};
        const int num_corners = box_.dimension == 2 ? 4 : 8;
        for (int k = 0; k < num_corners; ++k)
            corner[k] = add_point({(k & 1) != 0 ? of.high.x : of.low.x, (k & 2) != 0 ? of.high.y : of.low.y,
                                   (k & 4) != 0 ? of.high.z : of.low.z});
        if (box_.dimension == 2) return close({corner[0], corner[1], corner[3], corner[2]});
        constexpr std::array<std::array<int, 4>, 6> faces{
            {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}}};
        for (const auto& face : faces)
            add_cell(std::array{corner[face[0]], corner[face[1]], corner[face[2]], corner[face[3]]});
    }

    /// Where the plane cuts the edges of the box, in their order around.
    void draw(const BodyPlane& of) {
        std::vector<Vec3> cuts;
        for (int axis = 0; axis < box_.dimension; ++axis)
            for (int corner = 0; corner < (box_.dimension == 2 ? 2 : 4); ++corner)
                if (const auto cut = cut_of_edge(of, axis, corner)) cuts.push_back(*cut);
        if (cuts.size() < 2) return;
        Vec3 middle;
        for (const Vec3& cut : cuts) middle = middle + (1.0 / static_cast<double>(cuts.size())) * cut;
        const auto [u, v] = across(of.normal);
        const auto angle = [&, u = u, v = v](Vec3 cut) {
            return std::atan2(dot(cut - middle, v), dot(cut - middle, u));
        };
        std::sort(cuts.begin(), cuts.end(), [&](Vec3 a, Vec3 b) { return angle(a) < angle(b); });
        std::vector<std::int64_t> cell;
        cell.reserve(cuts.size());
        for (const Vec3& cut : cuts) cell.push_back(add_point(cut - shift_));
        if (box_.dimension == 2 || cell.size() > 2) add_cell(cell);
    }

    /// Edges of the box along an axis start at the corners of the face below; one that lies in the plane has no cut.
    std::optional<Vec3> cut_of_edge(const BodyPlane& of, int axis, int corner) const {
        const int one = (axis + 1) % box_.dimension, other = (axis + 2) % box_.dimension;
        Vec3 begin;
        if ((corner & 1) != 0) begin = begin + box_.size[one] * unit(one);
        if ((corner & 2) != 0) begin = begin + box_.size[other] * unit(other);
        const double slope = of.normal[axis], edge = box_.size[axis];
        if (slope == 0) return std::nullopt;
        const double along = dot(of.point + shift_ - begin, of.normal) / slope;
        if (!(along >= 0 && along <= edge)) return std::nullopt;
        return begin + along * unit(axis);
    }

    const Box& box_;
    BodyMesh mesh_;
    std::uint32_t body_ = 0;
    int segments_ = most_segments;
    Vec3 shift_;  ///< of the image that is drawn
};

/// The corners in a plane in their order around, to the left about its normal.
std::vector<std::int64_t> corners_around(const std::vector<Vec3>& corners, const HalfSpace& plane) {
    const double slack = 1e-8 * bounding_radius(corners);
    std::vector<std::int64_t> around;
    Vec3 sum;
    for (std::size_t k = 0; k < corners.size(); ++k)
        if (std::abs(plane.above(corners[k])) <= slack) {
            around.push_back(static_cast<std::int64_t>(k));
            sum = sum + corners[k];
        }
    const Vec3 middle = (1 / static_cast<double>(around.size())) * sum;
    const auto [u, v] = across(plane.normal);
    const auto angle = [&, u = u, v = v](std::int64_t k) {
        const Vec3 from_middle = corners[static_cast<std::size_t>(k)] - middle;
        return std::atan2(dot(from_middle, v), dot(from_middle, u));
    };
    std::sort(around.begin(), around.end(), [&](auto a, auto b) { return angle(a) < angle(b); });
    return around;
}

}  // namespace

BodyMesh mesh_of(const std::vector<Body>& bodies, const Box& box) {
    Mesher mesher(box);
    for (std::size_t k = 0; k < bodies.size(); ++k) mesher.add(static_cast<std::uint32_t>(k), bodies[k]);
    return mesher.take();
}

BodyMesh mesh_of_shape(const std::vector<Species>& species, std::uint32_t number, int dimension) {
    const std::vector<Vec3>& corners = species.at(number).corners;
    BodyMesh mesh{corners, {}, {}, {}};
    const auto add_face = [&](const HalfSpace& plane) {
        const auto cell = corners_around(corners, plane);
        mesh.connectivity.insert(mesh.connectivity.end(), cell.begin(), cell.end());
        mesh.offsets.push_back(static_cast<std::int64_t>(mesh.connectivity.size()));
        mesh.body.push_back(number);
    };
    if (dimension == 2) {
        add_face({unit(2), 0});
        return mesh;
    }
    if (const auto hull = convex_hull(corners, dimension))
        for (const Polytope::Face& face : hull->faces) add_face(face.plane);
    return mesh;
}

}  // namespace ricochet
