// SPDX-License-Identifier: BSD-3-Clause
//
// Faces are clipped by each other's sides (Sutherland & Hodgman, Commun. ACM 17 (1974) 32), in the plane where they
// meet.
#include "geometry/touching_place.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace ricochet {
namespace {

/// A place in the plane of contact.
struct Flat {
    double along = 0, across = 0;
};

Flat operator-(Flat a, Flat b) { return {a.along - b.along, a.across - b.across}; }
double cross(Flat a, Flat b) { return a.along * b.across - a.across * b.along; }

/// Two directions in the plane of contact, and a place in it.
struct PlaneOfContact {
    Vec3 origin, along, across;

    PlaneOfContact(Vec3 first, Vec3 second, Vec3 normal) : origin(first) {
        const Vec3 edge = second - first;
        along = (1 / norm(edge)) * edge;
        across = cross_product(normal, along);
    }
    Flat flat(Vec3 place) const { return {dot(place - origin, along), dot(place - origin, across)}; }
    Vec3 place(Flat at) const { return advanced(advanced(origin, along, at.along), across, at.across); }
};

/// The middle of what two sets of places have in common along an axis.
double common_middle(const std::vector<Vec3>& first, const std::vector<Vec3>& second, Vec3 axis) {
    const Vec3 back = Vec3{} - axis;
    const double low = std::max(-support(first, back), -support(second, back));
    const double high = std::min(support(first, axis), support(second, axis));
    return 0.5 * (low + high);
}

Vec3 common_place_of_edges(const std::vector<Vec3>& first, const std::vector<Vec3>& second,
                           const PlaneOfContact& plane) {
    const double at = common_middle(first, second, plane.across);
    const Vec3 start = advanced(first[0], plane.across, at - dot(first[0], plane.across));
    const Vec3 other = second[1] - second[0];
    const double slant = dot(other, plane.across);
    const bool are_crossed = std::abs(slant) > 1e-6 * norm(other);
    const double place =
        are_crossed
            ? dot(advanced(second[0], other, dot(start - second[0], plane.across) / slant), plane.along)
            : common_middle(first, second, plane.along);
    return advanced(start, plane.along, place - dot(start, plane.along));
}

Flat mean_place(const std::vector<Flat>& places) {
    Flat sum;
    for (const Flat& place : places) sum = {sum.along + place.along, sum.across + place.across};
    const double part = 1 / static_cast<double>(places.size());
    return {part * sum.along, part * sum.across};
}

/// The corners in the order in which they go around their middle, to the left.
std::vector<Flat> polygon_of(const std::vector<Vec3>& places, const PlaneOfContact& plane) {
    std::vector<Flat> polygon;
    polygon.reserve(places.size());
    for (const Vec3 place : places) polygon.push_back(plane.flat(place));
    const Flat middle = mean_place(polygon);
    const auto is_below = [](Flat a) { return a.across < 0 || (a.across == 0 && a.along < 0); };
    std::sort(polygon.begin(), polygon.end(), [&](Flat a, Flat b) {
        const Flat from_a = a - middle, from_b = b - middle;
        if (is_below(from_a) != is_below(from_b)) return is_below(from_b);
        return cross(from_a, from_b) > 0;
    });
    return polygon;
}

/// What of a polygon lies to the left of the line from one place to another.
std::vector<Flat> left_of(Flat from, Flat to, const std::vector<Flat>& polygon) {
    std::vector<Flat> left;
    for (std::size_t k = 0; k < polygon.size(); ++k) {
        const Flat a = polygon[k], b = polygon[(k + 1) % polygon.size()];
        const double of_a = cross(to - from, a - from), of_b = cross(to - from, b - from);
        if (of_a >= 0) left.push_back(a);
        if ((of_a >= 0) == (of_b >= 0)) continue;
        const double part = of_a / (of_a - of_b);
        left.push_back({a.along + part * (b.along - a.along), a.across + part * (b.across - a.across)});
    }
    return left;
}

}  // namespace

std::vector<Vec3> farthest_of(const std::vector<Vec3>& places, Vec3 direction, double slack) {
    const double most = support(places, direction);
    std::vector<Vec3> farthest;
    for (const Vec3 place : places)
        if (dot(direction, place) >= most - slack) farthest.push_back(place);
    return farthest;
}

std::vector<Vec3> farthest_corners(const Polytope& of, Vec3 normal, Vec3 shift) {
    std::vector<Vec3> farthest = farthest_of(of.corners, normal, 1e-9 * bounding_radius(of.corners));
    for (Vec3& corner : farthest) corner = corner + shift;
    return farthest;
}

Vec3 middle_of(const std::vector<Vec3>& places) {
    Vec3 sum;
    for (const Vec3 place : places) sum = sum + place;
    return (1 / static_cast<double>(places.size())) * sum;
}

Vec3 common_place(const std::vector<Vec3>& first, const std::vector<Vec3>& second, Vec3 normal) {
    if (first.size() == 1) return first.front();
    if (second.size() == 1) return second.front();
    const PlaneOfContact plane(first[0], first[1], normal);
    if (first.size() == 2 && second.size() == 2) return common_place_of_edges(first, second, plane);
    const bool is_first_smaller = first.size() < second.size();
    const std::vector<Flat> by = polygon_of(is_first_smaller ? second : first, plane);
    std::vector<Flat> common = polygon_of(is_first_smaller ? first : second, plane);
    for (std::size_t k = 0; k < by.size() && !common.empty(); ++k)
        common = left_of(by[k], by[(k + 1) % by.size()], common);
    // Where they share a corner or an edge alone, rounding may leave nothing.
    if (common.empty()) return 0.5 * (middle_of(first) + middle_of(second));
    return plane.place(mean_place(common));
}

}  // namespace ricochet
