// SPDX-License-Identifier: BSD-3-Clause
//
// Frames in which particles have come since the start: their rows follow those of the start, earlier frames
// hold fill values there, and the file is the same on any number of ranks and after any stop.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "export/export.hpp"
#include "hdf5/hdf5_types.hpp"
#include "result/h5md_frame.hpp"
#include "result/result_check.hpp"
#include "result/result_reader.hpp"
#include "ricochet/core/error.hpp"
#include "ricochet/result/compare.hpp"
#include "ricochet/result/result_info.hpp"
#include "ricochet/result/result_writer.hpp"
#include "tests/support/mpi/result_bytes.hpp"
#include "tests/support/mpi/temporary_folder.hpp"

namespace ricochet {
namespace {

using test::dataset_numbers;
using testing::HasSubstr;

const std::string group = "/particles/trajectory/";

/// How many come, and how the file is written.
struct Births {
    std::uint64_t num_first = 100;
    std::uint64_t per_step = 5;
    int dimension = 3;
    bool has_dense_ids = false;
    bool is_compressed = false;
    Precision precision = Precision::float64;

    std::uint64_t first_new_id() const { return has_dense_ids ? num_first : num_first * 1000003; }
    /// Every third step no particle comes.
    std::uint64_t num_new(std::uint64_t step) const { return per_step * (step - step / 3); }
    std::uint64_t num_ids(std::uint64_t step) const { return num_first + num_new(step); }
};

ResultDescription description_of(const Births& births) {
    ResultDescription description = test::sample_description(births.num_first, births.dimension);
    description.has_changing_particles = description.collisions.has_outcomes = true;
    description.is_compressed = births.is_compressed;
    description.precision = births.precision;
    description.first_new_id = births.first_new_id();
    return description;
}

/// All are there in step 0. Later some are away for a while, some for ever; some new ones never show up.
bool is_there(const Births& births, std::uint64_t k, std::uint64_t step) {
    if (k >= births.num_first && k % 7 == 0) return false;
    return step == 0 || (k + step / 2) % 4 != 0;
}

/// Particle k of the start, or new particle k - num_first.
Particles particles_at(const Births& births, std::uint64_t step) {
    const Box box = test::sample_description(1, births.dimension).box;
    const Particles all = test::sample_particles(births.num_ids(step), box, step);
    Particles present;
    for (std::uint64_t k = 0; k < all.size(); ++k) {
        if (!is_there(births, k, step)) continue;
        present.append(all, k);
        Motion& motion = present.motion[present.size() - 1];
        if (births.has_dense_ids) motion.id = k;
        if (k >= births.num_first) motion.id = births.first_new_id() + k - births.num_first;
    }
    return present;
}

/// A frame in each of the steps [first, last).
void write_steps(test::MpiRanks& ranks, ResultWriter& writer, const Births& births, std::uint64_t first,
                 std::uint64_t last) {
    const auto dealer = test::distribute_randomly(ranks.size(), first + 1);
    for (std::uint64_t step = first; step < last; ++step) {
        writer.append_contacts(step, test::share_of(test::sample_contacts(9, step), ranks.rank(), dealer));
        writer.write_frame(step, static_cast<double>(step),
                           test::share_of(particles_at(births, step), ranks.rank(), dealer));
    }
}

void write_result(test::MpiRanks& ranks, const std::string& path, const Births& births, std::uint64_t first,
                  std::uint64_t last) {
    ResultWriter writer(ranks, path, description_of(births), false);
    write_steps(ranks, writer, births, first, last);
    writer.close(0);
}

/// The largest row of a present particle, plus one, over the steps up to this one.
std::uint64_t expected_rows(const Births& births, std::uint64_t last_step) {
    std::uint64_t num_rows = births.num_first;
    for (std::uint64_t step = 0; step <= last_step; ++step)
        for (std::uint64_t k = num_rows; k < births.num_ids(step); ++k)
            if (is_there(births, k, step)) num_rows = k + 1;
    return num_rows;
}

/// The row of the first particle of a frame; the number of rows where it has none.
std::uint64_t first_row_of(const std::vector<std::uint64_t>& ids, std::uint64_t frame,
                           std::uint64_t num_rows) {
    std::uint64_t row = 0;
    while (row < num_rows && ids[frame * num_rows + row] == absent_id) ++row;
    return row;
}

/// Rows without a particle repeat the position of the frame's first one. Rows added later hold 0, as do all rows of a
/// frame without a particle.
template <class Real>
void expect_places_of_absent(const std::string& path) {
    const auto id = dataset_numbers<std::uint64_t>(path, group + "id/value");
    const auto position = dataset_numbers<Real>(path, group + "position/value");
    const auto rows = dataset_numbers<std::uint64_t>(path, "/ricochet/rows");
    const std::uint64_t num_rows = id.size() / rows.size();
    std::size_t num_wrong = 0;
    for (std::uint64_t frame = 0; frame < rows.size(); ++frame) {
        const std::uint64_t first = first_row_of(id, frame, num_rows);
        for (std::uint64_t row = 0; row < num_rows; ++row) {
            if (id[frame * num_rows + row] != absent_id) continue;
            for (std::uint64_t axis = 0; axis < 3; ++axis) {
                const bool repeats = row < rows[frame] && first < num_rows;
                const Real expected = repeats ? position[3 * (frame * num_rows + first) + axis] : 0;
                if (position[3 * (frame * num_rows + row) + axis] != expected) ++num_wrong;
            }
        }
    }
    EXPECT_EQ(num_wrong, 0u);
}

/// All rows of all frames hold what was given, or fill values.
void expect_given_rows(const std::string& path, const Births& births, std::uint64_t num_frames) {
    const std::uint64_t num_rows = expected_rows(births, num_frames - 1);
    const auto id = dataset_numbers<std::uint64_t>(path, group + "id/value");
    const auto species = dataset_numbers<std::uint32_t>(path, group + "species/value");
    const auto radius = dataset_numbers<double>(path, group + "radius/value");
    const auto image = dataset_numbers<std::int64_t>(path, group + "image/value");
    const auto rows = dataset_numbers<std::uint64_t>(path, "/ricochet/rows");
    ASSERT_EQ(id.size(), num_frames * num_rows);
    ASSERT_EQ(image.size(), 3 * num_frames * num_rows);
    std::size_t num_wrong = 0;
    for (std::uint64_t step = 0, row = 0; step < num_frames; ++step) {
        const Particles given = particles_at(births, step);
        EXPECT_EQ(rows[step], expected_rows(births, step));
        for (std::uint64_t k = 0, at = 0; k < num_rows; ++k, ++row) {
            const bool is_present = k < births.num_ids(step) && is_there(births, k, step);
            const bool is_right =
                is_present ? id[row] == given.motion[at].id && radius[row] == given.attributes[at].radius &&
                                 species[row] == k % 3 && image[3 * row + 1] == given.track[at].image[1]
                           : id[row] == absent_id && radius[row] == 0 && species[row] == absent_species &&
                                 image[3 * row + 1] == 0;
            if (is_present) ++at;
            if (!is_right) ++num_wrong;
        }
    }
    EXPECT_EQ(num_wrong, 0u);
    if (births.precision == Precision::float32)
        expect_places_of_absent<float>(path);
    else
        expect_places_of_absent<double>(path);
    EXPECT_EQ(find_damage_of_result(path), std::nullopt);
}

/// Few at the start, so that rows fill several chunks; packed; discs in single precision.
const std::array<Births, 4> several{Births{}, Births{3, 211, 3, true, false, Precision::float64},
                                    Births{40, 150, 3, false, true, Precision::float64},
                                    Births{300, 60, 2, true, true, Precision::float32}};

TEST(RanksNewParticles, HaveTheSameBytes) {
    test::MpiRanks world;
    for (const Births& births : several) {
        const test::TemporaryFolder folder(world);
        for (int num_ranks = 1; num_ranks <= world.size(); ++num_ranks) {
            const std::string path = folder.file(std::to_string(num_ranks) + ".h5md");
            test::MpiRanks part = world.split(world.rank() < num_ranks ? 0 : 1);
            if (world.rank() < num_ranks) write_result(part, path, births, 0, 12);
            world.barrier();
            if (world.rank() != 0) continue;
            expect_given_rows(path, births, 12);
            test::expect_same_datasets(folder.file("1.h5md"), path);
        }
        world.barrier();
    }
}

/// Where no particle is left for a while.
TEST(RanksNewParticles, MayAllHaveEnded) {
    test::MpiRanks world;
    const test::TemporaryFolder folder(world);
    const Births births;
    ResultWriter writer(world, folder.file("a.h5md"), description_of(births), false);
    write_steps(world, writer, births, 0, 3);
    writer.write_frame(3, 3, Particles{});
    write_steps(world, writer, births, 4, 7);
    writer.close(0);
    if (world.rank() == 0) {
        const auto id = dataset_numbers<std::uint64_t>(folder.file("a.h5md"), group + "id/value");
        const std::uint64_t num_rows = id.size() / 7;
        EXPECT_EQ(first_row_of(id, 3, num_rows), num_rows);
        expect_places_of_absent<double>(folder.file("a.h5md"));
        EXPECT_EQ(find_damage_of_result(folder.file("a.h5md")), std::nullopt);
    }
    world.barrier();
}

/// Rows of more than one chunk from the start, and of more than one piece of a checksum.
TEST(RanksNewParticles, MayBeMany) {
    for (const bool is_compressed : {false, true}) {
        const Births births{50000, 30000, 3, true, is_compressed, Precision::float64};
        test::MpiRanks world;
        const test::TemporaryFolder folder(world);
        write_result(world, folder.file("a.h5md"), births, 0, 4);
        if (world.rank() == 0) expect_given_rows(folder.file("a.h5md"), births, 4);
        world.barrier();
    }
}

// Cut back twice, at last to `kept` frames, from more rows, and continued by all ranks or one.
void expect_continued_is_whole(const Births& births, std::uint64_t kept, std::uint64_t last,
                               bool is_on_one_rank) {
    test::MpiRanks world;
    const test::TemporaryFolder folder(world);
    const std::string whole = folder.file("whole.h5md"), parts = folder.file("parts.h5md");
    write_result(world, whole, births, 0, last);
    ResultPosition position, later;
    {
        ResultWriter writer(world, parts, description_of(births), false);
        write_steps(world, writer, births, 0, kept);
        position = writer.position();
        write_steps(world, writer, births, kept, kept + 2);
        later = writer.position();
        write_steps(world, writer, births, kept + 2, 15);
        writer.close(0);
    }
    {
        ResultWriter writer = ResultWriter::reopen(world, parts, description_of(births), later);
        write_steps(world, writer, births, kept + 2, 14);
        writer.close(0);
    }
    world.barrier();
    test::MpiRanks part = world.split(!is_on_one_rank || world.rank() == 0 ? 0 : 1);
    if (!is_on_one_rank || world.rank() == 0) {
        ResultDescription description = description_of(births);
        description.num_particles = 40;  // those of the checkpoint
        ResultWriter writer = ResultWriter::reopen(part, parts, description, position);
        write_steps(part, writer, births, kept, last);
        writer.close(0);
    }
    world.barrier();
    if (world.rank() == 0) {
        EXPECT_EQ(find_difference(whole, parts), std::nullopt);
        expect_given_rows(parts, births, last);
        test::expect_same_datasets(whole, parts);
    }
    world.barrier();
}

TEST(RanksNewParticles, GoOnUnharmed) {
    for (const Births& births : several)
        for (const bool is_on_one_rank : {false, true})
            expect_continued_is_whole(births, is_on_one_rank ? 1 : 8, is_on_one_rank ? 9 : 20,
                                      is_on_one_rank);
}

/// From a file without frames.
TEST(RanksNewParticles, GoOnFromNothing) {
    for (const Births& births : several) expect_continued_is_whole(births, 0, 3, true);
}

/// Where frames are asked for only later, and ids of the start are dense, all have their rows, also those that
/// are away in the first frame.
TEST(RanksNewParticles, MayComeBeforeFrames) {
    test::MpiRanks world;
    const test::TemporaryFolder folder(world);
    Births births;
    births.has_dense_ids = true;
    write_result(world, folder.file("a.h5md"), births, 10, 14);
    if (world.rank() == 0) {
        const auto id = dataset_numbers<std::uint64_t>(folder.file("a.h5md"), group + "id/value");
        const std::uint64_t num_rows = id.size() / 4;
        EXPECT_EQ(num_rows, expected_rows(births, 13));
        for (std::uint64_t row = 0; row < num_rows; ++row) {
            EXPECT_EQ(id[row], is_there(births, row, 10) && row < births.num_ids(10) ? row : absent_id);
            EXPECT_EQ(id[3 * num_rows + row], is_there(births, row, 13) ? row : absent_id);
        }
    }
    world.barrier();
}

// What all ranks throw for the frame of step 5.
std::string refusal_of(const std::function<void(Particles&)>& alter) {
    test::MpiRanks world;
    const test::TemporaryFolder folder(world);
    const Births births;
    const auto dealer = test::distribute_randomly(world.size(), 3);
    std::string message = "no error";
    ResultWriter writer(world, folder.file("a.h5md"), description_of(births), false);
    write_steps(world, writer, births, 0, 5);
    Particles all = particles_at(births, 5);
    alter(all);
    try {
        writer.write_frame(5, 5, test::share_of(all, world.rank(), dealer));
    } catch (const RunError& error) {
        message = error.what();
    }
    EXPECT_EQ(find_damage_of_result(folder.file("a.h5md")), std::nullopt);
    world.barrier();
    return message;
}

TEST(RanksNewParticles, AreRefusedWhereWrong) {
    const std::uint64_t first_new_id = Births().first_new_id();
    EXPECT_EQ(refusal_of([](Particles&) {}), "no error");
    EXPECT_THAT(refusal_of([&](Particles& all) { all.motion[3].id = first_new_id - 1; }),
                HasSubstr("frame of step 5: particle 100000299 is not one of the start"));
    EXPECT_THAT(refusal_of([&](Particles& all) { all.motion[2].id = all.motion[all.size() - 1].id; }),
                testing::AllOf(HasSubstr("frame of step 5: particle 1000003"), HasSubstr("exists twice")));
    EXPECT_THAT(refusal_of([&](Particles& all) { all.motion[2].id = std::uint64_t{1} << 62; }),
                HasSubstr("particle 4611686018427387904 is beyond the 4294967296 rows"));
}

// --- damage and readers ------------------------------------------------------------------------------------

template <class Number>
void overwrite(const std::string& path, const std::string& name, const hdf5::Extents& place, Number value) {
    const hdf5::Handle file(H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT), H5Fclose);
    const hdf5::Dataset dataset = hdf5::Dataset::open(file.get(), name.c_str());
    const hdf5::Extents one(place.size(), 1);
    const hdf5::Handle memory(H5Screate_simple(static_cast<int>(one.size()), one.data(), nullptr), H5Sclose);
    const hdf5::Handle space(H5Dget_space(dataset.get()), H5Sclose);
    H5Sselect_hyperslab(space.get(), H5S_SELECT_SET, place.data(), nullptr, one.data(), nullptr);
    ASSERT_GE(
        H5Dwrite(dataset.get(), hdf5::number_type<Number>(), memory.get(), space.get(), H5P_DEFAULT, &value),
        0);
}

/// Damage is found in a new particle, in a row that is not taken yet, and in the number of rows.
TEST(NewParticles, AreVerified) {
    test::MpiRanks world;
    const test::TemporaryFolder folder(world);
    const Births births;
    write_result(world, folder.file("a.h5md"), births, 0, 6);
    if (world.rank() == 0) {
        const auto verdict = [&](const std::string& name, const hdf5::Extents& place, auto value) {
            const std::string path = folder.file("b.h5md");
            std::filesystem::copy_file(folder.file("a.h5md"), path,
                                       std::filesystem::copy_options::overwrite_existing);
            overwrite(path, name, place, value);
            return find_damage_of_result(path).value_or("intact");
        };
        EXPECT_THAT(verdict(group + "position/value", {5, 101, 0}, 1.5), HasSubstr("its frames are not"));
        EXPECT_THAT(verdict(group + "id/value", {0, 102}, births.first_new_id()),
                    HasSubstr("its frames are"));
        EXPECT_THAT(verdict(group + "velocity/value", {0, 110, 2}, 0.5), HasSubstr("its frames are"));
        EXPECT_THAT(verdict("/ricochet/rows", {2}, std::uint64_t{101}), HasSubstr("its frames are"));
        EXPECT_EQ(verdict(group + "velocity/value", {0, 110, 2}, 0.0), "intact");
    }
    world.barrier();
}

// As a killed run leaves the datasets.
void resize_all(const std::string& path, hsize_t num_frames, hsize_t num_rows) {
    const hdf5::Handle file(H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT), H5Fclose);
    for (const char* name : {"position", "velocity", "image", "id", "species", "radius", "mass"})
        hdf5::Dataset::open(file.get(), (group + name + "/value").c_str()).resize(num_frames, num_rows);
}

