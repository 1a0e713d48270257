// SPDX-License-Identifier: BSD-3-Clause
//
// Polynomials of low degree in time, and when they become negative. Conditions of kinetic structures are such
// polynomials: they hold while the value is positive (kinetic/kinetic_structure.hpp).
//
// Algorithm: the Bernstein coefficients b of p on an interval bound p from both sides. There are at most as many roots
// as b has changes of sign. None: no root. One: one root, which bisection and regula falsi find. More: the interval is
// halved by de Casteljau's algorithm.
//
// Precision: at any time t the error is a few roundings of the sum of |c_k| t^k, however long the interval is. Two
// roots nearer to each other than 2^-40 of the interval may pass for none: p is negative by no more than rounding
// between them.
//
// Only + - * / are used. No library function, no complex roots, and nothing to tune.
//
// Source: G. Farin, Curves and Surfaces for CAGD, 5th edition, chapters 4 and 5 (de Casteljau, variation diminishing).
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>

#include "ricochet/core/check.hpp"

namespace ricochet {

/// c[0] + c[1] t + ... + c[Degree] t^Degree.
template <int Degree>
struct Polynomial {
    static_assert(Degree >= 0 && Degree <= 8);
    std::array<double, static_cast<std::size_t>(Degree) + 1> c{};

    double operator()(double t) const {
        double sum = c[Degree];
        for (std::size_t k = Degree; k-- > 0;) sum = sum * t + c[k];
        return sum;
    }
    friend bool operator==(const Polynomial&, const Polynomial&) = default;
};

template <int A, int B>
constexpr Polynomial<A + B> operator*(const Polynomial<A>& p, const Polynomial<B>& q) {
    Polynomial<A + B> product;
    for (std::size_t j = 0; j <= A; ++j)
        for (std::size_t k = 0; k <= B; ++k) product.c[j + k] += p.c[j] * q.c[k];
    return product;
}
template <int A, int B>
constexpr Polynomial<std::max(A, B)> operator+(const Polynomial<A>& p, const Polynomial<B>& q) {
    Polynomial<std::max(A, B)> sum;
    for (std::size_t k = 0; k <= A; ++k) sum.c[k] += p.c[k];
    for (std::size_t k = 0; k <= B; ++k) sum.c[k] += q.c[k];
    return sum;
}
template <int Degree>
constexpr Polynomial<Degree> operator-(Polynomial<Degree> p) {
    for (double& c : p.c) c = -c;
    return p;
}
template <int A, int B>
constexpr Polynomial<std::max(A, B)> operator-(const Polynomial<A>& p, const Polynomial<B>& q) {
    return p + -q;
}

template <int Degree>
constexpr Polynomial<Degree - 1> derivative(const Polynomial<Degree>& p) {
    Polynomial<Degree - 1> slope;
    for (std::size_t k = 1; k <= Degree; ++k) slope.c[k - 1] = static_cast<double>(k) * p.c[k];
    return slope;
}
/// p(t + by), as a polynomial in t.
template <int Degree>
constexpr Polynomial<Degree> shifted(Polynomial<Degree> p, double by) {
    for (std::size_t j = 0; j < Degree; ++j)
        for (std::size_t k = Degree; k-- > j;) p.c[k] += by * p.c[k + 1];
    return p;
}

namespace detail {

inline constexpr double no_root = std::numeric_limits<double>::infinity();

/// A polynomial on the interval from `begin` to `end` by its Bernstein coefficients.
template <int Degree>
struct BernsteinPiece {
    double begin, end;
    std::array<double, static_cast<std::size_t>(Degree) + 1> b;

