// SPDX-License-Identifier: BSD-3-Clause
//
// Which particle fills each row of a file, against particles that are sorted in one place.
#include "parallel/row_sources.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <random>
#include <string>

#include "parallel/row_places.hpp"
#include "tests/support/thread_exchange.hpp"

namespace ricochet {
namespace {

using Ids = std::vector<std::uint64_t>;

struct ParticleCopy {
    std::uint64_t id = no_id;
    Vec3 position;
    TrackList::Image image{};
    double radius = 0;

    static ParticleCopy of(const Particles& particles, std::size_t k) {
        return {particles.motion[k].id, particles.motion[k].position, particles.track.image(k),
                particles.attributes[k].radius};
    }
    friend bool operator==(const ParticleCopy&, const ParticleCopy&) = default;
};

std::uint64_t id_of(const ParticleCopy& row) { return row.id; }

/// Everything about a particle follows from its id.
ParticleCopy row_of_id(std::uint64_t id) {
    const auto x = static_cast<double>(id % 1000);
    return {id,
            {x, x + 0.25, -x},
            {static_cast<std::int64_t>(id % 5) - 2, static_cast<std::int64_t>(id % 300), 0},
            1 + static_cast<double>(id % 3)};
}

Particles particles_of(const Ids& ids) {
    Particles particles;
    for (const std::uint64_t id : ids) {
        const ParticleCopy row = row_of_id(id);
        particles.push_back({row.position, {}, 0, id}, {.radius = row.radius},
                            {.origin = {}, .image = row.image});
    }
    return particles;
}

/// Those of `all` that fall to a rank: in any order, and most of them on rank 0.
Ids share_of(const Ids& all, int rank, int num_ranks) {
    std::mt19937_64 generator(7);
    Ids own;
    for (const std::uint64_t id : all) {
        const std::uint64_t number = generator() % static_cast<std::uint64_t>(2 * num_ranks);
        if (std::max(static_cast<int>(number), num_ranks) - num_ranks == rank) own.push_back(id);
    }
    std::shuffle(own.begin(), own.end(), generator);
    return own;
}

using MakePlaces = std::function<RowPlaces(Exchange&)>;

/// A part of a list, as the ranks keep it.
MakePlaces listed(const Ids& ids) {
    return [ids](Exchange& exchange) {
        const IdBlocks blocks(ids.size(), exchange.size());
        const auto at = [&](std::uint64_t k) { return ids.begin() + static_cast<std::ptrdiff_t>(k); };
        const int rank = exchange.rank();
        return ListedRows(exchange, Ids(at(blocks.first(rank)), at(blocks.last(rank))), blocks.first(rank));
    };
}

/// Those that the ranks find from their own particles.
MakePlaces in_order(const Ids& all) {
    return [all](Exchange& exchange) {
        return places_in_order(exchange, share_of(all, exchange.rank(), exchange.size()));
    };
}

MakePlaces dense(std::uint64_t first_id, std::uint64_t num_ids, std::uint64_t first_row) {
    return [=](Exchange& exchange) -> RowPlaces { return DenseRows(exchange, first_id, num_ids, first_row); };
}

/// What all ranks together write, and what they say of the ids.
struct Outcome {
    std::map<std::uint64_t, ParticleCopy> rows;
    std::string sentence;
};

class RowSourcesOnRanks : public testing::TestWithParam<int> {
  protected:
    /// Collects twice from the same object, since its memory is kept: first without particles.
    static Outcome collect(const Ids& all, const MakePlaces& places_of, const IdRange& range = {}) {
        std::vector<Outcome> outcomes(static_cast<std::size_t>(GetParam()));
        test::run_ranks(GetParam(), [&](Exchange& exchange) {
            Outcome& own = outcomes[static_cast<std::size_t>(exchange.rank())];
            const RowPlaces places = places_of(exchange);
            const Particles particles = particles_of(share_of(all, exchange.rank(), exchange.size()));
            RowSources<ParticleCopy> sources;
            sources.collect(exchange, Particles{}, range, places);
            for (std::uint64_t k = 0; k < sources.num_rows(); ++k)
                EXPECT_EQ(sources.value(k, [](const ParticleCopy& row) { return row.id; }), no_id);
            sources.collect(exchange, particles, range, places);
            own.sentence = describe_wrong_ids(exchange, sources.wrong_ids()).value_or("");
            for (std::uint64_t k = 0; k < sources.num_rows(); ++k)
                own.rows[sources.first_row() + k] =
                    sources.value(k, [](const ParticleCopy& row) { return row; });
        });
        for (const Outcome& other : outcomes) EXPECT_EQ(other.sentence, outcomes.front().sentence);
        for (std::size_t rank = 1; rank < outcomes.size(); ++rank)
            for (const auto& [place, row] : outcomes[rank].rows)
                EXPECT_TRUE(outcomes.front().rows.emplace(place, row).second)
                    << "two ranks write row " << place;
        return outcomes.front();
    }

