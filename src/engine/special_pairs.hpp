// SPDX-License-Identifier: BSD-3-Clause
//
// Which species have contacts with which others that the vector functions do not find, or not at the right time. Most
// contacts of a gas with rules are bounces: a particle that can only bounce off the species present needs no more
// tests.
//
// Layout: per species, the species with which it is special, as bits. Species from 63 on share the last one, so that an
// answer may be yes too often, never too rarely.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "ricochet/contact/rules.hpp"

namespace ricochet {

/// A set of species.
using SpeciesSet = std::uint64_t;
inline constexpr SpeciesSet set_of(SpeciesIndex species) {
    return SpeciesSet{1} << std::min<SpeciesIndex>(species, 63);
}

class SpecialPairs {
  public:
    /// Null: no pair is special.
    explicit SpecialPairs(const ContactRules* rules) {
        for (SpeciesIndex a = 0; rules != nullptr && a < rules->num_species(); ++a) {
            SpeciesSet unseen = 0, special = 0;
            for (SpeciesIndex b = 0; b < rules->num_species(); ++b) {
                if (rules->react_without_approach(a, b) || rules->stick(a, b) != nullptr) unseen |= set_of(b);
                if (rules->pair_overlap(a, b) != Overlap::bounces) special |= set_of(b);
            }
            unseen_.push_back(unseen);
            special_.push_back(special | unseen);
        }
    }

    /// The species with which a contact may come at another time than a bounce would.
    SpeciesSet special(SpeciesIndex of) const { return of < special_.size() ? special_[of] : 0; }
    /// The species with which one may come although the two do not approach, or touch.
    SpeciesSet unseen(SpeciesIndex of) const { return of < unseen_.size() ? unseen_[of] : 0; }
    /// Whether two of these species have such contacts.
    bool has_special(SpeciesSet among) const { return has(special_, among); }
    bool has_unseen(SpeciesSet among) const { return has(unseen_, among); }

  private:
    static bool has(const std::vector<SpeciesSet>& partners, SpeciesSet among) {
        for (SpeciesIndex a = 0; a < partners.size(); ++a)
            if ((among & set_of(a)) != 0 && (among & partners[a]) != 0) return true;
        return false;
    }

    std::vector<SpeciesSet> special_, unseen_;  ///< by species
};

}  // namespace ricochet
