// SPDX-License-Identifier: BSD-3-Clause
#include "placement/bond_order.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <vector>

#include "core/math.hpp"
#include "geometry/sphere_grid.hpp"
#include "parallel/collectives.hpp"
#include "parallel/outbox.hpp"
#include "parallel/strips.hpp"
#include "ricochet/core/exact_sum.hpp"

namespace ricochet {
namespace {

using detail::Outbox;
using detail::Strips;

/// The longest bond over the close-packed distance: between the first two shells. These are at 1 and sqrt(2) for fcc,
/// at 0.89 and 1.26 for sc; at 1 and sqrt(3) for the hexagonal lattice, at 0.93 and 1.32 for the square one.
constexpr double longest_bond_3d = 1.2, longest_bond_2d = 1.3;

double longest_bond(const Box& box, double num_particles) {
    const double room = box.volume() / num_particles;
    if (box.dimension == 2) return longest_bond_2d * std::sqrt(2 / std::sqrt(3.0) * room);
    return longest_bond_3d * fixed::cube_root(std::sqrt(2.0) * room);
}

struct Complex {
    double re = 0, im = 0;
};

Complex product(Complex a, Complex b) { return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re}; }

/// The terms of a bond: real and imaginary parts for m = 0 to 6 (spheres), or of n = 4 and 6 (discs).
constexpr std::size_t num_terms = 14;
using Terms = std::array<double, num_terms>;

/// The m-th derivatives of the Legendre polynomial P6 times (x + i y)^m. Y6m follows by the weights below.
Terms terms_of_sphere(Vec3 u) {
    const double z = u.z, zz = z * z;
    const std::array<double, 7> derivatives{(((231 * zz - 315) * zz + 105) * zz - 5) / 16,
                                            z * ((1386 * zz - 1260) * zz + 210) / 16,
                                            ((6930 * zz - 3780) * zz + 210) / 16,
                                            z * (27720 * zz - 7560) / 16,
                                            (83160 * zz - 7560) / 16,
                                            10395 * z,
                                            10395};
    Terms terms{};
    Complex power{1, 0};
    for (std::size_t m = 0; m < derivatives.size(); ++m) {
        terms[2 * m] = derivatives[m] * power.re;
        terms[2 * m + 1] = derivatives[m] * power.im;
        power = product(power, {u.x, u.y});
    }
    return terms;
}

Terms terms_of_disc(Vec3 u) {
    const Complex second = product({u.x, u.y}, {u.x, u.y});
    const Complex fourth = product(second, second);
    const Complex sixth = product(fourth, second);
    return {fourth.re, fourth.im, sixth.re, sixth.im};
}

/// (6 - m)!/(6 + m)!, twice for m > 0, where -m has the same size.
constexpr std::array<double, 7> weights{
    1, 2 / 42.0, 2 / 1680.0, 2 / 60480.0, 2 / 1814400.0, 2 / 39916800.0, 2 / 479001600.0};

struct BondSums {
    std::array<ExactSum, num_terms> terms;
    std::uint64_t num_bonds = 0;

    double size_of(std::size_t term) const {
        const double re = terms[2 * term].value(), im = terms[2 * term + 1].value();
        return re * re + im * im;
    }
};

/// The particles in this rank's strip and within `reach` of it, in no order. Collective.
std::vector<Sphere> near_strip(Exchange& exchange, const Strips& strips, double reach,
                               const Particles& owned) {
    Outbox<Sphere> outbox(exchange);
    for (const Motion& motion : owned.motion)
        strips.for_each_within(motion.position.x, reach, [&](int rank) {
            outbox.add(rank, {motion.position, 0, motion.id});
        });
    return outbox.deliver();
}

/// The bonds of the particles in this rank's strip with particles of higher ids.
BondSums sum_bonds(const Box& box, std::span<const Sphere> near, double longest, const Strips& strips,
                   int rank) {
    const ImageLengths images(box);
    SphereGrid grid(box, longest, near.size());
    for (const Sphere& sphere : near) grid.insert(sphere);
    BondSums sums;
    for (const Sphere& own : near) {
        if (strips.owner(own.centre.x) != rank) continue;
        grid.any_near(own.centre, longest, [&](const Sphere& other) {
            const Vec3 r = minimum_image(other.centre - own.centre, images);
            const double square = dot(r, r);
            if (other.id <= own.id || !(square < longest * longest) || square == 0) return false;
            const Vec3 u = (1 / std::sqrt(square)) * r;
            const Terms terms = box.dimension == 2 ? terms_of_disc(u) : terms_of_sphere(u);
            for (std::size_t k = 0; k < num_terms; ++k) sums.terms[k].add(terms[k]);
            ++sums.num_bonds;
            return false;
        });
    }
    return sums;
}

BondOrder order_of(const BondSums& sums, int dimension) {
    if (sums.num_bonds == 0) return {};
    const auto count = static_cast<double>(sums.num_bonds);
    if (dimension == 2) {
        const double four = std::sqrt(sums.size_of(0)) / count, six = std::sqrt(sums.size_of(1)) / count;
        return {std::max(four, six), four > six ? 4 : 6, sums.num_bonds};
    }
    double square = 0;
    for (std::size_t m = 0; m < weights.size(); ++m) square += weights[m] * sums.size_of(m);
    return {std::sqrt(square) / count, 6, sums.num_bonds};
}

/// Measured: note 59 of tests/bench/notes.md.
double least_of_crystal(int dimension) { return dimension == 2 ? 0.5 : 0.2; }

/// Of the lattices with the lowest order, as they are where they nearly melt.
double order_of_crystal(int dimension) { return dimension == 2 ? 0.7 : 0.35; }

/// What a liquid does not reach. Independent bonds have a mean square order of 1/num_bonds.
double most_of_liquid(const BondOrder& order) {
    constexpr double deviations = 5;
    return deviations / std::sqrt(static_cast<double>(order.num_bonds));
}

bool exceeds(const BondOrder& order, double least) {
    return order.num_bonds > 0 && order.value > std::max(least, most_of_liquid(order));
}

}  // namespace

BondOrder measure_bond_order(Exchange& exchange, const Box& box, const Particles& owned) {
    const std::uint64_t num_particles = sum_of_ranks(exchange, owned.size());
    if (num_particles < 2) return {};
    const double longest = longest_bond(box, static_cast<double>(num_particles));
    const Strips strips(box, exchange.size());
    const std::vector<Sphere> near = near_strip(exchange, strips, longest, owned);
    BondSums sums = sum_bonds(box, near, longest, strips, exchange.rank());
    reduce_exact(exchange, std::span<ExactSum>(sums.terms));
    sums.num_bonds = sum_of_ranks(exchange, sums.num_bonds);
    return order_of(sums, box.dimension);
}

bool is_crystal(const BondOrder& order, int dimension) { return exceeds(order, least_of_crystal(dimension)); }

bool tells_order(const BondOrder& order, int dimension) {
    return order.num_bonds > 0 && most_of_liquid(order) <= order_of_crystal(dimension);
}

bool is_partly_ordered(const BondOrder& order, int dimension) {
    return !is_crystal(order, dimension) && exceeds(order, least_of_crystal(dimension) / 2);
}

}  // namespace ricochet
