// SPDX-License-Identifier: BSD-3-Clause
//
// Clusters as an observable: on any number of ranks the values that a search from particle to particle gives.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <stdexcept>

#include "observe/observers.hpp"
#include "tests/support/thread_exchange.hpp"

namespace ricochet {
namespace {

/// Species 0 and 2 become tethered, 1 does not.
World world_of_three() {
    World world{.box = {}, .species = std::vector<Species>(3)};
    world.rules = {{0, 2, Stick{}, 0}};
    return world;
}

/// With scattered ids, of any species below this one.
Particles particles_of(std::size_t count, std::uint64_t seed, unsigned num_species = 3) {
    std::mt19937_64 random(seed);
    Particles all;
    for (std::size_t k = 0; k < count; ++k) {
        Attributes attributes;
        attributes.species = static_cast<SpeciesIndex>(random() % num_species);
        all.push_back({{}, {}, 0, random() >> 1}, attributes, {});
    }
    all.track.keep_tethers();
    return all;
}

void tether(Particles& all, std::size_t a, std::size_t b) {
    all.track.tethers()[a].add(all.motion[b].id, all.attributes[b].species);
    all.track.tethers()[b].add(all.motion[a].id, all.attributes[a].species);
}

bool may_hold(const Particles& all, std::size_t k) {
    return all.attributes[k].species != 1 && all.track.tethers()[k].size() < Tethers::most;
}

/// Tethers at random.
Particles tethered(std::size_t count, std::size_t num_tethers, std::uint64_t seed) {
    Particles all = particles_of(count, seed);
    std::mt19937_64 random(seed + 1);
    for (std::size_t k = 0; k < num_tethers; ++k) {
        const std::size_t a = random() % count, b = random() % count;
        if (a != b && may_hold(all, a) && may_hold(all, b) && !all.track.tethers()[a].holds(all.motion[b].id))
            tether(all, a, b);
    }
    return all;
}

/// The sizes of all clusters, found one after the other.
std::vector<std::size_t> sizes_in_one_place(const Particles& all) {
    std::vector<std::pair<std::uint64_t, std::size_t>> places;
    for (std::size_t k = 0; k < all.size(); ++k) places.emplace_back(all.motion[k].id, k);
    std::sort(places.begin(), places.end());
    std::vector<bool> is_seen(all.size());
    std::vector<std::size_t> sizes;
    for (std::size_t k = 0; k < all.size(); ++k) {
        if (is_seen[k] || all.attributes[k].species == 1) continue;
        std::vector<std::size_t> cluster{k};
        is_seen[k] = true;
        for (std::size_t n = 0; n < cluster.size(); ++n)
            for (const std::uint64_t id : all.track.tethers()[cluster[n]].partners()) {
                const auto place = std::lower_bound(places.begin(), places.end(), std::pair(id, 0ul))->second;
                if (!is_seen[place]) cluster.push_back(place);
                is_seen[place] = true;
            }
        sizes.push_back(cluster.size());
    }
    return sizes;
}

/// The columns, written from their definitions.
std::vector<double> values_of(const std::vector<std::size_t>& sizes) {
    std::size_t largest = 0, num_particles = 0, squares = 0;
    std::vector<double> bins(24);
    for (const std::size_t size : sizes) {
        largest = std::max(largest, size);
        num_particles += size;
        squares += size * size;
        std::size_t bin = 0;
        for (std::size_t last = 1; last < size; last = last < 4 ? last + 1 : 2 * last) ++bin;
        ++bins[std::min<std::size_t>(bin, 23)];
    }
    std::vector<double> values{static_cast<double>(sizes.size()), static_cast<double>(largest),
                               static_cast<double>(squares) / static_cast<double>(num_particles)};
    values.insert(values.end(), bins.begin(), bins.end());
    return values;
}

/// Takes the sample of particles that `rank_of(index)` spreads over the ranks, twice.
template <class RankOf>
void expect_clusters(const Particles& all, int num_ranks, RankOf rank_of) {
    const std::vector<double> expected = values_of(sizes_in_one_place(all));
    test::run_ranks(num_ranks, [&](Exchange& exchange) {
        Particles owned;
        for (std::size_t k = 0; k < all.size(); ++k)
            if (rank_of(k) == exchange.rank()) owned.append(all, k);
        const auto observer = make_clusters(world_of_three());
        for (int repeated = 0; repeated < 2; ++repeated) {
            observer->add_particles(owned);
            observer->add_system(exchange, owned);
            std::vector<std::int64_t> sums = observer->sums();
            exchange.sum(sums);
            observer->set_sums(sums);
            std::vector<double> values;
            observer->take_sample({}, values);
            ASSERT_EQ(values, expected);
        }
    });
}

TEST(Clusters, AreTheSameOnAnyNumberOfRanks) {
    for (const std::size_t num_tethers : {100u, 900u, 1500u, 4000u}) {
        const Particles all = tethered(2000, num_tethers, num_tethers);
        for (int num_ranks = 1; num_ranks <= 5; ++num_ranks)
            expect_clusters(all, num_ranks, [&](std::size_t k) {
                return static_cast<int>(all.motion[k].id % static_cast<unsigned>(num_ranks));
            });
    }
}

/// Chains of 1, 2, ... particles: sizes of all bins up to 65.
TEST(Clusters, AreCountedBySize) {
    Particles all = particles_of(65 * 66 / 2, 3, 1);
    for (std::size_t length = 1, first = 0; length <= 65; first += length++)
        for (std::size_t k = first; k + 1 < first + length; ++k) tether(all, k, k + 1);
    for (int num_ranks = 1; num_ranks <= 5; ++num_ranks)
        expect_clusters(all, num_ranks, [&](std::size_t k) { return static_cast<int>(k) % num_ranks; });
}

/// Before there is any tether, and where the particles have no room for tethers yet.
TEST(Clusters, OfOne) {
    Particles without_room;
    for (const Particles& all = tethered(50, 0, 4); without_room.size() < all.size();)
        without_room.push_back(all.motion[without_room.size()], all.attributes[without_room.size()], {});
    ASSERT_FALSE(without_room.track.keeps_tethers());
    test::run_ranks(2, [&](Exchange& exchange) {
        const auto observer = make_clusters(world_of_three());
        observer->add_system(exchange, without_room);
        const std::vector<std::int64_t> sums = observer->sums();
        const auto num_sticking =
            std::count_if(without_room.attributes.begin(), without_room.attributes.end(),
                          [](const Attributes& attributes) { return attributes.species != 1; });
        EXPECT_EQ(sums[0], num_sticking);
        EXPECT_EQ(sums[25], exchange.rank() == 0 ? 1 : 0);
    });
}

/// There is no mean of nothing.
TEST(Clusters, OfNoParticles) {
    test::run_ranks(1, [&](Exchange& exchange) {
        const auto observer = make_clusters(world_of_three());
        observer->add_system(exchange, {});
        std::vector<double> values;
        observer->take_sample({}, values);
        EXPECT_EQ(values[0], 0);
        EXPECT_EQ(values[1], 0);
        EXPECT_TRUE(std::isnan(values[2]));
    });
}

/// The largest may be one of 2^34 particles: the squares need more than 64 bits.
TEST(Clusters, AddSquaresBeyond64Bits) {
    const auto observer = make_clusters(world_of_three());
    std::vector<std::int64_t> sums(28);
    sums[23] = 1;
    sums[24] = std::int64_t{1} << 34;
    sums[25] = sums[24];
    sums[27] = std::int64_t{1} << 36;
    observer->set_sums(sums);
    EXPECT_EQ(observer->sums(), sums);
    std::vector<double> values;
    observer->take_sample({}, values);
    EXPECT_EQ(values[2], 0x1p34);
}

TEST(Clusters, HaveLabelsForAllBins) {
    const std::vector<ObservableInfo> columns = make_clusters(world_of_three())->columns();
    const std::vector<std::string>& labels = columns.back().labels;
    ASSERT_EQ(labels.size(), 24u);
    EXPECT_EQ(labels[3], "4");
    EXPECT_EQ(labels[4], "5-8");
    EXPECT_EQ(labels[22], "1048577-2097152");
    EXPECT_EQ(labels[23], "more than 2097152");
}

/// Only where there are tethers.
TEST(Clusters, AreLeftOutElsewhere) {
    EXPECT_EQ(make_clusters({}), nullptr);
    World world = world_of_three();
    world.rules = {{0, 2, Pass{}, 0}};
    EXPECT_EQ(make_clusters(world), nullptr);
    EXPECT_THROW(make_clusters(world_of_three())->set_sums({}), std::logic_error);
}

}  // namespace
}  // namespace ricochet
