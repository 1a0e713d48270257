// SPDX-License-Identifier: BSD-3-Clause
//
// The dynamic generalized Delaunay triangulation of spheres in three dimensions, in Laguerre geometry. Vertices joined
// by an edge are neighbours.
//
// Algorithm: the power of a point p to sphere k is |p - x_k|^2 - w_k. A facet is regular while the fifth sphere stays
// outside the power sphere of the other four. When that ends, a flip of the five makes it regular again. The time is
// the root of a polynomial of degree five (power_certificate3.hpp). A flip has at most one new edge. A contact changes
// the certificates of all facets around its particles.
//
// Why no contact is lost: spheres i and j touch, and none overlap. Each third one has a power of 4 ri rj rk / (ri + rj)
// or more, at least 2 r_min^2. So there is an edge before the contact, while the gap is below 0.828 r_min. A flip that
// comes late by rounding does no harm. For the same reason weights need not be r^2, nor centres in place. Weights are
// r^2 + 1e-3 r_min^2 u, and centres are displaced by up to 1e-4 r_min^2 / r along each axis, with random numbers for
// each vertex. That makes lattices and planes as good as any positions. No sphere is hidden by others. So flips 2-3 and
// 3-2 are all that is needed.
//
// Layout: vertices are slots, in several copies where the torus (torus_frame.hpp) is so small that a sphere would be
// its own neighbour. A slab has a torus of its own. In that of a long box it would take several copies, and longer to
// build.
//
// Invariant: the facet of each certificate has a stamp of its own, given at its latest prediction, that never comes
// again. So an event is valid if its facet still has the stamp.
//
// A particle that jumps, changes its radius or leaves the torus cannot be kept: the triangulation is built anew. Where
// particles only bounce, copies from other slabs do not jump: their events are done only where they begin with the
// bits of the copy.
//
// Where it would take more than 400 copies, or more than 32 and 10,000 vertices, there is none. So it is with one
// sphere in a very long box. One copy is enough where the shortest period is five times the mean spacing: in a cube of
// 125 spheres.
//
// Disadvantage: some 125 certificates for each contact, and flips besides.
//
// Source: M. L. Gavrilova and J. Rokne, "Collision Detection Optimization in a Multi-particle System", section 3.1.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "kinetic/flip_count.hpp"
#include "kinetic/kinetic_structure.hpp"
#include "kinetic/power_certificate3.hpp"
#include "kinetic/tetrahedra.hpp"
#include "kinetic/tetrahedra_builder.hpp"
#include "kinetic/torus_frame.hpp"

namespace ricochet {

/// From this number of spheres on, one copy of each is enough on a torus with these periods, for equal or very
/// different radii.
inline double enough_for_one_copy(Vec3 period) {
    constexpr double in_a_cube = 125;
    const double shortest = std::min({period.x, period.y, period.z});
    return in_a_cube * (period.x / shortest) * (period.y / shortest) * (period.z / shortest);
}

class Delaunay3 {
  public:
    /// Counts of the work done since the structure was made.
    struct Counts {
        std::uint64_t certificates = 0, flips = 0, retries = 0;
    };
    /// The torus and what stands for the slots in it, in several copies where it would be too small.
    struct Frame {
        TorusFrame torus;                              ///< of one copy
        Vec3 period = {};                              ///< of all copies together
        std::array<std::uint32_t, 3> copies{1, 1, 1};  ///< along each axis
        std::vector<Slot> slots = {};                  ///< by vertex
        std::vector<std::uint32_t> first_vertex = {};  ///< by slot; `none` where absent
        std::vector<Vec3> shifts = {};                 ///< by vertex, from its slot's position
        std::vector<double> weights = {};              ///< by vertex

        std::uint32_t num_copies() const { return copies[0] * copies[1] * copies[2]; }
    };

    Delaunay3(const Box& box, const EngineOptions& options);

    /// False where there is no triangulation, as of spheres that overlap: then only begin and restore may be called.
    bool begin(const KineticSetting& setting, TopologicalQueue& queue);
    void neighbours(Slot slot, std::vector<Slot>& found) const;
    std::optional<Slot> process(const TopologicalEvent& event, TopologicalQueue& queue,
                                std::vector<Slot>& found);
    bool changed(Slot slot, double now, TopologicalQueue& queue);
    /// Whether it must be built anew: what an event may find out.
    bool is_broken() const { return is_broken_; }
    void save() { saved_ = state_; }
    void restore();
    void append_order(std::vector<Slot>& order) const;
    std::size_t memory_bytes() const;

    const Counts& counts() const { return counts_; }
    const Frame& frame() const { return *state_.frame; }
    const Tetrahedra& tetrahedra() const { return state_.tetrahedra; }
    /// A vertex at a time, in the frame of a tetrahedron with this offset.
    MovingSphere sphere(std::uint32_t vertex, PeriodOffset offset, double now) const;

  private:
    /// The motion of a slot that the certificates know.
    struct Path {
        Vec3 position, velocity;
        double time = 0;
    };
    /// A flip that must wait for others.
    struct Waiting {
        Facet facet;
        std::uint32_t stamp = 0, num_tries = 0;
    };
    /// All that is restored.
    struct State {
        std::shared_ptr<const Frame> frame;  ///< never changes between two begins
        Tetrahedra tetrahedra;
        std::vector<Path> paths;       ///< by slot
        std::vector<Waiting> waiting;  ///< few
    };

    Frame frame_on(const TorusFrame& torus) const;
    void add_copy(Frame& frame, Slot slot, std::uint32_t copy) const;
    void add_copies(const TorusFrame& torus);
    void choose_first_copies(const TorusFrame& torus);
    bool build_on(const TorusFrame& torus);
    BuildResult build(const Frame& frame);
    bool has_overlaps() const;
    bool schedule(Facet facet, double now, TopologicalQueue& queue);
    bool schedule_around(std::uint32_t vertex, double now, TopologicalQueue& queue);
    bool schedule_made(std::span<const std::uint32_t> made, double now, TopologicalQueue& queue);
    std::array<MovingSphere, 5> spheres(const FacetView& facet, double now) const;
    std::span<const std::uint32_t> flip(const FacetView& facet, double now);
    bool is_valid(Facet facet, std::uint32_t stamp) const {
        return state_.tetrahedra[facet.tetrahedron].stamp[facet.corner] == stamp;
    }
    void wait(const TopologicalEvent& event, const FacetView& facet, TopologicalQueue& queue);

    KineticSetting setting_;
    std::array<std::uint32_t, 3> least_copies_{1, 1, 1};  ///< as builds on such a torus have found so far
    double num_with_copies_ = 0;                          ///< spheres on that torus
    Vec3 period_with_copies_ = {};                        ///< of that torus
    std::uint32_t num_failed_ = 0;    ///< builds on this torus; chooses the random numbers
    std::uint32_t latest_stamp_ = 0;  ///< of all certificates in the step
    bool is_broken_ = false, is_too_small_ = false;
    FlipCount flip_count_;
    State state_, saved_;
    Counts counts_;
    mutable std::vector<std::uint32_t> star_;  ///< scratch
};

}  // namespace ricochet
