// SPDX-License-Identifier: BSD-3-Clause
#include "result/h5md_box.hpp"

#include <algorithm>

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
    if (!is_matrix) return {numbers};
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

[[noreturn]] void refuse_shape(const std::string& path, const char* name, const char* expected) {
    throw InputError(path + ": " + name + ": got a shape that is none of those of H5MD, expected " +
                     expected);
}

struct Numbers {
    std::vector<double> values;
    hdf5::Extents shape;  ///< without that of time; at least one extent, none above most_axes
};

/// The numbers of an element of the box at the frame. What does not change may have no time, or be written once.
Numbers read_numbers_of_frame(const std::string& path, hid_t group, const std::string& name,
                              std::uint64_t frame) {
    const bool has_time = hdf5::has_object(group, name + "/value");
    const auto dataset = hdf5::Dataset::open(group, (has_time ? name + "/value" : name).c_str());
    hdf5::Block block{{}, dataset.shape()};
    block.offset.resize(block.count.size(), 0);
    Numbers numbers;
    numbers.shape.assign(block.count.begin() + (has_time && !block.count.empty() ? 1 : 0), block.count.end());
    const bool is_small = std::all_of(numbers.shape.begin(), numbers.shape.end(),
                                      [](hsize_t extent) { return extent > 0 && extent <= most_axes; });
    if (numbers.shape.empty() || !is_small || (has_time && block.count[0] == 0))
        refuse_shape(path, name.c_str(), "numbers for each axis");
    if (has_time) {
        block.offset[0] = std::min<hsize_t>(frame, block.count[0] - 1);
        block.count[0] = 1;
    }
    numbers.values.resize(block.num_elements());
    dataset.read(block, hdf5::number_type<double>(), numbers.values.data());
    return numbers;
}

/// The words of the attribute; one stands for all axes in old files. A dataset of that name, or numbers, say nothing.
std::vector<std::string> boundary_of(hid_t box) {
    if (!hdf5::has_attribute(box, "boundary")) return {};
    const hdf5::Handle attribute(
        hdf5::checked(H5Aopen(box, "boundary", H5P_DEFAULT), "open", box, "boundary"), H5Aclose);
    const hdf5::Handle type(hdf5::checked(H5Aget_type(attribute.get()), "read the type of", box, "boundary"),
                            H5Tclose);
    if (H5Tget_class(type.get()) != H5T_STRING) return {};
    std::vector<std::string> words = hdf5::read_texts(box, "boundary");
    if (words.size() == 1) words.resize(most_axes, words.front());
    return words;
}

void add_unit(std::vector<NamedText>& units, const char* name, hid_t group, const char* dataset) {
    if (!hdf5::has_object(group, dataset) || hdf5::is_group(group, dataset)) return;
    const hdf5::Dataset opened = hdf5::Dataset::open(group, dataset);
    if (hdf5::has_attribute(opened.get(), "unit"))
        units.push_back({name, attribute_as_text(opened.get(), "unit")});
}

}  // namespace

H5mdBox read_h5md_box(const std::string& path, hid_t group, std::uint64_t frame) {
    H5mdBox box;
    if (hdf5::has_object(group, "box/edges")) {
        const Numbers edges = read_numbers_of_frame(path, group, "box/edges", frame);
        if (edges.shape.size() > 2 || edges.shape.front() != edges.shape.back())
            refuse_shape(path, "box/edges", "one length or one vector per axis");
        box = box_of(edges.values, edges.shape.front(), edges.shape.size() == 2);
    }
    if (hdf5::has_object(group, "box/offset")) {
        const Numbers offset = read_numbers_of_frame(path, group, "box/offset", frame);
        if (offset.shape.size() != 1) refuse_shape(path, "box/offset", "one number per axis");
        box.offset = offset.values;
    }
    if (hdf5::has_object(group, "box")) box.boundary = boundary_of(hdf5::open_group(group, "box").get());
    return box;
}

std::vector<NamedText> read_unit_attributes(hid_t group) {
    std::vector<NamedText> units;
    add_unit(units, "length", group,
             hdf5::has_object(group, "position/value") ? "position/value" : "position");
    add_unit(units, "time", group, "position/time");
    return units;
}

std::string read_velocity_unit(hid_t group) {
    std::vector<NamedText> units;
    add_unit(units, "velocity", group,
             hdf5::has_object(group, "velocity/value") ? "velocity/value" : "velocity");
    return units.empty() ? "" : units.front().text;
}

std::vector<NamedText> read_our_units(hid_t ricochet_group) {
    std::vector<NamedText> units = read_texts_of(hdf5::open_group(ricochet_group, "units").get());
    std::erase_if(units, [](const NamedText& unit) { return unit.text == "unstated"; });
    return units;
}

}  // namespace ricochet
