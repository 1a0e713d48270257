// SPDX-License-Identifier: BSD-3-Clause
//
// How many particles, and whether they fit. A count from a density or a volume fraction is the nearest
// integer (halves up) of + - * / in a written order, for log-normal radii with the mean volume below: the
// same count on every machine.
//
// Mean volume of log-normal radii conditioned on [min, max]: with r = median exp(sigma u) it is the ratio of
// two integrals of exp(-u^2/2 + k sigma u), k = dimension and 0, over u from ln(min/median)/sigma to
// ln(max/median)/sigma. Simpson's rule, on the part of that range where the integrands are above 1e-30 of
// their maxima, each divided by its maximum, with exp and log of core/math.hpp. The closed form needs the
// error function of both ends and loses all digits when the range lies in a tail; this does not.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "io/config_rules.hpp"
#include "ricochet/core/math.hpp"

namespace ricochet {

namespace {

/// Of equal spheres (Kepler) and equal discs (Thue): pi/sqrt(18) and pi/sqrt(12).
constexpr double closest_packing_3d = 0.74048, closest_packing_2d = 0.9069;
constexpr double largest_count = 1e15;

/// exp(-u^2/2 + slope u) on a range, as seen from its peak there.
struct Integrand {
    double slope;  ///< also where the peak would be without the range
    double peak;   ///< the point of the range that is nearest to it
    double low, high;

    Integrand(double slope_, double low_, double high_)
        : slope(slope_), peak(std::clamp(slope_, low_, high_)) {
        // Beyond 12 from the peak, and in a steep tail beyond 70 of its decay lengths, less than 1e-30 is
        // left.
        const double reach = std::min(12.0, 70.0 / std::max(std::abs(peak - slope), 1.0));
        low = std::max(low_ - peak, -reach);
        high = std::min(high_ - peak, reach);
    }
    /// The value at peak + v divided by that at the peak.
    double relative(double v) const { return fixed::exp(-v * (0.5 * v + (peak - slope))); }
};

/// The integral over the range divided by the value at the peak.
double relative_integral(const Integrand& f) {
    constexpr int num_intervals = 4096;
    const double width = (f.high - f.low) / num_intervals;
    double sum = 0;
    for (int k = 0; k <= num_intervals; ++k) {
        const double weight = k == 0 || k == num_intervals ? 1 : k % 2 == 1 ? 4 : 2;
        sum += weight * f.relative(f.low + k * width);
    }
    return sum * width / 3;
}

/// The mean of (radius/median)^power.
double mean_power(const LogNormalRadius& radii, int power) {
    const double low = fixed::log(radii.minimum / radii.median) / radii.sigma;
    const double high = fixed::log(radii.maximum / radii.median) / radii.sigma;
    const Integrand weighted(power * radii.sigma, low, high), plain(0, low, high);
    const double peaks =
        weighted.slope * weighted.peak - 0.5 * (weighted.peak - plain.peak) * (weighted.peak + plain.peak);
    return relative_integral(weighted) / relative_integral(plain) * fixed::exp(peaks);
}

double sphere_volume(double radius, int dimension) {
    if (dimension == 2) return fixed::pi * radius * radius;
    return 4.0 / 3.0 * fixed::pi * radius * radius * radius;
}

}  // namespace

double mean_volume(const Species& species, int dimension) {
    if (!species.radius_distribution) return sphere_volume(species.radius, dimension);
    const LogNormalRadius& radii = *species.radius_distribution;
    return sphere_volume(radii.median, dimension) * mean_power(radii, dimension);
}

double largest_radius(const Species& species) {
    return species.radius_distribution ? species.radius_distribution->maximum : species.radius;
}

std::uint64_t num_particles(const Config& config) {
    std::uint64_t sum = 0;
    for (const Species& species : config.species) sum += species.count;
    return sum;
}

double volume_fraction(const Config& config) {
    double volume = 0;
    for (const Species& species : config.species)
        volume += static_cast<double>(species.count) * mean_volume(species, config.box.dimension);
    return volume / config.box.volume();
}

namespace detail {

namespace {

class CountRules {
  public:
    CountRules(const Reader& read, Config& config, Issues& issues)
        : read_(read), config_(config), issues_(issues) {}

