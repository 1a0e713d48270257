// SPDX-License-Identifier: BSD-3-Clause
//
// Frames of particles that end, and change species, radius and mass: a particle keeps its row, rows without
// one hold fill values, on any number of ranks and in any part of a continued run.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "export/export.hpp"
#include "hdf5/hdf5_attribute.hpp"
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
using test::expect_same_on_all_rank_counts;
using test::SampleRun;
using testing::AllOf;
using testing::HasSubstr;

/// The step at whose end particle k is no more; some are there for ever, the latest ones end together.
std::uint64_t end_of(std::uint64_t k) { return k % 4 == 0 ? 1000 : 1 + k * 7 % 16; }

/// Removes those that have ended by `step`, and lets the others grow.
void change(std::uint64_t step, Particles& particles) {
    for (std::size_t k = 0; k < particles.size(); ++k) {
        Attributes attributes = particles.attributes[k];
        attributes.radius += 0.01 * static_cast<double>(step);
        attributes.mass += static_cast<double>(step * k);
        attributes.species = static_cast<SpeciesIndex>((k + step) % 3);
        if (step >= end_of(k)) attributes.species = absent_species;
        particles.attributes.set(k, attributes);
    }
    particles.remove_absent();
}

SampleRun changing_run() {
    SampleRun run;
    run.alter_description = [](ResultDescription& description) { description.has_changing_particles = true; };
    run.alter_particles = change;
    run.collisions.has_outcomes = true;
    return run;
}

TEST(RanksChangingParticles, HaveTheSameBytes) { expect_same_on_all_rank_counts(changing_run()); }

/// The particles are discs, written in single precision.
TEST(RanksChangingParticles, HaveTheSameSingleBytes) {
    SampleRun run = changing_run();
    run.dimension = 2;
    run.precision = Precision::float32;
    expect_same_on_all_rank_counts(run);
}

TEST(RanksChangingParticles, HaveTheSamePackedBytes) {
    SampleRun run = changing_run();
    run.num_particles = 20000;
    run.alter_description = [](ResultDescription& description) {
        description.has_changing_particles = description.is_compressed = true;
    };
    expect_same_on_all_rank_counts(run);
}

/// The runs have fewer particles than ranks, or none.
TEST(RanksChangingParticles, MayBeFew) {
    for (const std::uint64_t number : {0u, 1u, 3u}) {
        SampleRun run = changing_run();
        run.num_particles = number;
        expect_same_on_all_rank_counts(run);
    }
}

/// Row k of every frame is particle k of the sample, or one of fill values.
TEST(ChangingParticles, KeepTheirRows) {
    test::MpiRanks world;
    const test::TemporaryFolder folder(world);
    const std::string path = folder.file("a.h5md"), group = "/particles/trajectory/";
    test::write_on(world, world.size(), path, changing_run(), 5);
    const auto id = dataset_numbers<std::uint64_t>(path, group + "id/value");
    const auto species = dataset_numbers<std::uint32_t>(path, group + "species/value");
    const auto radius = dataset_numbers<double>(path, group + "radius/value");
    const auto mass = dataset_numbers<double>(path, group + "mass/value");
    const auto position = dataset_numbers<double>(path, group + "position/value");
    const auto image = dataset_numbers<std::int64_t>(path, group + "image/value");
    const Box box = test::sample_description(100).box;
    std::size_t num_absent = 0, row = 0;
    for (std::uint64_t step = 0; step <= 20; step += 5) {
        const Particles given = test::sample_particles(100, box, step);
        for (std::size_t k = 0; k < 100; ++k, ++row) {
            const bool is_present = step < end_of(k);
            num_absent += is_present ? 0 : 1;
            EXPECT_EQ(id[row], is_present ? given.motion[k].id : absent_id);
            EXPECT_EQ(species[row], is_present ? (k + step) % 3 : absent_species);
            EXPECT_EQ(radius[row],
                      is_present ? given.attributes[k].radius + 0.01 * static_cast<double>(step) : 0);
            EXPECT_EQ(mass[row], is_present ? given.attributes[k].mass + static_cast<double>(step * k) : 0);
            // Particle 0 is always there, and in the lowest row.
            EXPECT_EQ(position[3 * row + 1], given.motion[is_present ? k : 0].position.y);
            EXPECT_EQ(image[3 * row + 2], is_present ? given.track[k].image[2] : 0);
        }
    }
    EXPECT_GT(num_absent, 150u);
    world.barrier();
}

