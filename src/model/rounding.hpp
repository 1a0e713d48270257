// SPDX-License-Identifier: BSD-3-Clause
//
// Slacks: what makes a bound conservative, so that rounding cannot turn a contact into a miss. A slack decides
// nothing: a larger one names more candidates, and costs time. Each has its bound beside it, in terms of
//
//     u = 2^-53 = 1.1e-16   the largest relative error of one rounding in double precision
//     v = 2^-24 = 6.0e-8    the same in single precision
//
// and L, the length of the box along the axis or axes in question. A factor "_up" enlarges, a "_slack" is added.
// tests/unit/rounding_test.cpp compares each with exact arithmetic, also in boxes of aspect 1:10,000.
#pragma once

#include <algorithm>

#include "ricochet/model/box.hpp"

namespace ricochet {

// ------------------------------------------------------------------------------------ single precision

/// float(float_up * x) >= x. One rounding of each precision: u + v = 6.0e-8.
inline constexpr double float_up = 1 + 1e-7;

/// The same for the reach of a straight path, which takes eight roundings in double first: 8 u + v = 6.0e-8.
inline constexpr double path_reach_up = 1 + 2e-7;

/// More than the distance between a midpoint and that of its bounding sphere. A coordinate is rounded by v L:
/// sqrt(3) v L = 1.04e-7 L. The shifts into the frame of a grid take four roundings more: 5.2e-7 L.
inline double sphere_slack(const Box& box) { return 1e-6 * std::max({box.size.x, box.size.y, box.size.z}); }

/// The same along x alone: v L = 6.0e-8 L.
inline double face_slack(const Box& box) { return 1e-6 * box.size.x; }

/// The factor for reaches in the filter of a grid. A difference, three squares and a sum, against a sum and its square:
/// at most 8 v of the squared distance, so 4 v = 2.4e-7 of the distance.
inline constexpr float filter_reach_up = 1.00001F;

/// The factor for the largest reach of a level: more than filter_reach_up.
inline constexpr double level_reach_up = 1.00002;

// ------------------------------------------------------------------------------------ double precision

/// The relative slack of the terms that decide whether a pair may touch in time. Each sum has at most ten roundings: 10
/// u = 1.1e-15 of the sum of its terms' sizes.
inline constexpr double near_miss_slack = 1e-12;

/// In cells, of at most 2^20 along an axis. The ends of a query lie within two box lengths and take three
/// roundings, the cell of a sphere two: (2 * 3 + 2) u 2^20 = 9.3e-10.
inline constexpr double cell_slack = 1e-9;

/// In strips, one for each of P ranks. The ends of a query take three roundings, an owner two: 8 u P < 1e-6 up
/// to a billion ranks.
inline constexpr double strip_slack = 1e-6;

/// The factor for the distance at which spheres are looked up. The separation is off by u L, its length by 3 u. Enough
/// for distances from 2e-10 L on.
inline constexpr double lookup_reach_up = 1 + 1e-6;

/// The factor for the distance within which two particles could have touched: a length and sums take five roundings, 5
/// u.
inline constexpr double closest_up = 1 + 1e-9;

/// The same, of their separation: a flight and a difference take four roundings of numbers up to 2 L in each
/// coordinate, sqrt(3) 8 u L = 1.6e-15 L.
inline double separation_slack(const Box& box) {
    return 1e-14 * std::max({box.size.x, box.size.y, box.size.z});
}

/// More than the rounding of the ends of a path along x: a midpoint, its shift and an extent, 4 u L = 4.4e-16 L.
inline double path_slack(const Box& box) { return 1e-9 * box.size.x; }

/// The slack of the excursion that a halo allows for. The engine adds face_slack to the path of each of two particles.
/// So with twice that, straight paths never ask for a comparison.
inline double excursion_slack(const Box& box) { return 4 * face_slack(box); }

/// The factor for the distance at which a slab gets copies of particles. A distance from a slab takes three roundings
/// of numbers up to L: 3 u L = 3.3e-16 L. Enough for distances from 4e-7 L on; shorter ones take path_slack besides.
inline constexpr double slab_reach_up = 1 + 1e-9;

/// Two whose distance is below this factor times that of a contact overlap by more than rounding. A contact leaves
/// them overlapping by 4 u L at most, which is less in boxes of up to 1e6 diameters.
inline constexpr double deep_overlap_down = 1 - 1e-9;

/// Generated particles are this factor times the sum of their radii apart. A later comparison has the same separation
/// in every bit. So only a length and a sum are rounded differently: 6 u = 6.7e-16.
inline constexpr double apart_up = 1 + 1e-12;

}  // namespace ricochet
