// SPDX-License-Identifier: BSD-3-Clause
//
// Texts with mistakes in them, the same for a seed on every machine: what people mistype, what programs write
// by mistake, and what neither would write.
#pragma once

#include <span>
#include <string>

#include "tests/support/hash_random.hpp"

namespace ricochet::test {

/// The text with one to three mutations: lines removed, doubled, swapped or taken from `others`; numbers
/// replaced by extreme ones; values by other types, deep nests, anchors and aliases, long texts; control
/// characters, tabs and broken UTF-8 put in; the end cut off.
std::string mutated(std::string text, std::span<const std::string> others, HashRandom& random);

}  // namespace ricochet::test
