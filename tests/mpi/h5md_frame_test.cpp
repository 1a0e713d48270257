// SPDX-License-Identifier: BSD-3-Clause
//
// Reading particles back, from our own results and from H5MD files as other programs write them.
#include "result/h5md_frame.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include <cstring>
#include <numeric>

#include "hdf5/hdf5_dataset.hpp"
#include "hdf5/hdf5_file.hpp"
#include "hdf5/hdf5_types.hpp"
#include "ricochet/core/error.hpp"
#include "tests/support/mpi/mpi_ranks.hpp"
#include "tests/support/mpi/sample_result.hpp"
#include "tests/support/mpi/temporary_folder.hpp"

namespace ricochet {
namespace {

using testing::HasSubstr;

// Expects row `row` of the frame to be particle k of the sample.
void expect_particle(const H5mdFrame& read, std::size_t row, const Particles& given, std::size_t k) {
    EXPECT_EQ(read.particles.motion[row].id, given.motion[k].id);
    EXPECT_EQ(read.particles.motion[row].position, given.motion[k].position);
    EXPECT_EQ(read.particles.motion[row].velocity, given.motion[k].velocity);
    EXPECT_EQ(read.particles.track[row].image, given.track[k].image);
    EXPECT_EQ(read.particles.attributes[row].species, given.attributes[k].species);
    EXPECT_EQ(read.particles.attributes[row].radius, given.attributes[k].radius);
    EXPECT_EQ(read.particles.attributes[row].mass, given.attributes[k].mass);
}

TEST(H5mdFrame, ReturnsWhatTheWriterWasGiven) {
    test::MpiRanks world;
    const test::TemporaryFolder folder(world);
    test::write_sample_result(world, folder.file("a.h5md"), {}, test::distribute_randomly(world.size(), 1));
    const Particles given = test::sample_particles(100, test::sample_description(100).box, 10);
    const H5mdFrame read = read_h5md_frame(folder.file("a.h5md"), 2);
    EXPECT_EQ(read.step, 10u);
    EXPECT_EQ(read.time, 0.1 * 10);
    EXPECT_TRUE(read.has_velocity && read.has_image && read.has_id && read.has_species && read.has_radius &&
                read.has_mass);
    ASSERT_EQ(read.particles.size(), 100u);
    for (std::size_t k = 0; k < 100; ++k) expect_particle(read, k, given, k);
    EXPECT_EQ(read_h5md_frame(folder.file("a.h5md")).step, 20u);
    world.barrier();
}

TEST(H5mdFrame, ReadsTheRowsAskedFor) {
    test::MpiRanks world;
    const test::TemporaryFolder folder(world);
    test::write_sample_result(world, folder.file("a.h5md"), {}, test::distribute_randomly(world.size(), 1));
    const Particles given = test::sample_particles(100, test::sample_description(100).box, 0);
    const H5mdFrame read = read_h5md_frame(folder.file("a.h5md"), 0, {90, 1000});
    EXPECT_EQ(read.num_rows, 100u);
    ASSERT_EQ(read.particles.size(), 10u);
    for (std::size_t k = 0; k < 10; ++k) expect_particle(read, k, given, 90 + k);
    EXPECT_EQ(read_h5md_frame(folder.file("a.h5md"), 0, {100, 5}).particles.size(), 0u);
    world.barrier();
}

// Writes numbers as a contiguous dataset; of this rank alone.
template <class Number>
void write_numbers(const hdf5::Handle& group, const char* name, const hdf5::Extents& shape,
                   const std::vector<Number>& values) {
    auto dataset = hdf5::Dataset::create_fixed(group.get(), name, hdf5::number_type<Number>(), shape);
    test::MpiRanks self = test::this_rank_alone();
    dataset.write(self, {hdf5::Extents(shape.size(), 0), shape}, hdf5::number_type<Number>(), values.data());
}

// A planar file of another program: float32 positions of two components, 3 rows of which one is not live, no
// velocities, masses that do not depend on time.
void write_foreign_file(const std::string& path) {
    test::MpiRanks self = test::this_rank_alone();
    hdf5::ParallelFile file(self, path, false);
    {
        const auto particles = hdf5::create_group(file.get(), "particles");
        const auto group = hdf5::create_group(particles.get(), "colloids");
        const auto position = hdf5::create_group(group.get(), "position");
        write_numbers<float>(position, "value", {2, 3, 2}, {1, 2, 3, 4, 5, 6, 1.5F, 2.5F, 0, 0, 5.5F, 6.5F});
        write_numbers<std::int32_t>(position, "step", {2}, {100, 200});
        const auto id = hdf5::create_group(group.get(), "id");
        write_numbers<std::int32_t>(id, "value", {2, 3}, {5, 6, 7, 5, -1, 7});
        write_numbers<float>(group, "mass", {3}, {1, 2, 3});
    }
    file.close();
}

TEST(H5mdFrame, ReadsFilesOfOtherPrograms) {
    test::MpiRanks world;
    const test::TemporaryFolder folder(world);
    const std::string path = folder.file(std::to_string(world.rank()) + ".h5");
    write_foreign_file(path);
    const H5mdFrame read = read_h5md_frame(path);
    EXPECT_EQ(read.dimension, 2);
    EXPECT_EQ(read.frame, 1u);
    EXPECT_EQ(read.step, 200u);
    EXPECT_EQ(read.num_rows, 3u);
    EXPECT_FALSE(read.has_velocity || read.has_image || read.has_radius || read.has_species);
    EXPECT_TRUE(read.has_id && read.has_mass);
    ASSERT_EQ(read.particles.size(), 2u);
    EXPECT_EQ(read.particles.motion[0].position, (Vec3{1.5, 2.5, 0}));
    EXPECT_EQ(read.particles.motion[1].position, (Vec3{5.5, 6.5, 0}));
    EXPECT_EQ(read.particles.motion[1].id, 7u);
    EXPECT_EQ(read.particles.attributes[1].mass, 3);
    EXPECT_EQ(read_h5md_frame(path, 0).particles.size(), 3u);
}

std::string refusal(const std::string& path, std::optional<std::uint64_t> frame = std::nullopt) {
    try {
        read_h5md_frame(path, frame);
    } catch (const InputError& error) {
        return error.what();
    }
    return "accepted";
}

TEST(H5mdFrame, RefusesWhatItCannotRead) {
    test::MpiRanks world;
    const test::TemporaryFolder folder(world);
    const std::string path = folder.file(std::to_string(world.rank()) + ".h5");
    write_foreign_file(path);
    EXPECT_THAT(refusal(path, 2),
                HasSubstr("has 2 complete frames, and frame 2 (counted from 0) was asked for"));
    EXPECT_THAT(refusal(folder.file("missing.h5md")), HasSubstr("missing.h5md: there is no such file"));
    const std::string empty = folder.file(std::to_string(world.rank()) + "-empty.h5");
    hdf5::ParallelFile(test::this_rank_alone(), empty, false).close();
    EXPECT_THAT(refusal(empty), HasSubstr("has no group /particles"));
}

// A file of two particles with one element of numbers; returns what is said against it, or "accepted".
template <class Number>
std::string refusal_of(const char* name, const std::vector<Number>& values, hsize_t num_rows = 2) {
    test::MpiRanks world;
    const test::TemporaryFolder folder(world);
    const std::string path = folder.file(std::to_string(world.rank()) + ".h5");
    {
        hdf5::ParallelFile file(test::this_rank_alone(), path, false);
        {
            const auto particles = hdf5::create_group(file.get(), "particles");
            const auto group = hdf5::create_group(particles.get(), "all");
            write_numbers<double>(group, "position", {2, 3}, std::vector<double>(6, 1.0));
            const hsize_t width = values.size() / num_rows;
            write_numbers<Number>(
                group, name, width == 1 ? hdf5::Extents{num_rows} : hdf5::Extents{num_rows, width}, values);
        }
        file.close();
    }
    return refusal(path);
}

TEST(H5mdFrame, RefusesWholeNumbersThatAreNone) {
    constexpr std::uint64_t limit = std::uint64_t{1} << 63;
    EXPECT_EQ(refusal_of<std::int64_t>("id", {7, -1}), "accepted");
    EXPECT_EQ(refusal_of<double>("id", {7, -1}), "accepted");
    EXPECT_EQ(refusal_of<std::uint64_t>("id", {7, limit - 1}), "accepted");
    EXPECT_THAT(refusal_of<std::int64_t>("id", {7, -2}),
                HasSubstr("row 1: id: got -2, expected a number from 0"));
    EXPECT_THAT(refusal_of<std::uint64_t>("id", {limit, 7}), HasSubstr("row 0: id: got 9223372036854775808"));
    EXPECT_THAT(refusal_of<double>("id", {7, 1.5}), HasSubstr("row 1: id: got 1.5, expected a whole number"));
    EXPECT_THAT(refusal_of<double>("id", {7, std::nan("")}), HasSubstr("row 1: id: got nan"));
    EXPECT_EQ(refusal_of<std::int32_t>("species", {0, 1}), "accepted");
    EXPECT_THAT(refusal_of<std::int32_t>("species", {0, -1}), HasSubstr("row 1: species: got -1"));
    EXPECT_THAT(refusal_of<std::uint64_t>("species", {std::uint64_t{1} << 32, 0}),
                HasSubstr("row 0: species: got 4294967296"));
    EXPECT_THAT(refusal_of<double>("image", {0, 0, 0, 0, 0.5, 0}), HasSubstr("row 1: image: got 0.5"));
    EXPECT_THAT(refusal_of<double>("image", {0, 0, 0, 0, 1e300, 0}), HasSubstr("row 1: image: got 1e+300"));
}

TEST(H5mdFrame, RefusesElementsOfAnotherLength) {
    EXPECT_THAT(refusal_of<double>("radius", {1, 1, 1}, 3),
                HasSubstr("the shape of radius does not fit that of position"));
}

}  // namespace
}  // namespace ricochet
