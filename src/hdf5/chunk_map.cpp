// SPDX-License-Identifier: BSD-3-Clause
#include "hdf5/chunk_map.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "files/posix_file.hpp"
#include "hdf5/chunk_index.hpp"
#include "hdf5/hdf5_dataset.hpp"
#include "hdf5/hdf5_file.hpp"

namespace ricochet::hdf5 {
namespace {

/// Bytes of the file that hold elements of one dataset.
struct Extent {
    std::uint64_t begin = 0;
    std::uint64_t size = 0;
    haddr_t object = 0;  ///< of the dataset: it may have several names

    friend bool operator<(const Extent& a, const Extent& b) {
        return a.begin != b.begin ? a.begin < b.begin : a.object < b.object;
    }
};

haddr_t address_of(const Dataset& dataset) {
    H5O_info_t info{};
    checked(H5Oget_info(dataset.get(), &info), "look at", dataset.get());
    return info.addr;
}

std::string path_of(hid_t file) {
    std::string name(
        static_cast<std::size_t>(checked(H5Fget_name(file, nullptr, 0), "look up the name of", file)), '\0');
    checked(H5Fget_name(file, name.data(), name.size() + 1), "look up the name of", file);
    return name;
}

/// Moves to the next place in row-major order; false after the last one.
bool advance(Extents& place, const Extents& chunk, const Extents& shape) {
    for (std::size_t axis = shape.size(); axis-- > 0;) {
        place[axis] += chunk[axis];
        if (place[axis] < shape[axis]) return true;
        place[axis] = 0;
    }
    return false;
}

/// Asks HDF5 for each chunk. O(n^2) for n chunks.
std::vector<StoredChunk> ask_for_chunks(const Dataset& dataset, const std::function<void()>& on_piece) {
    const Extents shape = dataset.shape(), chunk = dataset.chunk();
    std::vector<StoredChunk> chunks;
    if (std::find(shape.begin(), shape.end(), hsize_t{0}) != shape.end()) return chunks;
    Extents place(shape.size(), 0);
    do {
        on_piece();
        haddr_t begin = HADDR_UNDEF;
        hsize_t size = 0;
        unsigned unused_filters = 0;
        checked(H5Dget_chunk_info_by_coord(dataset.get(), place.data(), &unused_filters, &begin, &size),
                "find a chunk of", dataset.get());
        // Without a place are rows that a killed run has extended, but not written.
        if (begin != HADDR_UNDEF) chunks.push_back({begin, size});
    } while (advance(place, chunk, shape));
    return chunks;
}

class Map {
  public:
    Map(const PosixFile& file, const std::function<void()>& on_piece) : file_(file), on_piece_(on_piece) {}

    void add_group(hid_t group) {
        for (const std::string& name : link_names(group)) {
            if (is_group(group, name))
                add_group(open_group(group, name.c_str()).get());
            else
                add(Dataset::open(group, name.c_str()), name);
        }
    }

    /// `end_of_file` is that of HDF5's part of the file.
    std::optional<std::string> find_problem(std::uint64_t end_of_file) {
        if (problem_) return problem_;
        std::sort(extents_.begin(), extents_.end());
        std::uint64_t end = 0;
        for (const Extent& extent : extents_) {
            if (extent.begin < end) return fmt::format("byte {} is of two chunks", extent.begin);
            end = extent.begin + extent.size;
            if (extent.begin > end_of_file || extent.size > end_of_file - extent.begin)
                return fmt::format("a chunk lies at byte {}, and the file ends at {}", extent.begin,
                                   end_of_file);
        }
        return std::nullopt;
    }

  private:
    void add(const Dataset& dataset, const std::string& name) {
        const haddr_t object = address_of(dataset);
        if (std::find(seen_.begin(), seen_.end(), object) != seen_.end()) return;
        seen_.push_back(object);
        if (dataset.is_chunked())
            add_chunks(dataset, name, object);
        else if (const haddr_t begin = H5Dget_offset(dataset.get()); begin != HADDR_UNDEF)
            extents_.push_back({begin, H5Dget_storage_size(dataset.get()), object});
    }

    void add_chunks(const Dataset& dataset, const std::string& name, haddr_t object) {
        hsize_t chunk_bytes = H5Tget_size(dataset.type().get());
        for (const hsize_t extent : dataset.chunk()) chunk_bytes *= extent;
        const bool is_compressed = dataset.is_compressed();
        for (const StoredChunk& chunk : chunks_of(dataset, object)) {
            if (!is_compressed && chunk.size != chunk_bytes)
                problem_ = fmt::format("a chunk of {} has {} bytes, and {} were expected", name, chunk.size,
                                       chunk_bytes);
            extents_.push_back({chunk.begin, chunk.size, object});
        }
    }

    std::vector<StoredChunk> chunks_of(const Dataset& dataset, haddr_t object) {
        if (auto chunks = read_chunk_index(file_, object, on_piece_)) return *std::move(chunks);
        return ask_for_chunks(dataset, on_piece_);
    }

    const PosixFile& file_;
    const std::function<void()>& on_piece_;
    std::vector<haddr_t> seen_;
    std::vector<Extent> extents_;
    std::optional<std::string> problem_;
};

}  // namespace

std::optional<std::string> find_misplaced_chunk(hid_t file, const std::function<void()>& on_piece) {
    haddr_t end = 0;
    checked(H5Fget_eoa(file, &end), "look up the end of", file);
    const PosixFile bytes = PosixFile::open_for_reading(path_of(file));
    Map map(bytes, on_piece);
    map.add_group(open_group(file, "/").get());
    return map.find_problem(end);
}

}  // namespace ricochet::hdf5
