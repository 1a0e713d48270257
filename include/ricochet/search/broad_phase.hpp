// SPDX-License-Identifier: BSD-3-Clause
//
// What a search strategy is: the concept that all_pairs, cells and slices fulfil, and how to add another.
//
// Every particle is represented by a ball: the midpoint of its path in this step and its *reach*, the radius
// plus the largest distance from the midpoint that the search allows for. Two particles can only touch if
// their balls do. A strategy names all pairs of balls that meet, once per step; when a contact leads a path
// out of its ball, the ball is enlarged and the strategy names what it meets then. It may name too many,
// never too few (a lost pair is a lost contact; a superfluous one costs an evaluation of the exact contact
// time). It decides nothing, so it may use single precision, provided that it allows for its own rounding.
//
// Particles are named by their *slots*, their indices in the arrays of the rank. Inside, a strategy may sort
// the balls as it likes; `order` tells how, for those who keep the arrays in an order in which neighbours in
// space are neighbours in memory.
//
// To add a strategy: one header with a class that fulfils BroadPhase, one line in make_step_engine
// (engine/step_engine.cpp), one name in SearchMethod; the differential tests then hold it against all_pairs.
#pragma once

#include <algorithm>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <span>
#include <vector>

#include "ricochet/core/box.hpp"
#include "ricochet/core/particles.hpp"
#include "ricochet/core/vec3.hpp"
#include "ricochet/search/candidate_pairs.hpp"

namespace ricochet {

/// A path of one step: it stays within `reach` - radius of the midpoint, which lies in the box. In single
/// precision, to halve what the search moves through memory: the midpoint is rounded to nearest (by less than
/// 1e-7 box lengths), the reach up.
struct SweptBall {
    float x = 0, y = 0, z = 0;
    float reach = 0;

    Vec3 midpoint() const { return {x, y, z}; }
};

/// The ball of a midpoint and a reach.
inline SweptBall swept_ball(Vec3 midpoint, double reach) {
    constexpr double rounding = 1 + 1e-7;
    return {static_cast<float>(midpoint.x), static_cast<float>(midpoint.y), static_cast<float>(midpoint.z),
            static_cast<float>(rounding * reach)};
}

/// A straight part of a particle's path, in coordinates that no periodic face has wrapped since the step
/// began.
struct PathPart {
    Vec3 start, end;
};

/// The distance from the ball's midpoint within which the part stays, in the image of the ball that is
/// nearest to its start. Contacts can carry a particle round the box: so its end must not be taken to the
/// nearest image by itself.
inline double distance_reached(const SweptBall& ball, const PathPart& part, const ImageLengths& images) {
    const Vec3 start = minimum_image(part.start - ball.midpoint(), images);
    const Vec3 end = start + (part.end - part.start);
    return std::sqrt(std::max(dot(start, start), dot(end, end)));
}

/// More than the rounding of a ball along any axis.
inline double ball_slack(const Box& box) { return 1e-6 * std::max({box.size.x, box.size.y, box.size.z}); }

/// A reach about any midpoint that holds the whole box: no larger ball meets more.
inline double reach_of_box(const Box& box) {
    constexpr double room = 1.1;
    return room * norm(box.size);
}

/// The part of the box along x in which all midpoints lie; the whole box when width equals its size.
struct SearchDomain {
    double lower = 0;  ///< may be negative or beyond the box along a periodic axis
    double width = 0;
};

template <class Search>
concept BroadPhase = requires(Search search, const Search& built, const Box& box, std::span<SweptBall> balls,
                              SearchDomain domain, Slot slot, const PathPart& path, double radius,
                              CandidatePairs& pairs, std::vector<Slot>& found) {
    Search(box);
    /// Sorts the balls, by slot; they stay the caller's, must live until the next call and may be enlarged.
    /// O(number of balls).
    search.build(balls, domain);
    /// The slots in the order in which the strategy keeps them.
    { built.order() } -> std::convertible_to<std::span<const std::uint32_t>>;
    /// Appends every pair of slots whose balls, as built, meet; each pair once, and perhaps others.
    search.collect_pairs(pairs);
    /// Whether such a path, of a particle with this radius, leaves the slot's ball.
    { built.outgrows(slot, path, radius) } -> std::same_as<bool>;
    /// Enlarges the slot's ball so that it holds the path, with some room, and appends all slots whose
    /// balls meet the enlarged one, perhaps others, perhaps itself.
    search.enlarge(slot, path, radius, found);
};

}  // namespace ricochet
