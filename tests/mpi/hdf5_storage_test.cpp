// SPDX-License-Identifier: BSD-3-Clause
//
// What lies below the wrapper around HDF5: the index of chunks as bytes, and the journal of a file being written.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <hdf5.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <vector>

#include "hdf5/chunk_index.hpp"
#include "hdf5/hdf5_dataset.hpp"
#include "hdf5/hdf5_file.hpp"
#include "hdf5/live_journal.hpp"
#include "tests/support/mpi/mpi_ranks.hpp"
#include "tests/support/mpi/temporary_folder.hpp"

namespace ricochet::hdf5 {
namespace {

using testing::HasSubstr;

constexpr hsize_t chunk_rows = 4, num_columns = 6;

/// A dataset of chunks with 4 rows and 3 of 6 columns, through one process. Its rows differ, and so do the sizes of
/// packed chunks.
Handle create_chunked(hid_t file, const char* name, hsize_t num_rows, bool is_packed) {
    const std::array<hsize_t, 2> shape{num_rows, num_columns}, chunk{chunk_rows, num_columns / 2};
    const Handle space(H5Screate_simple(2, shape.data(), nullptr), H5Sclose);
    const Handle properties(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
    H5Pset_chunk(properties.get(), 2, chunk.data());
    if (is_packed) H5Pset_deflate(properties.get(), 4);
    Handle dataset(
        H5Dcreate2(file, name, H5T_NATIVE_UINT64, space.get(), H5P_DEFAULT, properties.get(), H5P_DEFAULT),
        H5Dclose);
    std::vector<std::uint64_t> values(num_rows * num_columns);
    for (std::size_t k = 0; k < values.size(); ++k) values[k] = k * k % (k / 40 + 1);
    if (!values.empty())
        H5Dwrite(dataset.get(), H5T_NATIVE_UINT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
    return dataset;
}

/// The places of all chunks, by the library, which is asked for one after the other.
std::vector<StoredChunk> chunks_by_library(hid_t dataset, hsize_t num_rows) {
    std::vector<StoredChunk> chunks;
    for (hsize_t row = 0; row < num_rows; row += chunk_rows) {
        for (const hsize_t column : {hsize_t{0}, num_columns / 2}) {
            const std::array<hsize_t, 2> corner{row, column};
            unsigned mask = 0;
            haddr_t address = 0;
            hsize_t bytes = 0;
            H5Dget_chunk_info_by_coord(dataset, corner.data(), &mask, &address, &bytes);
            chunks.push_back({address, bytes});
        }
    }
    return chunks;
}

Handle create_alone(const std::string& path) {
    return {H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT), H5Fclose};
}

haddr_t address_of_header(hid_t dataset) {
    H5O_info_t info{};
    H5Oget_info(dataset, &info);
    return info.addr;
}

TEST(ChunkIndex, HasThePlacesThatTheLibraryTells) {
    test::MpiRanks world;
    const test::TemporaryFolder folder(world);
    if (world.rank() != 0) return;
    const std::string path = folder.file("a.h5");
    for (const bool is_packed : {false, true}) {
        for (const hsize_t num_rows : {0, 4, 130, 5'000}) {  // up to 2,500 chunks: the tree has three levels
            const Handle file = create_alone(path);
            const Handle dataset = create_chunked(file.get(), "rows", num_rows, is_packed);
            H5Fflush(file.get(), H5F_SCOPE_GLOBAL);
            const auto found =
                read_chunk_index(PosixFile::open_for_reading(path), address_of_header(dataset.get()), [] {});
            ASSERT_TRUE(found.has_value());
            const auto expected = chunks_by_library(dataset.get(), num_rows);
            EXPECT_TRUE(std::equal(found->begin(), found->end(), expected.begin(), expected.end(),
                                   [](const StoredChunk& a, const StoredChunk& b) {
                                       return a.begin == b.begin && a.size == b.size;
                                   }))
                << num_rows << " rows, " << found->size() << " chunks for " << expected.size();
        }
    }
}

/// HDF5's other driver stands in for an MPI library whose functions this program does not replace.
TEST(LiveJournal, NoticesWritesThatItIsNotTold) {
    test::MpiRanks world;
    const test::TemporaryFolder folder(world);
    if (world.rank() != 0) return;
    const std::string path = folder.file("a.h5");
    { const Handle file = create_alone(path); }
    const auto journal = LiveJournal::watch(path, {"0123456789abcdef0123456789abcdef", false});
    const Handle file(H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT), H5Fclose);
    const Handle dataset = create_chunked(file.get(), "rows", 40, false);
    H5Fflush(file.get(), H5F_SCOPE_GLOBAL);
    journal->begin();
    EXPECT_THAT(journal->find_bypass().value_or(""), HasSubstr(path + ": HDF5 writes it past this program"));
    journal->cancel();
}

TEST(LiveJournal, IsToldOfAllMetadata) {
    test::MpiRanks world;
    const test::TemporaryFolder folder(world);
    const std::string path = folder.file("a.h5");
    { ParallelFile created(world, path, false); }
    auto file = ParallelFile::reopen(world, path, {"0123456789abcdef0123456789abcdef", false});
    for (int k = 0; k < 20; ++k) {
        const Handle group = create_group(file.get(), ("group_" + std::to_string(k)).c_str());
        EXPECT_NO_THROW(file.flush());
        EXPECT_TRUE(world.rank() != 0 || std::filesystem::exists(path + ".undo"));
    }
    file.close();
    EXPECT_FALSE(world.rank() == 0 && std::filesystem::exists(path + ".undo"));
}

/// Their index is far larger than what HDF5's cache holds by default (1.10: 2 MB).
TEST(PackedChunks, AreWrittenWhateverTheirNumber) {
    test::MpiRanks world;
    const test::TemporaryFolder folder(world);
    const std::string path = folder.file("a.h5");
    constexpr hsize_t num_chunks = 50'000, width = 100;
    const auto value = [](hsize_t k) { return static_cast<std::uint8_t>(k * k % 251); };
    { ParallelFile created(world, path, false); }
    auto file = ParallelFile::reopen(world, path, {"0123456789abcdef0123456789abcdef", false});
    auto dataset =
        Dataset::create_growing(file.get(), "rows", H5T_NATIVE_UINT8, {width}, {.is_compressed = true});
    dataset.resize(num_chunks);
    const auto size = static_cast<hsize_t>(world.size()), rank = static_cast<hsize_t>(world.rank());
    const hsize_t first = num_chunks * rank / size, last = num_chunks * (rank + 1) / size;
    std::vector<std::uint8_t> values((last - first) * width);
    for (std::size_t k = 0; k < values.size(); ++k) values[k] = value(first * width + k);
    dataset.write(world, {{first, 0}, {last - first, width}}, H5T_NATIVE_UINT8, values.data());
    dataset = {};
    file.close();

    const Handle read = open_for_reading(path);
    std::vector<std::uint8_t> found(values.size());
    Dataset::open(read.get(), "rows")
        .read({{first, 0}, {last - first, width}}, H5T_NATIVE_UINT8, found.data());
    EXPECT_EQ(found, values);
}

}  // namespace
}  // namespace ricochet::hdf5
