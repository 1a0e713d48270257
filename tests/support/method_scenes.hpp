// SPDX-License-Identifier: BSD-3-Clause
//
// The scenes in which all search methods are compared: eleven kinds of systems, each in two and three dimensions, with
// as many variants as there are seeds.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "tests/support/systems.hpp"

namespace ricochet::test {

inline constexpr std::array<std::string_view, 11> method_scenes{
    "dilute",       "dense",       "thin_slab",     "ratio_1_to_20", "one_cell", "on_faces",
    "square_sites", "close_sites", "touching_rows", "fast_particle", "cluster"};

/// One of these scenes. Elastic, with long and short steps. There are enough particles for about this many contacts
/// within some tens of steps. Throws std::invalid_argument for another word.
System method_scene(std::string_view scene, int dimension, std::size_t num_contacts, std::uint64_t seed);

}  // namespace ricochet::test
