// SPDX-License-Identifier: BSD-3-Clause
//
// An upper bound of the next contact, the earliest one found so far. While all particles are searched again, pairs are
// not tested that are too far apart to touch before it.
//
// Source: C. G. Johnson and J. L. Whalley, "Detecting collisions in sets of moving particles", section 4.1.
#pragma once

#include <cstddef>
#include <vector>

#include "kinetic/kinetic_structure.hpp"
#include "ricochet/model/box.hpp"

namespace ricochet {

class Precheck {
  public:
    explicit Precheck(const Box& box);

    /// A search of all begins, at the setting's present time. What is not later than that bounds nothing: it may be a
    /// contact that was let pass, and will be dropped. O(slots).
    void begin(const KineticSetting& setting, double until);
    /// The search is over.
    void end() { is_on_ = false; }
    bool is_on() const { return is_on_; }

    /// A contact was found.
    void note(double time);
    /// Takes those out that cannot touch the slot before the next contact that is known.
    void drop_distant(Slot slot, std::vector<Slot>& others) const;

    std::size_t memory_bytes() const;

  private:
    ImageLengths images_;
    double slack_;
    KineticSetting setting_;
    std::vector<double> speeds_;  ///< by slot
    double next_ = 0;             ///< no contact after this one need be found
    bool is_on_ = false;
};

}  // namespace ricochet
