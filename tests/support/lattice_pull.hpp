// SPDX-License-Identifier: BSD-3-Clause
//
// The pull of a mass and all its images, in the tests' own words: by Ewald's sum where all axes are periodic (Ewald,
// Ann. Phys. 369 (1921) 253), and otherwise image by image, with what the images left out would add.
#pragma once

#include <array>
#include <cmath>
#include <numbers>

#include "gravity/self_gravity.hpp"

namespace ricochet::test {

/// A sum over the near part of the lattice in space and over waves. Separations lead from the target to the mass.
class EwaldSum {
  public:
    EwaldSum(const Box& box, GravityForm form) : box_(box), form_(form) {
        alpha_ = std::sqrt(pi) / std::pow(box.volume(), 1.0 / box.dimension);
    }

    /// G = 1, mass 1. At D = 0: of all images but the mass itself.
    GravityField at(Vec3 d) const {
        GravityField field;
        add_images(d, field);
        add_waves(d, field);
        field.potential += mean_of_near();
        if (d == Vec3{}) field.potential -= near_of_itself();
        return field;
    }

  private:
    static constexpr double pi = std::numbers::pi;

    bool is_square() const { return form_ == GravityForm::inverse_square; }
    bool is_flat() const { return box_.dimension == 2; }

    void add_images(Vec3 d, GravityField& field) const {
        const auto most = [&](int axis) {
            return axis < box_.dimension ? static_cast<int>(6.5 / (alpha_ * box_.size[axis])) + 2 : 0;
        };
        for (int x = -most(0); x <= most(0); ++x)
            for (int y = -most(1); y <= most(1); ++y)
                for (int z = -most(2); z <= most(2); ++z) {
                    const Vec3 way = d + Vec3{x * box_.size.x, y * box_.size.y, z * box_.size.z};
                    const double r = norm(way);
                    if (r == 0) continue;
                    const double narrow = std::exp(-alpha_ * alpha_ * r * r);
                    const double near = is_square() ? std::erfc(alpha_ * r) / r
                                                    : -0.5 * std::expint(-alpha_ * alpha_ * r * r);
                    const double pull = is_square() ? (near + 2 * alpha_ / std::sqrt(pi) * narrow) / (r * r)
                                                    : narrow / (r * r);
                    field.potential -= near;
                    field.acceleration = field.acceleration + pull * way;
                }
    }

    void add_waves(Vec3 d, GravityField& field) const {
        const auto most = [&](int axis) {
            return axis < box_.dimension ? static_cast<int>(13 * alpha_ * box_.size[axis] / (2 * pi)) + 2 : 0;
        };
        const double length_z = is_flat() ? 1 : box_.size.z;
        for (int x = -most(0); x <= most(0); ++x)
            for (int y = -most(1); y <= most(1); ++y)
                for (int z = -most(2); z <= most(2); ++z) {
                    if (x == 0 && y == 0 && z == 0) continue;
                    const Vec3 wave{2 * pi * x / box_.size.x, 2 * pi * y / box_.size.y,
                                    2 * pi * z / length_z};
                    const double weight = weight_of(norm(wave)) / box_.volume(), phase = dot(wave, d);
                    field.potential -= weight * std::cos(phase);
                    field.acceleration = field.acceleration + weight * std::sin(phase) * wave;
                }
    }

    /// Fourier's transform of what is not summed in space.
    double weight_of(double k) const {
        const double narrow = std::exp(-k * k / (4 * alpha_ * alpha_)), cut = std::erfc(k / (2 * alpha_));
        if (is_square()) return is_flat() ? 2 * pi / k * cut : 4 * pi / (k * k) * narrow;
        if (is_flat()) return 2 * pi / (k * k) * narrow;
        return std::pow(pi, 1.5) * 2 / (k * k) * (narrow / alpha_ + std::sqrt(pi) / k * cut);
    }
    double mean_of_near() const {
        const double volume = box_.volume();
        if (is_square())
            return is_flat() ? 2 * std::sqrt(pi) / (alpha_ * volume) : pi / (alpha_ * alpha_ * volume);
        return is_flat() ? pi / (2 * alpha_ * alpha_ * volume)
                         : std::pow(pi, 1.5) / (3 * alpha_ * alpha_ * alpha_ * volume);
    }
    /// The limit of near(r) minus the mass's own 1/r, or -log r.
    double near_of_itself() const {
        return is_square() ? -2 * alpha_ / std::sqrt(pi) : -0.5 * std::numbers::egamma - std::log(alpha_);
    }

    Box box_;
    GravityForm form_;
    double alpha_ = 0;
};

/// Pulls of images up to `most` along periodic axes.
inline Vec3 pull_of_images(Vec3 d, const Box& box, const GravityLaw& law, int most) {
    const auto last = [&](int axis) { return box.is_periodic(axis) ? most : 0; };
    Vec3 sum;
    for (int x = -last(0); x <= last(0); ++x)
        for (int y = -last(1); y <= last(1); ++y)
            for (int z = -last(2); z <= last(2); ++z) {
                const Vec3 way = d + Vec3{x * box.size.x, y * box.size.y, z * box.size.z};
                const double u = dot(way, way) + law.softening * law.softening;
                if (u == 0) continue;
                sum = sum + 1 / (law.form == GravityForm::inverse ? u : u * std::sqrt(u)) * way;
            }
    return sum;
}

/// With some axes open: the limit of sums of more and more images. What is left out is R^-p times a series in R^-2.
/// Here R = most + 1/2 is half the width of the region that the images fill, and p is from the law. Three terms are
/// removed.
inline Vec3 pull_of_all_images(Vec3 d, const Box& box, const GravityLaw& law) {
    int num_periodic = 0;
    for (int axis = 0; axis < box.dimension; ++axis) num_periodic += box.is_periodic(axis) ? 1 : 0;
    const int p = (law.form == GravityForm::inverse ? 2 : 3) - num_periodic;
    const std::array<double, 4> radii{6.5, 12.5, 20.5, 32.5};
    Vec3 sum;
    double weights = 0;
    for (const double radius : radii) {
        double weight = std::pow(radius, p);
        for (const double other : radii)
            if (other != radius) weight /= 1 / (radius * radius) - 1 / (other * other);
        weights += weight;
        sum = sum + weight * pull_of_images(d, box, law, static_cast<int>(radius));
    }
    return 1 / weights * sum;
}

}  // namespace ricochet::test
