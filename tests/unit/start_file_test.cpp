// SPDX-License-Identifier: BSD-3-Clause
//
// Files distributed out to ranks: the share of each, and that no rank ever holds more. (Messages about mistakes:
// particle_table_test.cpp.)
#include "placement/start_file.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <set>
#include <string>

#include "parallel/collectives.hpp"
#include "ricochet/core/error.hpp"
#include "tests/support/passing_exchange.hpp"
#include "tests/support/table_source.hpp"
#include "tests/support/thread_exchange.hpp"

namespace ricochet::test {
namespace {

std::vector<Species> spheres() {
    Species species;
    species.name = "ball";
    species.radius = 0.5;
    species.mass = 1;
    return {species};
}

const StartRules rules{{.box = {3, {32, 32, 32}, {}}, .species = spheres()}};

/// Bounding spheres two apart, rows of 16 along x, ids 7 apart in falling order.
ParticleTable lattice(std::size_t count) {
    ParticleTable table;
    table.has_id = table.has_velocity = true;
    table.places.file = "start.h5md";
    for (std::size_t k = 0; k < count; ++k) {
        Motion motion;
        motion.id = 7 * (count - k);
        const auto at = [](std::size_t n) { return 1 + 2 * static_cast<double>(n % 16); };
        motion.position = {at(k), at(k / 16), at(k / 256)};
        motion.velocity = {static_cast<double>(k), 0, 0};
        table.particles.push_back(motion, {}, {});
    }
    return table;
}

/// Passes everything on and notes the most bytes that this rank has sent or received in one call.
class LargestCall final : public test::PassingExchange {
  public:
    using PassingExchange::PassingExchange;
    std::size_t num_bytes() const { return most_; }

    void all_to_all_pieces(std::span<const BytesView> outgoing,
                           std::span<const BytesRoom> incoming) override {
        note(outgoing);
        note(incoming);
        PassingExchange::all_to_all_pieces(outgoing, incoming);
    }
    std::vector<Bytes> all_gather(std::span<const std::byte> mine) override {
        return noted(PassingExchange::all_gather(mine));
    }
    std::vector<Bytes> gather(std::span<const std::byte> mine, int root) override {
        return noted(PassingExchange::gather(mine, root));
    }
    void broadcast(Bytes& bytes, int root) override {
        PassingExchange::broadcast(bytes, root);
        note(std::span(&bytes, 1));
    }

  private:
    template <class Messages>
    void note(const Messages& messages) {
        std::size_t sum = 0;
        for (const auto& message : messages) sum += message.size();
        most_ = std::max(most_, sum);
    }
    std::vector<Bytes> noted(std::vector<Bytes> messages) {
        note(messages);
        return messages;
    }

    std::size_t most_ = 0;
};

TEST(DealFromFile, GivesRanksASharePerBlock) {
    const ParticleTable table = lattice(50);
    for (const std::uint64_t block_rows : {1, 7, 16, 50, 1000})
        run_ranks(3, [&](Exchange& exchange) {
            const auto open = [&] { return std::make_unique<TableInMemory>(table); };
            const StartFile start = deal_from_file(open, rules, exchange, {.block_rows = block_rows});
            EXPECT_TRUE(start.has_velocities);
            if (block_rows == 7) {
                EXPECT_EQ(start.particles.size(), exchange.rank() == 0 ? 22u : 14u);
            }
            const Particles all = gather_particles(exchange, start.particles);
            if (exchange.rank() != 0) return;
            ASSERT_EQ(all.size(), 50u);
            for (std::size_t k = 0; k < 50; ++k) {  // by id: last row first
                EXPECT_EQ(all.motion[k].id, 7 * (k + 1));
                EXPECT_EQ(all.motion[k].velocity.x, static_cast<double>(49 - k));
                EXPECT_EQ(all.attributes[k].radius, 0.5);
            }
        });
}

/// No rank holds more than a block and its share.
TEST(DealFromFile, HoldsOneBlockAtMost) {
    constexpr std::size_t num_rows = 4096, num_ranks = 16, block_rows = 100, bytes_per_row = 200;
    ParticleTable crowded = lattice(num_rows);
    crowded.has_id = true;
    for (const bool is_one_id : {false, true}) {
        if (is_one_id)
            for (Motion& motion : crowded.particles.motion) motion.id = 3;
        run_ranks(num_ranks, [&](Exchange& inner) {
            LargestCall exchange(inner);
            const auto open = [&] { return std::make_unique<TableInMemory>(crowded); };
            try {
                deal_from_file(open, rules, exchange, {.block_rows = block_rows});
                EXPECT_FALSE(is_one_id);
            } catch (const InputError& error) {
                EXPECT_TRUE(is_one_id);
                EXPECT_NE(std::string(error.what()).find("row 10: id: got 3, the id of row 9 too"),
                          std::string::npos);
                EXPECT_NE(std::string(error.what()).find("and 4085 more repeated ids"), std::string::npos);
            }
            // A slab's particles and those of its neighbours that are near: one layer of 256 on either side.
            EXPECT_LT(exchange.num_bytes(), (num_rows / num_ranks + std::size_t{512}) * bytes_per_row);
            EXPECT_LT(exchange.num_bytes(), num_rows * bytes_per_row / 4);
        });
    }
}

/// Those of opening and of reading.
TEST(DealFromFile, ThrowsErrorsOnAllRanks) {
    struct Broken final : TableSource {
        bool next(ParticleTable&, std::uint64_t) override { throw InputError("unreadable"); }
    };
    run_ranks(3, [](Exchange& exchange) {
        const auto message_of =
            [&](const std::function<std::unique_ptr<TableSource>()>& open) -> std::string {
            try {
                deal_from_file(open, rules, exchange);
            } catch (const InputError& error) {
                return error.what();
            }
            return "accepted";
        };
        EXPECT_EQ(message_of([]() -> std::unique_ptr<TableSource> { throw InputError("no file"); }),
                  "no file");
        EXPECT_EQ(message_of([] { return std::make_unique<Broken>(); }), "unreadable");
        EXPECT_EQ(message_of([] { return std::make_unique<TableInMemory>(lattice(0)); }), "accepted");
    });
}

}  // namespace
}  // namespace ricochet::test
