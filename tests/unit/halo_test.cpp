// SPDX-License-Identifier: BSD-3-Clause
#include "slabs/halo.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <iterator>
#include <limits>
#include <map>
#include <mutex>
#include <set>
#include <vector>

#include "geometry/path.hpp"
#include "ricochet/core/error.hpp"
#include "slabs/migration.hpp"
#include "slabs/path_bounds.hpp"
#include "tests/support/hash_random.hpp"
#include "tests/support/thread_exchange.hpp"

namespace ricochet {
namespace {

using test::run_ranks;

constexpr double length = 12, dt = 0.25;

Box box_with(Boundary boundary) {
    Box box;
    box.size = {length, 6, 6};
    box.boundary = {boundary, Boundary::periodic, Boundary::periodic};
    return box;
}

Particles some_particles(std::size_t count) {
    test::HashRandom random(11);
    Particles particles;
    for (std::size_t k = 0; k < count; ++k) {
        Motion m;
        m.position = {random.uniform(0, length), random.uniform(0, 6), random.uniform(0, 6)};
        if (k % 16 == 0) m.position.x = 1.5 * static_cast<double>(k / 16 % 8);  // on faces
        m.velocity = {random.uniform(-2, 2), random.uniform(-2, 2), random.uniform(-2, 2)};
        if (k % 32 == 0) m.velocity.x = 0;
        m.id = k;
        Attributes a;
        a.radius = 0.1 + 0.001 * static_cast<double>(k % 100);
        a.mass = 1 + static_cast<double>(k);
        a.diffusion = 3;
        a.species = static_cast<SpeciesIndex>(k % 3);
        particles.push_back(m, a, {});
    }
    return particles;
}

/// What one rank has after the exchange.
struct RankView {
    Particles local;
    HaloMap halo;
};

/// The largest radius in some_particles.
constexpr double max_radius = 0.2;

/// Halos of this width for the largest particles.
HaloReach reach_of(double width) { return {max_radius, 0.5 * width - max_radius}; }

std::vector<RankView> views_of(int num_ranks, const Particles& all, const Box& box,
                               const SlabDecomposition& slabs, double width) {
    std::vector<RankView> views(static_cast<std::size_t>(num_ranks));
    run_ranks(num_ranks, [&](Exchange& exchange) {
        RankView& view = views[static_cast<std::size_t>(exchange.rank())];
        if (exchange.rank() == 0) view.local = all;
        migrate(exchange, slabs, plan_migration(view.local, dt, box, slabs, exchange.rank()), true,
                view.local);
        const HaloReach reach = reach_of(width);
        const double width_of_halo = reach.max_width();
        const InnerPart inner = inner_part(slabs, exchange.rank(), {width_of_halo, width_of_halo});
        const PathBounds path_bounds = bounds_of_paths(view.local, dt, box, inner);
        exchange_halo(exchange, box, slabs, reach, {path_bounds.near, {}}, {0, dt}, view.local, view.halo);
    });
    return views;
}

struct Case {
    Boundary boundary;
    int num_ranks;
    double width;
};

class HaloTest : public testing::TestWithParam<Case> {
  protected:
    Box box_ = box_with(GetParam().boundary);
    SlabDecomposition slabs_ = SlabDecomposition::even(SliceGrid(box_, 0.5), GetParam().num_ranks);
    Particles all_ = some_particles(512);
    std::vector<RankView> views_ = views_of(GetParam().num_ranks, all_, box_, slabs_, GetParam().width);

