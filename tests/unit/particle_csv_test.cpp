// SPDX-License-Identifier: BSD-3-Clause
//
// Particles from comma-separated text: what is taken, and every mistake with its place.
#include "placement/particle_csv.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "core/offenders.hpp"
#include "placement/start_file.hpp"
#include "ricochet/core/error.hpp"
#include "tests/support/table_source.hpp"
#include "tests/support/thread_exchange.hpp"

namespace ricochet {
namespace {

std::vector<Species> species_named(const std::vector<std::string>& names) {
    std::vector<Species> result;
    for (const std::string& name : names) {
        Species species;
        species.name = name;
        species.radius = 0.5;
        species.mass = 1;
        result.push_back(species);
    }
    return result;
}

/// Gives the text out in pieces of some characters.
ReadText reader_of(const std::string& text, std::size_t most = 1000) {
    return [text, most, begin = std::size_t{0}](std::span<char> piece) mutable {
        const std::size_t count = std::min({piece.size(), most, text.size() - begin});
        std::copy_n(text.begin() + static_cast<std::ptrdiff_t>(begin), count, piece.begin());
        begin += count;
        return count;
    };
}

ParticleTable parse(const std::string& text, int dimension = 3, std::size_t piece = 1000) {
    const auto source = parse_particle_csv([=] { return reader_of(text, piece); }, "start.csv",
                                           species_named({"small", "large"}), dimension);
    return test::whole_table(*source);
}

std::string refusal(const std::string& text, int dimension = 3) {
    try {
        parse(text, dimension);
    } catch (const InputError& error) {
        return error.what();
    }
    return "accepted";
}

/// What all ranks throw when rank 0 reads the text for them.
std::string refusal_by_ranks(int num_ranks, const std::string& text) {
    const StartRules rules{{.box = {3, {10, 10, 10}, {}}, .species = species_named({"ball"})}};
    std::vector<std::string> messages(static_cast<std::size_t>(num_ranks), "accepted");
    test::run_ranks(num_ranks, [&](Exchange& exchange) {
        try {
            deal_from_file(
                [&] {
                    return parse_particle_csv([&] { return reader_of(text); }, "start.csv",
                                              rules.world.species, 3);
                },
                rules, exchange, {.block_rows = 2});
        } catch (const InputError& error) {
            messages[static_cast<std::size_t>(exchange.rank())] = error.what();
        }
    });
    for (const std::string& message : messages) EXPECT_EQ(message, messages.front());
    return messages.front();
}

TEST(ParticleCsv, ReadsAllColumnsInAnyOrder) {
    const ParticleTable table = parse(
        "# made by hand\n"
        "mass, radius, vz, vy, vx, z, y, x, species, id\r\n"
        "\n"
        "2, 0.25, 6, 5, 4, 3, 2, +1, large, 9223372036854775807\r\n"
        "1,0.5,1e-3,-.5,0,1,1,4,small,0");
    EXPECT_TRUE(table.has_id && table.has_species && table.has_velocity && table.has_radius &&
                table.has_mass);
    ASSERT_EQ(table.particles.size(), 2u);
    const Motion& motion = table.particles.motion[0];
    EXPECT_EQ(motion.position, (Vec3{1, 2, 3}));
    EXPECT_EQ(motion.velocity, (Vec3{4, 5, 6}));
    EXPECT_EQ(motion.id, 9223372036854775807u);
    EXPECT_EQ(table.particles.attributes[0].radius, 0.25);
    EXPECT_EQ(table.particles.attributes[0].mass, 2);
    EXPECT_EQ(table.particles.attributes[0].species, 1u);
    EXPECT_EQ(table.particles.motion[1].velocity, (Vec3{0, -0.5, 1e-3}));
}

TEST(ParticleCsv, ReadsPositionsAlone) {
    const ParticleTable table = parse("\xef\xbb\xbfx,y\n1,2\n", 2);
    EXPECT_FALSE(table.has_id || table.has_species || table.has_velocity || table.has_radius ||
                 table.has_mass);
    ASSERT_EQ(table.particles.size(), 1u);
    EXPECT_EQ(table.particles.motion[0].position, (Vec3{1, 2, 0}));
}

TEST(ParticleCsv, TakesDiametersAndRefusesTwoSizes) {
    const ParticleTable table = parse("x,y,z,diameter,radius\n1,2,3,.5,.25\n");
    EXPECT_TRUE(table.has_radius);
    EXPECT_EQ(table.particles.attributes[0].radius, 0.25);
    EXPECT_EQ(refusal("x,y,z,diameter,radius\n1,2,3,.5,.5\n"),
              "start.csv:2:10: radius: got .5, expected one size: the radius before it is 0.25");
}

TEST(ParticleCsv, RemembersWhereAValueStood) {
    const ParticleTable table = parse("id,x,y,z\n\n7,  1,2,3\n# no particle\n8,4,5,   6\n");
    EXPECT_EQ(table.places.of(0, Field::x), "start.csv:3:5: ");
    EXPECT_EQ(table.places.of(1, Field::z), "start.csv:5:10: ");
    EXPECT_EQ(table.places.of(1, Field::mass), "start.csv:5:1: ");
}

TEST(ParticleCsv, RefusesColumnsTwice) {
    EXPECT_EQ(refusal("x,y,z,charge,X\n1,2,3,4,5\n"),
              "start.csv:1:14: got column \"X\" twice, expected it once");
}

/// Positions of a text in one of the forms that other programs write, and the notes on it.
struct Understood {
    std::vector<Vec3> positions;
    std::string notes;
};

Understood understood(const std::string& text, std::optional<std::uint64_t> frame = std::nullopt) {
    const auto source = parse_particle_csv([&] { return reader_of(text, 7); }, "start.csv",
                                           species_named({"small", "large"}), 3, frame);
    const ParticleTable table = test::whole_table(*source);
    Understood result;
    for (const Motion& motion : table.particles.motion) result.positions.push_back(motion.position);
    result.notes = joined_lines(source->notes());
    return result;
}

std::string refusal_of_frame(const std::string& text, std::optional<std::uint64_t> frame) {
    try {
        understood(text, frame);
    } catch (const InputError& error) {
        return error.what();
    }
    return "accepted";
}

TEST(ParticleCsv, TakesFormsThatHaveOneReading) {
    const std::vector<std::pair<std::string, std::string>> forms{
        {"x;y;z\n1;2;3\n4;5;6\n", "columns are separated by semicolons"},
        {"x\ty\tz\n1\t2\t3\n4\t5\t6\n", "columns are separated by tabs"},
        {"\tx\ty\tz\n0\t1\t2\t3\n1\t4\t5\t6\n",
         "columns without use here were left out: number 1\ncolumns are separated by tabs"},
        {"x  y z\n 1 2   3\n4 5\t6\r\n", "columns are separated by blanks"},
        {"\"x\",\"y\",'z'\n1,\"2\",3\n4,5,6\n", ""},
        {"X,Y,Z\n1,2,3\n4,5,6\n", ""},
        {"\"x\";\"y\";\"z\";\"name, first\"\n1;2;3;\"A;B\"\n4;5;6;C\n",
         "columns without use here were left out: name, first\ncolumns are separated by semicolons"},
        {"note,x,y,z\n\"a, b\",1,2,3\n5' end,4,5,6\n", "columns without use here were left out: note"},
        {"\"the note\" x y z\n\"a \"\"b\"\" c\" 1 2 3\n'd e' 4 5 6\n",
         "columns without use here were left out: the note\ncolumns are separated by blanks"},
        {",x,y,z\n0,1,2,3\n1,4,5,6\n", "columns without use here were left out: number 1"},
        {"x,y,charge,z,raduis\n1,2,-1,3,8\n4,5,1,6,8\n",
         "columns without use here were left out: charge, raduis"},
        {"Points:0,Points:1,Points:2,type\n1,2,3,1\n4,5,6,2\n",
         "types, from 1, were read as species in the order of the input: small, large"},
        {"type,species,x,y,z\n7,large,1,2,3\n7,small,4,5,6\n",
         "columns without use here were left out: type"},
        {"# made by NumPy\n# x, y, z\n1,2,3\n4,5,6\n", ""},
        {"#x y z\n1.0e+00 2 3\n4 5 6\n", "columns are separated by blanks"},
        {"# frame x y z\n0 9 9 9\n1 1 2 3\n1 4 5 6\n",
         "columns are separated by blanks\nframe 1, the last of 2 frames, was read (placement.frame chooses "
         "another)"},
        {"# id type x y z ix\n1.0e+00 1.0 1 2 3 0.\n2.00 2.0 4 5 6 0.0\n",
         "columns are separated by blanks\n"
         "types, from 1, were read as species in the order of the input: small, large"},
        {"x,y,z\n1d0,0.2D+1,3\n4,5,60.d-1\n", "3 numbers like 6d0 were read as 6e0"}};
    for (const auto& [text, notes] : forms) {
        const Understood got = understood(text);
        EXPECT_EQ(got.positions, (std::vector<Vec3>{{1, 2, 3}, {4, 5, 6}})) << text;
        EXPECT_EQ(got.notes, notes) << text;
    }
}

TEST(ParticleCsv, SaysWhatToWriteInstead) {
    for (const std::string wrong : {"1.5", "-1.0", "1e16", "nan", "1e400"})
        EXPECT_EQ(refusal("id,x,y,z\n" + wrong + ",1,2,3\n"),
                  "start.csv:2:1: id: got " + wrong + ", expected a whole number from 0 to 2^63 - 1");
    EXPECT_EQ(refusal("1,2,3\n4,5,6\n"),
              "start.csv:1:1: got numbers, expected a first line that names the columns, e.g. x,y,z");
    EXPECT_EQ(refusal("x;y;z\n1,5;2;3\n"),
              "start.csv:2:1: x: got 1,5, expected a number with a decimal point");
}

/// A frame is chosen by its number, otherwise it is the last one.
TEST(ParticleCsv, ReadsOneFrameOfSeveral) {
    const std::string text = "frame,step,x,y,z\n4,40,1,1,1\n4,40,2,2,2\n7,70,3,3,3\n7,70,4,4,4\n";
    EXPECT_EQ(understood(text).positions, (std::vector<Vec3>{{3, 3, 3}, {4, 4, 4}}));
    EXPECT_EQ(understood(text).notes,
              "frame 7, the last of 2 frames, was read (placement.frame chooses another)");
    EXPECT_EQ(understood(text, 4).positions, (std::vector<Vec3>{{1, 1, 1}, {2, 2, 2}}));
    EXPECT_EQ(understood(text, 4).notes, "");
    EXPECT_EQ(refusal_of_frame(text, 5),
              "start.csv: got 2 frames, of frame 4 to 7, expected one of number 5 as placement.frame is");
    EXPECT_EQ(understood("time,x,y,z\n0.5,1,1,1\n0.75,2,2,2\n").notes,
              "time 0.75, the last of 2 frames, was read (placement.frame chooses another)");
    // Sorted by particles.
    const std::string tracks = "frame,id,x,y,z\n8,0,1,1,1\n9,0,2,2,2\n10,0,3,3,3\n8,1,4,4,4\n9,1,5,5,5\n";
    EXPECT_EQ(understood(tracks).positions, (std::vector<Vec3>{{3, 3, 3}}));
    EXPECT_EQ(understood(tracks).notes,
              "frame 10, the last of 3 frames, was read (placement.frame chooses another)");
    for (const std::string wrong : {"one", "nan", "inf"})
        for (const auto frame : {std::optional<std::uint64_t>(), std::optional<std::uint64_t>(1)})
            EXPECT_EQ(refusal_of_frame("frame,x,y,z\n1,1,1,1\n" + wrong + ",2,2,2\n", frame),
                      "start.csv:3:1: frame: got " + wrong + ", expected a " +
                          (wrong == "one" ? "number" : "finite number"));
}

/// Without column frame the frames are counted from 0, in the order of their numbers.
TEST(ParticleCsv, CountsFramesOfOtherColumns) {
    for (const std::string name : {"step", "timestep", "time", "t", "T"}) {
        const std::string text = name + ",x,y,z\n20,1,1,1\n-5,2,2,2\n20,3,3,3\n7.5,4,4,4\n";
        const std::string column = name == "T" ? "t" : name;
        EXPECT_EQ(understood(text).positions, (std::vector<Vec3>{{1, 1, 1}, {3, 3, 3}}));
        EXPECT_EQ(understood(text, 0).positions, (std::vector<Vec3>{{2, 2, 2}}));
        EXPECT_EQ(understood(text, 1).positions, (std::vector<Vec3>{{4, 4, 4}}));
        EXPECT_EQ(understood(text, 1).notes, column + " 7.5, number 1 (from 0) of 3 frames, was read");
        EXPECT_EQ(refusal_of_frame(text, 3), "start.csv: got 3 frames, of " + column +
                                                 " -5 to 20, expected one of number 3, counted from 0, as "
                                                 "placement.frame is");
    }
    EXPECT_EQ(refusal_of_frame("x,y,z\n1,1,1\n", 0),
              "start.csv:1:1: got no column frame, step or time, expected one because placement.frame is 0");
}

/// One frame may write its number in several ways; no row of it is lost.
TEST(ParticleCsv, ComparesFramesAsNumbers) {
    const std::string text = "frame,x,y,z\n1,1,1,1\n2,2,2,2\n2.0,3,3,3\n+2e0,4,4,4\n";
    for (const auto frame : {std::optional<std::uint64_t>(), std::optional<std::uint64_t>(2)})
        EXPECT_EQ(understood(text, frame).positions, (std::vector<Vec3>{{2, 2, 2}, {3, 3, 3}, {4, 4, 4}}));
}

/// A number that was cut in two is a number.
TEST(ParticleCsv, SaysThatTheLastLineHasNoEnd) {
    const std::string said = "its last line has no line end: if the file was cut, so was the last number";
    EXPECT_EQ(understood("x,y,z\n1,2,3\n4,5,6.2").notes, said);
    EXPECT_EQ(understood("x,y,z\n1,2,3\n4,5,6.25\n").notes, "");
    EXPECT_EQ(understood("x,y,z\r\n1,2,3\r\n4,5,6.25\r\n").notes, "");
    EXPECT_EQ(understood("x,y,z,frame\n1,2,3,1\n1,2,3,12\n4,5,6,1").notes,
              "frame 12, the last of 2 frames, was read (placement.frame chooses another)\n" + said);
}

TEST(ParticleCsv, RefusesOtherKindsOfText) {
    const std::string utf16 = ", expected UTF-8 or ASCII (iconv -f UTF-16 -t UTF-8 converts it)";
    EXPECT_EQ(refusal(std::string("\xff\xfex\0,\0y\0\n\0", 10)), "start.csv: got a text in UTF-16" + utf16);
    EXPECT_EQ(refusal(std::string("\xfe\xff\0x\0,\0y\0\n", 10)), "start.csv: got a text in UTF-16" + utf16);
    EXPECT_EQ(refusal(std::string("x\0,\0y\0\n\0", 8)),
              "start.csv: got a text in UTF-16, or bytes that are 0" + utf16);
    const std::string no_line_feeds =
        "start.csv: got lines that end with carriage returns alone, expected line feeds (tr '\\r' '\\n' < "
        "FILE converts them)";
    EXPECT_EQ(refusal("x,y,z\r1,2,3\r4,5,6\r"), no_line_feeds);
    std::string large = "x,y,z\r";
    while (large.size() < 2'000'000) large += "1,2,3\r";
    EXPECT_EQ(refusal(large), no_line_feeds);
}

TEST(ParticleCsv, ReadsImageNumbers) {
    const ParticleTable table = parse("x,y,z,ix,iy,iz\n1,2,3,-1,0,7\n");
    EXPECT_TRUE(table.has_image);
    EXPECT_EQ(table.particles.track.image(0), (TrackList::Image{-1, 0, 7}));
}

/// Half a unit of the last digit that the file gives is what its positions may be off.
TEST(ParticleCsv, KnowsTheResolutionOfItsDigits) {
    const auto resolution = [](const std::string& text) {
        ParticleTable block;
        const auto source =
            parse_particle_csv([&] { return reader_of(text); }, "start.csv", species_named({"ball"}), 2);
        source->next(block, 100);
        return block.claims.resolution;
    };
    EXPECT_EQ(resolution("x,y\n12.345678,0.123456\n"), 1e-6);       // a fixed number of decimals
    EXPECT_EQ(resolution("x,y\n12.3457,0.00123457\n"), 1e-4);       // a fixed number of digits
    EXPECT_EQ(resolution("x,y\n1.23457e+01,1.23457e-03\n"), 1e-4);  // the same in another form
    EXPECT_EQ(resolution("x,y\n0.1,12.345678901234567\n"), 1e-15);  // shortest forms of doubles
    EXPECT_EQ(resolution("x,y\n3,35\n"), 1);
    EXPECT_EQ(resolution("x,y\n0,0.000\n"), 0);
}

/// Spheres that touch overlap by the rounding of six digits; more is an overlap.
TEST(ParticleCsv, TakesTouchingSpheresWithFewDigits) {
    EXPECT_EQ(refusal_by_ranks(2, "x,y,z\n1.000000,1,1\n1.577350,1.577350,1.577350\n"), "accepted");
    EXPECT_EQ(refusal_by_ranks(2, "x,y,z\n1.000000,1,1\n1.577300,1.577350,1.577350\n"),
              "start.csv:3:1: particle 1 overlaps particle 0 of line 2: got a gap of -2.93329e-05, expected "
              "no less "
              "than 0");
    EXPECT_EQ(refusal_by_ranks(2, "x,y,z\n1.000,1.000,1.000\n1.577,1.577,1.577\n"),
              "start.csv:3:1: particle 1 overlaps particle 0 of line 2: got a gap of -0.000606684, expected "
              "no less "
              "than 0; write positions with more digits");
}

/// Names of species in the rows do not make the first one a header, where a comment names the columns.
TEST(ParticleCsv, TakesTheCommentAboveSpecies) {
    EXPECT_EQ(
        refusal("A,1.0,1.0,1.0\nA,3.0,3.0,3.0\n"),
        "start.csv:1:1: got \"A,1.0,1.0,1.0\", expected a first line that names the columns, e.g. x,y,z");
    EXPECT_EQ(
        refusal("species,x [nm],y [nm],z [nm]\nA,1,1,1\n"),
        "start.csv:1:1: got \"species,x [nm],y [nm],z [nm]\", expected a first line that names the columns, "
        "e.g. x,y,z");
    EXPECT_EQ(refusal("# made by me\n#species x y z\nsmall 1 1 1\nlarge 3 3 3\n"), "accepted");
}

TEST(ParticleCsv, RefusesMissingColumns) {
    EXPECT_EQ(refusal("# positions\nx,vy\n1,2\n"),
              "start.csv:2:1: got no column y, expected it in three dimensions\n"
              "start.csv:2:1: got no column z, expected it in three dimensions\n"
              "start.csv:2:1: got no column vx, expected it in three dimensions beside other velocities\n"
              "start.csv:2:1: got no column vz, expected it in three dimensions beside other velocities");
    EXPECT_EQ(refusal("x,y,vx,vy\n1,2,0,0\n", 2), "accepted");
}

TEST(ParticleCsv, RefusesLinesOfAnotherLength) {
    EXPECT_EQ(refusal("x,y,z\n1,2,3\n1,2\n4,5,6,7\n"),
              "start.csv:3:1: got 2 values, expected 3 as in the header\n"
              "start.csv:4:1: got 4 values, expected 3 as in the header");
}

TEST(ParticleCsv, RefusesTextInPlaceOfNumbers) {
    EXPECT_EQ(refusal("id,x,y,z\n1,one,2,\n-3,1,1e999,3\n1.5,1,1,0x10\n18446744073709551616,1,2,3 4\n"),
              "start.csv:2:3: x: got one, expected a number\n"
              "start.csv:2:9: z: got nothing, expected a number\n"
              "start.csv:3:1: id: got -3, expected a whole number from 0 to 2^63 - 1\n"
              "start.csv:3:6: y: got 1e999, expected a number\n"
              "start.csv:4:1: id: got 1.5, expected a whole number from 0 to 2^63 - 1\n"
              "start.csv:4:9: z: got 0x10, expected a number\n"
              "start.csv:5:1: id: got 18446744073709551616, expected a whole number from 0 to 2^63 - 1\n"
              "start.csv:5:26: z: got 3 4, expected a number");
}

TEST(ParticleCsv, RefusesUnknownSpecies) {
    EXPECT_EQ(refusal("species,x,y,z\nlarge,1,1,1\nLarge,2,2,2\n,3,3,3\n"),
              "start.csv:3:1: species: got Large, expected one of small, large\n"
              "start.csv:4:1: species: got nothing, expected one of small, large");
}

/// And counts the rest.
TEST(ParticleCsv, NamesTenMistakesOfAKind) {
    std::string text = "x,y,z\n";
    for (int k = 0; k < 15; ++k) text += "a,1,1\n";
    const std::string message = refusal(text);
    EXPECT_EQ(std::count(message.begin(), message.end(), '\n'), 10);
    EXPECT_NE(message.find("\nstart.csv: and 5 more values that are no numbers"), std::string::npos);
}

TEST(ParticleCsv, RefusesFilesWithoutParticles) {
    EXPECT_EQ(refusal(""), "start.csv: got no header, expected names of columns");
    EXPECT_EQ(refusal("x,y,z\n# none\n"), "start.csv: got a header alone, expected particles below it");
}

/// And in blocks of any size.
TEST(ParticleCsv, ReadsTheSameInAnyPieces) {
    const std::string text = "\xef\xbb\xbfid,x,y,z\r\n1,1,2,3\r\n\n2,4,5,6\n# none\n3,7,8,9";
    const ParticleTable expected = parse(text);
    ASSERT_EQ(expected.particles.size(), 3u);
    for (const std::size_t piece : {1, 2, 3, 5, 8}) {
        const ParticleTable table = parse(text, 3, piece);
        EXPECT_EQ(table.places.lines, expected.places.lines);
        EXPECT_EQ(table.places.text_columns, expected.places.text_columns);
        EXPECT_EQ(table.particles.motion[2].position, (Vec3{7, 8, 9}));
    }
    const auto source =
        parse_particle_csv([&] { return reader_of(text); }, "start.csv", species_named({"ball"}), 3);
    ParticleTable block;
    ASSERT_TRUE(source->next(block, 2));
    EXPECT_EQ(block.places.lines, (std::vector<std::uint64_t>{2, 4}));
    ASSERT_TRUE(source->next(block, 2));
    EXPECT_EQ(block.places.of(0, Field::y), "start.csv:6:5: ");
    EXPECT_EQ(block.particles.motion[0].id, 3u);
    EXPECT_FALSE(source->next(block, 2));
}

TEST(ParticleCsv, ForeseesItsRowsByItsLength) {
    const std::string text = "x,y,z\n1,2,3\n4,5,6\n7,8,9\n1,1,1\n";
    const auto expected_after = [&](std::uint64_t num_rows, std::uint64_t num_bytes) {
        const auto source = parse_particle_csv([&] { return reader_of(text); }, "start.csv",
                                               species_named({"ball"}), 3, std::nullopt, num_bytes);
        ParticleTable block;
        source->next(block, num_rows);
        return source->expected_rows();
    };
    EXPECT_EQ(expected_after(2, text.size()), 3u);  // the header is as long as a row
    EXPECT_EQ(expected_after(4, text.size()), 4u);
    EXPECT_EQ(expected_after(2, 0), 0u);
}

TEST(ParticleCsv, RefusesFilesThatCannotBeRead) {
    const auto refusal_of = [](const std::string& path) -> std::string {
        try {
            ParticleTable block;
            open_particle_csv(path, species_named({"a"}), 3)->next(block, 1);
        } catch (const InputError& error) {
            return error.what();
        }
        return "accepted";
    };
    EXPECT_EQ(refusal_of("/nonexistent/start.csv"),
              "/nonexistent/start.csv: cannot be read: No such file or directory");
    EXPECT_EQ(refusal_of("/"), "/: cannot be read: Is a directory");
}

/// Mistakes found later name the line and column of the file.
TEST(ParticleCsv, GivesPlacesToTheChecker) {
    for (const int num_ranks : {1, 2, 3, 5}) {
        EXPECT_EQ(refusal_by_ranks(num_ranks, "id,x,y,z\n3,1,1,1\n8,1.75,1,1\n3,5,nan,5\n"),
                  "start.csv:4:1: id: got 3, the id of line 2 too, expected ids to be unique\n"
                  "start.csv:4:5: y: got nan, expected a finite number");
        EXPECT_EQ(refusal_by_ranks(num_ranks, "id,x,y,z\n3,1,1,1\n\n8, 1.75,1,1\n"),
                  "start.csv:4:4: particle 8 overlaps particle 3 of line 2: got a gap of -0.25, expected no "
                  "less than 0");
    }
}

TEST(ParticleCsv, BreaksOffOnAllRanks) {
    for (const int num_ranks : {1, 3})
        EXPECT_EQ(refusal_by_ranks(num_ranks, "x,y,z\n1,1,1\n3,3,3\n5,5,5\n7,7\n"),
                  "start.csv:5:1: got 2 values, expected 3 as in the header");
}

}  // namespace
}  // namespace ricochet
