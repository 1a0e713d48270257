// SPDX-License-Identifier: BSD-3-Clause
#include "plan/mean_numbers.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

#include "model/size_distribution.hpp"
#include "model/world_facts.hpp"
#include "theory/hard_sphere_theory.hpp"
#include "theory/size_classes.hpp"

namespace ricochet {
namespace {

constexpr double pi = std::numbers::pi;
/// Less of a species is what rounding leaves.
constexpr double least_part = 1e-9;
constexpr double closest_packing_3d = 0.7405, closest_packing_2d = 0.9069;

/// Means over the particles of a species.
struct MeanKind {
    double radius = 0, diffusion = 0, mass = 0, content = 0;
    double loss = 0;  ///< rate of decays after which it is no longer there
    bool has_bounces_among_itself = true;
};

std::vector<SpeciesIndex> present_of(const std::array<SpeciesIndex, 2>& products) {
    return {products.begin(), std::find(products.begin(), products.end(), absent_species)};
}

bool never_bounces(const ContactRule& rule) {
    if (const React* const react = std::get_if<React>(&rule)) return react->is_certain();
    if (const Coalesce* const coalesce = std::get_if<Coalesce>(&rule)) return coalesce->is_certain();
    return std::holds_alternative<Pass>(rule);
}

MeanKind mean_kind(const World& world, SpeciesIndex s) {
    MeanKind kind;
    const bool rests = world.species[s].frozen_axes == all_axes;
    for (const auto& [radius, weight] : typical_radii(world, s)) {
        kind.radius += weight * radius;
        if (world.bath_energy && !rests) kind.diffusion += weight * diffusion_of(world.species[s], radius);
    }
    kind.mass = rests ? std::numeric_limits<double>::infinity() : world.species[s].mass;
    kind.content = mean_content(world.species[s], world.box.dimension);
    for (const SpeciesRule& of : world.rules)
        if (of.a == s && of.b == s && never_bounces(of.rule)) kind.has_bounces_among_itself = false;
    for (const DecayChannel& decay : world.decays)
        if (decay.from == s && decay.products[0] != s && decay.products[1] != s) kind.loss += decay.rate;
    return kind;
}

/// Two that become others at contact.
struct PairReaction {
    SpeciesIndex a = 0, b = 0;
    std::vector<SpeciesIndex> products;
    double constant = 0;  ///< length^dimension / time
    double soon_undoing =
        0;  ///< of two that a decay leaves in contact: the share that reacts before it parts
};

/// The rate constant at which two meet.
double brownian_encounters(const World& world, const MeanKind& a, const MeanKind& b) {
    const double diffusion = a.diffusion + b.diffusion, contact = a.radius + b.radius;
    if (world.box.dimension == 3)
        return 4 * pi * contact * (diffusion + contact * std::sqrt(diffusion * (a.loss + b.loss)));
    const double share =
        room_volume(world) / static_cast<double>(std::max<std::uint64_t>(1, num_particles(world)));
    const double least_logarithm = 0.5;
    return 2 * pi * diffusion / std::max(least_logarithm, std::log(std::sqrt(share / pi) / contact));
}

/// The share of two in contact that react before they part for good (Collins and Kimball).
double share_that_reacts(double intrinsic, double encounters) {
    return std::isfinite(intrinsic) ? intrinsic / (intrinsic + encounters) : 1;
}

double ballistic_constant(int dimension, double thermal_energy, const MeanKind& a, const MeanKind& b) {
    const double contact = a.radius + b.radius;
    const double cross_section = dimension == 2 ? 2 * contact : pi * contact * contact;
    const double reduced_mass = 1 / (1 / a.mass + 1 / b.mass);
    return cross_section * mean_thermal_speed(dimension) * std::sqrt(thermal_energy / reduced_mass);
}

/// Where two coalesce, the heavier goes on. Among Brownian particles it is the one that diffuses less.
bool is_heavier(const World& world, const MeanKind& one, const MeanKind& other) {
    return world.bath_energy ? one.diffusion < other.diffusion : one.mass > other.mass;
}

/// `thermal_energy`: of ballistic particles.
std::optional<PairReaction> reaction_of(const World& world, double thermal_energy,
                                        const std::vector<MeanKind>& kinds, const SpeciesRule& of) {
    const React* const react = std::get_if<React>(&of.rule);
    const Coalesce* const coalesce = std::get_if<Coalesce>(&of.rule);
    if (of.b == wall_species || (react == nullptr && coalesce == nullptr)) return std::nullopt;
    const MeanKind &a = kinds[of.a], &b = kinds[of.b];
    PairReaction reaction{.a = of.a, .b = of.b, .products = {is_heavier(world, b, a) ? of.b : of.a}};
    if (react != nullptr) reaction.products = present_of(react->products);
    if (world.bath_energy) {
        const double encounters = brownian_encounters(world, a, b);
        reaction.soon_undoing =
            share_that_reacts(react != nullptr ? react->rate : coalesce->rate, encounters);
        reaction.constant = reaction.soon_undoing * encounters;
    } else {
        const double probability = react != nullptr ? react->probability : 1;
        reaction.constant = probability * ballistic_constant(world.box.dimension, thermal_energy, a, b);
    }
    return reaction;
}

/// Numbers of all species, which decays and reactions change.
class Population {
  public:
    /// Keeps the reference.
    Population(const World& world, double thermal_energy) : world_(world) {
        for (SpeciesIndex s = 0; s < world.species.size(); ++s) {
            counts_.push_back(static_cast<double>(world.species[s].count));
            kinds_.push_back(mean_kind(world, s));
        }
        returning_.resize(counts_.size());
        for (const SpeciesRule& of : world.rules)
            if (auto reaction = reaction_of(world, thermal_energy, kinds_, of))
                reactions_.push_back(std::move(*reaction));
    }

