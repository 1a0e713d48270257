// SPDX-License-Identifier: BSD-3-Clause
//
// Tetrahedra that fill a torus, and the two flips that change them. Nothing here knows where the vertices are.
//
// Layout: each tetrahedron has a frame of its own. A corner is a vertex and an offset, in whole periods of the torus
// from where the vertex is stored. Neighbours share three vertices, so the shift between their frames is found from one
// of them. A facet has a stamp in one of its tetrahedra or in none.
//
// Flips: five vertices have two tetrahedra with a common facet, or three with a common edge. With corners a, b, c of
// the facet and d, e at its sides, 2-3 puts the edge d-e in place of the facet. It is undone by 3-2. In both cases the
// new tetrahedra are those of the first side in which e stands in place of one of a, b, c.
//
// Invariant: the corners of two neighbours are five different vertices. Where a flip would break that, the torus is too
// small, and the flip is refused.
//
// Source: M. L. Gavrilova and J. Rokne, "Collision Detection Optimization in a Multi-particle System", section 3.1.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "ricochet/core/array_memory.hpp"

namespace ricochet {

/// In whole periods of the torus.
using PeriodOffset = std::array<std::int8_t, 3>;

struct Tetrahedron {
    std::array<std::uint32_t, 4> vertex;     ///< their volume is positive; vertex[0] is `none`: not in use
    std::array<std::uint32_t, 4> neighbour;  ///< across the facet opposite to the corner
    std::array<std::uint32_t, 4> stamp;  ///< of that facet; 0 where the neighbour has it, or there is none
    std::array<PeriodOffset, 4> offset;  ///< of the corners
};
static_assert(sizeof(Tetrahedron) == 60);

/// A facet of a tetrahedron: the one opposite to a corner.
struct Facet {
    std::uint32_t tetrahedron = 0, corner = 0;
    friend bool operator==(const Facet&, const Facet&) = default;
};

/// A facet and what is behind it: a corner of the neighbour, in the frame of the tetrahedron.
struct FacetView {
    std::uint32_t tetrahedron, corner;  ///< of the facet
    std::uint32_t beyond;               ///< the neighbour
    std::uint32_t apex;                 ///< the neighbour's vertex that is not of the facet
    PeriodOffset apex_offset;
};

class Tetrahedra {
  public:
    static constexpr std::uint32_t none = 0xffffffffu;

    std::size_t size() const { return tetrahedra_.size(); }
    bool is_used(std::uint32_t t) const { return tetrahedra_[t].vertex[0] != none; }
    const Tetrahedron& operator[](std::uint32_t t) const { return tetrahedra_[t]; }
    Tetrahedron& operator[](std::uint32_t t) { return tetrahedra_[t]; }

    void clear(std::size_t num_vertices);
    /// Adds one without neighbours.
    std::uint32_t add(const std::array<std::uint32_t, 4>& vertex, const std::array<PeriodOffset, 4>& offset);
    void link(Facet a, Facet b);
    /// One of the tetrahedra of a vertex; `none` where it has none.
    std::uint32_t one_of(std::uint32_t vertex) const { return one_of_[vertex]; }

    /// Nothing where the five vertices are not different.
    std::optional<FacetView> view(Facet facet) const;
    /// The stamp of the facet in the neighbour.
    std::uint32_t& stamp_beyond(const FacetView& facet);
    /// Appends the tetrahedra around a vertex. O(their number). Not for several threads at once.
    void append_star(std::uint32_t vertex, std::vector<std::uint32_t>& star) const;

    /// Which flips are possible: an edge of the facet has three tetrahedra where the one opposite to the facet's corner
    /// `k` is beyond `k` from both sides.
    bool has_three(const FacetView& facet, std::uint32_t k) const;
    /// Puts the apex in place of each of these corners of the facet: all three (2-3), or all but `k` (3-2) where
    /// has_three(facet, k). Returns the new tetrahedra, three or two; none where the torus is too small.
    std::span<const std::uint32_t> flip(const FacetView& facet, std::span<const std::uint32_t> corners);

    std::size_t memory_bytes() const { return bytes_of(tetrahedra_, one_of_, unused_, latest_walk_); }

  private:
    /// The tetrahedron behind each facet of each new one; `none` where that is new too.
    using Outside = std::array<std::array<std::uint32_t, 4>, 3>;

    std::uint32_t corner_of(std::uint32_t t, std::uint32_t vertex) const;
    /// Nothing where that is one of those to be flipped: the torus is too small. `third` is `none` for 2-3.
    std::optional<Outside> outside_of_flip(const FacetView& facet, std::span<const std::uint32_t> corners,
                                           std::uint32_t third) const;
    void remove(std::uint32_t t);
    void link_to(Facet made, std::uint32_t other);

    std::vector<Tetrahedron> tetrahedra_;
    std::vector<std::uint32_t> one_of_;  ///< by vertex
    std::vector<std::uint32_t> unused_;
    std::array<std::uint32_t, 3> made_{};  ///< by the latest flip
    mutable std::vector<std::uint32_t>
        latest_walk_;  ///< scratch: by tetrahedron, the walk that has come there
    mutable std::uint32_t num_walks_ = 0;
};

}  // namespace ricochet