/// As H5MD asks for, and room for particles that come later.
TEST(ChangingParticles, StateTheirFillValues) {
    test::MpiRanks world;
    const test::TemporaryFolder folder(world);
    test::write_on(world, world.size(), folder.file("a.h5md"), changing_run(), 5);
    const ResultReader reader(folder.file("a.h5md"));
    const hdf5::Dataset ids = reader.open("/particles/trajectory/id/value");
    const hdf5::Handle storage(H5Dget_create_plist(ids.get()), H5Pclose);
    std::uint64_t fill_value = 0;
    ASSERT_GE(H5Pget_fill_value(storage.get(), H5T_STD_U64LE, &fill_value), 0);
    EXPECT_EQ(fill_value, absent_id);
    const hdf5::Handle space(H5Dget_space(ids.get()), H5Sclose);
    hdf5::Extents limits(2);
    H5Sget_simple_extent_dims(space.get(), nullptr, limits.data());
    EXPECT_EQ(limits, (hdf5::Extents{H5S_UNLIMITED, H5S_UNLIMITED}));
    EXPECT_TRUE(hdf5::has_object(reader.file(), "/particles/trajectory/mass/step"));
    world.barrier();
}

// What all ranks throw when the second frame is not made of particles of the first.
std::string refusal_of_second_frame(const std::function<void(Particles&)>& alter) {
    SampleRun run = changing_run();
    run.alter_particles = [&](std::uint64_t step, Particles& particles) {
        if (step > 0) alter(particles);
    };
    test::MpiRanks world;
    const test::TemporaryFolder folder(world);
    std::string message = "no error";
    try {
        test::write_sample_result(world, folder.file("a.h5md"), run,
                                  test::distribute_randomly(world.size(), 3));
    } catch (const RunError& error) {
        message = error.what();
    }
    world.barrier();
    return message;
}

TEST(RanksChangingParticles, MayNotComeFromNowhere) {
    EXPECT_EQ(refusal_of_second_frame([](Particles& all) { all.motion[7].id += 1; }).substr(0, 24),
              "frame of step 5: particl");
    EXPECT_THAT(refusal_of_second_frame([](Particles& all) { all.motion[0].id = 0; }),
                HasSubstr("particle 0 is not one of the start"));
    EXPECT_THAT(refusal_of_second_frame([](Particles& all) { all.motion[50].id += 1; }),
                HasSubstr(" is not one of the start"));
}

TEST(RanksChangingParticles, MayNotExistTwice) {
    EXPECT_THAT(refusal_of_second_frame([](Particles& all) { all.motion[7].id = all.motion[8].id; }),
                AllOf(HasSubstr("frame of step 5: particle "), HasSubstr("exists twice")));
}

// Steps [first, last) of a run with a frame in every step.
void write_steps(test::MpiRanks& ranks, ResultWriter& writer, int dimension, std::uint64_t first,
                 std::uint64_t last) {
    const auto dealer = test::distribute_randomly(ranks.size(), first);
    const Box box = test::sample_description(100, dimension).box;
    for (std::uint64_t step = first; step < last; ++step) {
        Particles all = test::sample_particles(100, box, step);
        change(step, all);
        writer.append_contacts(step, test::share_of(test::sample_contacts(9, step), ranks.rank(), dealer));
        writer.write_frame(step, static_cast<double>(step), test::share_of(all, ranks.rank(), dealer));
    }
}

// Cut back to `kept` frames, and continued by all ranks or one.
void expect_continued_is_whole(int dimension, std::uint64_t kept, bool is_on_one_rank) {
    test::MpiRanks world;
    const test::TemporaryFolder folder(world);
    ResultDescription description = test::sample_description(100, dimension);
    description.has_changing_particles = description.collisions.has_outcomes = true;
    ResultWriter whole(world, folder.file("whole.h5md"), description, false);
    write_steps(world, whole, dimension, 0, 20);
    whole.close(0);
    ResultPosition position;
    {
        ResultWriter writer(world, folder.file("parts.h5md"), description, false);
        write_steps(world, writer, dimension, 0, kept);
        position = writer.position();
        write_steps(world, writer, dimension, kept, 15);
        writer.close(0);
    }
    world.barrier();
    test::MpiRanks part = world.split(!is_on_one_rank || world.rank() == 0 ? 0 : 1);
    if (!is_on_one_rank || world.rank() == 0) {
        description.num_particles = 40;  // those of the checkpoint
        ResultWriter writer = ResultWriter::reopen(part, folder.file("parts.h5md"), description, position);
        write_steps(part, writer, dimension, kept, 20);
        writer.close(0);
    }
    world.barrier();
    if (world.rank() == 0) {
        EXPECT_EQ(find_difference(folder.file("whole.h5md"), folder.file("parts.h5md")), std::nullopt);
        EXPECT_EQ(find_damage_of_result(folder.file("parts.h5md")), std::nullopt);
        test::expect_same_datasets(folder.file("whole.h5md"), folder.file("parts.h5md"));
    }
    world.barrier();
}

