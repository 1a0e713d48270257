// SPDX-License-Identifier: BSD-3-Clause
#include "result/h5md_box.hpp"

#include "hdf5/hdf5_attribute.hpp"
#include "hdf5/hdf5_dataset.hpp"
#include "hdf5/hdf5_file.hpp"
#include "hdf5/hdf5_types.hpp"
#include "result/result_reader.hpp"
#include "ricochet/core/error.hpp"

namespace ricochet {
namespace {

constexpr hsize_t most_axes = 3;

/// The box of one frame, from D numbers or D x D.
H5mdBox box_of(const std::vector<double>& numbers, hsize_t num_axes, bool is_matrix) {
    if (!is_matrix) return {numbers, false};
    H5mdBox box;
    for (hsize_t row = 0; row < num_axes; ++row)
        for (hsize_t column = 0; column < num_axes; ++column) {
            const double number = numbers[row * num_axes + column];
            if (row == column)
                box.edges.push_back(number);
            else
                box.is_skew = box.is_skew || number != 0;
        }
    return box;
}

void add_unit(std::vector<NamedText>& units, const char* name, hid_t group, const char* dataset) {
    if (!hdf5::has_object(group, dataset) || hdf5::is_group(group, dataset)) return;
    const hdf5::Dataset opened = hdf5::Dataset::open(group, dataset);
    if (hdf5::has_attribute(opened.get(), "unit"))
        units.push_back({name, attribute_as_text(opened.get(), "unit")});
}

}  // namespace

H5mdBox read_h5md_box(const std::string& path, hid_t group, std::uint64_t frame) {
    if (!hdf5::has_object(group, "box/edges")) return {};
    const bool has_time = hdf5::has_object(group, "box/edges/value");
    const auto edges = hdf5::Dataset::open(group, has_time ? "box/edges/value" : "box/edges");
    hdf5::Block block{{}, edges.shape()};
    block.offset.resize(block.count.size(), 0);
    const std::size_t first = has_time ? 1 : 0, num_axes = block.count.size() - first;
    const hsize_t dimension = block.count.empty() ? 0 : block.count.back();
    const bool is_box = block.count.size() > first && num_axes <= 2 && dimension <= most_axes &&
                        block.count[first] == dimension && (!has_time || block.count[0] > 0);
    if (!is_box)
        throw InputError(path +
                         ": box/edges: got a shape that is none of those of H5MD, expected "
                         "one length or one vector per axis");
    if (has_time) {
        // A box that does not change may be written once.
        block.offset[0] = frame < block.count[0] ? frame : block.count[0] - 1;
        block.count[0] = 1;
    }
    std::vector<double> numbers(block.num_elements());
    edges.read(block, hdf5::number_type<double>(), numbers.data());
    return box_of(numbers, dimension, num_axes == 2);
}

std::vector<NamedText> read_unit_attributes(hid_t group) {
    std::vector<NamedText> units;
    add_unit(units, "length", group,
             hdf5::has_object(group, "position/value") ? "position/value" : "position");
    add_unit(units, "time", group, "position/time");
    return units;
}

std::vector<NamedText> read_our_units(hid_t ricochet_group) {
    std::vector<NamedText> units = read_texts_of(hdf5::open_group(ricochet_group, "units").get());
    std::erase_if(units, [](const NamedText& unit) { return unit.text == "unstated"; });
    return units;
}

}  // namespace ricochet
