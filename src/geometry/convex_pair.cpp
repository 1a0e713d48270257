// SPDX-License-Identifier: BSD-3-Clause
#include "geometry/convex_pair.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "geometry/contact_time.hpp"
#include "ricochet/core/check.hpp"

namespace ricochet {
namespace {

constexpr ConvexTouch no_touch{never, {}};

/// How many corners are as far along the normal as any, to within rounding.
std::size_t num_farthest(const std::vector<Vec3>& corners, Vec3 normal) {
    const double most = support(corners, normal), slack = 1e-9 * bounding_radius(corners);
    return static_cast<std::size_t>(
        std::ranges::count_if(corners, [&](Vec3 corner) { return dot(normal, corner) >= most - slack; }));
}

Vec3 reverse(Vec3 a) { return Vec3{} - a; }

/// The planes of a sum of a polytope and another one reversed.
class SumPlanes {
  public:
    SumPlanes(const Polytope& first, const Polytope& second) : first_(first), second_(second) {}

    std::vector<HalfSpace> find() {
        for (const Polytope::Face& face : first_.faces) add(face.plane.normal);
        for (const Polytope::Face& face : second_.faces) add(reverse(face.plane.normal));
        for (const Polytope::Edge& a : first_.edges)
            for (const Polytope::Edge& b : second_.edges) add_edges(cross_product(a.direction, b.direction));
        return std::move(planes_);
    }

  private:
    /// Where it is not there yet.
    void add(Vec3 normal) {
        constexpr double alike = 1e-10;
        for (const HalfSpace& plane : planes_)
            if (norm(plane.normal - normal) < alike) return;
        planes_.push_back(
            {normal, support(first_.corners, normal) + support(second_.corners, reverse(normal))});
    }
    /// The two planes along an edge of each, where these edges meet in a contact.
    void add_edges(Vec3 across) {
        const double length = norm(across);
        if (!(length > 1e-9)) return;
        const Vec3 normal{across.x / length, across.y / length, across.z / length};
        for (const Vec3 outwards : {normal, reverse(normal)})
            if (num_farthest(first_.corners, outwards) >= 2 &&
                num_farthest(second_.corners, reverse(outwards)) >= 2)
                add(outwards);
    }

