// SPDX-License-Identifier: BSD-3-Clause
#include "tests/support/hull_distance.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <optional>

namespace ricochet::test {
namespace {

/// Points with their shares of a place.
struct Simplex {
    std::vector<Vec3> points;
    std::vector<double> shares;

    Vec3 place() const {
        Vec3 sum;
        for (std::size_t k = 0; k < points.size(); ++k) sum = advanced(sum, points[k], shares[k]);
        return sum;
    }
};

/// Solves A x = b for up to three unknowns, with pivots; none where A has no inverse.
std::optional<std::array<double, 3>> solved(std::array<std::array<double, 4>, 3> a, std::size_t n) {
    for (std::size_t column = 0; column < n; ++column) {
        std::size_t best = column;
        for (std::size_t row = column; row < n; ++row)
            if (std::abs(a[row][column]) > std::abs(a[best][column])) best = row;
        if (!(std::abs(a[best][column]) > 1e-25)) return std::nullopt;
        std::swap(a[column], a[best]);
        for (std::size_t row = 0; row < n; ++row) {
            if (row == column) continue;
            const double factor = a[row][column] / a[column][column];
            for (std::size_t k = column; k < 4; ++k) a[row][k] -= factor * a[column][k];
        }
    }
    std::array<double, 3> x{};
    for (std::size_t k = 0; k < n; ++k) x[k] = a[k][3] / a[k][k];
    return x;
}

/// The shares of the place nearest to the origin in the plane of the points; none where they span less than they could.
std::optional<std::vector<double>> nearest_in_plane(const std::vector<Vec3>& points) {
    const std::size_t n = points.size() - 1;
    std::array<std::array<double, 4>, 3> a{};
    for (std::size_t i = 0; i < n; ++i) {
        const Vec3 of_i = points[i + 1] - points[0];
        for (std::size_t j = 0; j < n; ++j) a[i][j] = dot(of_i, points[j + 1] - points[0]);
        a[i][3] = -dot(of_i, points[0]);
    }
    const auto x = solved(a, n);
    if (!x) return std::nullopt;
    std::vector<double> shares{1};
    for (std::size_t k = 0; k < n; ++k) {
        shares.push_back((*x)[k]);
        shares[0] -= (*x)[k];
    }
    return shares;
}

/// Goes towards the nearest place of the plane until a share is used up, and leaves out that point, until none is.
void go_down(Simplex& simplex) {
    while (simplex.points.size() > 1) {
        const auto target = nearest_in_plane(simplex.points);
        double part = 1;
        std::size_t used_up = simplex.points.size();
        for (std::size_t k = 0; target && k < simplex.points.size(); ++k) {
            const double from = simplex.shares[k], to = (*target)[k];
            if (to <= 0 && from / (from - to) < part) {
                part = from / (from - to);
                used_up = k;
            }
        }
        if (!target) used_up = simplex.points.size() - 1;
        for (std::size_t k = 0; target && k < simplex.points.size(); ++k)
            simplex.shares[k] += part * ((*target)[k] - simplex.shares[k]);
        if (used_up == simplex.points.size()) return;
        simplex.points.erase(simplex.points.begin() + static_cast<std::ptrdiff_t>(used_up));
        simplex.shares.erase(simplex.shares.begin() + static_cast<std::ptrdiff_t>(used_up));
        double sum = 0;
        for (const double share : simplex.shares) sum += share;
        for (double& share : simplex.shares) share /= sum;
    }
    simplex.shares.assign(1, 1);
}

}  // namespace

double distance_to_hull(const std::vector<Vec3>& points) {
    const auto square = [](Vec3 a) { return dot(a, a); };
    double largest = 0;
    for (const Vec3 point : points) largest = std::max(largest, square(point));
    Simplex simplex{{*std::ranges::min_element(points, {}, square)}, {1}};
    constexpr int most_steps = 1000;
    for (int step = 0; step < most_steps; ++step) {
        const Vec3 place = simplex.place();
        const Vec3 next = *std::ranges::min_element(points, {}, [&](Vec3 p) { return dot(place, p); });
        if (dot(place, place) - dot(place, next) <= 1e-15 * largest || simplex.points.size() == 4) break;
        simplex.points.push_back(next);
        simplex.shares.push_back(0);
        go_down(simplex);
    }
    return norm(simplex.place());
}

std::vector<Vec3> differences(const std::vector<Vec3>& first, const std::vector<Vec3>& second, Vec3 r) {
    std::vector<Vec3> all;
    all.reserve(first.size() * second.size());
    for (const Vec3 a : first)
        for (const Vec3 b : second) all.push_back(b + r - a);
    return all;
}

}  // namespace ricochet::test
