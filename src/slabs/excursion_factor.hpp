// SPDX-License-Identifier: BSD-3-Clause
//
// The width of the halo, as learned from the steps before. The factor is the excursion of paths that the halo
// allows for, in units of the largest displacement (halo.hpp).
//
// The factor shrinks until some paths must be verified. Verifying costs one or two steps, a wider halo next to
// nothing: so one verification must last for a thousand steps (note 35 of tests/bench/notes.md). A step that
// had to be redone often stays alone, but heavy particles among light ones at rest need the width again. So
// the factor grows much only when it was too small although it had grown before; then it shrinks faster.
//
// All ranks pass the same, and so have the same factor.
#pragma once

#include <algorithm>

namespace ricochet {

class ExcursionFactor {
  public:
    /// `given`: the factor of the first step; the value stays between 0.6 and 4 times it.
    explicit ExcursionFactor(double given) : given_(given), value_(given) {}

    double value() const { return value_; }

    /// After a step. `was_verified`: paths had to be compared; `has_escaped`: the step was redone for them.
    void adapt(bool has_escaped, bool was_verified) {
        constexpr double least = 0.6, most = 4;
        const bool has_grown = value_ > given_;
        double growth = has_grown ? 0.998 : 0.9998;
        if (was_verified || has_escaped) growth = has_escaped && has_grown ? 1.5 : 1.25;
        value_ = std::clamp(growth * value_, least * given_, most * given_);
    }

  private:
    double given_;
    double value_;
};

}  // namespace ricochet
