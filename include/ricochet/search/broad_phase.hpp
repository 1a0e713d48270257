// SPDX-License-Identifier: BSD-3-Clause
//
// What a search strategy is: the concept that all_pairs, cells and slices fulfil, and how to add another.
//
// Every particle is represented by a ball: the midpoint of its path in this step and its *reach*, the radius
// plus the largest distance of the path from the midpoint. Two particles can only touch if their balls do. A
// strategy sorts the balls once per step into an order of its own, and from then on speaks of *slots*,
// positions in that order, so that slots near in space are near in memory. It answers with candidates: it may
// name too many, never too few (a lost candidate is a lost contact; a superfluous one costs an evaluation of
// the exact contact time). It decides nothing, so it may use single precision, provided that it allows for
// its own rounding.
//
// To add a strategy: one header with a class that fulfils BroadPhase, one line in make_step_engine
// (engine/step_engine.cpp), one name in SearchMethod; the differential tests then hold it against all_pairs.
#pragma once

#include <concepts>
#include <cstdint>
#include <span>
#include <vector>

#include "ricochet/core/box.hpp"
#include "ricochet/core/particles.hpp"
#include "ricochet/core/vec3.hpp"

namespace ricochet {

/// A path of one step: it stays within `reach` - radius of `midpoint`, which lies in the box.
struct SweptBall {
    Vec3 midpoint;
    double reach = 0;
};

/// The part of the box along x in which all midpoints lie; the whole box when width equals its size.
struct SearchDomain {
    double lower = 0;  ///< may be negative or beyond the box along a periodic axis
    double width = 0;
};

template <class Search>
concept BroadPhase = requires(Search search, const Search& built, const Box& box,
                              std::span<const SweptBall> balls, SearchDomain domain, Slot slot, Vec3 point,
                              double length, std::vector<Slot>& found) {
    Search(box);
    /// Sorts the balls into slots. O(number of balls).
    search.build(balls, domain);
    /// order()[slot] is the index in `balls` of the particle in that slot.
    { built.order() } -> std::convertible_to<std::span<const std::uint32_t>>;
    /// Appends all slots >= slot whose balls come within `length` of the point, and perhaps others.
    built.collect(point, length, slot, found);
    /// The distance of `point` from the slot's midpoint, rounded up; from now on the slot's ball also covers
    /// a path that ends there, of a particle with radius `length`.
    { search.cover(slot, point, length) } -> std::same_as<double>;
};

}  // namespace ricochet
