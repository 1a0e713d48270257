// SPDX-License-Identifier: BSD-3-Clause
//
// The rules of a world's contacts, as engines ask for them. There is one for each unordered pair of species, and one
// for each species with each body, of which walls are some. Each rule is a value (model/world.hpp).
//
// Layout: flat symmetric tables, read once per contact.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "ricochet/model/contact.hpp"
#include "ricochet/model/particles.hpp"
#include "ricochet/model/species.hpp"
#include "ricochet/model/world.hpp"

namespace ricochet {

/// What two that overlap do under this rule.
Overlap overlap_by(const ContactRule& rule);
/// The rate of its reaction; none where there is none.
std::optional<double> rate_by(const ContactRule& rule);
/// Whether it changes, moves or ends the partner of species `of`; `other` is that of the other partner.
bool changes_partner(const ContactRule& rule, SpeciesIndex of, SpeciesIndex other);
/// What remains where the rule may change neither partner.
Bounce bounce_by(const ContactRule& rule);

class ContactRules {
  public:
    /// Copies what it needs. O(species^2 + rules).
    /// Requires: the world has a species, and its rules name no others.
    explicit ContactRules(const World& world);

    /// A rule, its number, and what is asked of it most often.
    struct Entry {
        ContactRule rule;
        RuleNumber number;
        Overlap overlap;
        std::optional<double> rate;
    };
    const Entry& pair_entry(SpeciesIndex a, SpeciesIndex b) const { return pair_[a * num_species_ + b]; }
    const Entry& body_entry(SpeciesIndex a, BodyNumber body) const { return body_[a * num_bodies_ + body]; }
    const ContactRule& pair(SpeciesIndex a, SpeciesIndex b) const { return pair_entry(a, b).rule; }
    const ContactRule& at_body(SpeciesIndex a, BodyNumber body) const { return body_entry(a, body).rule; }
    RuleNumber pair_number(SpeciesIndex a, SpeciesIndex b) const { return pair_entry(a, b).number; }
    RuleNumber body_rule_number(SpeciesIndex a, BodyNumber body) const { return body_entry(a, body).number; }
    std::size_t num_species() const { return num_species_; }
    /// With the six walls, and with patches.
    std::size_t num_bodies() const { return num_bodies_; }

    // --- for rules that do more than bounce ------------------------------------------------------------------

    /// Whether a product of two into one remembers the partner that ended (Track::absorbed), for its decay.
    bool remember_absorbed() const { return remember_absorbed_ && change_matter(); }

    Overlap pair_overlap(SpeciesIndex a, SpeciesIndex b) const { return pair_entry(a, b).overlap; }
    Overlap body_overlap(SpeciesIndex a, BodyNumber body) const { return body_entry(a, body).overlap; }
    /// Whether two of these species may react although they do not approach: when they overlap, or at a rate.
    bool react_without_approach(SpeciesIndex a, SpeciesIndex b) const {
        return pair_overlap(a, b) == Overlap::reacts || pair_rate(a, b).has_value();
    }
    /// The rule by which two of these species become tethered; null if there is none.
    const Stick* stick(SpeciesIndex a, SpeciesIndex b) const { return std::get_if<Stick>(&pair(a, b)); }
    /// Whether the species is tethered to some species.
    bool sticks(SpeciesIndex a) const;
    /// Whether there are tethers at all. Species that form them must not coalesce: their tethers would outgrow the
    /// reach.
    bool have_tethers() const;
    /// Whether some rule does more than bounce, or particles decay: then products may overlap others. The engine then
    /// keeps account of species, radii and masses within a step, and lets wedged products pass.
    bool change_matter() const;

    /// Whether some body has a temperature for some species.
    bool have_thermal_bodies() const;

    /// From which products take radius, mass and diffusion.
    const Species& species(SpeciesIndex of) const { return species_[of]; }
    /// The name of a species, or its number where it has none.
    std::string name_of(SpeciesIndex of) const {
        const bool has_name = of < species_.size() && !species_[of].name.empty();
        return has_name ? species_[of].name : std::to_string(of);
    }
    /// Effective masses are kT dt / (2 D), as in Brownian dynamics; `energy_time` is kT dt. 0: ballistic.
    double energy_time() const { return energy_time_; }
    /// kT of the velocities along axes on which particles are set free.
    double thermal_energy() const { return thermal_energy_; }
    /// 2: discs.
    int dimension() const { return dimension_; }
    /// Whether Brownian reactions happen at rates (src/contact/rated_reaction.hpp).
    bool have_rates() const;
    /// The rate at which a pair reacts, or a species at a body; none where it does so at contacts only, or not at all.
    std::optional<double> pair_rate(SpeciesIndex a, SpeciesIndex b) const {
        return timestep_ > 0 ? pair_entry(a, b).rate : std::nullopt;
    }
    std::optional<double> body_rate(SpeciesIndex a, BodyNumber body) const {
        return timestep_ > 0 ? body_entry(a, body).rate : std::nullopt;
    }
    /// How far beyond its surface a particle's reactions and tethers reach; 0 for a species without rates and tethers.
    /// Two whose surfaces come nearer than twice the larger of both may react without a contact, or are held.
    double reach(const Attributes& of) const;
    /// How far beyond its surface a particle reacts at bodies; 0 for a species that does not.
    double reach_at_bodies(const Attributes& of) const;
    /// The largest of any product.
    double largest_reach_of_products() const;
    /// A bounce is elastic if either partner had a contact less than this ago; 0: never.
    double collapse_duration() const { return collapse_duration_; }
    /// Whether a bounce may lose energy.
    bool have_losses() const;
    /// Whether a bounce may lose energy however slow it is.
    bool may_collapse() const;
    /// The seed of random responses.
    std::uint64_t seed() const { return seed_; }

  private:
    void take(const SpeciesRule& of);
    bool is_for_patches(const SpeciesRule& of) const {
        return !of.bodies.empty() && of.bodies.front() >= num_bodies_ - body_of_patch_.size();
    }
    double reach_of_rates(const Attributes& of) const;
    double reach_of_tethers(const Attributes& of) const;

    std::size_t num_species_;
    std::size_t num_bodies_;                 ///< walls count, also along periodic axes, and patches
    std::vector<BodyNumber> body_of_patch_;  ///< for each patch
    std::vector<Entry> pair_;
    std::vector<Entry> body_;
    std::vector<Species> species_;
    double energy_time_, thermal_energy_;
    double timestep_;  ///< of steps with rates; 0: reactions happen at contacts only
    double collapse_duration_;
    int dimension_;
    std::uint64_t seed_;
    bool remember_absorbed_, have_decays_;
    std::vector<bool> has_rate_at_bodies_;  ///< by species
};

}  // namespace ricochet
