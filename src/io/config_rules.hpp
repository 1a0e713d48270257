// SPDX-License-Identifier: BSD-3-Clause
//
// The rules of an input that tie several keys together: names that must exist, densities that must fit, a box
// that must be large enough for its particles and its minimum image. A rule is skipped where a value that it
// needs is itself in error.
#pragma once

#include "io/config_reader.hpp"
#include "ricochet/io/config.hpp"

namespace ricochet::detail {

/// Completes the configuration with what follows from several keys (counts, pairs of species) and adds one
/// issue per broken rule.
void apply_rules(const Reader& read, Config& config, Issues& issues);

/// Counts of species given by density or volume fraction, and the rules on how many particles fit.
void apply_count_rules(const Reader& read, Config& config, Issues& issues);

}  // namespace ricochet::detail
