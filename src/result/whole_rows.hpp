// SPDX-License-Identifier: BSD-3-Clause
//
// Datasets that are fixed when a result is made, and small: written by rank 0 and read whole.
#pragma once

#include <vector>

#include "hdf5/hdf5_dataset.hpp"
#include "hdf5/hdf5_file.hpp"
#include "ricochet/parallel/exchange.hpp"

namespace ricochet {

/// Writes the values of rank 0 as a dataset [rows], or [rows][width]. Collective.
template <class Value>
void write_all_rows(Exchange& exchange, hid_t group, const char* name, hid_t type,
                    const std::vector<Value>& values, hsize_t width = 1) {
    hdf5::Extents shape{values.size()};
    if (width > 1) shape.push_back(width);
    auto dataset = hdf5::Dataset::create_fixed(group, name, type, shape);
    hdf5::Block block{hdf5::Extents(shape.size(), 0), shape};
    if (exchange.rank() != 0) block.count[0] = 0;
    dataset.write(exchange, block, type, values.data());
}

/// All rows; empty where the group has no such dataset. A value holds a whole row. For one rank.
template <class Value>
std::vector<Value> read_all_rows(hid_t group, const char* name, hid_t type) {
    if (!hdf5::has_object(group, name)) return {};
    const auto dataset = hdf5::Dataset::open(group, name);
    const hdf5::Extents shape = dataset.shape();
    std::vector<Value> values(shape.at(0));
    dataset.read({hdf5::Extents(shape.size(), 0), shape}, type, values.data());
    return values;
}

}  // namespace ricochet
