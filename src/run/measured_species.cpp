// SPDX-License-Identifier: BSD-3-Clause
#include "run/measured_species.hpp"

#include <cstdint>
#include <span>
#include <vector>

#include "model/size_distribution.hpp"
#include "parallel/collectives.hpp"
#include "ricochet/core/exact_sum.hpp"

namespace ricochet {
namespace {

struct SpeciesSums {
    explicit SpeciesSums(std::size_t num_species)
        : counts(num_species),
          other_radii(num_species),
          other_masses(num_species),
          radii(num_species),
          masses(num_species) {}

    std::vector<std::int64_t> counts, other_radii, other_masses;  ///< numbers of particles
    std::vector<ExactSum> radii, masses;
};

SpeciesSums sums_of(Exchange& exchange, const World& world, const Particles& particles) {
    SpeciesSums sums(world.species.size());
    for (std::size_t k = 0; k < particles.size(); ++k) {
        const Attributes& is = particles.attributes[k];
        if (is_absent(is)) continue;
        const Species& species = world.species[is.species];
        ++sums.counts[is.species];
        sums.other_radii[is.species] +=
            is.radius != radius_of(species, world.seed, particles.motion[k].id) ? 1 : 0;
        sums.other_masses[is.species] += is.mass != species.mass ? 1 : 0;
        sums.radii[is.species].add(is.radius);
        sums.masses[is.species].add(is.mass);
    }
    for (std::vector<std::int64_t>* numbers : {&sums.counts, &sums.other_radii, &sums.other_masses})
        exchange.sum(*numbers);
    for (std::vector<ExactSum>* of : {&sums.radii, &sums.masses}) reduce_exact(exchange, std::span(*of));
    return sums;
}

}  // namespace

Config config_for_estimates(Exchange& exchange, const Config& config, const Particles& particles) {
    Config result = config;
    if (config.placement.method != PlacementMethod::file) return result;
    const SpeciesSums sums = sums_of(exchange, world_of(config), particles);
    for (std::size_t s = 0; s < result.species.size(); ++s) {
        Species& species = result.species[s];
        species.count = static_cast<std::uint64_t>(sums.counts[s]);
        const auto count = static_cast<double>(sums.counts[s]);
        if (sums.other_radii[s] > 0) {
            species.radius_distribution.reset();
            species.radius = sums.radii[s].value() / count;
        }
        if (sums.other_masses[s] > 0 && config.dynamics.type == DynamicsType::ballistic)
            species.mass = sums.masses[s].value() / count;
    }
    return result;
}

}  // namespace ricochet
