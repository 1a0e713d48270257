// SPDX-License-Identifier: BSD-3-Clause
//
// What the ranks find of a sub-window after each round of its exchange, and together decide by.
#pragma once

#include <cstdint>

#include "ricochet/parallel/exchange.hpp"

namespace ricochet {

struct WindowVerdict {
    bool has_news = false;          ///< some rank has events or bounds that its neighbours have not
    bool has_escaped = false;       ///< a path has escaped the halo: contacts may be missing
    bool may_have_escaped = false;  ///< one may have, which only the paths themselves can tell
    bool has_stalled = false;       ///< rounds go on and on
    bool is_overloaded = false;     ///< the sub-window is too long for some rank
    bool has_reached_cap = false;   ///< a particle has reached the cap on contacts
    bool has_outgrown_box = false;  ///< a particle is too fast for unique nearest images
    bool has_lost_contact = false;  ///< a structure has: contacts before may be wrong
    bool is_exhausted = false;      ///< some rank can number no more changes

    /// Whether the step must be done again with a wider halo.
    bool needs_wider_halo() const { return has_escaped || has_stalled; }
    /// Whether the step must be done again, whatever else was found.
    bool must_be_redone() const { return needs_wider_halo() || has_lost_contact; }
    /// Whether the step cannot go on.
    bool ends_attempt() const {
        return must_be_redone() || has_reached_cap || has_outgrown_box || is_exhausted;
    }

    /// What some rank has found. Collective: one reduction.
    WindowVerdict over_ranks(Exchange& exchange) const { return from_bits(exchange.bit_or(bits())); }

  private:
    std::uint64_t bits() const {
        return std::uint64_t{has_news} | std::uint64_t{has_escaped} << 1 |
               std::uint64_t{may_have_escaped} << 2 | std::uint64_t{has_stalled} << 3 |
               std::uint64_t{is_overloaded} << 4 | std::uint64_t{has_reached_cap} << 5 |
               std::uint64_t{has_outgrown_box} << 6 | std::uint64_t{has_lost_contact} << 7 |
               std::uint64_t{is_exhausted} << 8;
    }
    static WindowVerdict from_bits(std::uint64_t bits) {
        const auto bit = [bits](int k) { return (bits >> k & 1) != 0; };
        return {bit(0), bit(1), bit(2), bit(3), bit(4), bit(5), bit(6), bit(7), bit(8)};
    }
};

}  // namespace ricochet
