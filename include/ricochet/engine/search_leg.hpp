// SPDX-License-Identifier: BSD-3-Clause
//
// Legs: how far ahead a search looks.
//
// A search finds for every particle all that it can touch on its way, and a contact is followed by a look at
// these neighbours. Their number grows with the cube of the way: at eight contacts per particle in a step of
// a gas of volume fraction 0.3 there are hundreds, and nearly every contact leads a path out of what was
// foreseen. So a step that is long for this is searched in several legs, each from the end of a sub-window to
// the end of a later one, with the paths as they then are. A contact time is a function of the states of two
// particles, whenever it is asked for: legs change no bit, and every rank may choose its own.
//
// The length is the one that costs least per time by a model of one particle,
//     (sorting + pair k) / leg + contacts per time * bend k p,
// with k the mean number of neighbours and p the path in diameters: a search of all costs so much per pair,
// and a contact leads a path out of its ball, the farther the longer it is, to be held against what is there.
// Measured at volume fractions of 0.01 to 0.49, and in two dimensions, in legs of 0.05 to 8 contacts per
// particle; the best are 0.1 contacts long at 0.01, 0.35 at 0.1, 0.65 at 0.3 and 1.4 at 0.49. The minimum is
// flat. Disadvantage: means of a rank; a dense cluster in a dilute gas gets the legs of the gas.
#pragma once

namespace ricochet {

/// Means over the particles of a rank.
struct LegQuestion {
    double rest = 0;          ///< of the step, from the start of the leg on
    double density = 0;       ///< particles per volume (area)
    double radius = 0;        ///< mean
    double speed = 0;         ///< mean
    double contact_rate = 0;  ///< contacts per particle and time
    bool is_flat = false;     ///< two dimensions
};

/// How much wider the balls of a leg are made than the paths are before any contact. Contacts bend paths;
/// where nearly every particle has one, room for the bent path is cheaper than enlarging the ball later,
/// unless paths are so long that it would double the pairs. Measured over volume fractions 0.01 to 0.49.
double spare_reach(const LegQuestion& of, double leg);

/// The length of the next leg: `rest` divided by an integer or, for many, a number that need not be one.
double best_leg(const LegQuestion& of);

}  // namespace ricochet
