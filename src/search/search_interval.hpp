// SPDX-License-Identifier: BSD-3-Clause
//
// Search intervals: how far ahead a search looks.
//
// A search finds every particle that another can touch on its path. After a contact these neighbours are
// tested. Their number grows with the cube of the path's length: a dense gas with eight contacts per particle
// and step has hundreds. Nearly every contact then bends a path out of its bounding sphere. So a long step is
// searched in several intervals. Each reaches from the end of a sub-window to the end of a later one, with
// the paths as they are by then.
//
// Algorithm: the length minimises the cost per time in a model of one particle,
//     (sorting + pair k) / interval + contacts per time * bend k p,
//
// where k is the mean number of neighbours and p the path in diameters. The first term is the search. The
// second is the queries after contacts: a longer path leaves its sphere farther. Note 10 of
// tests/bench/notes.md has the best lengths; the minimum is flat.
//
// Invariant: a contact time is a function of the states of two particles, whenever it is computed. So
// intervals change no bit, and every rank may choose its own.
//
// Disadvantage: the conditions are means of a rank; a dense cluster in a dilute gas gets the intervals of the
// gas.
#pragma once

namespace ricochet {

/// Means over the particles of a rank.
struct IntervalConditions {
    double rest = 0;          ///< time from the start of the interval to the end of the step
    double density = 0;       ///< particles per volume (area)
    double radius = 0;        ///< mean
    double speed = 0;         ///< mean
    double contact_rate = 0;  ///< contacts per particle and time
    bool is_flat = false;     ///< two dimensions
};

/// How much wider the bounding spheres of an interval are than the paths before any contact. Contacts bend
/// paths. Where nearly every particle has one, room for the bent path is cheaper than enlarging the sphere
/// later. Paths so long that this would double the pairs are the exception (note 11 of tests/bench/notes.md).
double spare_reach(const IntervalConditions& of, double interval);

/// The length of the next interval: `rest` divided by an integer or, for many intervals, by any number.
double best_interval(const IntervalConditions& of);

}  // namespace ricochet
