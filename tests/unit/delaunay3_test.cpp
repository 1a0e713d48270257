// SPDX-License-Identifier: BSD-3-Clause
//
// The triangulation that follows spheres in three dimensions, by itself: spheres fly and bounce, and at any time it is
// closed, oriented and regular in exact arithmetic, with the edges of Laguerre cells. A state that is restored goes on
// as if nothing had been.
#include "kinetic/delaunay3.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <boost/multiprecision/cpp_int.hpp>
#include <cmath>
#include <set>
#include <string>
#include <utility>
#include <vector>
#include <voro++/voro++.hh>

#include "tests/support/flight.hpp"
#include "tests/support/hash_random.hpp"
#include "tests/support/systems.hpp"

namespace ricochet::test {
namespace {

using Exact = boost::multiprecision::cpp_rational;

Exact determinant(std::vector<std::vector<Exact>> rows) {
    Exact product = 1;
    for (std::size_t k = 0; k < rows.size(); ++k) {
        std::size_t pivot = k;
        while (pivot < rows.size() && rows[pivot][k] == 0) ++pivot;
        if (pivot == rows.size()) return 0;
        if (pivot != k) {
            std::swap(rows[pivot], rows[k]);
            product = -product;
        }
        product *= rows[k][k];
        for (std::size_t j = k + 1; j < rows.size(); ++j) {
            const Exact factor = rows[j][k] / rows[k][k];
            for (std::size_t l = k; l < rows.size(); ++l) rows[j][l] -= factor * rows[k][l];
        }
    }
    return product;
}

/// Rows of the others: their separation from the first and, for five, what lifts them.
Exact exact_certificate(const std::vector<MovingSphere>& spheres) {
    std::vector<std::vector<Exact>> rows;
    for (std::size_t k = 1; k < spheres.size(); ++k) {
        rows.emplace_back();
        Exact lifted = Exact(spheres[0].weight) - Exact(spheres[k].weight);
        for (int axis = 0; axis < 3; ++axis) {
            rows.back().push_back(Exact(spheres[k].position[axis]) - Exact(spheres[0].position[axis]));
            lifted += rows.back().back() * rows.back().back();
        }
        if (spheres.size() == 5) rows.back().push_back(lifted);
    }
    return determinant(rows);
}

/// Closed, oriented, locally regular.
void expect_regular(Flight& flight) {
    const Delaunay3& delaunay = flight.delaunay();
    const Tetrahedra& all = delaunay.tetrahedra();
    Exact volume = 0;
    int num_wrong = 0, num_open = 0;
    for (std::uint32_t t = 0; t < all.size(); ++t) {
        if (!all.is_used(t)) continue;
        std::vector<MovingSphere> spheres;
        for (std::size_t k = 0; k < 4; ++k)
            spheres.push_back(delaunay.sphere(all[t].vertex[k], all[t].offset[k], flight.now()));
        const Exact part = exact_certificate(spheres);
        if (part <= 0) ++num_wrong;
        volume += part / 6;
        for (std::uint32_t corner = 0; corner < 4; ++corner) {
            const auto view = all.view({t, corner});
            if (!view || !all.is_used(view->beyond) ||
                std::count(all[view->beyond].neighbour.begin(), all[view->beyond].neighbour.end(), t) == 0) {
                ++num_open;
                continue;
            }
            if (t > view->beyond) continue;
            spheres.resize(4);
            spheres.push_back(delaunay.sphere(view->apex, view->apex_offset, flight.now()));
            if (exact_certificate(spheres) <= 0) ++num_wrong;
        }
    }
    EXPECT_EQ(num_wrong, 0) << flight.system().name;
    EXPECT_EQ(num_open, 0) << flight.system().name;
    const Vec3 period = delaunay.frame().period;
    EXPECT_NEAR(static_cast<double>(volume) / (period.x * period.y * period.z), 1, 1e-9)
        << flight.system().name;
}

using Edges = std::set<std::pair<std::uint32_t, std::uint32_t>>;

/// The edges of the Laguerre cells that voro++ finds, with lengths in units of the spacing: its tolerances are
/// absolute.
Edges edges_of_cells(Flight& flight) {
    const Delaunay3& delaunay = flight.delaunay();
    const Delaunay3::Frame& frame = delaunay.frame();
    const auto count = static_cast<double>(frame.slots.size());
    const double unit = std::cbrt(frame.period.x * frame.period.y * frame.period.z / count);
    const Vec3 size = (1 / unit) * frame.period;
    const auto blocks = [](double length) { return std::max(1, static_cast<int>(length / 1.8)); };
    voro::container_poly cells(0, size.x, 0, size.y, 0, size.z, blocks(size.x), blocks(size.y),
                               blocks(size.z), true, true, true, 8);
    for (std::uint32_t k = 0; k < frame.slots.size(); ++k) {
        const MovingSphere sphere = delaunay.sphere(k, {}, flight.now());
        const Vec3 at = (1 / unit) * sphere.position;
        cells.put(static_cast<int>(k), at.x, at.y, at.z, std::sqrt(sphere.weight) / unit);
    }
    Edges edges;
    voro::c_loop_all loop(cells);
    voro::voronoicell_neighbor cell;
    std::vector<int> neighbours;
    if (loop.start()) do {
            if (!cells.compute_cell(cell, loop)) continue;
            cell.neighbors(neighbours);
            for (const int other : neighbours) edges.emplace(loop.pid(), static_cast<std::uint32_t>(other));
        } while (loop.inc());
    return edges;
}

void expect_edges_of_cells(Flight& flight) {
    const Tetrahedra& all = flight.delaunay().tetrahedra();
    Edges edges;
    for (std::uint32_t t = 0; t < all.size(); ++t) {
        if (!all.is_used(t)) continue;
        for (const std::uint32_t a : all[t].vertex)
            for (const std::uint32_t b : all[t].vertex)
                if (a != b) edges.emplace(a, b);
    }
    EXPECT_EQ(edges, edges_of_cells(flight)) << flight.system().name;
}

System gas(const std::string& name, std::size_t count, double fraction, std::uint64_t seed) {
    System system = equal_gas(3, count, fraction, seed);
    system.name = name;
    return system;
}

System lattice(const std::string& name, int n, bool is_face_centred, double gap) {
    System system;
    system.name = name;
    const double side = is_face_centred ? std::sqrt(2.0) * (1 + gap) : 1 + gap;
    system.box = periodic_box({n * side, n * side, n * side});
    HashRandom random(5);
    for (int x = 0; x < n; ++x)
        for (int y = 0; y < n; ++y)
            for (int z = 0; z < n; ++z)
                for (int k = 0; k < (is_face_centred ? 4 : 1); ++k) {
                    const Vec3 site{x + (k == 1 || k == 2 ? 0.5 : 0), y + (k == 1 || k == 3 ? 0.5 : 0),
                                    z + (k == 2 || k == 3 ? 0.5 : 0)};
                    add_particle(system, side * site, random.normal_vector(3));
                }
    return system;
}

System unequal_gas(std::size_t count, double ratio) {
    System system;
    system.name = "unequal";
    const double side = 14;
    system.box = periodic_box({side, side, side});
    fill_at_random(system, {{0.5 * ratio * 0.2, 1, 3}, {0.1, 1, count}}, {}, system.box.size, 3);
    thermalise(system, 1, 4);
    return system;
}

std::vector<System> systems() {
    std::vector<System> all{gas("dilute", 250, 0.05, 1), gas("dense", 250, 0.3, 2),
                            lattice("sc", 6, false, 0.02), lattice("fcc", 4, true, 0.02),
                            unequal_gas(300, 20)};
    System slab;
    slab.name = "thin slab";
    slab.box = periodic_box({12, 12, 3});
    fill_at_random(slab, {{0.5, 1, 150}}, {}, slab.box.size, 6);
    thermalise(slab, 1, 7);
    all.push_back(slab);
    System cluster;
    cluster.name = "cluster";
    cluster.box = periodic_box({40, 40, 40});
    fill_at_random(cluster, {{0.5, 1, 150}}, {10, 10, 10}, {18, 18, 18}, 8);
    thermalise(cluster, 1, 9);
    all.push_back(cluster);
    System fast = gas("fast", 250, 0.1, 12);
    fast.particles.motion[7].velocity = {300, 170, -110};
    all.push_back(fast);
    return all;
}

TEST(Delaunay3, FollowsSpheres) {
    for (const System& system : systems()) {
        Flight flight(system);
        for (int audit = 0; audit < 3; ++audit) {
            if (audit > 0)
                for (int k = 0; k < 80; ++k) flight.bounce();
            flight.pass_until(flight.now() + 1e-4);
            expect_regular(flight);
            expect_edges_of_cells(flight);
        }
        EXPECT_EQ(flight.num_lost + flight.num_unnamed, 0) << system.name;
        // Round a large void, spheres may come to be their own neighbours. More copies are taken then.
        EXPECT_LE(flight.num_rebuilt, system.name == "cluster" ? 5 : 0) << system.name;
        EXPECT_GT(flight.delaunay().counts().flips, 100u) << system.name;
    }
}

/// It is no longer than where spheres may come to, and needs no copies.
TEST(Delaunay3, HasATorusOfItsOwnInASlab) {
    System slab;
    slab.name = "slab";
    slab.box = periodic_box({300, 9, 9});
    fill_at_random(slab, {{0.5, 1, 400}}, {}, {30, 9, 9}, 21);
    thermalise(slab, 1, 22);
    for (Motion& motion : slab.particles.motion) motion.position.x += motion.position.x < 15 ? 285 : -15;
    Flight flight(slab, 0.5, {285, 30});
    EXPECT_LT(flight.delaunay().frame().period.x, 50);
    EXPECT_EQ(flight.delaunay().frame().num_copies(), 1u);
    while (flight.now() < 0.4) flight.bounce();
    expect_regular(flight);
    expect_edges_of_cells(flight);
    EXPECT_EQ(flight.num_lost, 0);
    EXPECT_EQ(flight.num_rebuilt, 0);
    EXPECT_GT(flight.num_contacts, 100u);
}

/// Per particle at the start, and per contact. Expected: as a prototype has counted them.
TEST(Delaunay3, CostsAsManyCertificatesAsExpected) {
    struct Expected {
        double fraction, neighbours, at_start, per_contact;
    };
    for (const Expected& expected : {Expected{0.3, 15.0, 13.0, 125}, Expected{0.1, 15.4, 13.4, 122}}) {
        constexpr std::size_t count = 1000;
        Flight flight(gas("equal", count, expected.fraction, 11));
        const auto at_start = static_cast<double>(flight.delaunay().counts().certificates) / count;
        std::vector<Slot> found;
        for (Slot slot = 0; slot < count; ++slot) flight.delaunay().neighbours(slot, found);
        const double neighbours = static_cast<double>(found.size()) / count;
        while (flight.num_contacts < 150) flight.bounce();
        const auto num_contacts = static_cast<double>(flight.num_contacts);
        const double per_contact = static_cast<double>(flight.num_renewed) / num_contacts;
        for (const auto& [actual, value] :
             {std::pair(neighbours, expected.neighbours), std::pair(at_start, expected.at_start),
              std::pair(per_contact, expected.per_contact)})
            EXPECT_NEAR(actual, value, 0.1 * value) << expected.fraction;
        EXPECT_EQ(flight.num_rebuilt, 0);
    }
}

/// Teeth: without flips contacts of two that are no neighbours come soon.
TEST(Delaunay3, LosesContactsWithoutFlips) {
    Flight flight(gas("dilute", 250, 0.05, 1));
    while (flight.now() < 5) flight.bounce(false);
    EXPECT_GT(flight.num_lost, 0);
}

TEST(Delaunay3, GoesOnFromWhatWasSaved) {
    for (const System& system : {gas("dilute", 250, 0.1, 1), unequal_gas(300, 20)})
        expect_goes_on_from_what_was_saved<Delaunay3>(system);
}

}  // namespace
}  // namespace ricochet::test
