// SPDX-License-Identifier: BSD-3-Clause
#include "gravity/far_images.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>

#include "model/gravity_images.hpp"
#include "parallel/collectives.hpp"
#include "ricochet/core/check.hpp"

namespace ricochet {
namespace {

/// Polynomials along an axis.
constexpr std::size_t terms_per_axis = far_terms_per_axis;
/// The highest sum of degrees: products of high degrees along all axes count little.
constexpr std::size_t highest_degree = terms_per_axis - 1;

PanelAxes panel_axes(const Box& box) {
    RICOCHET_CHECK_LT(shortest_period(box), std::numeric_limits<double>::infinity());
    RICOCHET_CHECK_LE(elongation(box), most_elongated);
    PanelAxes axes;
    for (int axis = 0; axis < box.dimension; ++axis) {
        axes[static_cast<std::size_t>(axis)] = {.edge = box.size[axis],
                                                .is_periodic = box.is_periodic(axis),
                                                .num_panels = far_panels(box, axis),
                                                .num_terms = terms_per_axis};
    }
    return axes;
}

std::vector<Degrees> terms_of(const PanelAxes& axes) {
    std::vector<Degrees> terms;
    for (std::size_t x = 0; x < axes[0].num_terms; ++x)
        for (std::size_t y = 0; y < axes[1].num_terms; ++y)
            for (std::size_t z = 0; z < axes[2].num_terms; ++z)
                if (x + y + z <= highest_degree)
                    terms.push_back({static_cast<std::uint8_t>(x), static_cast<std::uint8_t>(y),
                                     static_cast<std::uint8_t>(z)});
    return terms;
}

std::size_t num_panels(const PanelAxes& axes) {
    return axes[0].num_panels * axes[1].num_panels * axes[2].num_panels;
}

/// Polynomials at a place on one axis, and their slopes.
struct AxisTerms {
    std::size_t panel = 0;
    std::array<double, terms_per_axis> value, slope;

    AxisTerms(const PanelAxis& axis, double place) {
        value[0] = 1;
        slope[0] = 0;
        if (axis.num_terms == 1) return;
        const double per_panel = 1 / axis.panel(), turns = place * per_panel;
        const double last = static_cast<double>(axis.num_panels - 1);
        const double below = std::min(std::max(std::floor(turns), 0.0), last);
        panel = static_cast<std::size_t>(below);
        // what a wall lets out by rounding stays within the bound of all polynomials, 1
        const double u = std::min(std::max(2 * (turns - below) - 1, -1.0), 1.0), slope_of_u = 2 * per_panel;
        value[1] = u;
        slope[1] = slope_of_u;
        for (std::size_t k = 2; k < terms_per_axis; ++k) {
            value[k] = 2 * u * value[k - 1] - value[k - 2];
            slope[k] = 2 * (slope_of_u * value[k - 1] + u * slope[k - 1]) - slope[k - 2];
        }
    }
};

/// A place in the box: its panel, and polynomials with their slopes there.
struct FarPlace {
    AxisTerms x, y, z;

    FarPlace(const PanelAxes& axes, Vec3 place)
        : x(axes[0], place.x), y(axes[1], place.y), z(axes[2], place.z) {}
    std::size_t panel(const PanelAxes& axes) const {
        return (x.panel * axes[1].num_panels + y.panel) * axes[2].num_panels + z.panel;
    }
};

}  // namespace

FarImages::FarImages(const Box& box, const GravityLaw& law)
    : axes_(panel_axes(box)), num_terms_(terms_of(axes_).size()), coupling_(axes_, law, terms_of(axes_)) {
    RICOCHET_CHECK(has_lattice_sum(box, law.form));
}

void FarImages::set_masses(Exchange& exchange, std::span<const PointMass> points) {
    double heaviest = 0;
    for (const PointMass& point : points) heaviest = std::max(heaviest, point.mass);
    exchange.max(std::span(&heaviest, 1));
    const std::uint64_t count = sum_of_ranks(exchange, points.size());
    if (count == 0) return;
    // |part| <= mass: parts below 2^50 quanta, their sum below 2^62
    const int exponent = std::ilogb(heaviest) + 1;
    const int bits = std::min(50, 62 - static_cast<int>(std::bit_width(count)));
    std::vector<std::int64_t> sums(num_panels(axes_) * num_terms_);
    for (const PointMass& point : points) add_moments(point, std::ldexp(1, bits - exponent), sums);
    exchange.sum(sums);
    std::vector<double> moments;
    moments.reserve(sums.size());
    for (const std::int64_t sum : sums)
        moments.push_back(static_cast<double>(sum) * std::ldexp(1, exponent - bits));
    coefficients_ = coupling_.coefficients_of(moments);
}

void FarImages::add_moments(const PointMass& point, double per_quantum,
                            std::vector<std::int64_t>& sums) const {
    // A number of up to 2^51 in size plus this one is rounded to an integer, in its lowest bits.
    constexpr double shift = 0x1.8p+52;
    const FarPlace place(axes_, point.position);
    const double mass = point.mass * per_quantum;
    std::int64_t* sum = &sums[place.panel(axes_) * num_terms_];
    for (std::size_t x = 0; x < axes_[0].num_terms; ++x)
        for (std::size_t y = 0; y < axes_[1].num_terms && x + y <= highest_degree; ++y) {
            const double across = mass * place.x.value[x] * place.y.value[y];
            const std::size_t size = std::min(axes_[2].num_terms, highest_degree + 1 - x - y);
            for (std::size_t z = 0; z < size; ++z)
                sum[z] += std::bit_cast<std::int64_t>(across * place.z.value[z] + shift) -
                          std::bit_cast<std::int64_t>(shift);
            sum += size;
        }
}

FarField FarImages::at(Vec3 position) const {
    const FarPlace place(axes_, position);
    const double* coefficient = &coefficients_[place.panel(axes_) * num_terms_];
    double sum = 0, slope_x = 0, slope_y = 0, slope_z = 0;
    for (std::size_t x = 0; x < axes_[0].num_terms; ++x) {
        double of_x = 0, of_x_along_y = 0, of_x_along_z = 0;
        for (std::size_t y = 0; y < axes_[1].num_terms && x + y <= highest_degree; ++y) {
            const std::size_t size = std::min(axes_[2].num_terms, highest_degree + 1 - x - y);
            double of_y = 0, of_y_along_z = 0;
            for (std::size_t z = 0; z < size; ++z) {
                of_y += coefficient[z] * place.z.value[z];
                of_y_along_z += coefficient[z] * place.z.slope[z];
            }
            coefficient += size;
            of_x += place.y.value[y] * of_y;
            of_x_along_y += place.y.slope[y] * of_y;
            of_x_along_z += place.y.value[y] * of_y_along_z;
        }
        sum += place.x.value[x] * of_x;
        slope_x += place.x.slope[x] * of_x;
        slope_y += place.x.value[x] * of_x_along_y;
        slope_z += place.x.value[x] * of_x_along_z;
    }
    return {{slope_x, slope_y, slope_z}, -sum};
}

}  // namespace ricochet