    /// By the definition, from the whole system: is there a copy of q on the rank?
    bool should_have_copy(const Motion& q, int rank) const {
        const double x = PathMidpoint(box_, dt)(q).x;
        const double width = GetParam().width - (max_radius - all_.attributes[q.id].radius);
        return slabs_.owner(x) != rank && slabs_.distance_down(x, rank) <= width;
    }
};

/// How far the straight path of each of these particles leads beyond the faces, the farthest.
FaceReach farthest(const RankView& view, const std::vector<std::size_t>& slots, double low, double high,
                   const Box& box) {
    FaceReach reach;
    for (const std::size_t k : slots) {
        const Motion& motion = view.local.motion[k];
        const double x = PathMidpoint(box, dt)(motion).x;
        const double extent = view.local.attributes[k].radius + 0.5 * dt * std::abs(motion.velocity.x);
        reach.include({low - x + extent, x + extent - high});
    }
    return reach;
}

void expect_near(const FaceReach& reach, const FaceReach& expected) {
    const auto expect = [](double one, double other) {
        if (std::isinf(other))
            EXPECT_EQ(one, other);
        else
            EXPECT_NEAR(one, other, 1e-7);
    };
    expect(reach.lower, expected.lower);
    expect(reach.upper, expected.upper);
}

/// Straight ones: of all particles, and of those that a neighbour was not sent.
TEST_P(HaloTest, KnowsHowFarPathsLead) {
    for (int rank = 0; rank < GetParam().num_ranks; ++rank) {
        const RankView& view = views_[static_cast<std::size_t>(rank)];
        const double low = slabs_.low(rank), high = slabs_.high(rank);
        const double width = reach_of(GetParam().width).max_width();
        std::vector<std::size_t> near;  // as views_of lists them
        for (std::size_t k = 0; k < view.halo.num_owned; ++k) {
            const double x = PathMidpoint(box_, dt)(view.local.motion[k]).x;
            if (x < low + width || x >= high - width) near.push_back(k);
        }
        if (view.halo.neighbours.empty()) continue;
        expect_near(view.halo.straight.of_owned(), farthest(view, near, low, high, box_));
        for (std::size_t n = 0; n < view.halo.neighbours.size(); ++n) {
            std::vector<std::size_t> unsent;
            std::copy_if(near.begin(), near.end(), std::back_inserter(unsent), [&](std::size_t k) {
                return (view.halo.holders[static_cast<Slot>(k)] >> n & 1) == 0;
            });
            const FaceReach expected{farthest(view, unsent, low, high, box_).lower, 0};
            expect_near({view.halo.straight.unsent_below(n), 0}, expected);
        }
    }
}

/// Each rank has one copy of whatever is within the width for its radius.
TEST_P(HaloTest, SendsOneCopyOfWhatIsNear) {
    for (int rank = 0; rank < GetParam().num_ranks; ++rank) {
        const RankView& view = views_[static_cast<std::size_t>(rank)];
        std::multiset<ParticleId> expected, found;
        for (const Motion& q : all_.motion)
            if (should_have_copy(q, rank)) expected.insert(q.id);
        for (std::size_t k = view.halo.num_owned; k < view.local.size(); ++k)
            found.insert(view.local.motion[k].id);
        EXPECT_EQ(found, expected) << "rank " << rank;
    }
}

TEST_P(HaloTest, CopiesHaveTheOwnersBits) {
    for (const RankView& view : views_)
        for (std::size_t k = view.halo.num_owned; k < view.local.size(); ++k) {
            const Motion& copy = view.local.motion[k];
            const Attributes& attributes = view.local.attributes[k];
            EXPECT_EQ(std::memcmp(&copy, &all_.motion[copy.id], sizeof(Motion)), 0);
            EXPECT_EQ(attributes.radius, all_.attributes[copy.id].radius);
            EXPECT_EQ(attributes.mass, all_.attributes[copy.id].mass);
            EXPECT_EQ(attributes.species, all_.attributes[copy.id].species);
        }
}

/// Each rank knows which neighbours have it too.
TEST_P(HaloTest, KnowsWhoHasAParticle) {
    std::vector<std::set<ParticleId>> present;
    for (const RankView& view : views_) {
        present.emplace_back();
        for (const Motion& m : view.local.motion) present.back().insert(m.id);
    }
    for (const RankView& view : views_) {
        ASSERT_EQ(view.halo.holders.size(), GetParam().num_ranks == 1 ? 0 : view.local.size());
        for (std::size_t k = 0; k < view.local.size(); ++k)
            for (std::size_t n = 0; n < view.halo.neighbours.size(); ++n) {
                const auto& there = present[static_cast<std::size_t>(view.halo.neighbours[n])];
                EXPECT_EQ((view.halo.holders[static_cast<Slot>(k)] >> n & 1) != 0,
                          there.contains(view.local.motion[k].id));
            }
    }
}

TEST_P(HaloTest, DroppingTheCopiesLeavesTheOwned) {
    std::size_t num_owned = 0, num_copies = 0, num_sent = 0;
    for (RankView& view : views_) {
        num_copies += view.local.size() - view.halo.num_owned;
        num_sent += view.halo.num_sent;
        drop_copies(view.halo, view.local);
        EXPECT_EQ(view.local.size(), view.halo.num_owned);
        num_owned += view.local.size();
    }
    EXPECT_EQ(num_owned, all_.size());
    EXPECT_EQ(num_copies, num_sent);
}

INSTANTIATE_TEST_SUITE_P(
    Slabs, HaloTest,
    testing::Values(Case{Boundary::periodic, 1, 1.0}, Case{Boundary::periodic, 2, 1.0},
                    Case{Boundary::periodic, 2, 5.0}, Case{Boundary::periodic, 3, 1.0},
                    Case{Boundary::periodic, 3, 4.0}, Case{Boundary::periodic, 4, 2.0},
                    Case{Boundary::periodic, 5, 1.0}, Case{Boundary::periodic, 7, 1.5},
                    Case{Boundary::periodic, 8, 1.5}, Case{Boundary::periodic, 8, 4.0},
                    Case{Boundary::periodic, 7, 20.0}, Case{Boundary::reflecting, 1, 1.0},
                    Case{Boundary::reflecting, 2, 1.0}, Case{Boundary::reflecting, 3, 1.0},
                    Case{Boundary::reflecting, 5, 3.0}, Case{Boundary::reflecting, 8, 1.5}));

/// Also what is near both faces.
TEST(Halo, SendsOnceOnTwoPeriodicRanks) {
    const Box box = box_with(Boundary::periodic);
    const auto slabs = SlabDecomposition::even(SliceGrid(box, 0.5), 2);
    Particles one = some_particles(1);
    one.motion[0].position.x = 3;
    one.motion[0].velocity.x = 0;
    const auto views = views_of(2, one, box, slabs, 4.0);
    EXPECT_EQ(views[0].local.size(), 1u);
    EXPECT_EQ(views[0].halo.num_sent, 1u);
    EXPECT_EQ(views[1].local.size(), 1u);
    EXPECT_EQ(views[1].halo.num_owned, 0u);
}

/// On all ranks.
TEST(Halo, RefusesMoreSlabsThanAMaskNames) {
    const Box box = box_with(Boundary::periodic);
    const auto slabs = SlabDecomposition::even(SliceGrid(box, 0.25), 40);
    std::mutex mutex;
    std::map<std::string, int> messages;
    run_ranks(40, [&](Exchange& exchange) {
        Particles none;
        try {
            HaloMap halo;
            exchange_halo(exchange, box, slabs, reach_of(5.0), {{}, {}}, {0, dt}, none, halo);
        } catch (const RunError& error) {
            const std::lock_guard lock(mutex);
            ++messages[error.what()];
        }
    });
    ASSERT_EQ(messages.size(), 1u);
    EXPECT_EQ(messages.begin()->second, 40);
}

TEST(Halo, CoverageIsOpenWhereThereIsNoNeighbour) {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    const Box walls = box_with(Boundary::reflecting);
    const auto slabs = SlabDecomposition::even(SliceGrid(walls, 0.5), 3);
    const Particles none;
    const auto views = views_of(3, none, walls, slabs, 1.0);
    const HaloReach reach{0.3, 0.2};
    const auto first = coverage_of(slabs, 0, views[0].halo, reach),
               middle = coverage_of(slabs, 1, views[1].halo, reach),
               last = coverage_of(slabs, 2, views[2].halo, reach);
    EXPECT_EQ(first.lower, -infinity);
    EXPECT_EQ(first.upper, 4);
    EXPECT_EQ(middle.lower, 4);
    EXPECT_EQ(middle.upper, 8);
    EXPECT_EQ(last.lower, 8);
    EXPECT_EQ(last.upper, infinity);
    EXPECT_FALSE(first.is_whole_box);
    EXPECT_EQ(middle.halo_width, reach.max_width());
    EXPECT_GE(middle.halo_width, 1.0);
    const auto one = SlabDecomposition::even(SliceGrid(walls, 0.5), 1);
    EXPECT_TRUE(coverage_of(one, 0, views_of(1, none, walls, one, 1.0)[0].halo, reach).is_whole_box);
}

}  // namespace
}  // namespace ricochet
