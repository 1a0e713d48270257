// SPDX-License-Identifier: BSD-3-Clause
//
// Connected components over ranks, against a union-find in one place.
#include "parallel/components.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <map>
#include <numeric>
#include <random>
#include <stdexcept>

#include "parallel/collectives.hpp"
#include "tests/support/thread_exchange.hpp"

namespace ricochet {
namespace {

using Edge = std::pair<std::size_t, std::size_t>;

/// Particles, each on a rank, and edges between their indices.
struct Graph {
    std::vector<std::uint64_t> ids;
    std::vector<int> rank;
    std::vector<Edge> edges;

    std::size_t size() const { return ids.size(); }
};

/// Particles with scattered ids, on ranks at random.
Graph scattered(std::size_t size, int num_ranks, std::uint64_t seed) {
    std::mt19937_64 random(seed);
    Graph graph;
    while (graph.size() < size) {
        graph.ids.push_back(random() >> 1);
        graph.rank.push_back(static_cast<int>(random() % static_cast<std::uint64_t>(num_ranks)));
    }
    return graph;
}

std::vector<std::uint64_t> labels_in_one_place(const Graph& graph) {
    std::vector<std::size_t> parent(graph.size());
    std::iota(parent.begin(), parent.end(), std::size_t{0});
    const auto root_of = [&](std::size_t k) {
        while (parent[k] != k) k = parent[k] = parent[parent[k]];
        return k;
    };
    for (const auto& [a, b] : graph.edges) parent[root_of(a)] = root_of(b);
    std::vector<std::uint64_t> least(graph.size(), ~std::uint64_t{0}), labels;
    for (std::size_t k = 0; k < graph.size(); ++k)
        least[root_of(k)] = std::min(least[root_of(k)], graph.ids[k]);
    for (std::size_t k = 0; k < graph.size(); ++k) labels.push_back(least[root_of(k)]);
    return labels;
}

std::vector<std::uint64_t> sizes_of(const std::vector<std::uint64_t>& labels) {
    std::map<std::uint64_t, std::uint64_t> count;
    for (const std::uint64_t label : labels) ++count[label];
    std::vector<std::uint64_t> sizes;
    for (const auto& one : count) sizes.push_back(one.second);
    std::sort(sizes.begin(), sizes.end());
    return sizes;
}

struct Work {
    std::uint32_t num_rounds = 0, num_exchanges = 0;
};

class ComponentsOfRanks : public testing::TestWithParam<int> {
  protected:
    static int num_ranks() { return GetParam(); }

    /// The components of the particles of one rank.
    static Components components_of(const Graph& graph, int rank, std::vector<std::size_t>& own) {
        std::vector<std::uint64_t> ids;
        std::vector<std::size_t> index(graph.size());
        for (std::size_t k = 0; k < graph.size(); ++k) {
            if (graph.rank[k] != rank) continue;
            index[k] = own.size();
            own.push_back(k);
            ids.push_back(graph.ids[k]);
        }
        Components components(ids);
        for (const auto& [a, b] : graph.edges) {
            if (graph.rank[a] == rank) components.join(index[a], graph.ids[b]);
            if (graph.rank[b] == rank) components.join(index[b], graph.ids[a]);
        }
        return components;
    }

    static Work expect_components(const Graph& graph) {
        const std::vector<std::uint64_t> expected = labels_in_one_place(graph);
        Work work;
        test::run_ranks(num_ranks(), [&](Exchange& exchange) {
            std::vector<std::size_t> own;
            Components components = components_of(graph, exchange.rank(), own);
            components.connect(exchange);
            for (std::size_t k = 0; k < own.size(); ++k)
                ASSERT_EQ(components.label(k), expected[own[k]]) << "particle " << own[k];
            const std::vector<std::uint64_t> own_sizes = components.sizes(exchange);
            auto sizes = all_gather_records<std::uint64_t>(exchange, own_sizes);
            std::sort(sizes.begin(), sizes.end());
            ASSERT_EQ(sizes, sizes_of(expected));
            if (exchange.rank() == 0) work = {components.num_rounds(), components.num_exchanges()};
        });
        return work;
    }

