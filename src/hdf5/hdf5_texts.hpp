// SPDX-License-Identifier: BSD-3-Clause
//
// Text in datasets of other programs: strings of fixed or of variable length, and names of enumerated numbers.
#pragma once

#include <string>
#include <vector>

#include "hdf5/hdf5_dataset.hpp"
#include "hdf5/hdf5_handle.hpp"

namespace ricochet::hdf5 {

bool holds_texts(const Dataset& dataset);

/// The texts of a block, one after the other, without the zeros and blanks that pad them at the end. Requires:
/// holds_texts.
std::vector<std::string> read_texts_of_block(const Dataset& dataset, const Block& block);

/// Names by number; gaps are empty. Empty for types that are no enumeration. Negative and very large numbers are left
/// out.
std::vector<std::string> names_of_enumeration(const Handle& type);

}  // namespace ricochet::hdf5
