// SPDX-License-Identifier: BSD-3-Clause
#include "ricochet/contact/rules.hpp"

#include <algorithm>
#include <cmath>

#include "model/size_distribution.hpp"
#include "model/world_facts.hpp"
#include "ricochet/core/check.hpp"

namespace ricochet {

Overlap overlap_by(const ContactRule& rule) {
    if (std::holds_alternative<Pass>(rule)) return Overlap::passes;
    if (const Coalesce* const coalesce = std::get_if<Coalesce>(&rule))
        return coalesce->is_certain() ? Overlap::reacts : Overlap::bounces;
    const React* const react = std::get_if<React>(&rule);
    return react != nullptr && react->is_certain() ? Overlap::reacts : Overlap::bounces;
}

std::optional<double> rate_by(const ContactRule& rule) {
    if (const React* const react = std::get_if<React>(&rule)) return react->rate;
    if (const Coalesce* const coalesce = std::get_if<Coalesce>(&rule)) return coalesce->rate;
    if (const Stick* const stick = std::get_if<Stick>(&rule)) return stick->rate;
    if (const Pass* const pass = std::get_if<Pass>(&rule); pass != nullptr && !pass->is_certain())
        return pass->rate;
    return std::nullopt;
}

bool changes_partner(const ContactRule& rule, SpeciesIndex of, SpeciesIndex other) {
    if (std::holds_alternative<Coalesce>(rule)) return true;
    const React* const react = std::get_if<React>(&rule);
    if (react == nullptr) return false;
    const auto [first, second] = react->products;
    if (other == wall_species) return first != of;
    if (second == absent_species) return true;  // one product is elsewhere
    if (of == other) return first != of || second != of;
    return (of == react->first ? first : second) != of;
}

Bounce bounce_by(const ContactRule& rule) {
    if (const Bounce* const bounce = std::get_if<Bounce>(&rule)) return *bounce;
    if (const React* const react = std::get_if<React>(&rule)) return {react->restitution};
    if (const Stick* const stick = std::get_if<Stick>(&rule)) return {stick->restitution};
    return {};
}

namespace {

ContactRules::Entry numbered(const ContactRule& rule, RuleNumber number) {
    return {rule, number, overlap_by(rule), rate_by(rule)};
}

bool is_birth(const DecayChannel& decay) { return decay.is_birth(); }

std::vector<BodyNumber> bodies_of_patches(const std::vector<Body>& bodies) {
    std::vector<BodyNumber> numbers;
    for (std::size_t k = 0; k < bodies.size(); ++k)
        numbers.insert(numbers.end(), bodies[k].patches.size(), static_cast<BodyNumber>(first_body + k));
    return numbers;
}

}  // namespace

ContactRules::ContactRules(const World& world)
    : num_species_(world.species.size()),
      num_bodies_(first_body + num_body_parts(world.bodies)),
      body_of_patch_(bodies_of_patches(world.bodies)),
      pair_(num_species_ * num_species_, numbered(world.pair_rule, no_rule)),
      body_(num_species_ * num_bodies_, numbered(world.wall_rule, no_rule)),
      species_(world.species),
      energy_time_(world.bath_energy.value_or(0) * world.timestep),
      thermal_energy_(world.thermal_energy),
      timestep_(world.bath_energy && world.has_rates ? world.timestep : 0),
      collapse_duration_(world.collapse_duration),
      dimension_(world.box.dimension),
      seed_(world.seed),
      remember_absorbed_(std::any_of(world.decays.begin(), world.decays.end(), is_birth)),
      have_decays_(!world.decays.empty()) {
    RICOCHET_CHECK_GT(num_species_, 0u);
    for (const SpeciesRule& rule : world.rules)
        if (!is_for_patches(rule)) take(rule);
    for (const SpeciesRule& rule : world.rules)
        if (is_for_patches(rule)) take(rule);
    for (SpeciesIndex a = 0; a < num_species_; ++a) {
        bool has_rate = false;
        for (BodyNumber body = first_body; body < num_bodies_; ++body)
            has_rate = has_rate || body_rate(a, body).has_value();
        has_rate_at_bodies_.push_back(has_rate);
    }
}

void ContactRules::take(const SpeciesRule& of) {
    const Entry entry = numbered(of.rule, of.number);
    RICOCHET_CHECK_LT(of.a, num_species_);
    if (of.b != wall_species) {
        RICOCHET_CHECK_LT(of.b, num_species_);
        pair_[of.a * num_species_ + of.b] = pair_[of.b * num_species_ + of.a] = entry;
        return;
    }
    const BodyNumber first_patch = static_cast<BodyNumber>(num_bodies_ - body_of_patch_.size());
    for (const BodyNumber body : of.bodies) {
        RICOCHET_CHECK_LT(body, num_bodies_);
        body_[of.a * num_bodies_ + body] = entry;
        for (BodyNumber k = 0; k < body_of_patch_.size(); ++k)
            if (body_of_patch_[k] == body) body_[of.a * num_bodies_ + first_patch + k] = entry;
    }
    for (BodyNumber face = 0; of.bodies.empty() && face < first_body; ++face)
        body_[of.a * num_bodies_ + face] = entry;
}

/// The cut is at gaps a, b with 2 a b = 20 s^2, s^2 = 2 (D_1 + D_2) dt at most. The smaller gap is then at most
/// sqrt(10) s. When two react, or a tether forms, their gap is at most a (2 b + s)/(a + b + s), and so 3.203 s. Of two
/// particles s is at most sqrt(2) times the larger sqrt(2 D dt). So each reaches half of 3.203 sqrt(2) times that far.
double ContactRules::reach_of_rates(const Attributes& of) const {
    constexpr double spreads = 2.27;
    bool is_reactive = false;
    for (SpeciesIndex b = 0; b < num_species_; ++b)
        is_reactive = is_reactive || pair_rate(of.species, b).has_value();
    if (!is_reactive || of.rests()) return 0;  // its partner reaches as far as both
    return spreads * std::sqrt(energy_time_ * timestep_ / of.mass);
}

/// As between two, but that all of s is the particle's own.
double ContactRules::reach_at_bodies(const Attributes& of) const {
    constexpr double spreads = 3.21;
    if (of.species == absent_species || !has_rate_at_bodies_[of.species]) return 0;
    return spreads * std::sqrt(energy_time_ * timestep_ / of.mass);
}

/// Tethered partners are never farther apart than when the tether formed, or than it is long, but for rounding.
double ContactRules::reach_of_tethers(const Attributes& of) const {
    constexpr double more_than_rounding = 1 + 1e-6;
    double longest = 1;
    for (SpeciesIndex b = 0; b < num_species_; ++b)
        if (const Stick* const rule = stick(of.species, b)) longest = std::max(longest, rule->length);
    return (longest - 1) * of.radius * more_than_rounding;
}

double ContactRules::reach(const Attributes& of) const {
    return std::max(reach_of_rates(of), reach_of_tethers(of));
}

/// A species of distributed radii has no size that a product could take: its particles keep their own.
double ContactRules::largest_reach_of_products() const {
    double largest = 0;
    const bool has_rates = have_rates();
    for (SpeciesIndex k = 0; k < species_.size(); ++k) {
        if (species_[k].radius_distribution) continue;
        const double diffusion = has_rates ? diffusion_of(species_[k], species_[k].radius) : 0;
        largest = std::max(largest, reach_of_tethers({.radius = species_[k].radius, .species = k}));
        if (diffusion > 0)
            largest = std::max(largest, reach_of_rates({.mass = energy_time_ / (2 * diffusion),
                                                        .species = k,
                                                        .frozen_axes = species_[k].frozen_axes}));
    }
    return largest;
}

bool ContactRules::sticks(SpeciesIndex a) const {
    for (SpeciesIndex b = 0; b < num_species_; ++b)
        if (stick(a, b) != nullptr) return true;
    return false;
}

bool ContactRules::have_rates() const {
    const auto has_rate = [](const Entry& entry) { return entry.rate.has_value(); };
    return timestep_ > 0 && (std::any_of(pair_.begin(), pair_.end(), has_rate) ||
                             std::any_of(body_.begin(), body_.end(), has_rate));
}

bool ContactRules::have_tethers() const {
    return std::any_of(pair_.begin(), pair_.end(),
                       [](const Entry& entry) { return std::holds_alternative<Stick>(entry.rule); });
}

bool ContactRules::have_losses() const {
    const auto loses = [](const Entry& entry) { return !bounce_by(entry.rule).restitution.is_elastic(); };
    return std::any_of(pair_.begin(), pair_.end(), loses) || std::any_of(body_.begin(), body_.end(), loses);
}

bool ContactRules::may_collapse() const {
    const auto loses_always = [](const Entry& entry) {
        const RestitutionLaw law = bounce_by(entry.rule).restitution;
        return law.is_constant() && !law.is_elastic();
    };
    return std::any_of(pair_.begin(), pair_.end(), loses_always) ||
           std::any_of(body_.begin(), body_.end(), loses_always);
}

bool ContactRules::have_thermal_bodies() const {
    return std::any_of(body_.begin(), body_.end(),
                       [](const Entry& entry) { return std::holds_alternative<Thermal>(entry.rule); });
}

bool ContactRules::change_matter() const {
    const auto only_bounces = [](const Entry& entry) { return std::holds_alternative<Bounce>(entry.rule); };
    return have_decays_ || !std::all_of(pair_.begin(), pair_.end(), only_bounces) ||
           !std::all_of(body_.begin(), body_.end(), only_bounces);
}

}  // namespace ricochet
