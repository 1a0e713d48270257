// SPDX-License-Identifier: BSD-3-Clause
#include "hdf5/storage_note.hpp"

#include <fmt/format.h>

#include "hdf5/hdf5_dataset.hpp"
#include "hdf5/hdf5_file.hpp"

namespace ricochet {
namespace {

std::string describe_chunk(std::string_view name, const hdf5::Dataset& dataset) {
    std::string text(name);
    std::uint64_t num_bytes = H5Tget_size(dataset.type().get());
    const hdf5::Extents chunk = dataset.chunk();
    for (std::size_t axis = 0; axis < chunk.size(); ++axis) {
        text += fmt::format("{}{}", axis == 0 ? " " : " x ", chunk[axis]);
        num_bytes *= chunk[axis];
    }
    return text + fmt::format(" ({} kB)", (num_bytes + 512) / 1024);
}

}  // namespace

std::string describe_storage(hid_t file) {
    std::string text;
    bool is_compressed = false;
    const auto add = [&](const char* name, const std::string& path) {
        const auto dataset = hdf5::Dataset::open(file, path.c_str());
        text += (text.empty() ? "" : ", ") + describe_chunk(name, dataset);
        is_compressed = is_compressed || dataset.is_compressed();
    };
    for (const char* name : {"position", "velocity", "image", "id", "species"})
        add(name, "/particles/trajectory/" + std::string(name) + "/value");
    add("collisions", "/ricochet/collisions");
    const auto observables = hdf5::link_names(hdf5::open_group(file, "/ricochet/observables").get());
    if (!observables.empty()) add("observables", "/ricochet/observables/" + observables.front() + "/step");
    return text + (is_compressed ? "; frames packed by gzip" : "");
}

}  // namespace ricochet
