// SPDX-License-Identifier: BSD-3-Clause
//
// Brownian partners that react at an intrinsic rate, also where their straight paths within a step do not touch.
//
// A Brownian path is not straight: between the ends of a step it may touch a partner although the chord does not.
// Chords alone give 3 to 30 % too few encounters. Let a and b be the gaps between the surfaces at the two ends, tau
// the rest of the step, D = D_1 + D_2 and s^2 = 2 D tau. A path between fixed ends touches a plane with probability
// exp(-2 a b / s^2) (Brownian bridge). At a rate it reacts there with a probability q < 1:
//
//     q = (c(h + k) - c(k)) / (2 - c(k)),   c(x) = x s sqrt(2 pi) erfcx((a + b) / (s sqrt 2) + x s / sqrt 2)
//     h = rate / (4 pi R^2 D), k = 1 / R (spheres);  rate / (2 pi R D), 1 / (2 R) (discs);  rate / D, 0 (walls)
//
// with R the contact distance; k stands for the curvature. At bodies h = rate / D, and k is that of the surface of
// centres at contact: 1 / R outside a sphere, -1 / R inside, half of it at cylinders, 0 at planes. An edge is a
// cylinder, a corner a sphere. A step longer than R has no such curve: k s is at least -1.
//
// A chord that touches reacts with q at its contact, and b is the gap after the reflection. One that misses reacts with
// q exp(-2 a b / s^2), at now + tau a / (a + b + s). Gaps of partners that overlap count as 0.
//
// A particle passes a body, at the permeability kappa, with half of q for the rate 2 kappa, and k = 0. It meets the
// surface with its centre, and b is the distance of the chord's end, on whichever side. From a to b, and back, it then
// passes equally often, so both sides are equally dense. If its chord misses, its end is mirrored. At a sphere the
// image takes more or less room than the end. The probability has this factor for it:
//
//     ((R + a) (R + b) / ((R - a) (R - b)))^((dimension - 1) / 4) inside,  1 over this outside,  at most 2.
//
// Two products of a reaction at a distance go on along their chords, which are free motion already. A bounce there
// would push particles apart, in equilibrium too.
//
// Two that are in contact now, as decays leave their products, have c(k) (1 - w) for c(k):
//
//     w = h s / (1 + h s) * h / (h + 0.35 k) / (1 + 1.35 (d - 1) (s / R)^2)
//
// c(k) belongs to exact diffusion with reflection. The elastic bounce agrees with it on the average over all gaps, so
// that rates are right. But from contact it ends farther out, on average by k s^2, of which diffusion has half. With
// all of c(k) such pairs react too rarely. In equilibrium with decays at h R = 10 and s/R = 0.5, 0.47 are then bound
// for 0.50.
//
// The share w is a fit. By the integral equation of a single pair, 0.498 to 0.506 are bound with it (h R from 0.1 to
// 23, s/R from 0.1 to 0.7). Partners that are not in contact do not feel it, so that no rate from afar changes.
//
// Invariants: the decision is a function of both states and of a number keyed by ids, step and contacts so far. So it
// does not matter when, where or how often it is taken. Beyond 2 a b = 20 s^2 (probability 2e-9) the rule itself says
// no, so that no search's reach decides it.
//
// A pair does not react at a distance through a surface that neither of both passes freely (engine/ruled_times.cpp).
//
// Not done: after a contact with a third the rest of the step is decided anew. That is a bias of the order of contacts
// per step times s / R.
#pragma once

#include "contact/response.hpp"
#include "model/bend.hpp"

namespace ricochet {

/// `chord_time`: of the contact of their straight paths, infinite without one. PairContact::time and rated are not
/// read.
RatedEvent rated_event(double rate, const PairContact& pair, double chord_time);

/// Between a particle and a surface: at its own time, and at the end of the step. A chord that touches is reflected.
struct Gaps {
    double now, at_end;
};
/// Those at a plane, `distance` from the centre now.
Gaps gaps_at_plane(const ObstacleContact& contact, double distance, double chord_time);
/// The same as for a pair, at a wall or body.
RatedEvent rated_event(double rate, const ObstacleContact& contact, Gaps gaps, const Bend& bend,
                       double chord_time);
/// Whether the particle passes: `reacts` means that it does. `bend_at_end`: where the chord ends.
RatedEvent passing_event(double permeability, const ObstacleContact& contact, Gaps gaps, const Bend& bend,
                         const Bend& bend_at_end, double chord_time);

/// When a particle whose straight path does not touch would react.
double time_of_miss(const ObstacleContact& contact, Gaps gaps);

/// Whether two whose straight paths do not touch are beyond the cut. True only where rated_event says no; costs a
/// fraction of it.
bool is_beyond_cut(const ContactRules& rules, double end, const Motion& a, const Motion& b,
                   const Attributes& attributes_a, const Attributes& attributes_b,
                   const ImageLengths& images);

}  // namespace ricochet
