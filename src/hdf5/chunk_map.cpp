// SPDX-License-Identifier: BSD-3-Clause
#include "hdf5/chunk_map.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <vector>

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

/// Moves to the next place in row-major order; false after the last one.
bool advance(Extents& place, const Extents& chunk, const Extents& shape) {
    for (std::size_t axis = shape.size(); axis-- > 0;) {
        place[axis] += chunk[axis];
        if (place[axis] < shape[axis]) return true;
        place[axis] = 0;
    }
    return false;
}

class Map {
  public:
    explicit Map(const std::function<void()>& on_piece) : on_piece_(on_piece) {}

    void add_group(hid_t group) {
        for (const std::string& name : link_names(group)) {
            if (is_group(group, name))
                add_group(open_group(group, name.c_str()).get());
            else
                add(Dataset::open(group, name.c_str()), name);
        }
    }

    std::optional<std::string> find_problem(std::uint64_t file_bytes) {
        if (problem_) return problem_;
        std::sort(extents_.begin(), extents_.end());
        std::uint64_t end = 0;
        for (const Extent& extent : extents_) {
            if (extent.begin < end) return fmt::format("byte {} is of two chunks", extent.begin);
            end = extent.begin + extent.size;
            if (extent.begin > file_bytes || extent.size > file_bytes - extent.begin)
                return fmt::format("a chunk lies at byte {}, and the file has {}", extent.begin, file_bytes);
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
        const Extents shape = dataset.shape(), chunk = dataset.chunk();
        if (std::find(shape.begin(), shape.end(), hsize_t{0}) != shape.end()) return;
        hsize_t chunk_bytes = H5Tget_size(dataset.type().get());
        for (const hsize_t extent : chunk) chunk_bytes *= extent;
        const bool is_compressed = dataset.is_compressed();
        Extents place(shape.size(), 0);
        do {
            on_piece_();
            haddr_t begin = HADDR_UNDEF;
            hsize_t size = 0;
            unsigned unused_filters = 0;
            checked(H5Dget_chunk_info_by_coord(dataset.get(), place.data(), &unused_filters, &begin, &size),
                    "find a chunk of", dataset.get());
            if (begin == HADDR_UNDEF) continue;  // rows that a killed run has extended, but not written
            if (!is_compressed && size != chunk_bytes)
                problem_ =
                    fmt::format("a chunk of {} has {} bytes, and {} were expected", name, size, chunk_bytes);
            extents_.push_back({begin, size, object});
        } while (!problem_ && advance(place, chunk, shape));
    }

    const std::function<void()>& on_piece_;
    std::vector<haddr_t> seen_;
    std::vector<Extent> extents_;
    std::optional<std::string> problem_;
};

}  // namespace

std::optional<std::string> find_misplaced_chunk(hid_t file, const std::function<void()>& on_piece) {
    hsize_t file_bytes = 0;
    checked(H5Fget_filesize(file, &file_bytes), "look up the size of", file);
    Map map(on_piece);
    map.add_group(open_group(file, "/").get());
    return map.find_problem(file_bytes);
}

}  // namespace ricochet::hdf5