/// By a run that is killed while it adds rows.
TEST(NewParticles, AreVoidBeforeTheyCount) {
    test::MpiRanks world;
    const test::TemporaryFolder folder(world);
    const std::string path = folder.file("a.h5md"), killed = folder.file("b.h5md");
    const Births births;
    write_result(world, path, births, 0, 6);
    if (world.rank() == 0) {
        std::filesystem::copy_file(path, killed);
        resize_all(killed, 7, 1000);
        EXPECT_EQ(find_damage_of_result(killed), std::nullopt);
        EXPECT_EQ(find_difference(path, killed), std::nullopt);
        EXPECT_EQ(ResultReader(killed).num_rows(), expected_rows(births, 5));
        resize_all(killed, 6, 105);
        EXPECT_THROW(ResultReader{killed}, InputError);
    }
    world.barrier();
}

TEST(NewParticles, AreCompared) {
    test::MpiRanks world;
    const test::TemporaryFolder folder(world);
    Births births, more;
    more.per_step = 6;
    write_result(world, folder.file("a.h5md"), births, 0, 6);
    write_result(world, folder.file("more.h5md"), more, 0, 6);
    std::filesystem::copy_file(folder.file("a.h5md"), folder.file("b.h5md"),
                               std::filesystem::copy_options::overwrite_existing);
    world.barrier();
    if (world.rank() == 0) {
        overwrite(folder.file("b.h5md"), group + "velocity/value", {4, 101, 2}, 0.5);
        EXPECT_THAT(find_difference(folder.file("a.h5md"), folder.file("b.h5md")).value(),
                    HasSubstr("frame 4 (step 4), particle 100000301: velocity.z is"));
        // Rows 2 and 110 of frame 4 have no particle.
        std::filesystem::copy_file(folder.file("a.h5md"), folder.file("c.h5md"));
        overwrite(folder.file("c.h5md"), group + "position/value", {4, 110, 1}, 0.5);
        overwrite(folder.file("c.h5md"), group + "position/value", {4, 2, 1}, 0.5);
        EXPECT_EQ(find_difference(folder.file("a.h5md"), folder.file("c.h5md")), std::nullopt);
        overwrite(folder.file("c.h5md"), group + "position/value", {4, 3, 1}, 0.5);
        EXPECT_THAT(find_difference(folder.file("a.h5md"), folder.file("c.h5md")).value(),
                    HasSubstr("frame 4 (step 4), particle "));
        EXPECT_THAT(
            find_difference(folder.file("a.h5md"), folder.file("more.h5md")).value(),
            HasSubstr("the number of rows as of frame 2 is 110 in the first file and 111 in the second"));
        EXPECT_EQ(hash_state(folder.file("a.h5md"), 3), hash_state(folder.file("b.h5md"), 3));
        EXPECT_NE(hash_state(folder.file("a.h5md"), 4), hash_state(folder.file("b.h5md"), 4));
    }
    world.barrier();
}

