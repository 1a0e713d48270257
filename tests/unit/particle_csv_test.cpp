// SPDX-License-Identifier: BSD-3-Clause
//
// Particles from comma-separated text: what is taken, and every mistake with its place.
#include "placement/particle_csv.hpp"

#include <gtest/gtest.h>

#include <algorithm>

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
    const auto source =
        parse_particle_csv(reader_of(text, piece), "start.csv", species_named({"small", "large"}), dimension);
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

TEST(ParticleCsv, RemembersWhereAValueStood) {
    const ParticleTable table = parse("id,x,y,z\n\n7,  1,2,3\n# no particle\n8,4,5,   6\n");
    EXPECT_EQ(table.places.of(0, Field::x), "start.csv:3:5: ");
    EXPECT_EQ(table.places.of(1, Field::z), "start.csv:5:10: ");
    EXPECT_EQ(table.places.of(1, Field::mass), "start.csv:5:1: ");
}

TEST(ParticleCsv, RefusesColumnsItDoesNotKnow) {
    EXPECT_EQ(
        refusal("x,y,z,charge,x\n1,2,3,4,5\n"),
        "start.csv:1:7: got column \"charge\", expected id, species, x, y, z, vx, vy, vz, radius or mass\n"
        "start.csv:1:14: got column \"x\" twice, expected it once");
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
    const auto source = parse_particle_csv(reader_of(text), "start.csv", species_named({"ball"}), 3);
    ParticleTable block;
    ASSERT_TRUE(source->next(block, 2));
    EXPECT_EQ(block.places.lines, (std::vector<std::uint64_t>{2, 4}));
    ASSERT_TRUE(source->next(block, 2));
    EXPECT_EQ(block.places.of(0, Field::y), "start.csv:6:5: ");
    EXPECT_EQ(block.particles.motion[0].id, 3u);
    EXPECT_FALSE(source->next(block, 2));
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

/// What all ranks throw when rank 0 reads the text for them.
std::string refusal_by_ranks(int num_ranks, const std::string& text) {
    const StartRules rules{{3, {10, 10, 10}, {}}, species_named({"ball"}), 1};
    std::vector<std::string> messages(static_cast<std::size_t>(num_ranks), "accepted");
    test::run_ranks(num_ranks, [&](Exchange& exchange) {
        try {
            deal_from_file([&] { return parse_particle_csv(reader_of(text), "start.csv", rules.species, 3); },
                           rules, exchange, {.block_rows = 2});
        } catch (const InputError& error) {
            messages[static_cast<std::size_t>(exchange.rank())] = error.what();
        }
    });
    for (const std::string& message : messages) EXPECT_EQ(message, messages.front());
    return messages.front();
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
