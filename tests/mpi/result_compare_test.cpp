// SPDX-License-Identifier: BSD-3-Clause
//
// Comparing and describing results: equal runs are equal whatever their provenance, and each kind of
// difference is found and named.
#include "ricochet/result/compare.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <vector>

#include "hdf5/complete_rows.hpp"
#include "result/h5md_frame.hpp"
#include "ricochet/core/error.hpp"
#include "ricochet/result/result_info.hpp"
#include "tests/support/mpi/mpi_ranks.hpp"
#include "tests/support/mpi/sample_result.hpp"
#include "tests/support/mpi/temporary_folder.hpp"

namespace ricochet {
namespace {

using test::SampleRun;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

// What find_difference says, on every rank, about a plain run and the altered one; "identical" when nothing.
std::string difference_of(const SampleRun& a, const SampleRun& b) {
    test::MpiRanks world;
    const test::TemporaryFolder folder(world);
    test::write_sample_result(world, folder.file("a.h5md"), a, test::distribute_randomly(world.size(), 1));
    test::write_sample_result(world, folder.file("b.h5md"), b, test::distribute_randomly(world.size(), 2));
    std::string said = find_difference(folder.file("a.h5md"), folder.file("b.h5md")).value_or("identical");
    world.barrier();
    return said;
}

std::string difference_to_plain(const SampleRun& altered) { return difference_of({}, altered); }

TEST(Compare, LeavesProvenanceOut) {
    SampleRun altered;
    altered.alter_description = [](ResultDescription& description) {
        description.title = "another title";
        description.effective_input = "search: {method: slices}";
        description.provenance = {{"search", "slices"}};
    };
    EXPECT_EQ(difference_to_plain(altered), "identical");
}

/// Each is a number of its own in the file.
TEST(Compare, FindsEdgesOfOneFrame) {
    test::MpiRanks world;
    const test::TemporaryFolder folder(world);
    for (const char* name : {"a.h5md", "b.h5md"})
        test::write_sample_result(world, folder.file(name), {}, test::distribute_randomly(world.size(), 1));
    if (world.rank() == 0) {
        const hdf5::Handle file(H5Fopen(folder.file("b.h5md").c_str(), H5F_ACC_RDWR, H5P_DEFAULT), H5Fclose);
        const hdf5::Dataset edges = hdf5::Dataset::open(file.get(), "particles/trajectory/box/edges/value");
        std::vector<double> values(edges.shape()[0] * 9);
        H5Dread(edges.get(), H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
        values[2 * 9 + 4] = 7;
        H5Dwrite(edges.get(), H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
    }
    world.barrier();
    const auto found = find_difference(folder.file("a.h5md"), folder.file("b.h5md"));
    EXPECT_THAT(found.value_or("identical"),
                AllOf(HasSubstr("frame 2 (step 10): box/edges[1][1] is"), HasSubstr("and 7 in the second")));
    world.barrier();
}

TEST(Compare, FindsAnotherTimestep) {
    SampleRun altered;
    altered.alter_description = [](ResultDescription& description) { description.timestep *= 2; };
    EXPECT_THAT(difference_to_plain(altered), HasSubstr("the timestep is"));
}

/// A run with two bodies; the second is many spheres.
SampleRun with_bodies(double radius, const std::vector<BodySphere>& spheres,
                      const std::string& name = "cell") {
    SampleRun run;
    run.alter_description = [=](ResultDescription& description) {
        description.bodies = {{name, BodyCapsule{{1, 2, 3}, {4, 2, 3}, radius}, BodySide::inside},
                              {"pegs", BodySpheres{spheres}, BodySide::outside}};
        description.body_of_surface = {0, 0, 0};
        description.body_of_surface.resize(3 + spheres.size(), 1);
    };
    return run;
}

TEST(Compare, FindsDifferentBodies) {
    const std::vector<BodySphere> spheres{{{1, 1, 1}, 0.5}, {{2, 2, 2}, 0.25}};
    const SampleRun run = with_bodies(2, spheres);
    EXPECT_EQ(difference_of(run, with_bodies(2, spheres)), "identical");
    EXPECT_EQ(difference_to_plain(run), "the number of bodies is 0 in the first file and 2 in the second");
    EXPECT_EQ(difference_of(run, with_bodies(2, spheres, "rod")),
              "body 0 is cell (capsule, inside) in the first file and rod (capsule, inside) in the second");
    EXPECT_EQ(difference_of(run, with_bodies(2.5, spheres)),
              "the body cell has another size or place in the second file");
    EXPECT_THAT(difference_of(run, with_bodies(2, {{{1, 1, 1}, 0.5}, {{2, 2, 2}, 0.5}})),
                HasSubstr("the hash of the bodies and their spheres is "));
}

TEST(Info, NamesBodies) {
    test::MpiRanks world;
    const test::TemporaryFolder folder(world);
    const std::string path = folder.file("a.h5md");
    test::write_sample_result(world, path, with_bodies(2, {{{1, 1, 1}, 0.5}}),
                              test::distribute_randomly(world.size(), 1));
    EXPECT_THAT(describe_result(path),
                HasSubstr("\n  bodies              cell (capsule, inside), pegs (spheres, outside)\n"));
    world.barrier();
}

std::vector<Vec3> corners_of_cube(double half) {
    std::vector<Vec3> corners;
    for (const double x : {-half, half})
        for (const double y : {-half, half})
            for (const double z : {-half, half}) corners.push_back({x, y, z});
    return corners;
}

/// A run whose second species is a cube.
SampleRun with_cubes(double half, double volume) {
    SampleRun run;
    run.alter_description = [=](ResultDescription& description) {
        description.species.at(1).name = "cube";
        description.species.at(1).corners = corners_of_cube(half);
        description.species.at(1).content = volume;
    };
    return run;
}

TEST(Compare, FindsDifferentShapes) {
    const SampleRun run = with_cubes(0.5, 1);
    EXPECT_EQ(difference_of(run, with_cubes(0.5, 1)), "identical");
    SampleRun spheres;
    spheres.alter_description = [](ResultDescription& description) {
        description.species.at(1).name = "cube";
    };
    EXPECT_EQ(difference_of(run, spheres),
              "the shape of species cube is cube (8 corners, volume 1) in the first file and a sphere in the "
              "second");
    EXPECT_EQ(difference_of(run, with_cubes(0.5 + 1e-15, 1)),
              "the shape of species cube has other corners in the second file");
}

TEST(Info, NamesShapes) {
    test::MpiRanks world;
    const test::TemporaryFolder folder(world);
    const std::string path = folder.file("a.h5md");
    test::write_sample_result(world, path, with_cubes(0.25, 0.125),
                              test::distribute_randomly(world.size(), 1));
    EXPECT_THAT(describe_result(path), HasSubstr("\n  shapes              cube (8 corners, volume 0.125)\n"));
    world.barrier();
}

TEST(Compare, FindsOneBitInAPosition) {
    SampleRun altered;
    altered.alter_particles = [](std::uint64_t step, Particles& particles) {
        if (step == 10)
            particles.motion[37].position.y = std::nextafter(particles.motion[37].position.y, 100.0);
    };
    const auto id = test::sample_particles(38, test::sample_description(38).box, 0).motion[37].id;
    EXPECT_THAT(difference_to_plain(altered),
                HasSubstr("frame 2 (step 10), particle " + std::to_string(id) + ": position.y is "));
}

TEST(Compare, TellsZeroFromMinusZero) {
    SampleRun plain, altered;
    plain.alter_particles = [](std::uint64_t, Particles& particles) { particles.motion[3].velocity.z = 0.0; };
    altered.alter_particles = [](std::uint64_t, Particles& particles) {
        particles.motion[3].velocity.z = -0.0;
    };
    EXPECT_THAT(difference_of(plain, altered),
                HasSubstr("velocity.z is 0 in the first file and -0 in the second"));
}

TEST(Compare, FindsDifferentImagesRadiiAndIds) {
    SampleRun images, radii, ids;
    images.alter_particles = [](std::uint64_t, Particles& particles) {
        TrackList::Image image = particles.track.image(9);
        image[2] = 77;
        particles.track.set_image(9, image);
    };
    radii.alter_particles = [](std::uint64_t, Particles& particles) {
        particles.attributes.edit(9).radius = 0.75;
    };
    ids.alter_particles = [](std::uint64_t, Particles& particles) { ++particles.motion[9].id; };
    EXPECT_THAT(difference_to_plain(images), AllOf(HasSubstr("image.z is "), HasSubstr(" 77 in the second")));
    EXPECT_THAT(difference_to_plain(radii), AllOf(HasSubstr("the radius of particle "), HasSubstr("0.75")));
    EXPECT_THAT(difference_to_plain(ids), HasSubstr(": id is "));
}

TEST(Compare, FindsDifferencesBeyondTheFirstBlock) {
    SampleRun plain;
    plain.num_particles = 70000;
    plain.num_steps = 0;
    plain.contacts_per_step = 0;
    SampleRun altered = plain;
    altered.alter_particles = [](std::uint64_t, Particles& particles) {
        particles.motion[69999].velocity.x = 5;
    };
    const auto id = test::sample_particles(70000, test::sample_description(3).box, 0).motion[69999].id;
    EXPECT_THAT(
        difference_of(plain, altered),
        AllOf(HasSubstr("particle " + std::to_string(id) + ": velocity.x"), HasSubstr("5 in the second")));
}

TEST(Compare, SaysWhenOneFileHasMoreFrames) {
    SampleRun shorter;
    shorter.num_steps = 10;
    EXPECT_EQ(difference_to_plain(shorter),
              "the first 3 frames are identical; the number of complete frames is 5 in the "
              "first file and 3 in the second");
}

TEST(Compare, FindsDifferentCollisions) {
    SampleRun impulse, fewer;
    impulse.alter_contacts = [](std::uint64_t step, std::vector<Contact>& contacts) {
        if (step == 4) contacts.at(0).impulse = 9.5;
    };
    fewer.alter_contacts = [](std::uint64_t step, std::vector<Contact>& contacts) {
        if (step == 20) contacts.clear();
    };
    EXPECT_THAT(
        difference_to_plain(impulse),
        AllOf(HasSubstr("collision "), HasSubstr(" (step 4): impulse is "), HasSubstr("9.5 in the second")));
    EXPECT_THAT(difference_to_plain(fewer),
                HasSubstr("collisions are identical; the number of collisions is "));
}

TEST(Compare, FindsDifferentOutcomes) {
    SampleRun plain, product, without;
    plain.collisions.has_outcomes = product.collisions.has_outcomes = true;
    product.alter_contacts = [](std::uint64_t step, std::vector<Contact>& contacts) {
        if (step == 4) contacts.at(0).product_high = absent_species;
    };
    EXPECT_EQ(difference_of(plain, plain), "identical");
    EXPECT_THAT(difference_of(plain, product),
                AllOf(HasSubstr(" (step 4): product_b is 0"), HasSubstr("4294967295 in the second")));
    EXPECT_THAT(difference_of(plain, without),
                HasSubstr("whether the collision log tells outcomes is true in the first file"));
}

TEST(Compare, FindsDifferentObservables) {
    SampleRun value, list;
    value.alter_values = [](std::uint64_t step, std::vector<double>& values) {
        if (step == 13) values[2] = 4.25;
    };
    list.alter_description = [](ResultDescription& description) { description.observables[0].name = "heat"; };
    EXPECT_THAT(
        difference_to_plain(value),
        AllOf(HasSubstr("observable momentum, sample 13: value[1] is -13"), HasSubstr("4.25 in the second")));
    EXPECT_THAT(difference_to_plain(list), HasSubstr("the list of observables is "));
}

/// The descriptions differ in box, species or precision.
TEST(Compare, FindsDifferentDescriptions) {
    SampleRun box, species, precision;
    box.alter_description = [](ResultDescription& description) { description.box.size.x = 11; };
    species.alter_description = [](ResultDescription& description) { description.species[1].name = "big"; };
    precision.precision = Precision::float32;
    EXPECT_THAT(difference_to_plain(box), HasSubstr("the box is 10 periodic x 8 reflecting x 6 periodic"));
    EXPECT_THAT(difference_to_plain(species), HasSubstr("the name of species 1 is medium"));
    EXPECT_THAT(difference_to_plain(precision), HasSubstr("float32 in the second"));
}

TEST(Compare, RefusesOtherFiles) {
    test::MpiRanks world;
    const test::TemporaryFolder folder(world);
    if (world.rank() == 0) std::ofstream(folder.file("text.h5md")) << "no HDF5";
    world.barrier();
    EXPECT_THROW(find_difference(folder.file("text.h5md"), folder.file("text.h5md")), InputError);
    EXPECT_THROW(find_difference(folder.file("missing.h5md"), folder.file("missing.h5md")), InputError);
}

// --- info --------------------------------------------------------------------------------------------------

TEST(RanksInfo, HashesTheSameStateOnEveryRankCount) {
    test::MpiRanks world;
    const test::TemporaryFolder folder(world);
    for (const int num_ranks : {1, world.size()}) {
        test::MpiRanks part = world.split(world.rank() < num_ranks ? 0 : 1);
        if (world.rank() < num_ranks)
            test::write_sample_result(part, folder.file(std::to_string(num_ranks) + ".h5md"), {},
                                      test::distribute_randomly(num_ranks, 3));
        if (world.size() == 1) break;
    }
    world.barrier();
    const std::string all = folder.file(std::to_string(world.size()) + ".h5md");
    EXPECT_EQ(hash_state(folder.file("1.h5md"), 2), hash_state(all, 2));
    EXPECT_NE(hash_state(all, 1), hash_state(all, 2));
    EXPECT_THROW(hash_state(all, 5), InputError);
}

TEST(Info, HashesEveryBitOfTheState) {
    test::MpiRanks world;
    const test::TemporaryFolder folder(world);
    SampleRun altered;
    altered.alter_particles = [](std::uint64_t, Particles& particles) {
        particles.motion[99].velocity.z = std::nextafter(particles.motion[99].velocity.z, 9.0);
    };
    test::write_sample_result(world, folder.file("a.h5md"), {}, test::all_to(0));
    test::write_sample_result(world, folder.file("b.h5md"), altered, test::all_to(0));
    EXPECT_NE(hash_state(folder.file("a.h5md"), 4), hash_state(folder.file("b.h5md"), 4));
    world.barrier();
}

TEST(Info, TellsWhatIsInAResult) {
    test::MpiRanks world;
    const test::TemporaryFolder folder(world);
    SampleRun run;
    run.collisions.byte_budget = 200 * 112;
    test::write_sample_result(world, folder.file("a.h5md"), run, test::all_to(0));
    const std::string text = describe_result(folder.file("a.h5md"));
    for (const char* part :
         {"made-up particles", "10 (periodic) x 8 (reflecting) x 6 (periodic)", "100, 34 small",
          "5 complete, steps 0 to 20, times 0 to 2", "its budget of 22400 bytes is used up",
          "21 samples of energy momentum[3]", "state               step 20, hash ", "sigma",
          "of the centre at the end of the step", "search", "wall_time_seconds", "1.5", "HDF5"})
        EXPECT_THAT(text, HasSubstr(part));
    EXPECT_THAT(text, HasSubstr("ranks             " + std::to_string(world.size())));
    world.barrier();
}

// A copy taken while the run goes on is what a run killed at that moment leaves: later frames are in none or
// half of it.
TEST(RanksInterruptedResult, HasAllCompleteFrames) {
    test::MpiRanks world;
    const test::TemporaryFolder folder(world);
    const auto description = test::sample_description(1000);
    const auto distribution = test::distribute_randomly(world.size(), 1);
    ResultWriter writer(world, folder.file("a.h5md"), description, false);
    for (std::uint64_t frame = 0; frame < 12; ++frame) {
        const Particles all = test::sample_particles(1000, description.box, frame);
        writer.append_contacts(frame,
                               test::share_of(test::sample_contacts(50, frame), world.rank(), distribution));
        writer.append_observables(frame, 0, test::sample_values(frame));
        writer.write_frame(frame, 0, test::share_of(all, world.rank(), distribution));
        world.barrier();
        if (world.rank() != 0) continue;
        const std::string copy = folder.file(std::to_string(frame) + ".h5md");
        std::filesystem::copy_file(folder.file("a.h5md"), copy);
        EXPECT_THAT(describe_result(copy),
                    AllOf(HasSubstr(std::to_string(frame + 1) + " complete"), Not(HasSubstr("incomplete")),
                          HasSubstr(std::to_string(frame + 1) + " samples")));
    }
    writer.close(0);
    for (std::uint64_t frame = 0; world.rank() == 0 && frame < 12; ++frame)
        EXPECT_EQ(hash_state(folder.file(std::to_string(frame) + ".h5md"), frame),
                  hash_state(folder.file("a.h5md"), frame));
}

// A run that ends by an error all ranks agree on leaves its writer without closing it.
TEST(RanksInterruptedResult, IsReadable) {
    test::MpiRanks world;
    const test::TemporaryFolder folder(world);
    const auto description = test::sample_description(40);
    const Particles all = test::sample_particles(40, description.box, 0);
    {
        ResultWriter writer(world, folder.file("a.h5md"), description, false);
        writer.write_frame(3, 0.3,
                           test::share_of(all, world.rank(), test::distribute_randomly(world.size(), 1)));
        writer.append_contacts(4, test::sample_contacts(5, 4));
    }
    EXPECT_THAT(describe_result(folder.file("a.h5md")), HasSubstr("1 complete, steps 3 to 3"));
    EXPECT_EQ(read_h5md_frame(folder.file("a.h5md")).particles.motion[7].position, all.motion[7].position);
    world.barrier();
}

// Sets the counters back, as if the run had been killed before it wrote the last ones.
void set_back(test::MpiRanks& world, const std::string& path, const CompleteRows& complete) {
    if (world.rank() == 0) {
        test::MpiRanks self = test::this_rank_alone();
        const hdf5::Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
        H5Pset_fapl_mpio(access.get(), self.mpi()->communicator(), MPI_INFO_NULL);
        const hdf5::Handle file(H5Fopen(path.c_str(), H5F_ACC_RDWR, access.get()), H5Fclose);
        auto dataset = hdf5::Dataset::open(file.get(), "ricochet/complete");
        write_complete_rows(self, dataset, complete);
    }
    world.barrier();
}

TEST(InterruptedResult, EndsAtItsCounters) {
    test::MpiRanks world;
    const test::TemporaryFolder folder(world);
    const std::string path = folder.file("a.h5md");
    test::write_sample_result(world, path, {}, test::all_to(0));
    test::write_sample_result(world, folder.file("whole.h5md"), {}, test::all_to(0));
    set_back(world, path, {2, 10, 3, 4});
    EXPECT_THAT(describe_result(path),
                AllOf(HasSubstr("2 complete, 3 incomplete, steps 0 to 5"),
                      HasSubstr("10 rows, all contacts before step 4"), HasSubstr("3 samples")));
    EXPECT_EQ(read_h5md_frame(path).step, 5u);
    EXPECT_THROW(read_h5md_frame(path, 2), InputError);
    EXPECT_THROW(hash_state(path, 2), InputError);
    EXPECT_THAT(find_difference(path, folder.file("whole.h5md")).value_or(""),
                HasSubstr("the number of complete frames is 2 in the first file and 5 in the second"));
    world.barrier();
}

}  // namespace
}  // namespace ricochet
