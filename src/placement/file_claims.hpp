// SPDX-License-Identifier: BSD-3-Clause
//
// What a file of particles says beside its rows: of its box, of its units, and how exactly it gives positions. The
// input has a box and units too. Where both speak they must agree, since a start in another box or in other units is
// another system.
//
// Boundaries are compared in one direction only. A file that says "periodic" means it: a system without faces is
// refused between walls. A file that does not say so may mean nothing. ASE writes pbc="F F F" for whatever was never
// told otherwise, and a state that was prepared between walls may start a periodic system. A note says it. In H5MD
// "periodic" may mean nothing, too: MDAnalysis and ESPResSo write it into every file with a box.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ricochet/model/box.hpp"

namespace ricochet {

struct StatedBoundary {
    std::string name = {};                  ///< what the file calls it, for messages
    std::string words = {};                 ///< as they stand in the file
    std::vector<bool> is_periodic_at = {};  ///< along the axes; empty: not stated
    bool is_routine = false;                ///< its writer may say periodic of any box
    bool is_missing = false;                ///< the format has a place for it, and the file has nothing there
};

struct StatedBox {
    std::string name;              ///< what the file calls it, for messages
    std::vector<double> edges;     ///< along the axes; empty: not stated
    Vec3 origin = {};              ///< the lowest corner; positions are counted from it
    bool is_skew = false;          ///< some edge is not along its axis
    StatedBoundary boundary = {};  ///< what closes it
};

struct StatedUnit {
    std::string name, word;  ///< e.g. "length", "nm"
    std::string of = {};     ///< the column, if a unit is stated for it alone, e.g. "velocity"
};

struct FileClaims {
    std::optional<StatedBox> box;
    std::vector<StatedUnit> units;
    /// Positions are multiples of this length, e.g. one unit of the last digit; 0: as exact as a double.
    double resolution = 0;
};

/// One message for each claim that contradicts the box or the units. Edges agree when they do as float32. Of the words
/// for units, some spellings are known to mean one unit.
std::vector<std::string> contradictions(const FileClaims& claims, const std::string& file, const Box& box,
                                        const std::vector<StatedUnit>& units);

/// Says where the input's boundary is another than the file's; empty where they agree or contradict each other.
std::string note_on_boundary(const FileClaims& claims, const Box& box);

/// By how much the rounding of the file can make two spheres overlap that touch. It is 0 where that would be more
/// than 1e-4 of the `distance` of their centres: then digits do not tell contacts from overlaps.
double rounding_of_gap(double resolution, double distance);

}  // namespace ricochet