    /// Row first_row + k is that of places[k] if it is in `all`, else absent.
    static void expect_rows(const Outcome& outcome, const Ids& places, const Ids& all,
                            std::uint64_t first_row) {
        EXPECT_EQ(outcome.sentence, "");
        ASSERT_EQ(outcome.rows.size(), places.size());
        for (std::uint64_t k = 0; k < places.size(); ++k) {
            const bool is_there = std::find(all.begin(), all.end(), places[k]) != all.end();
            const ParticleCopy expected = is_there ? row_of_id(places[k]) : ParticleCopy{};
            EXPECT_EQ(outcome.rows.at(first_row + k), expected) << "row " << first_row + k;
        }
    }
};

Ids dense_ids(std::uint64_t first, std::uint64_t count) {
    Ids ids(count);
    for (std::uint64_t k = 0; k < count; ++k) ids[k] = first + k;
    return ids;
}

/// Ascending, with gaps.
Ids sparse_ids(std::uint64_t count) {
    Ids ids(count);
    for (std::uint64_t k = 0; k < count; ++k) ids[k] = 1000003 * k + k * k % 1009;
    return ids;
}

Ids without_some(const Ids& ids) {
    Ids rest;
    for (std::size_t k = 0; k < ids.size(); ++k)
        if (k % 3 != 1) rest.push_back(ids[k]);
    return rest;
}

TEST_P(RowSourcesOnRanks, HaveTheOrderOfDenseIds) {
    for (const std::uint64_t count : {0u, 1u, 2u, 3u, 10u, 1001u}) {
        const Ids all = dense_ids(0, count);
        expect_rows(collect(all, dense(0, count, 0)), all, all, 0);
        expect_rows(collect(without_some(all), dense(0, count, 0)), all, without_some(all), 0);
    }
}

TEST_P(RowSourcesOnRanks, HaveTheOrderOfListedIds) {
    for (const std::uint64_t count : {0u, 1u, 2u, 3u, 10u, 1001u}) {
        const Ids all = sparse_ids(count);
        expect_rows(collect(all, listed(all)), all, all, 0);
        expect_rows(collect(without_some(all), listed(all)), all, without_some(all), 0);
    }
}

/// Whether ids have gaps or not.
TEST_P(RowSourcesOnRanks, HaveTheOrderOfTheirIds) {
    for (const std::uint64_t count : {0u, 1u, 3u, 1001u}) {
        expect_rows(collect(dense_ids(0, count), in_order(dense_ids(0, count))), dense_ids(0, count),
                    dense_ids(0, count), 0);
        expect_rows(collect(sparse_ids(count), in_order(sparse_ids(count))), sparse_ids(count),
                    sparse_ids(count), 0);
    }
    // Rows of no particle come last.
    const Ids with_missing{first_missing_id + 1, 7, 5, first_missing_id};
    expect_rows(collect({5, 7}, in_order(with_missing)), {5, 7, no_id, no_id}, {5, 7}, 0);
}

/// Rows of ids that no particle has are the last ones of a list.
TEST_P(RowSourcesOnRanks, MayHaveNoIds) {
    Ids places = sparse_ids(50), all = places;
    places.resize(60, no_id);
    expect_rows(collect(all, listed(places)), places, all, 0);
}

/// Particles that came later, after 100 of the start, of which some are there too.
TEST_P(RowSourcesOnRanks, LeaveOutOtherIds) {
    Ids all = sparse_ids(100);
    const std::uint64_t first_new = all.back() + 5;
    const Ids born = dense_ids(first_new, 37), present = without_some(born);
    const Ids start = all;
    all.insert(all.end(), present.begin(), present.end());
    expect_rows(collect(all, dense(first_new, 37, 100), {first_new, no_id}), born, present, 100);
    expect_rows(collect(all, listed(start), {0, first_new}), start, start, 0);
}

TEST_P(RowSourcesOnRanks, NameTheLowestUnknownId) {
    Ids all = dense_ids(0, 100);
    all[3] = 170;
    all[50] = 101;
    all[99] = std::uint64_t{1} << 62;
    EXPECT_EQ(collect(all, dense(0, 100, 0)).sentence, "particle 101 is not one of the start");
    const Ids ids = sparse_ids(100);
    for (const std::uint64_t unknown : {ids[1] + 1, ids[50] + 1, ids[99] + 1}) {
        all = ids;
        all[20] = unknown;
        EXPECT_EQ(collect(all, listed(ids)).sentence,
                  "particle " + std::to_string(unknown) + " is not one of the start");
    }
    EXPECT_EQ(collect({2, 5, 9}, listed({3, 5, 9})).sentence, "particle 2 is not one of the start");
    EXPECT_EQ(collect({2}, listed({})).sentence, "particle 2 is not one of the start");
}

TEST_P(RowSourcesOnRanks, NameTheLowestDoubleId) {
    for (const bool is_dense : {true, false}) {
        const Ids ids = is_dense ? dense_ids(0, 100) : sparse_ids(100);
        Ids all = ids;
        all[99] = all[98];
        all[3] = all[40];
        all[4] = all[40];
        EXPECT_EQ(collect(all, is_dense ? dense(0, 100, 0) : listed(ids)).sentence,
                  "particle " + std::to_string(ids[40]) + " exists twice");
    }
    EXPECT_EQ(collect({3, 8, 8, 9}, in_order({3, 8, 8, 9})).sentence, "particle 8 exists twice");
}

INSTANTIATE_TEST_SUITE_P(Ranks, RowSourcesOnRanks, testing::Values(1, 2, 3, 4));

}  // namespace
}  // namespace ricochet
