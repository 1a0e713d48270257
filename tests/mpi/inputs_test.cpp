// SPDX-License-Identifier: BSD-3-Clause
//
// The inputs that ship: all are valid, say what they show, survive the way through the effective input, and
// no damage to their bytes does worse than a refusal.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "config/config_reference.hpp"
#include "model/world_facts.hpp"
#include "placement/particle_csv.hpp"
#include "ricochet/config/config.hpp"
#include "ricochet/core/error.hpp"
#include "tests/support/table_source.hpp"

namespace ricochet {
namespace {

namespace fs = std::filesystem;

fs::path inputs_folder() { return fs::path(RICOCHET_SOURCE_DIR) / "inputs"; }

std::vector<fs::path> shipped_inputs() {
    std::vector<fs::path> paths;
    for (const auto& entry : fs::directory_iterator(inputs_folder()))
        if (entry.path().extension() == ".yaml") paths.push_back(entry.path());
    std::sort(paths.begin(), paths.end());
    return paths;
}

std::string text_of(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

Config load(const std::string& name) { return load_config((inputs_folder() / name).string()); }

TEST(Inputs, TheReferenceInputIsMadeFromTheTable) {
    EXPECT_TRUE(text_of(inputs_folder() / "all_options.yaml") == reference_input())
        << "write reference_input() to inputs/all_options.yaml";
}

TEST(Inputs, TheSchemaIsMadeFromTheTable) {
    EXPECT_TRUE(text_of(inputs_folder() / "ricochet.schema.json") == input_schema())
        << "write ricochet options --schema to inputs/ricochet.schema.json";
}

TEST(Inputs, AreValidAndSurviveTheEffectiveInput) {
    ASSERT_GE(shipped_inputs().size(), 11u);
    for (const auto& path : shipped_inputs()) {
        const Config config = load_config(path.string());
        EXPECT_EQ(parse_config(effective_yaml(config), path.string()), config) << path;
        EXPECT_EQ(effective_yaml(parse_config(effective_yaml(config), path.string())),
                  effective_yaml(config));
    }
}

TEST(Inputs, SayWhatTheyShow) {
    std::set<std::string> titles, files;
    for (const auto& path : shipped_inputs()) {
        const std::string text = text_of(path);
        EXPECT_TRUE(text.starts_with("# ")) << path;
        EXPECT_NE(text.find("hat to look for"), std::string::npos) << path;
        const Config config = load_config(path.string());
        titles.insert(config.title);
        files.insert(config.output.file);
        EXPECT_EQ(config.output.file, path.stem().string() + ".h5md");
        EXPECT_NE(config.units.length, "unstated") << path;
    }
    EXPECT_EQ(files.size(), shipped_inputs().size());
}

TEST(Inputs, FindTheirPlacementFiles) {
    for (const std::string name : {"tunnelling.yaml", "newtons_cradle.yaml"}) {
        const Config config = load(name);
        const auto file = open_particle_csv(placement_path(config), config.species, config.box.dimension);
        const ParticleTable table = test::whole_table(*file);
        EXPECT_TRUE(table.has_id && table.has_species && table.has_velocity) << name;
        EXPECT_EQ(table.particles.size(), name == "tunnelling.yaml" ? 10u : 5u);
        EXPECT_EQ(config.dynamics.velocities, StartVelocities::given);
    }
}

TEST(Inputs, DescribeTheSystemsTheyName) {
    const Config segment = load("ecoli_cytoplasm.yaml"), cell = load("ecoli_cell.yaml");
    EXPECT_EQ(num_particles(world_of(segment)), 21200u);
    EXPECT_EQ(segment.run.num_steps, 2000u);
    EXPECT_EQ(segment.run.timestep, 0.1);
    EXPECT_NEAR(volume_fraction(world_of(segment)), 0.2, 0.002);
    EXPECT_EQ(num_particles(world_of(cell)), 718000u);
    EXPECT_NEAR(volume_fraction(world_of(cell)), volume_fraction(world_of(segment)), 2e-3);
    EXPECT_NEAR(room_volume(cell), 6.69e8, 1e6);
    EXPECT_EQ(num_particles(world_of(load("mycoplasma_cytosol.yaml"))), 20840u);
    EXPECT_NEAR(volume_fraction(world_of(load("mycoplasma_cytosol.yaml"))), 0.102, 0.0005);
    EXPECT_NEAR(volume_fraction(world_of(load("ecoli_protocell.yaml"))), 0.27, 0.002);
    EXPECT_NEAR(volume_fraction(world_of(load("sphere_gas.yaml"))), 0.3, 1e-4);
    EXPECT_NEAR(volume_fraction(world_of(load("disc_gas.yaml"))), 0.5, 1e-4);
    EXPECT_NEAR(volume_fraction(world_of(load("binary_mixture.yaml"))), 0.3, 1e-4);
    EXPECT_EQ(load("walls.yaml").box.boundary,
              (std::array{Boundary::reflecting, Boundary::reflecting, Boundary::reflecting}));
}

TEST(Inputs, UnreadableOnesAreRefused) {
    const auto error_of = [](const std::string& path) -> std::string {
        try {
            load_config(path);
        } catch (const InputError& error) {
            return error.what();
        }
        return "no error";
    };
    EXPECT_EQ(error_of("no/such.yaml"), "no/such.yaml: cannot be read: there is no such file");
    EXPECT_EQ(error_of(inputs_folder().string()),
              inputs_folder().string() + ": cannot be read: is a folder, expected a file");
    EXPECT_EQ(error_of("/dev/null"), "/dev/null: cannot be read: is a device, expected a regular file");
}

TEST(Inputs, BinaryFilesAreRefused) {
    EXPECT_THROW(parse_config(std::string("\x89HDF\r\n\x1a\n\0\0", 10), "a.h5md"), InputError);
}

/// One to four random bytes changed, removed, inserted, or copied from elsewhere.
std::string damaged(std::string text, std::mt19937& random) {
    const auto below = [&](std::size_t n) { return static_cast<std::size_t>(random()) % n; };
    const std::string_view likely = "{}[]:,-#'\"\n \t&*!|>%@?0123456789.eE+~\\\xff";
    for (std::size_t k = 1 + below(4); k > 0 && !text.empty(); --k) {
        const std::size_t at = below(text.size());
        const char byte = below(2) == 0 ? likely[below(likely.size())] : static_cast<char>(below(256));
        switch (below(4)) {
            case 0:
                text[at] = byte;
                break;
            case 1:
                text.erase(at, 1 + below(20));
                break;
            case 2:
                text.insert(at, 1, byte);
                break;
            default:
                text.insert(at, text.substr(below(text.size()), 1 + below(40)));
                break;
        }
    }
    return text;
}

/// Damages every shipped input `times` times; a damaged input is refused with messages, or it is a good one.
void damage_all_inputs(int times) {
    for (const auto& path : shipped_inputs()) {
        const std::string text = text_of(path);
        std::mt19937 random(12345);
        for (int k = 0; k < times; ++k) {
            const std::string bad = damaged(text, random);
            try {
                const Config config = parse_config(bad, "a.yaml");
                EXPECT_EQ(parse_config(effective_yaml(config), "a.yaml"), config) << bad;
            } catch (const InputError& error) {
                EXPECT_NE(std::string(error.what()).find("a.yaml:"), std::string::npos) << error.what();
            }
        }
    }
}

TEST(Inputs, DamagedBytesAreRefusedOrGood) { damage_all_inputs(100); }
TEST(LongInputs, DamagedBytesAreRefusedOrGood) { damage_all_inputs(3000); }

TEST(Inputs, DeepNestingIsRefused) {
    EXPECT_THROW(parse_config(std::string(100000, '['), "a.yaml"), InputError);
    EXPECT_THROW(parse_config("a: " + std::string(100000, '{'), "a.yaml"), InputError);
    std::string indented;
    for (int depth = 0; depth < 2000; ++depth)
        indented += std::string(static_cast<std::size_t>(depth), ' ') + "a:\n";
    EXPECT_THROW(parse_config(indented, "a.yaml"), InputError);
}

}  // namespace
}  // namespace ricochet
