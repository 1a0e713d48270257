// SPDX-License-Identifier: BSD-3-Clause
//
// From the tree of an input to the Config. The check against the table finds unknown, repeated and missing
// keys. It finds values of the wrong kind or out of range, and keys without meaning beside others. The rules
// tie keys together: names must exist, densities must fit, and the box must be large enough for its particles
// and its minimum image.
//
// Every error becomes an issue. A bad value is marked invalid in the tree and leaves its member unchanged;
// rules skip it. So one pass finds all errors.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "config/config_table.hpp"
#include "config/config_tree.hpp"

namespace ricochet::detail {

/// Checks the tree, fills the defaults into it, and takes its values into the Config.
void take_tree(TreeNode& root, Config& config, Issues& issues);

/// Completes the Config of a checked tree with what follows from several keys (counts, pairs of species) and from
/// files of bodies. Adds one issue per broken rule (config_rules.cpp).
void apply_rules(const TreeNode& root, Config& config, Issues& issues, const FileReader& read);

/// The corners, radii and volumes of species with a shape, before all else (config_shapes.cpp).
void complete_shapes(const TreeNode& root, Config& config, Issues& issues);
/// What goes together with shapes. It needs all other rules.
void check_beside_shapes(const TreeNode& root, Config& config, Issues& issues);

/// The part of this for bodies (config_bodies.cpp). It needs the rules of contacts.
void apply_bodies(const TreeNode& root, Config& config, Issues& issues, const FileReader& read);

/// The part for walls that move (config_walls.cpp). It needs the rules of contacts, bodies and decays.
void apply_walls(const TreeNode& root, Config& config, Issues& issues);
/// What of it needs the numbers of particles.
void check_room_between_walls(const TreeNode& root, Config& config, Issues& issues);

/// The part of this for contacts.pairs (config_contacts.cpp). It needs the defaults of contacts.
void apply_contact_rules(const TreeNode& root, Config& config, Issues& issues);

/// The part for decays (config_decays.cpp).
void apply_decays(const TreeNode& root, Config& config, Issues& issues);
void apply_moves(const TreeNode& root, Config& config, Issues& issues);
/// The part for fields (config_fields.cpp). It needs the rules of contacts and species[].moves.
void apply_fields(const TreeNode& root, Config& config, Issues& issues);

/// The part for mutual gravity (config_self_gravity.cpp). It needs the rules of contacts.
void apply_self_gravity(const TreeNode& root, Config& config, Issues& issues);

/// The most spheres of a list.
inline constexpr double most_spheres = 0x1p25;
/// The most points of which a shape is the hull.
inline constexpr std::size_t most_points = 64;

/// How many sections a list may have.
std::size_t most_items(const Option& list);

/// A finite decimal number (0.1, 1e-3, +2); none for anything else. Independent of the locale.
std::optional<double> parse_number(std::string_view text);

/// Whether it is a word for infinity or for what is no number, as YAML (.inf, .nan) or other programs write it.
bool is_not_finite(std::string_view text);

/// Whether products of a few such numbers neither overflow nor vanish: 0, or a magnitude from 1e-100 to 1e100.
bool has_good_magnitude(double value);

/// A non-negative integer, also in a form like 1e6 where that is exact; none for anything else.
std::optional<std::uint64_t> parse_integer(std::string_view text);

/// ", did you mean x?" for the candidate nearest to a misspelt word; empty when none is near.
std::string did_you_mean(std::string_view word, const std::vector<std::string_view>& candidates);

}  // namespace ricochet::detail