TEST(RanksChangingParticles, GoOnUnharmed) {
    for (const bool is_on_one_rank : {false, true}) {
        expect_continued_is_whole(2, 8, is_on_one_rank);
        expect_continued_is_whole(3, 1, is_on_one_rank);
    }
}

/// A file without frames, whose rows are not known yet.
TEST(RanksChangingParticles, GoOnFromNothing) { expect_continued_is_whole(3, 0, true); }

/// Where frames are asked for only later, the rows of those that ended before are the last ones.
TEST(RanksChangingParticles, MayEndBeforeFrames) {
    test::MpiRanks world;
    const test::TemporaryFolder folder(world);
    ResultDescription description = test::sample_description(100);
    description.has_changing_particles = true;
    for (const char* name : {"many.h5md", "one.h5md"}) {
        const bool is_on_one_rank = name[0] == 'o';
        test::MpiRanks part = world.split(!is_on_one_rank || world.rank() == 0 ? 0 : 1);
        if (is_on_one_rank && world.rank() != 0) continue;
        ResultWriter writer(part, folder.file(name), description, false);
        write_steps(part, writer, 3, 10, 16);
        writer.close(0);
    }
    world.barrier();
    if (world.rank() == 0) {
        EXPECT_EQ(find_difference(folder.file("many.h5md"), folder.file("one.h5md")), std::nullopt);
        EXPECT_EQ(find_damage_of_result(folder.file("many.h5md")), std::nullopt);
        const auto id =
            dataset_numbers<std::uint64_t>(folder.file("one.h5md"), "/particles/trajectory/id/value");
        Particles first = test::sample_particles(100, description.box, 10);
        change(10, first);
        ASSERT_EQ(id.size(), 600u);
        EXPECT_LT(first.size(), 70u);
        for (std::size_t row = 0; row < 100; ++row)
            EXPECT_EQ(id[row], row < first.size() ? first.motion[row].id : absent_id);
    }
    world.barrier();
}

// --- readers -----------------------------------------------------------------------------------------------

TEST(ChangingParticles, AreCompared) {
    test::MpiRanks world;
    const test::TemporaryFolder folder(world);
    SampleRun radius = changing_run(), fewer = changing_run();
    radius.alter_particles = [](std::uint64_t step, Particles& particles) {
        change(step, particles);
        if (step == 10) particles.attributes.edit(0).radius = 0.75;
    };
    fewer.alter_particles = [](std::uint64_t step, Particles& particles) {
        change(step, particles);
        if (step == 20) particles.resize(particles.size() - 1);
    };
    const auto dealer = test::distribute_randomly(world.size(), 1);
    write_sample_result(world, folder.file("a.h5md"), changing_run(), dealer);
    write_sample_result(world, folder.file("radius.h5md"), radius, dealer);
    write_sample_result(world, folder.file("fewer.h5md"), fewer, dealer);
    write_sample_result(world, folder.file("plain.h5md"), {}, dealer);
    const auto difference_to = [&](const char* name) {
        return find_difference(folder.file("a.h5md"), folder.file(name)).value_or("identical");
    };
    EXPECT_EQ(difference_to("a.h5md"), "identical");
    EXPECT_THAT(difference_to("radius.h5md"),
                AllOf(HasSubstr("frame 2 (step 10), particle "), HasSubstr(": radius is "),
                      HasSubstr("0.75 in the second")));
    EXPECT_THAT(difference_to("fewer.h5md"), HasSubstr(": id is "));
    EXPECT_THAT(difference_to("plain.h5md"), HasSubstr("whether particles change is true"));
    EXPECT_NE(hash_state(folder.file("a.h5md"), 2), hash_state(folder.file("radius.h5md"), 2));
    EXPECT_EQ(hash_state(folder.file("a.h5md"), 3), hash_state(folder.file("radius.h5md"), 3));
    world.barrier();
}

