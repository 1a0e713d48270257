// SPDX-License-Identifier: BSD-3-Clause
//
// The rules of contacts: one for each unordered pair of species, and one for each species with the walls.
//
// A rule is a small value that holds the parameters; src/contact/response.hpp has what comes of a contact.
// Layout: a flat symmetric table, read once per contact.
//
// Not done: rules that change matter or end a partner.
#pragma once

#include <cstddef>
#include <variant>
#include <vector>

#include "ricochet/model/particles.hpp"

namespace ricochet {

/// Smooth hard spheres rebound from each other, or from a wall.
struct Bounce {
    double restitution = 1;  ///< normal speed after a contact over that before it: 1 elastic, 0 no rebound

    friend bool operator==(const Bounce&, const Bounce&) = default;
};

/// One of all rules that there are.
using ContactRule = std::variant<Bounce>;

class ContactRules {
  public:
    /// The same rule for all pairs and walls.
    explicit ContactRules(std::size_t num_species = 1, const ContactRule& rule = Bounce{})
        : num_species_(num_species), pair_(num_species * num_species, rule), wall_(num_species, rule) {}

    void set_pair(SpeciesIndex a, SpeciesIndex b, const ContactRule& rule) {
        pair_[a * num_species_ + b] = rule;
        pair_[b * num_species_ + a] = rule;
    }
    void set_wall(SpeciesIndex a, const ContactRule& rule) { wall_[a] = rule; }

    const ContactRule& pair(SpeciesIndex a, SpeciesIndex b) const { return pair_[a * num_species_ + b]; }
    const ContactRule& wall(SpeciesIndex a) const { return wall_[a]; }
    std::size_t num_species() const { return num_species_; }

  private:
    std::size_t num_species_;
    std::vector<ContactRule> pair_;
    std::vector<ContactRule> wall_;
};

}  // namespace ricochet
