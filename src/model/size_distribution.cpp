// SPDX-License-Identifier: BSD-3-Clause
#include "model/size_distribution.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "core/math.hpp"
#include "ricochet/core/check.hpp"
#include "ricochet/core/random.hpp"

namespace ricochet {
namespace {

/// The weight exp(-y^2/2) on [low, high], relative to its largest value there, at `peak`.
struct GaussianPiece {
    double low, high, peak;

    GaussianPiece(double a, double b) : peak(a > 0 ? a : b < 0 ? b : 0) {
        // Beyond this distance from the peak the weight is below exp(-40).
        const double extent = std::sqrt(peak * peak + 80) - std::fabs(peak);
        low = std::max(a, peak - extent);
        high = std::min(b, peak + extent);
    }
    double relative_weight(double y) const { return fixed::exp(0.5 * (peak - y) * (peak + y)); }
    double integral() const;
};

/// Gauss-Legendre with 8 points on each of 32 panels.
double GaussianPiece::integral() const {
    constexpr int num_panels = 32;
    constexpr std::array nodes = {0.1834346424956498, 0.5255324099163290, 0.7966664774136267,
                                  0.9602898564975363};
    constexpr std::array weights = {0.3626837833783620, 0.3137066458778873, 0.2223810344533745,
                                    0.1012285362903763};
    const double half = 0.5 * (high - low) / num_panels;
    double sum = 0;
    for (int panel = 0; panel < num_panels; ++panel) {
        const double middle = low + (2 * panel + 1) * half;
        for (std::size_t k = 0; k < nodes.size(); ++k)
            sum += weights[k] *
                   (relative_weight(middle - half * nodes[k]) + relative_weight(middle + half * nodes[k]));
    }
    return half * sum;
}

/// The interval of y for which median exp(sigma y) lies within the limits; sigma > 0.
struct LogInterval {
    double low, high;
    explicit LogInterval(const LogNormalRadius& d)
        : low(fixed::log(d.minimum / d.median) / d.sigma), high(fixed::log(d.maximum / d.median) / d.sigma) {}
};

void check(const LogNormalRadius& d) {
    RICOCHET_CHECK_GT(d.median, 0);
    RICOCHET_CHECK_GE(d.sigma, 0);
    RICOCHET_CHECK_GE(d.minimum, 0);
    RICOCHET_CHECK_LE(d.minimum, d.maximum);
}

bool is_single_size(const LogNormalRadius& d) { return d.sigma == 0 || d.minimum == d.maximum; }
double single_size(const LogNormalRadius& d) { return std::clamp(d.median, d.minimum, d.maximum); }

double integer_power(double x, int power) {
    double product = 1;
    for (int k = 0; k < power; ++k) product *= x;
    return product;
}

/// Draws one accepted y, with as many of the generator's words as are necessary.
double sample_piece(const GaussianPiece& piece, std::uint64_t seed, ParticleId id) {
    for (RandomKey key{.seed = seed, .stream = Stream::radius, .step = 0};; ++key.step) {
        RandomSequence random(key, id);
        while (random.remaining() >= 2) {
            const double y = piece.low + (piece.high - piece.low) * random.uniform();
            if (random.uniform() < piece.relative_weight(y)) return y;
        }
    }
}

}  // namespace

double sample_radius(const LogNormalRadius& distribution, std::uint64_t seed, ParticleId id) {
    check(distribution);
    if (is_single_size(distribution)) return single_size(distribution);
    const LogInterval interval(distribution);
    const double y = sample_piece(GaussianPiece(interval.low, interval.high), seed, id);
    return std::clamp(distribution.median * fixed::exp(distribution.sigma * y), distribution.minimum,
                      distribution.maximum);
}

// With s = power sigma, the mean of exp(s y) is exp(s^2/2) times a ratio of weights: that of the interval
// shifted by s, over that of the interval. The largest values are taken out of both weights, so that neither
// vanishes in a tail.
double mean_power_of_radius(const LogNormalRadius& distribution, int power) {
    check(distribution);
    RICOCHET_CHECK_GE(power, 0);
    if (is_single_size(distribution)) return integer_power(single_size(distribution), power);
    const double shift = power * distribution.sigma;
    const LogInterval interval(distribution);
    const GaussianPiece plain(interval.low, interval.high);
    const GaussianPiece shifted(interval.low - shift, interval.high - shift);
    const double exponent = 0.5 * (shift * shift - shifted.peak * shifted.peak + plain.peak * plain.peak);
    return integer_power(distribution.median, power) * fixed::exp(exponent) *
           (shifted.integral() / plain.integral());
}

double content(double radius, int dimension) {
    return dimension == 2 ? fixed::pi * radius * radius : 4.0 / 3.0 * fixed::pi * radius * radius * radius;
}

double mean_content(const LogNormalRadius& distribution, int dimension) {
    return content(1, dimension) * mean_power_of_radius(distribution, dimension);
}

double mean_content(const Species& species, int dimension) {
    if (!species.corners.empty()) return species.content;
    return species.radius_distribution ? mean_content(*species.radius_distribution, dimension)
                                       : content(species.radius, dimension);
}

double stokes_einstein_diffusion(const StokesEinstein& relation, double radius) {
    return relation.temperature / (6 * fixed::pi * relation.viscosity * radius);
}

double radius_of(const Species& species, std::uint64_t seed, ParticleId id) {
    return species.radius_distribution ? sample_radius(*species.radius_distribution, seed, id)
                                       : species.radius;
}

double diffusion_of(const Species& species, double radius) {
    return species.stokes_einstein ? stokes_einstein_diffusion(*species.stokes_einstein, radius)
                                   : species.diffusion;
}

double typical_diffusion(const Species& species) {
    const auto& radii = species.radius_distribution;
    return diffusion_of(species, radii ? radii->median : species.radius);
}

}  // namespace ricochet