    BernsteinPiece(const Polynomial<Degree>& p, double until) : begin(0), end(until), b(p.c) {
        double power = 1;
        for (std::size_t k = 1; k <= Degree; ++k) {
            power *= until * static_cast<double>(k) /
                     static_cast<double>(static_cast<std::size_t>(Degree) + 1 - k);
            b[k] *= power;  // over the binomial coefficient
        }
        for (std::size_t k = 0; k < Degree; ++k)  // sums of Pascal's triangle
            for (std::size_t i = Degree; i > k; --i) b[i] += b[i - 1];
    }
    /// The number of changes between + and -; zeros are passed over.
    int num_changes() const {
        int count = 0;
        double latest = 0;
        for (const double value : b) {
            if (value == 0) continue;
            if ((value < 0) != (latest < 0) && latest != 0) ++count;
            latest = value;
        }
        return count;
    }
    /// The sign that p has behind `begin`.
    bool begins_negative() const {
        for (const double value : b)
            if (value != 0) return value < 0;
        return false;
    }
    /// Keeps the first half and returns the second one: the first and the last values of de Casteljau's rows.
    BernsteinPiece split() {
        BernsteinPiece second = *this;
        for (std::size_t k = 0; k < Degree; ++k) {
            for (std::size_t i = 0; i < Degree - k; ++i) second.b[i] = 0.5 * (second.b[i] + second.b[i + 1]);
            b[k + 1] = second.b[0];
        }
        second.begin = end = begin + 0.5 * (end - begin);
        return second;
    }
};

/// The root between two times where p is positive at the first, and not at the second. p is not positive at the result.
template <int Degree>
double root_between(const Polynomial<Degree>& p, double low, double high) {
    constexpr double precision = 4.5e-16;
    double p_low = p(low), p_high = p(high);
    if (!(p_low > 0)) return low;
    if (p_high > 0) return high;
    int last_side = 0;
    for (int step = 0; high - low > precision * high; ++step) {
        const bool bisects = step % 3 == 2;
        double t = bisects ? low + 0.5 * (high - low) : low + (high - low) * (p_low / (p_low - p_high));
        if (!(t > low && t < high)) t = low + 0.5 * (high - low);
        if (!(t > low && t < high)) break;
        const double value = p(t);
        const int side = value > 0 ? 1 : -1;
        if (side > 0) {
            low = t;
            p_low = value;
            if (last_side == side) p_high *= 0.5;  // the Illinois variant of regula falsi
        } else {
            high = t;
            p_high = value;
            if (last_side == side) p_low *= 0.5;
        }
        last_side = side;
    }
    return high;
}

/// Where p goes from + to - first in the piece; it is positive behind the begin.
template <int Degree>
double first_root(const Polynomial<Degree>& p, BernsteinPiece<Degree> piece, int depth) {
    constexpr int most_halvings = 40;
    while (true) {
        if (piece.begins_negative()) return piece.begin;
        const int num_changes = piece.num_changes();
        if (num_changes == 0) return no_root;
        const bool is_negative_at_end = piece.b[Degree] < 0;
        if (num_changes == 1 || (depth == most_halvings && is_negative_at_end))
            return root_between(p, piece.begin, piece.end);
        if (depth == most_halvings) return no_root;
        const BernsteinPiece<Degree> second = piece.split();
        const double root = first_root(p, piece, ++depth);
        if (root != no_root) return root;
        piece = second;
    }
}

}  // namespace detail

/// The first time in [0, until) at which p falls and is not positive; infinite where there is none. `until` is finite.
///
/// Where p begins positive, this is where it goes from + to - first; it may touch 0 before. Where it begins at 0 or
/// below, this is 0 if p falls there. If it rises there, as conditions do that begin to hold, this is where it falls
/// again: from + to -, or behind a maximum below 0. So a root at 0 need not be divided out, and a condition that has
/// been violated by rounding is not lost.
///
/// A few dozen operations where no Bernstein coefficient is negative, as in most cases.
template <int Degree>
double first_fall(const Polynomial<Degree>& p, double until) {
    if constexpr (Degree == 0) {
        return detail::no_root;
    } else {
        RICOCHET_DCHECK(until < detail::no_root);
        if (!(until > 0)) return detail::no_root;
        if (p.c[0] > 0) return detail::first_root(p, detail::BernsteinPiece<Degree>(p, until), 0);
        const auto slope = std::find_if(p.c.begin() + 1, p.c.end(), [](double c) { return c != 0; });
        if (slope == p.c.end()) return detail::no_root;
        if (*slope < 0) return 0;
        const double top = first_fall(derivative(p), until);
        if (!(top < until)) return detail::no_root;
        const Polynomial<Degree> from_top = shifted(p, top);
        if (!(from_top.c[0] > 0)) return top;
        return top + detail::first_root(from_top, detail::BernsteinPiece<Degree>(from_top, until - top), 0);
    }
}

}  // namespace ricochet
