// SPDX-License-Identifier: BSD-3-Clause
#include "dynamics/tether_breaks.hpp"

#include <algorithm>

#include "core/math.hpp"
#include "ricochet/contact/rules.hpp"
#include "ricochet/core/random.hpp"

namespace ricochet {
namespace {

/// As the owner of the lower id sees it.
Contact break_record(const Motion& low, SpeciesIndex species_low, ParticleId high, SpeciesIndex species_high,
                     RuleNumber rule) {
    return {.key = {0, 0, low.id, high},
            .point = low.position,
            .normal = {},
            .species_low = species_low,
            .species_high = species_high,
            .product_low = species_low,
            .product_high = species_high,
            .rule = rule,
            .effect = ContactEffect::part};
}

}  // namespace

TetherBreaks::TetherBreaks(const World& world)
    : seed_(world.seed), num_species_(world.species.size()), kinds_(num_species_ * num_species_) {
    const ContactRules rules(world);
    for (SpeciesIndex a = 0; a < num_species_; ++a)
        for (SpeciesIndex b = 0; b < num_species_; ++b) {
            const Stick* const stick = rules.stick(a, b);
            if (stick == nullptr || !(stick->break_rate > 0)) continue;
            kinds_[a * num_species_ + b] = {fixed::one_minus_exp_of_minus(stick->break_rate * world.timestep),
                                            rules.pair_number(a, b)};
            may_break_ = true;
        }
}

std::vector<Contact> TetherBreaks::before_step(std::uint64_t step, Particles& owned) const {
    std::vector<Contact> records;
    if (!may_break_ || !owned.track.keeps_tethers()) return records;
    for (std::size_t k = 0; k < owned.size(); ++k) {
        Tethers& tethers = owned.track.tethers()[k];
        if (tethers.empty()) continue;
        const Motion& motion = owned.motion[k];
        const SpeciesIndex species = owned.attributes[k].species;
        for (std::uint32_t t = 0; t < tethers.size();) {
            const ParticleId partner = tethers.partner(t);
            const Kind& kind = kind_of(species, tethers.species(t));
            if (!breaks(kind, step, std::min(motion.id, partner), std::max(motion.id, partner))) {
                ++t;
                continue;
            }
            if (motion.id < partner)
                records.push_back(break_record(motion, species, partner, tethers.species(t), kind.rule));
            tethers.remove(t);
        }
    }
    return records;
}

bool TetherBreaks::breaks(const Kind& kind, std::uint64_t step, ParticleId low, ParticleId high) const {
    if (kind.probability == 0) return false;
    RandomKey key{.seed = seed_, .stream = Stream::tether, .step = step};
    key.seed = random_words(key, low)[0];
    return uniform_from(random_words(key, high)[0]) < kind.probability;
}

}  // namespace ricochet