std::string text_of(const std::string& path) {
    std::ostringstream text;
    text << std::ifstream(path).rdbuf();
    return text.str();
}

TEST(NewParticles, AreReadByAll) {
    test::MpiRanks world;
    const test::TemporaryFolder folder(world);
    const std::string path = folder.file("a.h5md");
    const Births births;
    write_result(world, path, births, 0, 6);
    if (world.rank() == 0) {
        const Particles given = particles_at(births, 5);
        const std::uint64_t num_rows = expected_rows(births, 5);
        const std::string number = std::to_string(given.size()), rows = std::to_string(num_rows);
        EXPECT_THAT(describe_result(path), HasSubstr("; in the last frame " + number + ", "));
        EXPECT_THAT(describe_result(path), HasSubstr("; rows for " + rows + " particles\n"));
        export_frames({path, ExportFormat::xyz, "5", folder.file("a.xyz"), false});
        EXPECT_EQ(text_of(folder.file("a.xyz")).substr(0, number.size() + 1), number + "\n");
        export_frames({path, ExportFormat::vtk, "5", folder.file("a.pvd"), false});
        EXPECT_THAT(text_of(folder.file("a_000005.vtp")), HasSubstr("NumberOfPoints=\"" + number + "\""));
        EXPECT_THAT(text_of(folder.file("a.xdmf")),
                    HasSubstr("|2 0:1 1:1 " + std::to_string(expected_rows(births, 2)) + ":6 " + rows + "<"));
        const H5mdFrame read = read_h5md_frame(path, 5);
        EXPECT_EQ(read.num_rows, num_rows);
        ASSERT_EQ(read.particles.size(), given.size());
        for (std::size_t k = 0; k < given.size(); ++k) {
            EXPECT_EQ(read.particles.motion[k].id, given.motion[k].id);
            EXPECT_EQ(read.particles.motion[k].position, given.motion[k].position);
        }
    }
    world.barrier();
}

}  // namespace
}  // namespace ricochet
