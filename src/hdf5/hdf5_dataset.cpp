// SPDX-License-Identifier: BSD-3-Clause
#include "hdf5/hdf5_dataset.hpp"

#include <algorithm>
#include <functional>
#include <numeric>
#include "parallel/collectives.hpp"
#include "ricochet/core/check.hpp"

namespace ricochet::hdf5 {
namespace {

constexpr hsize_t target_chunk_bytes = hsize_t{1} << 20;
/// The least extents of a chunk along a second axis that grows: few elements may become many. What is not used of a
/// packed chunk takes no room.
constexpr hsize_t fewest_filled = 256, fewest_packed = 2048;

hsize_t product(Extents::const_iterator first, Extents::const_iterator last) {
    return std::accumulate(first, last, hsize_t{1}, std::multiplies<>());
}

hsize_t ceiling_quotient(hsize_t a, hsize_t b) { return (a + b - 1) / b; }

Handle simple_space(const Extents& extents, const Extents& limits) {
    return {checked(H5Screate_simple(static_cast<int>(extents.size()), extents.data(), limits.data()),
                    "create a data space"),
            H5Sclose};
}

Handle property_list(hid_t kind) { return {checked(H5Pcreate(kind), "create a property list"), H5Pclose}; }

Handle create(hid_t parent, const char* name, hid_t type, const Handle& space, const Handle& properties) {
    return {checked(H5Dcreate2(parent, name, type, space.get(), H5P_DEFAULT, properties.get(), H5P_DEFAULT),
                    "create the dataset", parent, name),
            H5Dclose};
}

// The axis along which a block can be cut into pieces that are contiguous in memory. It is the first one
// longer than 1.
std::size_t cutting_axis(const Block& block) {
    const auto longer =
        std::find_if(block.count.begin(), block.count.end(), [](hsize_t n) { return n != 1; });
    return std::min(static_cast<std::size_t>(longer - block.count.begin()), block.count.size() - 1);
}

// How a block is cut: `num_rounds` pieces of at most `rows` along `axis`, each row of `row_bytes`.
struct Cut {
    std::size_t axis = 0;
    hsize_t rows = 1;
    hsize_t row_bytes = 1;
    hsize_t num_rounds = 0;
};

Cut cut_into_rounds(const Block& block, hsize_t element_bytes, hsize_t max_bytes) {
    if (block.is_empty()) return {};
    Cut cut;
    cut.axis = cutting_axis(block);
    const auto axis = static_cast<std::ptrdiff_t>(cut.axis);
    cut.row_bytes = element_bytes * product(block.count.begin() + axis + 1, block.count.end());
    cut.rows = std::max<hsize_t>(1, max_bytes / cut.row_bytes);
    cut.num_rounds = ceiling_quotient(block.count[cut.axis], cut.rows);
    return cut;
}

// Piece number `round`; empty past the last one.
Block piece_of(const Block& block, const Cut& cut, hsize_t round) {
    Block piece = block;
    if (round >= cut.num_rounds) {
        std::fill(piece.count.begin(), piece.count.end(), 0);
        return piece;
    }
    piece.offset[cut.axis] += round * cut.rows;
    piece.count[cut.axis] = std::min(cut.rows, block.count[cut.axis] - round * cut.rows);
    return piece;
}

// What the library calls a data space, in memory and in the file.
struct Selection {
    Handle memory, file;
};

// Selects the block. Both spaces have the same shape. For different shapes HDF5 would walk element by
// element, which is much slower than the writing.
Selection select(hid_t dataset, const Block& block) {
    RICOCHET_CHECK_EQ(block.offset.size(), block.count.size());
    Extents count = block.count;
    for (hsize_t& extent : count) extent = std::max<hsize_t>(1, extent);
    Selection selection{simple_space(count, count),
                        {checked(H5Dget_space(dataset), "read the shape of", dataset), H5Sclose}};
    if (block.is_empty()) {
        checked(H5Sselect_none(selection.file.get()), "select nothing in", dataset);
        checked(H5Sselect_none(selection.memory.get()), "select nothing in memory for", dataset);
    } else {
        checked(H5Sselect_hyperslab(selection.file.get(), H5S_SELECT_SET, block.offset.data(), nullptr,
                                    block.count.data(), nullptr),
                "select a block of", dataset);
    }
    return selection;
}

}  // namespace

bool Block::is_empty() const { return std::find(count.begin(), count.end(), hsize_t{0}) != count.end(); }

hsize_t Block::num_elements() const { return product(count.begin(), count.end()); }

Extents chunk_extents(const Extents& row, std::size_t element_bytes) {
    RICOCHET_CHECK_GT(element_bytes, 0);
    Extents chunk{1};
    chunk.insert(chunk.end(), row.begin(), row.end());
    const hsize_t row_bytes = element_bytes * product(row.begin(), row.end());
    if (row_bytes < target_chunk_bytes / 16) {
        chunk[0] = std::max<hsize_t>(1, target_chunk_bytes / 16 / std::max<hsize_t>(1, row_bytes));
    } else if (row_bytes > target_chunk_bytes) {
        chunk[1] = ceiling_quotient(row[0], ceiling_quotient(row_bytes, target_chunk_bytes));
    }
    for (auto& extent : chunk) extent = std::max<hsize_t>(1, extent);
    return chunk;
}

Dataset Dataset::create_growing(hid_t parent, const char* name, hid_t type, const Extents& row,
                                const Storage& storage) {
    Extents start{0}, limits{H5S_UNLIMITED};
    start.insert(start.end(), row.begin(), row.end());
    limits.insert(limits.end(), row.begin(), row.end());
    if (storage.has_growing_rows) limits.at(1) = H5S_UNLIMITED;
    Extents widest = row;
    if (storage.is_filled)
        widest.at(0) = std::max(widest.at(0), storage.is_compressed ? fewest_packed : fewest_filled);
    Extents chunk = chunk_extents(widest, H5Tget_size(type));
    if (storage.rows_per_chunk > 0) chunk[0] = storage.rows_per_chunk;
    // A packed chunk must be written once. HDF5 1.10 loses track of its space when it is packed again after
    // the file was reopened ("can't insert duplicate key").
    if (storage.is_compressed) chunk[0] = 1;
    const Handle properties = property_list(H5P_DATASET_CREATE);
    checked(H5Pset_chunk(properties.get(), static_cast<int>(chunk.size()), chunk.data()), "set the chunk of",
            parent, name);
    if (storage.is_compressed) {
        constexpr unsigned level = 3;  // higher ones gain next to nothing on coordinates
        checked(H5Pset_shuffle(properties.get()), "shuffle the bytes of", parent, name);
        checked(H5Pset_deflate(properties.get(), level), "compress", parent, name);
    }
    checked(H5Pset_fill_time(properties.get(), storage.is_filled ? H5D_FILL_TIME_IFSET : H5D_FILL_TIME_NEVER),
            "set the fill time of", parent, name);
    if (storage.fill_value != nullptr)
        checked(H5Pset_fill_value(properties.get(), type, storage.fill_value), "set the fill value of",
                parent, name);
    return Dataset(create(parent, name, type, simple_space(start, limits), properties));
}

Dataset Dataset::create_fixed(hid_t parent, const char* name, hid_t type, const Extents& shape) {
    const Handle properties = property_list(H5P_DATASET_CREATE);
    checked(H5Pset_alloc_time(properties.get(), H5D_ALLOC_TIME_EARLY), "set the allocation of", parent, name);
    return Dataset(create(parent, name, type, simple_space(shape, shape), properties));
}

Dataset Dataset::open(hid_t parent, const char* name) {
    return Dataset(
        {checked(H5Dopen2(parent, name, H5P_DEFAULT), "open the dataset", parent, name), H5Dclose});
}

Extents Dataset::shape() const {
    const Handle space(checked(H5Dget_space(get()), "read the shape of", get()), H5Sclose);
    Extents extents(static_cast<std::size_t>(
        checked(H5Sget_simple_extent_ndims(space.get()), "read the shape of", get())));
    checked(H5Sget_simple_extent_dims(space.get(), extents.data(), nullptr), "read the shape of", get());
    return extents;
}

Extents Dataset::chunk() const {
    const Handle properties(checked(H5Dget_create_plist(get()), "read the storage of", get()), H5Pclose);
    Extents extents(shape().size());
    checked(H5Pget_chunk(properties.get(), static_cast<int>(extents.size()), extents.data()),
            "read the chunk of", get());
    return extents;
}

bool Dataset::is_compressed() const {
    const Handle properties(checked(H5Dget_create_plist(get()), "read the storage of", get()), H5Pclose);
    return checked(H5Pget_nfilters(properties.get()), "read the filters of", get()) > 0;
}

bool Dataset::is_chunked() const {
    const Handle properties(checked(H5Dget_create_plist(get()), "read the storage of", get()), H5Pclose);
    return H5Pget_layout(properties.get()) == H5D_CHUNKED;
}

bool Dataset::is_filled() const {
    const Handle properties(checked(H5Dget_create_plist(get()), "read the storage of", get()), H5Pclose);
    H5D_fill_time_t time{};
    checked(H5Pget_fill_time(properties.get(), &time), "read the storage of", get());
    return time != H5D_FILL_TIME_NEVER;
}

Handle Dataset::type() const { return {checked(H5Dget_type(get()), "read the type of", get()), H5Tclose}; }

std::vector<std::byte> Dataset::fill_value() const {
    const Handle properties(checked(H5Dget_create_plist(get()), "read the storage of", get()), H5Pclose);
    const Handle element = type();
    std::vector<std::byte> bytes(H5Tget_size(element.get()));
    checked(H5Pget_fill_value(properties.get(), element.get(), bytes.data()), "read the fill value of",
            get());
    return bytes;
}

hsize_t Dataset::chunk_bytes(hsize_t length, hsize_t num_rows) const {
    const Extents extents = chunk();
    const hsize_t one_chunk = H5Tget_size(type().get()) * product(extents.begin(), extents.end());
    return one_chunk * ceiling_quotient(length, extents.at(0)) * ceiling_quotient(num_rows, extents.at(1));
}

void Dataset::resize(hsize_t length) {
    Extents extents = shape();
    extents.at(0) = length;
    checked(H5Dset_extent(get(), extents.data()), "extend", get());
}

void Dataset::resize(hsize_t length, hsize_t num_rows) {
    Extents extents = shape();
    extents.at(0) = length;
    extents.at(1) = num_rows;
    checked(H5Dset_extent(get(), extents.data()), "extend", get());
}

void Dataset::write(Exchange& exchange, const Block& block, hid_t type, const void* data, hsize_t max_bytes) {
    const Cut cut = cut_into_rounds(block, H5Tget_size(type), max_bytes);
    const auto num_rounds = max_of_ranks(exchange, cut.num_rounds);
    for (hsize_t round = 0; round < num_rounds; ++round) {
        const hsize_t done_bytes = std::min(round, cut.num_rounds) * cut.rows * cut.row_bytes;
        write_once(piece_of(block, cut, round), type, static_cast<const char*>(data) + done_bytes);
    }
}

void Dataset::write_once(const Block& block, hid_t type, const void* data) {
    const Selection selected = select(get(), block);
    const Handle transfer = property_list(H5P_DATASET_XFER);
    checked(H5Pset_dxpl_mpio(transfer.get(), H5FD_MPIO_COLLECTIVE), "ask for a collective write of", get());
    checked(H5Dwrite(get(), type, selected.memory.get(), selected.file.get(), transfer.get(), data), "write",
            get());
    H5D_mpio_actual_io_mode_t mode{};
    checked(H5Pget_mpio_actual_io_mode(transfer.get(), &mode), "learn how was written", get());
    wrote_collectively_ = mode != H5D_MPIO_NO_COLLECTIVE;
}

void Dataset::read(const Block& block, hid_t type, void* data) const {
    if (block.is_empty()) return;
    const Selection selected = select(get(), block);
    checked(H5Dread(get(), type, selected.memory.get(), selected.file.get(), H5P_DEFAULT, data), "read",
            get());
}

}  // namespace ricochet::hdf5