TEST(ChangingParticles, AreCountedByInfo) {
    test::MpiRanks world;
    const test::TemporaryFolder folder(world);
    test::write_on(world, world.size(), folder.file("a.h5md"), changing_run(), 5);
    EXPECT_THAT(
        describe_result(folder.file("a.h5md")),
        HasSubstr("100, 34 small, 33 medium, 33 large; in the last frame 25, 8 small, 8 medium, 9 large"));
    EXPECT_EQ(find_damage_of_result(folder.file("a.h5md")), std::nullopt);
    world.barrier();
}

/// To start another run from.
TEST(ChangingParticles, AreReadFromAFrame) {
    test::MpiRanks world;
    const test::TemporaryFolder folder(world);
    test::write_on(world, world.size(), folder.file("a.h5md"), changing_run(), 5);
    Particles given = test::sample_particles(100, test::sample_description(100).box, 10);
    change(10, given);
    const H5mdFrame read = read_h5md_frame(folder.file("a.h5md"), 2);
    EXPECT_EQ(read.num_rows, 100u);
    EXPECT_TRUE(read.has_radius && read.has_mass && read.has_species);
    ASSERT_EQ(read.particles.size(), given.size());
    for (std::size_t k = 0; k < given.size(); ++k) {
        EXPECT_EQ(read.particles.motion[k].id, given.motion[k].id);
        EXPECT_EQ(read.particles.motion[k].position, given.motion[k].position);
        EXPECT_EQ(read.particles.attributes[k].radius, given.attributes[k].radius);
        EXPECT_EQ(read.particles.attributes[k].mass, given.attributes[k].mass);
        EXPECT_EQ(read.particles.attributes[k].species, given.attributes[k].species);
    }
    world.barrier();
}

std::string exported(const std::string& path, ExportFormat format, const std::string& output) {
    export_frames({path, format, "4", output, false});
    const bool is_vtk = format == ExportFormat::vtk;
    const std::string file = is_vtk ? output.substr(0, output.size() - 4) + "_000004.vtp" : output;
    std::ostringstream text;
    text << std::ifstream(file, std::ios::binary).rdbuf();
    return text.str();
}

/// 25 of 100 are there in the last frame.
TEST(ChangingParticles, AreExportedWithoutTheAbsent) {
    test::MpiRanks world;
    const test::TemporaryFolder folder(world);
    const std::string path = folder.file("a.h5md");
    test::write_on(world, world.size(), path, changing_run(), 5);
    if (world.rank() == 0) {
        const std::string csv = exported(path, ExportFormat::csv, folder.file("a.csv"));
        EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 1 + 25);
        EXPECT_EQ(csv.find(std::to_string(absent_id)), std::string::npos);
        const std::string xyz = exported(path, ExportFormat::xyz, folder.file("a.xyz"));
        EXPECT_EQ(xyz.substr(0, 3), "25\n");
        EXPECT_EQ(std::count(xyz.begin(), xyz.end(), '\n'), 2 + 25);
        const std::string lammps = exported(path, ExportFormat::lammps, folder.file("a.lammpstrj"));
        EXPECT_THAT(lammps, HasSubstr("ITEM: NUMBER OF ATOMS\n25\n"));
        const std::string vtp = exported(path, ExportFormat::vtk, folder.file("a.pvd"));
        EXPECT_THAT(vtp, HasSubstr("NumberOfPoints=\"25\" NumberOfVerts=\"25\""));
        const std::size_t data = vtp.find("\n_") + 2, end = vtp.find("\n  </AppendedData>", data);
        EXPECT_EQ(end - data, 9 * 8 + 25 * (3 * 24 + 5 * 8 + 4));
    }
    world.barrier();
}

TEST(ChangingParticles, AreListedForParaView) {
    test::MpiRanks world;
    const test::TemporaryFolder folder(world);
    test::write_on(world, world.size(), folder.file("a.h5md"), changing_run(), 5);
    std::ostringstream text;
    text << std::ifstream(folder.file("a.xdmf")).rdbuf();
    EXPECT_THAT(text.str(), HasSubstr("a.h5md:/particles/trajectory/radius/value|4 0:1 1:1 100:5 100<"));
    world.barrier();
}

}  // namespace
}  // namespace ricochet
