// SPDX-License-Identifier: BSD-3-Clause
#include "placement/population.hpp"

#include <algorithm>
#include <utility>

#include "ricochet/core/check.hpp"

namespace ricochet {

Attributes make_attributes(const Species& species, SpeciesIndex index, double radius) {
    Attributes result;
    result.radius = radius;
    result.mass = species.mass;
    result.diffusion = diffusion_of(species, radius);
    result.species = index;
    result.frozen_axes = species.frozen_axes;
    return result;
}

Population::Population(std::vector<Species> species, std::uint64_t seed, std::vector<bool> passing)
    : species_(std::move(species)), seed_(seed), passing_(std::move(passing)), first_ids_{0} {
    if (has_passing()) RICOCHET_CHECK_EQ(passing_.size(), species_.size() * species_.size());
    for (const Species& s : species_) first_ids_.push_back(first_ids_.back() + s.count);
}

SpeciesIndex Population::species_of(ParticleId id) const {
    RICOCHET_DCHECK_LT(id, size());
    const auto next = std::upper_bound(first_ids_.begin(), first_ids_.end(), id);
    return static_cast<SpeciesIndex>(next - first_ids_.begin() - 1);
}

void Population::append(ParticleId id, double radius, Vec3 position, Particles& particles) const {
    const SpeciesIndex index = species_of(id);
    Motion motion;
    motion.position = position;
    motion.id = id;
    particles.push_back(motion, make_attributes(species_[index], index, radius), {.origin = position});
}

}  // namespace ricochet