    /// ceil(log2) of the number of particles, and so of that of pieces.
    static std::uint32_t most_rounds(const Graph& graph) {
        return static_cast<std::uint32_t>(std::bit_width(std::max<std::size_t>(1, graph.size()) - 1));
    }
};

TEST_P(ComponentsOfRanks, OfRandomGraphs) {
    std::mt19937_64 random(5);
    for (const double edges_per_particle : {0.1, 0.4, 0.5, 0.6, 1.0, 3.0})
        for (const std::size_t size : {std::size_t{10}, std::size_t{2000}}) {
            Graph graph = scattered(size, num_ranks(), random());
            const auto num_edges = static_cast<std::size_t>(edges_per_particle * static_cast<double>(size));
            for (std::size_t k = 0; k < num_edges; ++k)
                graph.edges.emplace_back(random() % size, random() % size);
            std::erase_if(graph.edges, [](const Edge& edge) { return edge.first == edge.second; });
            EXPECT_LE(expect_components(graph).num_rounds, most_rounds(graph));
        }
}

/// On ranks at random: nearly every edge joins two ranks.
TEST_P(ComponentsOfRanks, OfLongChains) {
    Graph graph = scattered(20000, num_ranks(), 6);
    for (std::size_t k = 0; k + 1 < graph.size(); ++k) graph.edges.emplace_back(k, k + 1);
    const Work work = expect_components(graph);
    EXPECT_LE(work.num_rounds, most_rounds(graph));
    EXPECT_LE(work.num_exchanges, 140u);
    RecordProperty("rounds", static_cast<int>(work.num_rounds));
    RecordProperty("exchanges", static_cast<int>(work.num_exchanges));
}

/// From rank to rank, with ids in the order of the chain, as in a chain along the box.
TEST_P(ComponentsOfRanks, OfChainsInOrder) {
    Graph graph;
    for (std::size_t k = 0; k < 20000; ++k) {
        graph.ids.push_back(k + 7);
        graph.rank.push_back(static_cast<int>(k) % num_ranks());
        if (k > 0) graph.edges.emplace_back(k - 1, k);
    }
    const Work work = expect_components(graph);
    EXPECT_LE(work.num_rounds, most_rounds(graph));
    EXPECT_LE(work.num_exchanges, 140u);
}

TEST_P(ComponentsOfRanks, OfRings) {
    for (const std::size_t length : {3u, 4u, 17u, 1024u}) {
        Graph graph = scattered(5 * length, num_ranks(), length);
        for (std::size_t k = 0; k < graph.size(); ++k) {
            const std::size_t first = k / length * length;
            graph.edges.emplace_back(k, first + (k - first + 1) % length);
        }
        EXPECT_LE(expect_components(graph).num_rounds, most_rounds(graph));
    }
}

/// All leaves choose the centre at once.
TEST_P(ComponentsOfRanks, OfStars) {
    Graph graph = scattered(5000, num_ranks(), 8);
    for (std::size_t k = 0; k < graph.size(); ++k)
        if (k % 1000 != 0) graph.edges.emplace_back(k, k / 1000 * 1000);
    const Work work = expect_components(graph);
    EXPECT_LE(work.num_rounds, 1u);
    EXPECT_LE(work.num_exchanges, 20u);
}

TEST_P(ComponentsOfRanks, OfGrids) {
    constexpr std::size_t edge = 60;
    Graph graph = scattered(edge * edge, num_ranks(), 9);
    for (std::size_t k = 0; k < graph.size(); ++k) {
        if (k % edge + 1 < edge) graph.edges.emplace_back(k, k + 1);
        if (k + edge < graph.size()) graph.edges.emplace_back(k, k + edge);
    }
    EXPECT_LE(expect_components(graph).num_rounds, most_rounds(graph));
}

/// Nothing is sent about them.
TEST_P(ComponentsOfRanks, WithoutEdges) {
    EXPECT_EQ(expect_components(scattered(100, num_ranks(), 10)).num_exchanges, 0u);
    EXPECT_EQ(expect_components({}).num_exchanges, 0u);
}

TEST_P(ComponentsOfRanks, WithinOneRank) {
    Graph graph = scattered(300, 1, 11);
    for (std::size_t k = 0; k + 3 < graph.size(); ++k) graph.edges.emplace_back(k, k + 3);
    EXPECT_EQ(expect_components(graph).num_exchanges, 0u);
}

/// All particles are on two ranks, or on one.
TEST_P(ComponentsOfRanks, WithEmptyRanks) {
    Graph graph = scattered(1000, std::min(2, num_ranks()), 12);
    for (int& rank : graph.rank) rank = num_ranks() - 1 - rank;
    for (std::size_t k = 0; k + 7 < graph.size(); ++k)
        if (k % 5 != 0) graph.edges.emplace_back(k, k + 7);
    expect_components(graph);
}

TEST_P(ComponentsOfRanks, TakeAnEdgeTwice) {
    Graph graph = scattered(20, num_ranks(), 13);
    graph.edges = {{0, 1}, {1, 0}, {0, 1}, {5, 6}, {6, 7}, {7, 5}, {5, 6}};
    expect_components(graph);
}

/// A partner that knows nothing of it, or is nowhere.
TEST(Components, RefuseEdgesOfOneEnd) {
    EXPECT_THROW(test::run_ranks(3,
                                 [](Exchange& exchange) {
                                     Components components({static_cast<std::uint64_t>(exchange.rank())});
                                     if (exchange.rank() == 1) components.join(0, 2);
                                     components.connect(exchange);
                                 }),
                 std::logic_error);
}

INSTANTIATE_TEST_SUITE_P(RankCounts, ComponentsOfRanks, testing::Values(1, 2, 3, 4, 5, 6, 7));

}  // namespace
}  // namespace ricochet
