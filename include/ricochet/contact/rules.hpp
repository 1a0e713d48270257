// SPDX-License-Identifier: BSD-3-Clause
//
// The rules of contacts: one for each unordered pair of species, and one for each species with each wall.
//
// A rule is a small value that holds the parameters; src/contact/response.hpp has what comes of a contact. A
// rule knows the two partners and nothing else. A third particle that a product overlaps has a contact of its
// own with it, at the same time and one generation later.
//
// Layout: flat symmetric tables, read once per contact.
//
// Not done: products whose size is drawn from a distribution.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "ricochet/model/contact.hpp"
#include "ricochet/model/particles.hpp"
#include "ricochet/model/species.hpp"
#include "ricochet/model/tethers.hpp"

namespace ricochet {

/// Smooth hard spheres rebound from each other, or from a wall.
struct Bounce {
    double restitution = 1;  ///< normal speed after a contact over that before it: 1 elastic, 0 no rebound

    friend bool operator==(const Bounce&, const Bounce&) = default;
};

/// Both go on as if nothing had happened. A contact is where one enters the other; inside there is none.
struct Pass {
    friend bool operator==(const Pass&, const Pass&) = default;
};

/// Partners become products. One that is of the product's species already stays as it is.
///
/// Two products are where the partners were, and part as from an elastic bounce of the partners. If these part already,
/// or react at a distance, they go on. One product is at the centre of mass, with the momentum of both over the sum of
/// their masses; the other partner ends. Without products both end. At a wall the particle likewise bounces and becomes
/// products[0], or ends.
struct React {
    SpeciesIndex first = 0;  ///< the partner of this species becomes products[0]; of two alike, the lower id
    std::array<SpeciesIndex, 2> products{absent_species,
                                         absent_species};  ///< the second never without the first
    double probability = 1;  ///< of reacting, for each contact; without reaction the partners bounce
    double restitution = 1;  ///< of such a bounce

    /// Brownian only: the intrinsic rate, length^d/time for a pair, length/time at walls.
    double rate = std::numeric_limits<double>::infinity();

    bool is_certain() const { return probability >= 1 && rate == std::numeric_limits<double>::infinity(); }
    friend bool operator==(const React&, const React&) = default;
};

/// One sphere comes of two. It conserves volume (discs: area), mass and momentum, and is at the centre of mass.
/// The heavier partner continues, at equal mass the one with the lower id; its species is that of the product.
struct Coalesce {
    /// Brownian only: the intrinsic rate, length^d/time.
    double rate = std::numeric_limits<double>::infinity();

    bool is_certain() const { return rate == std::numeric_limits<double>::infinity(); }
    friend bool operator==(const Coalesce&, const Coalesce&) = default;
};

/// Partners bounce and are tethered from then on: where they are as far apart as the tether is long, they turn back.
///
/// A tether is elastic whatever the restitution. A damped one would turn partners back infinitely often in a finite
/// time. Two that are farther apart than their tether is long come nearer, but go no farther. A particle with tethers
/// keeps its species and its identity: rules that would change, move or end it let it bounce.
struct Stick {
    double length = 2;  ///< of the tether, over the sum of the radii; above 1
    SpeciesIndex first = 0;
    /// The most tethers, of any rules, of a partner of the first species and of the other: with more this rule forms
    /// none.
    std::array<std::uint32_t, 2> valence{Tethers::most, Tethers::most};
    double break_rate = 0;   ///< 1/time
    double probability = 1;  ///< of becoming tethered, for each contact
    double restitution = 1;  ///< of contacts

    /// Brownian only: the intrinsic rate, length^d/time.
    double rate = std::numeric_limits<double>::infinity();

    std::uint32_t valence_of(SpeciesIndex species) const { return valence[species == first ? 0 : 1]; }
    friend bool operator==(const Stick&, const Stick&) = default;
};

/// One of all rules that there are.
using ContactRule = std::variant<Bounce, Pass, React, Coalesce, Stick>;

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
    static constexpr std::size_t num_walls = 6;

    /// The same rule for all pairs and walls.
    explicit ContactRules(std::size_t num_species = 1, const ContactRule& rule = Bounce{})
        : num_species_(num_species),
          pair_(num_species * num_species, numbered(rule, no_rule)),
          wall_(num_species * num_walls, numbered(rule, no_rule)) {}

    void set_pair(SpeciesIndex a, SpeciesIndex b, const ContactRule& rule, RuleNumber number = no_rule) {
        pair_[a * num_species_ + b] = pair_[b * num_species_ + a] = numbered(rule, number);
    }
    /// Of a species with all walls, or with one: 2 axis + (0 low, 1 high).
    void set_wall(SpeciesIndex a, const ContactRule& rule, RuleNumber number = no_rule) {
        for (std::size_t face = 0; face < num_walls; ++face)
            wall_[a * num_walls + face] = numbered(rule, number);
    }
    void set_wall_face(SpeciesIndex a, std::size_t face, const ContactRule& rule,
                       RuleNumber number = no_rule) {
        wall_[a * num_walls + face] = numbered(rule, number);
    }