    /// Decays, then reactions. Returns the births.
    double advance(double time) {
        const double births = decay(time);
        for (const PairReaction& reaction : reactions_) react(reaction, time);
        return births;
    }

    double size() const {
        double sum = 0;
        for (const double count : counts_) sum += count;
        return sum;
    }

    bool is_full() const {
        double filled = 0;
        for (std::size_t s = 0; s < counts_.size(); ++s)
            if (kinds_[s].has_bounces_among_itself) filled += counts_[s] * kinds_[s].content;
        const double most = world_.box.dimension == 2 ? closest_packing_2d : closest_packing_3d;
        return filled >= most * room_volume(world_);
    }

  private:
    double decay_rate(SpeciesIndex from) const {
        double sum = 0;
        for (const DecayChannel& decay : world_.decays) sum += decay.from == from ? decay.rate : 0;
        return sum;
    }

    double decay(double time) {
        std::vector<double> decays(counts_.size()), new_ones(counts_.size());
        for (SpeciesIndex s = 0; s < counts_.size(); ++s) {
            decays[s] = counts_[s] * -std::expm1(-decay_rate(s) * time);
            const double part = counts_[s] > 0 ? 1 - returning_[s] / counts_[s] : 1;
            new_ones[s] = part > least_part ? part : 0;
            take(s, decays[s]);
        }
        double births = 0;
        for (const DecayChannel& decay : world_.decays) {
            if (decay.rate == 0) continue;
            const double number = decays[decay.from] * (decay.rate / decay_rate(decay.from));
            const PairReaction* const undoing = reaction_among(decay.products);
            const double undone = undoing != nullptr ? number * undoing->soon_undoing : 0;
            for (const SpeciesIndex product : present_of(decay.products)) counts_[product] += number - undone;
            if (undone > 0) add_products(*undoing, undone);
            if (decay.is_birth()) births += number * new_ones[decay.from];
        }
        return births;
    }

    void react(const PairReaction& reaction, double time) {
        const double of_one_pair = reaction.constant * time / room_volume(world_);
        const double a = counts_[reaction.a], b = counts_[reaction.b];
        const double number = reaction.a == reaction.b ? a / 2 * -std::expm1(-of_one_pair * a)
                                                       : std::min(a * -std::expm1(-of_one_pair * b),
                                                                  b * -std::expm1(-of_one_pair * a));
        take(reaction.a, number);
        take(reaction.b, number);
        add_products(reaction, number);
    }

    void add_products(const PairReaction& reaction, double number) {
        for (const SpeciesIndex product : reaction.products) counts_[product] += number;
        if (reaction.products.size() == 1) returning_[reaction.products.front()] += number;
    }

    /// What two products of a decay do to each other; null where they do not react.
    const PairReaction* reaction_among(const std::array<SpeciesIndex, 2>& products) const {
        for (const PairReaction& reaction : reactions_)
            if ((reaction.a == products[0] && reaction.b == products[1]) ||
                (reaction.a == products[1] && reaction.b == products[0]))
                return &reaction;
        return nullptr;
    }

    /// Any of the species, those made of two included.
    void take(SpeciesIndex s, double number) {
        if (counts_[s] > 0) returning_[s] *= std::max(0.0, 1 - number / counts_[s]);
        counts_[s] -= number;
    }

    const World& world_;
    std::vector<double> counts_;
    std::vector<double>
        returning_;  ///< of each species, those made of two: a decay brings the id that ended back
    std::vector<MeanKind> kinds_;
    std::vector<PairReaction> reactions_;
};

}  // namespace

MeanNumbers mean_numbers(const Config& config) {
    constexpr std::uint64_t most_intervals = 10'000;
    const auto num_intervals = std::clamp<std::uint64_t>(config.run.num_steps, 1, most_intervals);
    const double interval =
        static_cast<double>(config.run.num_steps) * config.run.timestep / static_cast<double>(num_intervals);
    const World world = world_of(config);
    Population population(world, config.dynamics.kT);
    MeanNumbers means;
    for (std::uint64_t k = 0; k < num_intervals; ++k) {
        if (!means.full_at && population.is_full()) means.full_at = static_cast<double>(k) * interval;
        if (!means.full_at && means.births < most_births) means.births += population.advance(interval);
        means.over_run += population.size() / static_cast<double>(num_intervals);
        means.births_so_far += means.births / static_cast<double>(num_intervals);
    }
    means.births = std::min(means.births, most_births);
    means.at_end = population.size();
    return means;
}

}  // namespace ricochet
