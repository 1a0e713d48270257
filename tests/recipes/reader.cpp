// SPDX-License-Identifier: BSD-3-Clause
//
// Recipe: a reader of start files. It gives rows as they stand in the file, a block at a time. Species, box, overlaps
// and ids are checked for all kinds of files alike. This one reads lines "x y z".
//
// In the program the file's ending chooses the reader, in run/particle_file.cpp.
#include <gtest/gtest.h>

#include <memory>
#include <sstream>
#include <string>
#include <utility>

#include "placement/start_file.hpp"
#include "ricochet/core/error.hpp"
#include "tests/support/thread_exchange.hpp"

namespace {

using namespace ricochet;

class PlainRows final : public TableSource {
  public:
    explicit PlainRows(std::string text) : text_(std::move(text)) {}

    bool next(ParticleTable& block, std::uint64_t most_rows) override {
        block.places.file = "rows.txt";
        Motion row;
        while (block.particles.size() < most_rows &&
               text_ >> row.position.x >> row.position.y >> row.position.z)
            block.particles.push_back(row, {}, {});
        return block.particles.size() > 0;
    }

  private:
    std::istringstream text_;
};

StartFile read(const std::string& text, Exchange& exchange) {
    StartRules rules;
    rules.world.box = {3, {10, 10, 10}};
    rules.world.species.resize(1);
    rules.world.species[0].radius = 0.5;
    return deal_from_file([&] { return std::make_unique<PlainRows>(text); }, rules, exchange);
}

/// Three spheres on two ranks; two that overlap are refused.
TEST(Recipe, StartFileReader) {
    test::run_ranks(2, [](Exchange& exchange) {
        const StartFile start = read("1 1 1\n5 5 5\n8 2 3\n", exchange);
        EXPECT_EQ(start.particles.size(), exchange.rank() == 0 ? 2u : 1u);
        EXPECT_THROW(read("1 1 1\n1.5 1 1\n", exchange), InputError);
    });
}

}  // namespace