    void apply() {
        if (!read_.has("box.size") || !radii_are_good()) return;
        const bool generated =
            read_.has("placement.method") && config_.placement.method != PlacementMethod::file;
        if (generated) derive_counts();
        check_box_size();
        if (generated && counts_are_good_) check_total();
    }

  private:
    bool radii_are_good() const {
        for (std::size_t k = 0; k < config_.species.size(); ++k) {
            const std::string path = fmt::format("species.{}.radius", k);
            if (!read_.has(path)) return false;
            if (!config_.species[k].radius_distribution) continue;
            for (const char* key : {".median", ".sigma", ".min", ".max"})
                if (!read_.has(path + ".lognormal" + key)) return false;
            const auto& radii = *config_.species[k].radius_distribution;
            if (radii.maximum <= radii.minimum) return false;
        }
        return !config_.species.empty();
    }

    void derive_counts() {
        const double volume = config_.box.volume();
        for (std::size_t k = 0; k < config_.species.size(); ++k) {
            const std::string path = fmt::format("species.{}", k);
            Species& species = config_.species[k];
            if (read_.has(path + ".number_density"))
                species.count =
                    rounded(path + ".number_density", read_.number(path + ".number_density") * volume);
            else if (read_.has(path + ".volume_fraction"))
                species.count =
                    rounded(path + ".volume_fraction", read_.number(path + ".volume_fraction") * volume /
                                                           mean_volume(species, config_.box.dimension));
            else
                counts_are_good_ = counts_are_good_ && read_.has(path + ".count");
        }
    }

    std::uint64_t rounded(const std::string& path, double count) {
        if (count >= 0.5 && count <= largest_count) return static_cast<std::uint64_t>(count + 0.5);
        counts_are_good_ = false;
        issues_.add(read_.place(path),
                    fmt::format("{}: got {}, which is {:.3g} particles in this box, expected 1 to "
                                "1e15",
                                path, read_.text(path), count));
        return 0;
    }

    /// Two particles must fit beside each other, and across a periodic axis no pair may meet two images.
    void check_box_size() {
        double radius = 0;
        for (const Species& species : config_.species) radius = std::max(radius, largest_radius(species));
        for (int axis = 0; axis < config_.box.dimension; ++axis) {
            const double least = (config_.box.is_periodic(axis) ? 4 : 2) * radius;
            if (config_.box.size[axis] > least) continue;
            const Node& item = find_path(read_.root(), "box.size")->items[static_cast<std::size_t>(axis)];
            issues_.add(item.place,
                        fmt::format("box.size: got {} along {}, expected a number > {} ({} times the "
                                    "largest radius along {} axis)",
                                    item.text, "xyz"[axis], least, config_.box.is_periodic(axis) ? 4 : 2,
                                    config_.box.is_periodic(axis) ? "a periodic" : "a walled"));
        }
    }

    void check_total() {
        if (num_particles(config_) == 0)
            issues_.add(read_.place("species"), "species: got no particles at all, expected at least 1");
        const double filled = volume_fraction(config_);
        const double limit = config_.box.dimension == 2 ? closest_packing_2d : closest_packing_3d;
        if (filled <= limit) return;
        issues_.add(
            read_.place("species"),
            fmt::format("species: got a volume fraction of {:.4g} in all, expected at most {} (closest "
                        "packing of equal {})",
                        filled, limit, config_.box.dimension == 2 ? "discs" : "spheres"));
    }

    const Reader& read_;
    Config& config_;
    Issues& issues_;
    bool counts_are_good_ = true;
};

}  // namespace

void apply_count_rules(const Reader& read, Config& config, Issues& issues) {
    CountRules(read, config, issues).apply();
}

}  // namespace detail

}  // namespace ricochet
