// SPDX-License-Identifier: BSD-3-Clause
//
// How many particles, and whether they fit. A count from a density or a volume fraction is the nearest
// integer (halves up) of + - * / in a written order, by the mean content of core/size_distribution.hpp for
// log-normal radii: the same count on every machine.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "io/config_rules.hpp"
#include "ricochet/core/size_distribution.hpp"

namespace ricochet {

namespace {

/// Of equal spheres (Kepler) and equal discs (Thue): pi/sqrt(18) and pi/sqrt(12).
constexpr double closest_packing_3d = 0.74048, closest_packing_2d = 0.9069;
constexpr double largest_count = 1e15;

}  // namespace

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
        volume += static_cast<double>(species.count) * mean_content(species, config.box.dimension);
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
                                                           mean_content(species, config_.box.dimension));
            else
                counts_are_good_ = counts_are_good_ && read_.has(path + ".count");
        }
    }

    std::uint64_t rounded(const std::string& path, double count) {
        if (count >= 0.5 && count <= largest_count)
            return static_cast<std::uint64_t>(std::floor(count + 0.5));
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
            const TreeNode& item =
                find_path(read_.root(), "box.size")->children[static_cast<std::size_t>(axis)];
            issues_.add(item.place,
                        fmt::format("box.size: got {} along {}, expected a number > {} ({} times the "
                                    "largest radius along {} axis)",
                                    item.text, "xyz"[axis], least, config_.box.is_periodic(axis) ? 4 : 2,
                                    config_.box.is_periodic(axis) ? "a periodic" : "a walled"));
        }
    }

    /// As a floating-point number: the sum of integers may overflow.
    void check_sum() {
        double sum = 0;
        for (const Species& species : config_.species) sum += static_cast<double>(species.count);
        if (sum > largest_count)
            issues_.add(read_.place("species"),
                        fmt::format("species: got {:.4g} particles in all, expected at most 1e15", sum));
    }

    void check_total() {
        if (num_particles(config_) == 0)
            issues_.add(read_.place("species"), "species: got no particles at all, expected at least 1");
        check_sum();
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
