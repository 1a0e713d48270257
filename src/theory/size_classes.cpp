// SPDX-License-Identifier: BSD-3-Clause
#include "theory/size_classes.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "dynamics/brownian.hpp"
#include "model/size_distribution.hpp"
#include "model/world_facts.hpp"

namespace ricochet {
namespace {

/// Number of classes that represent a distribution of radii, equally wide in ln(radius).
constexpr int num_classes = 48;
constexpr double widest = 5;  ///< standard deviations on either side of the median

constexpr std::uint64_t most_drawn = 200'000;
constexpr std::size_t num_classes_of_drawn = 128;

std::vector<WeightedRadius> radii_of_law(const LogNormalRadius& law) {
    const double low = std::max(std::log(law.minimum / law.median) / law.sigma, -widest);
    const double high = std::max(std::min(std::log(law.maximum / law.median) / law.sigma, widest), low);
    std::vector<WeightedRadius> radii;
    double sum = 0;
    for (int k = 0; k < num_classes; ++k) {
        const double y = low + (high - low) * (k + 0.5) / num_classes;
        radii.push_back({law.median * std::exp(law.sigma * y), std::exp(-y * y / 2)});
        sum += radii.back().weight;
    }
    for (WeightedRadius& r : radii) r.weight /= sum;
    return radii;
}

/// The radii that the run draws; they are functions of seed and id.
std::vector<double> drawn_radii(const World& world, SpeciesIndex species) {
    ParticleId first = 0;
    for (SpeciesIndex s = 0; s < species; ++s) first += world.species[s].count;
    std::vector<double> radii;
    radii.reserve(world.species[species].count);
    for (ParticleId id = first; id < first + world.species[species].count; ++id)
        radii.push_back(radius_of(world.species[species], world.seed, id));
    return radii;
}

std::vector<WeightedRadius> classes_of(const std::vector<double>& radii) {
    const auto [least, most] = std::minmax_element(radii.begin(), radii.end());
    const double width = std::max((*most - *least) / num_classes_of_drawn, 1e-9 * *most);
    std::vector<WeightedRadius> sums(num_classes_of_drawn);  // first of radii and particles
    for (const double radius : radii) {
        const auto bin = static_cast<std::size_t>((radius - *least) / width);
        WeightedRadius& sum = sums[std::min(bin, num_classes_of_drawn - 1)];
        sum.radius += radius;
        sum.weight += 1;
    }
    std::erase_if(sums, [](const WeightedRadius& sum) { return sum.weight == 0; });
    for (WeightedRadius& sum : sums) {
        sum.radius /= sum.weight;
        sum.weight /= static_cast<double>(radii.size());
    }
    return sums;
}

/// Infinite for a species that rests.
double response_mass(const World& world, const Species& species, double radius) {
    if (species.frozen_axes == all_axes) return std::numeric_limits<double>::infinity();
    if (!world.bath_energy) return species.mass;
    return effective_mass(*world.bath_energy, world.timestep, diffusion_of(species, radius));
}

}  // namespace

std::vector<WeightedRadius> typical_radii(const World& world, SpeciesIndex species) {
    const Species& of = world.species[species];
    if (!of.radius_distribution) return {{of.radius, 1}};
    if (of.count == 0 || of.count > most_drawn) return radii_of_law(*of.radius_distribution);
    return classes_of(drawn_radii(world, species));
}

std::vector<SizeClass> size_classes(const World& world, SpeciesIndex species) {
    const Species& of = world.species[species];
    std::vector<SizeClass> classes;
    if (of.count == 0) return classes;
    const double density = static_cast<double>(of.count) / room_volume(world);
    for (const auto& [radius, weight] : typical_radii(world, species))
        classes.push_back({density * weight, radius, response_mass(world, of, radius)});
    return classes;
}

std::vector<SizeClass> size_classes(const World& world) {
    std::vector<SizeClass> all;
    for (SpeciesIndex s = 0; s < world.species.size(); ++s) {
        const auto classes = size_classes(world, s);
        all.insert(all.end(), classes.begin(), classes.end());
    }
    return all;
}

}  // namespace ricochet
