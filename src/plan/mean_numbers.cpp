// SPDX-License-Identifier: BSD-3-Clause
#include "plan/mean_numbers.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <vector>

#include "model/size_distribution.hpp"
#include "theory/hard_sphere_theory.hpp"
#include "theory/size_classes.hpp"

namespace ricochet {
namespace {

constexpr double pi = std::numbers::pi;
constexpr double closest_packing_3d = 0.7405, closest_packing_2d = 0.9069;

/// Means over the particles of a species.
struct MeanKind {
    double radius = 0, diffusion = 0, mass = 0, content = 0;
    double loss = 0;  ///< rate of decays after which it is no longer there
    bool has_bounces_among_itself = true;
};

MeanKind mean_kind(const Config& config, SpeciesIndex s) {
    MeanKind kind;
    for (const auto& [radius, weight] : typical_radii(config, s)) {
        kind.radius += weight * radius;
        if (config.dynamics.type == DynamicsType::brownian)
            kind.diffusion += weight * diffusion_of(config.species[s], radius);
    }
    kind.mass = config.species[s].mass;
    kind.content = mean_content(config.species[s], config.box.dimension);
    for (const PairRule& rule : config.contacts.pairs)
        if (rule.a == s && rule.b == s && never_bounces(rule)) kind.has_bounces_among_itself = false;
    for (const DecayRule& rule : config.decays)
        if (rule.from == s && std::find(rule.products.begin(), rule.products.end(), s) == rule.products.end())
            kind.loss += rule.rate;
    return kind;
}

/// Two that become others at contact.
struct PairReaction {
    SpeciesIndex a = 0, b = 0;
    std::vector<SpeciesIndex> products;
    double constant = 0;  ///< length^dimension / time
};

double brownian_constant(const Config& config, const MeanKind& a, const MeanKind& b,
                         const std::optional<double>& intrinsic) {
    const double diffusion = a.diffusion + b.diffusion, contact = a.radius + b.radius;
    double encounters = 4 * pi * contact * (diffusion + contact * std::sqrt(diffusion * (a.loss + b.loss)));
    if (config.box.dimension == 2) {
        const double share =
            config.box.volume() / static_cast<double>(std::max<std::uint64_t>(1, num_particles(config)));
        const double least_logarithm = 0.5;
        encounters =
            2 * pi * diffusion / std::max(least_logarithm, std::log(std::sqrt(share / pi) / contact));
    }
    return intrinsic ? *intrinsic * encounters / (*intrinsic + encounters) : encounters;
}

double ballistic_constant(const Config& config, const MeanKind& a, const MeanKind& b) {
    const int dimension = config.box.dimension;
    const double contact = a.radius + b.radius;
    const double cross_section = dimension == 2 ? 2 * contact : pi * contact * contact;
    const double reduced_mass = a.mass * b.mass / (a.mass + b.mass);
    return cross_section * mean_thermal_speed(dimension) * std::sqrt(config.dynamics.kT / reduced_mass);
}

/// Where two coalesce, the heavier goes on. Among Brownian particles it is the one that diffuses less.
bool is_heavier(const Config& config, const MeanKind& one, const MeanKind& other) {
    return config.dynamics.type == DynamicsType::brownian ? one.diffusion < other.diffusion
                                                          : one.mass > other.mass;
}

std::optional<PairReaction> reaction_of(const Config& config, const std::vector<MeanKind>& kinds,
                                        const PairRule& rule) {
    if (rule.b == wall_species || !(rule.react || rule.coalesce)) return std::nullopt;
    const MeanKind &a = kinds[rule.a], &b = kinds[rule.b];
    PairReaction reaction{.a = rule.a, .b = rule.b, .products = {is_heavier(config, b, a) ? rule.b : rule.a}};
    if (rule.react) reaction.products = rule.react->products;
    const bool is_brownian = config.dynamics.type == DynamicsType::brownian;
    const auto& intrinsic = rule.react ? rule.react->rate : rule.coalesce->rate;
    const double probability = rule.react ? rule.react->probability : 1;
    reaction.constant = is_brownian ? brownian_constant(config, a, b, intrinsic)
                                    : probability * ballistic_constant(config, a, b);
    return reaction;
}

/// Numbers of all species, which decays and reactions change.
class Population {
  public:
    explicit Population(const Config& config) : config_(config) {
        for (SpeciesIndex s = 0; s < config.species.size(); ++s) {
            counts_.push_back(static_cast<double>(config.species[s].count));
            kinds_.push_back(mean_kind(config, s));
        }
        for (const PairRule& rule : config.contacts.pairs)
            if (auto reaction = reaction_of(config, kinds_, rule)) reactions_.push_back(std::move(*reaction));
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
        const double most = config_.box.dimension == 2 ? closest_packing_2d : closest_packing_3d;
        return filled >= most * config_.box.volume();
    }

  private:
    double decay_rate(SpeciesIndex from) const {
        double sum = 0;
        for (const DecayRule& rule : config_.decays) sum += rule.from == from ? rule.rate : 0;
        return sum;
    }

    double decay(double time) {
        std::vector<double> decays(counts_.size());
        for (SpeciesIndex s = 0; s < counts_.size(); ++s) {
            decays[s] = counts_[s] * -std::expm1(-decay_rate(s) * time);
            counts_[s] -= decays[s];
        }
        double births = 0;
        for (const DecayRule& rule : config_.decays) {
            if (rule.rate == 0) continue;
            const double number = decays[rule.from] * (rule.rate / decay_rate(rule.from));
            for (const SpeciesIndex product : rule.products) counts_[product] += number;
            if (rule.products.size() == 2) births += number;
        }
        return births;
    }

    void react(const PairReaction& reaction, double time) {
        const double of_one_pair = reaction.constant * time / config_.box.volume();
        double &a = counts_[reaction.a], &b = counts_[reaction.b];
        const double number = reaction.a == reaction.b ? a / 2 * -std::expm1(-of_one_pair * a)
                                                       : std::min(a * -std::expm1(-of_one_pair * b),
                                                                  b * -std::expm1(-of_one_pair * a));
        a -= number;
        b -= number;
        for (const SpeciesIndex product : reaction.products) counts_[product] += number;
    }

    const Config& config_;
    std::vector<double> counts_;
    std::vector<MeanKind> kinds_;
    std::vector<PairReaction> reactions_;
};

}  // namespace

MeanNumbers mean_numbers(const Config& config) {
    constexpr std::uint64_t most_intervals = 10'000;
    const auto num_intervals = std::clamp<std::uint64_t>(config.run.num_steps, 1, most_intervals);
    const double interval =
        static_cast<double>(config.run.num_steps) * config.run.timestep / static_cast<double>(num_intervals);
    Population population(config);
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