    const Polytope& first_;
    const Polytope& second_;
    std::vector<HalfSpace> planes_;
};

}  // namespace

// --- two polytopes -------------------------------------------------------------------------------------------

SharpPair::SharpPair(const Polytope& first, const Polytope& second)
    : planes_(SumPlanes(first, second).find()),
      grazing_(1e-12 * (bounding_radius(first.corners) + bounding_radius(second.corners))) {}

SharpPair SharpPair::reversed() const {
    SharpPair result = *this;
    for (HalfSpace& plane : result.planes_) plane.normal = reverse(plane.normal);
    return result;
}

ConvexGap SharpPair::gap(Vec3 r) const {
    ConvexGap widest{-never, {}};
    for (const HalfSpace& plane : planes_) {
        const double above = plane.above(r);
        if (above > widest.distance) widest = {above, plane.normal};
    }
    return widest;
}

/// Divisions are dear: only those are done whose result may count.
ConvexTouch SharpPair::first_touch(Vec3 r, Vec3 u, double horizon) const {
    constexpr double down = 1 - 1e-15, up = 1 + 1e-15;
    double entry = -never, leaving = never;
    const HalfSpace* entered = nullptr;
    for (const HalfSpace& plane : planes_) {
        const double above = plane.above(r), rate = dot(plane.normal, u);
        if (above >= 0) {
            if (!(rate < 0) || above * down > horizon * -rate) return no_touch;
            if (entered != nullptr && above < down * (entry * -rate)) continue;
            const double time = above / -rate;
            if (entered != nullptr && !(time > entry)) continue;
            entry = time;
            entered = &plane;
        } else if (rate > 0 && -above <= up * (leaving * rate)) {
            leaving = std::min(leaving, -above / rate);
        }
    }
    if (entered == nullptr) {
        const Vec3 nearest = gap(r).normal;
        return dot(nearest, u) < 0 ? ConvexTouch{0, nearest} : no_touch;
    }
    if (!(entry < leaving)) return no_touch;
    const Vec3 place = advanced(r, u, entry);
    for (const HalfSpace& plane : planes_)
        if (!(dot(plane.normal, u) < 0) && plane.above(place) > -grazing_) return no_touch;
    return {entry, entered->normal};
}

/// Whether what crosses a plane at `time` is within all others. It may cross several planes at once: then rounding may
/// put it slightly outside of the others.
bool SharpPair::is_entered(const Fall& fall, double time, const HalfSpace& by) const {
    const Vec3 place = place_after(fall, time), u = advanced(fall.motion.velocity, fall.acceleration, time);
    return std::ranges::all_of(planes_, [&](const HalfSpace& plane) {
        const bool is_left = !(dot(plane.normal, u) < 0);
        return &plane == &by || plane.above(place) <= (is_left ? -grazing_ : grazing_);
    });
}

ConvexTouch SharpPair::first_touch_of_fall(const Fall& fall) const {
    const ConvexGap now = gap(fall.motion.position);
    ConvexTouch first = no_touch;
    for (const HalfSpace& plane : planes_) {
        const double above = plane.above(fall.motion.position),
                     rate = dot(plane.normal, fall.motion.velocity);
        const bool is_met = now.distance <= 0 && plane.normal == now.normal;
        const Below below = !is_met                   ? Below::elsewhere
                            : above < -1e3 * grazing_ ? Below::overlap
                                                      : Below::rounding;
        const double time = ricochet::first_touch(above, rate, dot(plane.normal, fall.acceleration), below);
        if (!(time < first.time)) continue;
        if ((is_met && time == 0) || is_entered(fall, time, plane)) first = {time, plane.normal};
    }
    return first;
}

// --- a polytope and a sphere ---------------------------------------------------------------------------------

RoundedPair::RoundedPair(const Polytope& of) : faces_(of.faces), slack_(1e-13 * bounding_radius(of.corners)) {
    for (const Polytope::Edge& edge : of.edges)
        edges_.push_back({of.corners[edge.from], edge.direction, edge.length, 0});
    for (const Vec3 corner : of.corners) corners_.push_back({corner, 0});
}

RoundedPair RoundedPair::endless(const Polytope& of, Vec3 axis) {
    RoundedPair pair;
    pair.slack_ = 1e-13 * bounding_radius(of.corners);
    if (of.dimension == 2) {
        const Vec3 across{-axis.y, axis.x, 0};
        for (const Vec3 normal : {across, reverse(across)})
            pair.faces_.push_back({{normal, support(of.corners, normal)}, {}});
        return pair;
    }
    const Vec3 first = some_direction_across(axis), second = cross_product(axis, first);
    const auto lifted = [&](Vec3 flat) { return advanced(flat.x * first, second, flat.y); };
    std::vector<Vec3> shadow;
    for (const Vec3 corner : of.corners) shadow.push_back({dot(corner, first), dot(corner, second), 0});
    const std::optional<Polytope> polygon = convex_hull(shadow, 2);
    RICOCHET_CHECK(polygon.has_value());
    for (Polytope::Face face : polygon->faces) {
        face.plane.normal = lifted(face.plane.normal);
        for (HalfSpace& rim : face.rims) rim.normal = lifted(rim.normal);
        pair.faces_.push_back(std::move(face));
    }
    for (const Vec3 corner : polygon->corners) pair.edges_.push_back({lifted(corner), axis, never, 0});
    return pair;
}

bool RoundedPair::is_in(const Polytope::Face& face, Vec3 place) const {
    return std::ranges::all_of(face.rims, [&](const HalfSpace& rim) { return rim.above(place) <= slack_; });
}

double RoundedPair::most_above(Vec3 place) const {
    double most = -never;
    for (const Polytope::Face& face : faces_) most = std::max(most, face.plane.above(place));
    return most;
}

ConvexGap RoundedPair::gap(Vec3 place) const {
    ConvexGap deepest{-never, {}}, result{never, {}};
    const auto include = [&](double distance, Vec3 normal) {
        if (distance < result.distance) result = {distance, normal};
    };
    for (const Polytope::Face& face : faces_) {
        const double above = face.plane.above(place);
        if (above > deepest.distance) deepest = {above, face.plane.normal};
        if (above >= 0 && is_in(face, place)) include(above, face.plane.normal);
    }
    if (deepest.distance < 0) return deepest;
    for (const Rod& edge : edges_) {
        const double along = dot(place - edge.start, edge.axis);
        if (edge.length == never || (along >= 0 && along <= edge.length))
            include(distance_to(place, edge), reverse(surface_at(place, edge).normal));
    }
    for (const Ball& corner : corners_)
        include(distance_to(place, corner), reverse(surface_at(place, corner).normal));
    return result;
}

void RoundedPair::include_faces(Vec3 r, Vec3 u, double radius, ConvexTouch& first) const {
    for (const Polytope::Face& face : faces_) {
        const double above = face.plane.above(r) - radius, rate = dot(face.plane.normal, u);
        if (!(above >= 0 && rate < 0)) continue;
        const double time = above / -rate;
        if (time < first.time && is_in(face, advanced(r, u, time))) first = {time, face.plane.normal};
    }
}

/// What has its centre in the polytope is led out by the nearest face.
ConvexTouch RoundedPair::first_touch_of_fall(const Fall& fall, double radius) const {
    const Vec3 r = fall.motion.position;
    const ConvexGap now = gap(r);
    ConvexTouch first = no_touch;
    for (const Polytope::Face& face : faces_) {
        const double above = face.plane.above(r), rate = dot(face.plane.normal, fall.motion.velocity);
        const bool is_met = now.distance <= radius && face.plane.normal == now.normal;
        const Below below = !is_met                       ? Below::elsewhere
                            : reaches_into(above, radius) ? Below::overlap
                                                          : Below::rounding;
        const double time =
            ricochet::first_touch(above - radius, rate, dot(face.plane.normal, fall.acceleration), below);
        if (!(time < first.time) || (now.distance < 0 && !is_met)) continue;
        if ((is_met && time == 0) || is_in(face, place_after(fall, time))) first = {time, face.plane.normal};
    }
    if (now.distance < 0) return first;
    const auto include = [&](const auto& part) {
        const double time = falling_contact_time(fall, radius, part);
        if (time < first.time) first = {time, reverse(surface_at(place_after(fall, time), part).normal)};
    };
    for (const Rod& edge : edges_) include(edge);
    for (const Ball& corner : corners_) include(corner);
    return first;
}

ConvexTouch RoundedPair::first_touch(Vec3 r, Vec3 u, double radius) const {
    if (most_above(r) <= radius) {
        const ConvexGap at = gap(r);
        if (at.distance <= radius) return dot(at.normal, u) < 0 ? ConvexTouch{0, at.normal} : no_touch;
    }
    ConvexTouch first = no_touch;
    include_faces(r, u, radius, first);
    const Motion path{.position = r, .velocity = u, .time = 0, .id = 0};
    const auto include = [&](const auto& part) {
        const double time = obstacle_contact_time(path, radius, part);
        if (time < first.time) first = {time, reverse(surface_at(advanced(r, u, time), part).normal)};
    };
    for (const Rod& edge : edges_) include(edge);
    for (const Ball& corner : corners_) include(corner);
    return first;
}

}  // namespace ricochet
