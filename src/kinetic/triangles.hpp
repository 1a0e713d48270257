// SPDX-License-Identifier: BSD-3-Clause
//
// Triangles that fill a torus, and the flips that change them. Nothing here knows where the vertices are.
//
// Layout: each triangle has a frame of its own. A corner is a vertex and an offset, in whole periods of the torus from
// where the vertex is stored; that of the first corner is 0. Neighbours share an edge, so the shift between their
// frames is found from one of its ends. An edge is opposite to a corner. It has two names, one in each of its
// triangles: 3 * triangle + corner.
//
// Invariant: corners turn to the left, and each name has a twin. There are two triangles per vertex. Any number of
// vertices will do, from one on: two triangles may share several edges, and a vertex may be its own neighbour.
//
// Source: M. L. Gavrilova and J. Rokne, "Collision Detection Optimization in a Multi-particle System", section 3.1.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "ricochet/core/array_memory.hpp"
#include "ricochet/model/particles.hpp"

namespace ricochet {

using EdgeName = std::uint32_t;

/// A vertex in the frame of a triangle.
struct Corner {
    Slot slot = 0;
    std::int16_t x = 0, y = 0;  ///< whole periods from where the vertex is stored
    friend auto operator<=>(const Corner&, const Corner&) = default;
};

struct Triangle {
    std::array<Corner, 3> corner;
    std::array<EdgeName, 3> twin{};        ///< of the edge opposite to the corner
    std::array<std::uint32_t, 3> stamp{};  ///< of the edge, by the lower of its names; else 0
};
static_assert(sizeof(Triangle) == 48);

/// The corners of an edge's two triangles in one frame: the edge runs from 1 to 2, left of it is 0, right of it 3.
using Quadrilateral = std::array<Corner, 4>;

class Triangles {
  public:
    static constexpr std::uint32_t none = 0xffffffffu;

    /// Two triangles about one vertex.
    void start(std::size_t num_slots, Slot vertex);
    /// Puts a vertex into a triangle, in the frame of that.
    void split(std::uint32_t triangle, Corner vertex);
    /// Puts the other diagonal of its quadrilateral in place of an edge. The four edges around have new names then; the
    /// new edge is the second one of both triangles.
    void flip(EdgeName edge);

    std::size_t size() const { return triangles_.size(); }
    const Triangle& operator[](std::uint32_t triangle) const { return triangles_[triangle]; }
    EdgeName twin(EdgeName edge) const { return triangles_[edge / 3].twin[edge % 3]; }
    std::uint32_t stamp(EdgeName edge) const { return triangles_[edge / 3].stamp[edge % 3]; }
    /// By the lower name, which it returns.
    EdgeName set_stamp(EdgeName edge, std::uint32_t stamp);
    Quadrilateral quadrilateral(EdgeName edge) const;
    /// The edge opposite to a vertex in one of its triangles; `none` where the vertex is in none.
    EdgeName opposite_edge(Slot vertex) const { return opposite_edge_[vertex]; }
    /// visit(edge) for the edges opposite to a vertex in all its triangles, to the left around it.
    template <class Visit>
    void for_each_opposite(Slot vertex, Visit&& visit) const {
        const EdgeName first = opposite_edge_[vertex];
        if (first == none) return;
        EdgeName edge = first;
        do {
            visit(edge);
            edge = after(twin(after(edge)));
        } while (edge != first);
    }
    /// The next edge of the same triangle, to the left.
    static EdgeName after(EdgeName edge) { return edge % 3 == 2 ? edge - 2 : edge + 1; }
    static EdgeName before(EdgeName edge) { return edge % 3 == 0 ? edge + 2 : edge - 1; }
    /// The corner opposite to the edge.
    const Corner& corner(EdgeName edge) const { return triangles_[edge / 3].corner[edge % 3]; }

    std::size_t memory_bytes() const { return bytes_of(triangles_, opposite_edge_); }

  private:
    void put(std::uint32_t triangle, std::array<Corner, 3> corners);
    void link(EdgeName a, EdgeName b);

    std::vector<Triangle> triangles_;
    std::vector<EdgeName> opposite_edge_;  ///< by slot
};

/// A corner of another frame, shifted as `from` must be to become `to`.
inline Corner shifted(Corner corner, const Corner& from, const Corner& to) {
    corner.x = static_cast<std::int16_t>(corner.x + to.x - from.x);
    corner.y = static_cast<std::int16_t>(corner.y + to.y - from.y);
    return corner;
}

}  // namespace ricochet
