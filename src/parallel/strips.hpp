// SPDX-License-Identifier: BSD-3-Clause
//
// The box cut into equal strips along x, one per rank, of any thickness. They decide which rank tests which
// place during placement. (Slabs, parallel/slabs.hpp, have faces on slices and a minimum width.)
#pragma once

#include <cmath>
#include <cstdint>

#include "model/rounding.hpp"
#include "ricochet/core/check.hpp"
#include "ricochet/model/box.hpp"

namespace ricochet::detail {

class Strips {
  public:
    /// Requires: num_ranks > 0.
    Strips(const Box& box, int num_ranks)
        : num_(num_ranks), is_periodic_(box.is_periodic(0)), per_length_(num_ranks / box.size.x) {
        RICOCHET_CHECK_GT(num_ranks, 0);
    }

    /// The rank whose strip contains x in [0, L).
    int owner(double x) const {
        RICOCHET_DCHECK_GE(x, 0);
        const auto strip = static_cast<int>(x * per_length_);
        return strip < num_ ? strip : num_ - 1;
    }

    /// Calls visit(rank) for every strip within `reach` of x, each once (and perhaps one more on either
    /// side).
    template <class Visit>
    void for_each_within(double x, double reach, Visit&& visit) const {
        const double span = 2 * reach * per_length_ + 2 * strip_slack;
        if (span >= num_ - 1) {
            for (int rank = 0; rank < num_; ++rank) visit(rank);
            return;
        }
        const auto first = static_cast<std::int64_t>(std::floor((x - reach) * per_length_ - strip_slack));
        const auto last = static_cast<std::int64_t>(std::floor((x + reach) * per_length_ + strip_slack));
        for (std::int64_t strip = first; strip <= last; ++strip) {
            if (strip >= 0 && strip < num_)
                visit(static_cast<int>(strip));
            else if (is_periodic_)
                visit(static_cast<int>((strip + num_) % num_));
        }
    }

  private:
    int num_;
    bool is_periodic_;
    double per_length_;
};

}  // namespace ricochet::detail