    /// A rule, its number, and what is asked of it most often.
    struct Entry {
        ContactRule rule;
        RuleNumber number;
        Overlap overlap;
        std::optional<double> rate;
    };
    const Entry& pair_entry(SpeciesIndex a, SpeciesIndex b) const { return pair_[a * num_species_ + b]; }
    const Entry& wall_entry(SpeciesIndex a, std::size_t face) const { return wall_[a * num_walls + face]; }
    const ContactRule& pair(SpeciesIndex a, SpeciesIndex b) const { return pair_entry(a, b).rule; }
    const ContactRule& wall(SpeciesIndex a, std::size_t face) const { return wall_entry(a, face).rule; }
    RuleNumber pair_number(SpeciesIndex a, SpeciesIndex b) const { return pair_entry(a, b).number; }
    RuleNumber wall_number(SpeciesIndex a, std::size_t face) const { return wall_entry(a, face).number; }
    std::size_t num_species() const { return num_species_; }

    // --- for rules that do more than bounce ------------------------------------------------------------------

    /// Whether a product of two into one remembers the partner that ended (Track::absorbed), for its decay.
    void set_remember_absorbed(bool remember) { remember_absorbed_ = remember; }
    bool remember_absorbed() const { return remember_absorbed_ && change_matter(); }

    Overlap pair_overlap(SpeciesIndex a, SpeciesIndex b) const { return pair_entry(a, b).overlap; }
    Overlap wall_overlap(SpeciesIndex a, std::size_t face) const { return wall_entry(a, face).overlap; }
    /// Whether two of these species may react although they do not approach: when they overlap, or at a rate.
    bool react_without_approach(SpeciesIndex a, SpeciesIndex b) const {
        return pair_overlap(a, b) == Overlap::reacts || pair_rate(a, b).has_value();
    }
    /// The rule by which two of these species become tethered; null if there is none.
    const Stick* stick(SpeciesIndex a, SpeciesIndex b) const { return std::get_if<Stick>(&pair(a, b)); }
    /// Whether the species is tethered to some species.
    bool sticks(SpeciesIndex a) const;
    /// Whether there are tethers at all. Species that form them must not coalesce: their tethers would outgrow the reach.
    bool have_tethers() const;
    /// Particles decay between steps: their products may overlap others, as those of rules may.
    void set_have_decays(bool have_decays) { have_decays_ = have_decays; }
    /// Whether some rule does more, or particles decay. Then the engine keeps account of species, radii and masses within
    /// a step, and lets wedged products pass.
    bool change_matter() const;

    /// All species, from which products take radius, mass and diffusion.
    void set_species(std::vector<Species> species) { species_ = std::move(species); }
    const Species& species(SpeciesIndex of) const { return species_[of]; }
    /// The name of a species, or its number where it has none.
    std::string name_of(SpeciesIndex of) const {
        const bool has_name = of < species_.size() && !species_[of].name.empty();
        return has_name ? species_[of].name : std::to_string(of);
    }
    /// Effective masses are kT dt / (2 D), as in Brownian dynamics; `energy_time` is kT dt. 0: ballistic.
    void set_energy_time(double energy_time) { energy_time_ = energy_time; }
    double energy_time() const { return energy_time_; }
    /// 2: discs.
    void set_dimension(int dimension) { dimension_ = dimension; }
    int dimension() const { return dimension_; }
    /// Brownian reactions happen at rates (src/contact/rated_reaction.hpp), for steps of this length. 0: at contacts
    /// only. With an energy_time.
    void set_timestep(double timestep) { timestep_ = timestep; }
    bool have_rates() const;
    /// The rate at which a pair reacts, or a species at a wall; none where it does so at contacts only, or not at all.
    std::optional<double> pair_rate(SpeciesIndex a, SpeciesIndex b) const {
        return timestep_ > 0 ? pair_entry(a, b).rate : std::nullopt;
    }
    std::optional<double> wall_rate(SpeciesIndex a, std::size_t face) const {
        return timestep_ > 0 ? wall_entry(a, face).rate : std::nullopt;
    }
    /// How far beyond its surface a particle's reactions and tethers reach; 0 for a species without rates and tethers. Two
    /// whose surfaces come nearer than twice the larger of both may react without a contact, or are held.
    double reach(const Attributes& of) const;
    /// The largest of any product.
    double largest_reach_of_products() const;
    /// Of random responses.
    void set_seed(std::uint64_t seed) { seed_ = seed; }
    std::uint64_t seed() const { return seed_; }

  private:
    static Entry numbered(const ContactRule& rule, RuleNumber number) {
        return {rule, number, overlap_by(rule), rate_by(rule)};
    }

    double reach_of_rates(const Attributes& of) const;
    double reach_of_tethers(const Attributes& of) const;

    std::size_t num_species_;
    std::vector<Entry> pair_;
    std::vector<Entry> wall_;
    std::vector<Species> species_;
    double energy_time_ = 0;
    double timestep_ = 0;
    int dimension_ = 3;
    std::uint64_t seed_ = 1;
    bool remember_absorbed_ = false, have_decays_ = false;
};

}  // namespace ricochet
