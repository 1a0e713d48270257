// SPDX-License-Identifier: BSD-3-Clause
//
// The dynamic generalized Delaunay triangulation of discs, in Laguerre geometry. Vertices joined by an edge are
// neighbours.
//
// Algorithm: the power of a point p to disc k is |p - x_k|^2 - w_k. An edge is regular while the fourth disc of its two
// triangles stays outside the power circle of the other three. When that ends, the edge is flipped: the other diagonal
// joins two new neighbours. The time is a root of a polynomial of degree four (power_certificate2.hpp). A contact
// changes the certificates of the edges at its discs and of those opposite to them.
//
// Why no contact is lost: where discs i and j touch, any third disc k has the power 4 ri rj rk / (ri + rj) or more, if
// none overlap. So the edge is there before, while the gap is below 0.828 r_min. A flip that comes late by rounding
// does no harm. No disc is hidden by others. So flips of edges are all that is needed.
//
// Invariant: each certificate has a stamp of its own that never comes again. An event is valid while its edge has the
// stamp. Discs in a certificate are taken in the order of their slots, whichever triangle asks. So the new diagonal has
// minus the certificate of the old one, in every bit, and is not flipped back at once.
//
// Disadvantage: some 20 certificates for each contact, and flips besides. A copy of all triangles for each window.
//
// Source: M. L. Gavrilova and J. Rokne, "Collision Detection Optimization in a Multi-particle System", section 3.1.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "kinetic/flip_count.hpp"
#include "kinetic/kinetic_structure.hpp"
#include "kinetic/power_certificate2.hpp"
#include "kinetic/torus_frame.hpp"
#include "kinetic/triangles.hpp"
#include "ricochet/core/array_memory.hpp"

namespace ricochet {

class Delaunay2 {
  public:
    Delaunay2(const Box& box, const EngineOptions& options);

    /// False where there is no triangulation, as of discs that overlap: then only begin and restore may be called.
    bool begin(const KineticSetting& setting, TopologicalQueue& queue);
    /// In a small torus perhaps the same one twice.
    void neighbours(Slot slot, std::vector<Slot>& found) const;
    std::optional<Slot> process(const TopologicalEvent& event, TopologicalQueue& queue,
                                std::vector<Slot>& found);
    bool changed(Slot slot, double now, TopologicalQueue& queue);
    /// Whether an event has found that it must be built anew.
    bool is_broken() const { return is_broken_; }
    void save() { saved_ = state_; }
    void restore() {
        state_ = saved_;
        is_broken_ = false;
    }
    void append_order(std::vector<Slot>& order) const;
    std::size_t memory_bytes() const;

    /// Computed since the object was made.
    std::uint64_t num_certificates() const { return num_certificates_; }
    const Triangles& triangles() const { return state_.triangles; }
    MovingDisc disc(const Corner& corner, double now) const;
    /// In time from `now`: positive while the edge is regular.
    Polynomial<4> certificate(EdgeName edge, double now) const;

  private:
    /// All that is restored.
    struct State {
        TorusFrame frame;
        Triangles triangles;
    };

    bool build();
    bool has_overlaps(double now) const;
    void schedule(EdgeName edge, double now, TopologicalQueue& queue);
    bool is_convex(const Quadrilateral& corners, double now) const;

    KineticSetting setting_;
    std::uint32_t latest_stamp_ = 0;  ///< of all certificates in the step
    std::uint64_t num_certificates_ = 0;
    FlipCount flip_count_;
    bool is_broken_ = false;
    State state_, saved_;
    std::vector<Slot> order_;  ///< as built
};

}  // namespace ricochet
