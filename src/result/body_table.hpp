// SPDX-License-Identifier: BSD-3-Clause
//
// The bodies of a run in its result: a table of them, the body of each surface that the log names, and lists of
// spheres. FORMAT.md has the layout. The group is there only where there are bodies.
//
// All of it is fixed when the file is made. The attribute `hash` stands for its content in the checksum of the
// description.
#pragma once

#include <string>
#include <vector>

#include "hdf5/hdf5_file.hpp"
#include "ricochet/model/bodies.hpp"
#include "ricochet/parallel/exchange.hpp"
#include "ricochet/result/result_description.hpp"

namespace ricochet {

/// The word of a shape, the same in two and three dimensions: "sphere", "capsule", ...
std::string_view word_of(const BodyShape& shape);
/// "outside", "inside" or "both".
std::string_view word_of(BodySide side);

/// Collective.
void write_bodies(Exchange& exchange, hid_t group, const ResultDescription& description);

/// What write_bodies wrote, but for the spheres of bodies that are many; empty where there are none. For one rank.
std::vector<Body> read_bodies(hid_t group);

/// The same with these spheres.
std::vector<Body> read_bodies_with_spheres(hid_t group);

/// The attribute `hash` of the group; empty without bodies.
std::string hash_of_bodies(hid_t group);

/// Whether the tables are still those of this hash.
bool has_bodies_of_its_hash(hid_t group);

/// "cell (capsule, inside), post (sphere, outside)"; of many the first.
std::string names_of_bodies(const std::vector<Body>& bodies);

}  // namespace ricochet
