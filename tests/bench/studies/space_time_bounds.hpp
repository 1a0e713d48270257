// SPDX-License-Identifier: BSD-3-Clause
//
// Space-time bounds, tested all against all: what the source of time bounds (kinetic/time_bounds.hpp) compares itself
// to. A kinetic structure, for the study of it; it is no method of the program.
//
// The bound of a sphere is a box that moves straight on and grows. Along each axis its two faces are straight lines in
// the plane of that axis and time. It is made from position, velocity and the largest acceleration a: half its width is
// r + a (t + dt/2)^2 / 2 (kinetic/time_bound.hpp). A straight line lies above this parabola, up to the time when the
// bound ends, one horizon later.
//
// Algorithm: two bounds meet when their boxes overlap along all axes, of which each is two linear conditions. When a
// bound is made it is tested against all others. Of its meetings it keeps the earliest. When that comes, both bounds
// are made anew at their spheres, and tested against all others again. So are bounds that end, that meet a wall, and
// after a contact. Neighbours are those whose boxes overlap when one of them is made.
//
// Right: the meeting of two bounds is found by the later one of them. It is never later than the earliest meeting that
// this one keeps. At that time this one is made anew and tested again.
//
// Fair: the source's rival looks at the segments of all faces again for each detection, and so does `AllPairsAgain`. In
// `OwnRowAgain` only the bounds that an event concerns are tested again. A bound costs one pass over all others, in
// single precision and in vectors. It rules out bounds that are apart along an axis at both ends of the time, and
// solves only for the others. Bounds are wider than their spheres by a margin, so that two near each other do not meet
// over and over again.
//
// Only in three dimensions between walls.
//
// Source: the notes 球体衝突の続き ("Collisions of spheres, continued"), paragraph 10: "four-dimensional space-time
// bounds", whose faces normal to an axis are projected onto the plane of that axis and time. P. M. Hubbard,
// "Collision Detection for Interactive Graphics Applications", IEEE Trans. Vis. Comput. Graph. 1 (1995) 218.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "kinetic/kinetic_structure.hpp"
#include "ricochet/engine/step_engine.hpp"

namespace ricochet::bench {

class SpaceTimeBounds : public KineticStructure {
  public:
    void begin(const KineticSetting& setting, TopologicalQueue& queue) override;
    void neighbours(Slot slot, std::vector<Slot>& found) const override;
    std::optional<Slot> process(const TopologicalEvent& event, TopologicalQueue& queue,
                                std::vector<Slot>& found) override;
    bool changed(Slot slot, double now, TopologicalQueue& queue) override;
    bool foresees_walls() const override { return true; }
    bool may_touch_wall(Slot slot) const override { return state_.bounds[slot].touches_wall; }
    void save() override { saved_ = state_; }
    void restore() override { state_ = saved_; }
    void append_order(std::vector<Slot>& order) const override;
    std::size_t memory_bytes() const override;

    /// The kind of the event that was processed last.
    BoundEventKind latest_kind() const override { return latest_kind_; }
    /// Tests of a pair.
    std::uint64_t num_certificates() const override { return num_tests_; }

  protected:
    /// For how long a bound lasts at most stands where time bounds have a side: search_options.subspace_side.
    SpaceTimeBounds(const Box& box, const EngineOptions& options, bool tests_all_again);

  private:
    static constexpr double margin = 0.05;
    static constexpr Slot no_slot = std::numeric_limits<Slot>::max(), is_end = no_slot - 1,
                          is_wall = no_slot - 2, is_report = no_slot - 3, first_code = is_report;
    static constexpr std::uint32_t no_link = std::numeric_limits<std::uint32_t>::max();

    /// Times are those since the latest change of origin.
    struct Bound {
        Vec3 centre, velocity;        ///< at time 0
        double half = 0, growth = 0;  ///< of its width, likewise
        double end = 0, next = 0;     ///< of the bound; of its next event
        Slot partner = no_slot;       ///< in that, or what it is
        std::uint32_t partner_made = 0;
        std::uint32_t made = 0;   ///< how often it has been
        std::uint32_t stamp = 0;  ///< of the next event
        std::uint32_t first_link = no_link;
        ParticleId id = 0;
        bool touches_wall = false;

        Vec3 centre_at(double time) const { return centre + time * velocity; }
        double half_at(double time) const { return half + time * growth; }
    };
    /// Two links make a pair: 2 k and 2 k + 1.
    struct Link {
        Slot other = no_slot;
        std::uint32_t next = no_link;
    };
    /// The same bounds once more, for the pass over all.
    struct Columns {
        std::array<std::vector<float>, 3> centre, velocity;
        std::vector<float> half, growth, end;
    };
    struct State {
        std::vector<Bound> bounds;  ///< by slot
        Columns columns;
        std::vector<Link> links;
        std::uint32_t first_free_link = no_link;
    };

    void fit(std::size_t num_slots);
    void move_origin(double by);
    bool holds(Slot slot) const;
    void take_out(Slot slot);
    void make(Slot slot, double now, std::size_t num_others);
    void make_again(Slot slot, double now, TopologicalQueue& queue);
    void make_all_again(Slot slot, double now, TopologicalQueue& queue);
    void write_columns(Slot slot);
    void find_wall(Bound& bound, double now) const;
    void find_room(Slot slot, double now, std::size_t num_others);
    void find_meetings(Slot slot, double now, std::size_t num_others);
    double meeting(const Bound& a, const Bound& b, double now) const;
    void link(Slot a, Slot b);
    void unlink(Slot owner, std::uint32_t number);
    void schedule(Slot slot, TopologicalQueue& queue);

    Box box_;
    Kicks kicks_;
    double horizon_;
    bool tests_all_again_;
    KineticSetting setting_;
    double origin_ = 0;               ///< the structure's time when the step's is 0
    double end_ = 0;                  ///< of the latest step
    std::uint32_t latest_stamp_ = 0;  ///< of all events ever scheduled
    std::uint64_t num_tests_ = 0;
    BoundEventKind latest_kind_ = BoundEventKind::other;
    std::vector<float> room_;  ///< scratch: by slot, negative for those ruled out
    std::vector<Slot> to_make_;
    State state_, saved_;
};

/// An event renews the bounds that it concerns.
class OwnRowAgain final : public SpaceTimeBounds {
  public:
    OwnRowAgain(const Box& box, const EngineOptions& options) : SpaceTimeBounds(box, options, false) {}
};

/// An event, but for a contact, renews all bounds.
class AllPairsAgain final : public SpaceTimeBounds {
  public:
    AllPairsAgain(const Box& box, const EngineOptions& options) : SpaceTimeBounds(box, options, true) {}
};

}  // namespace ricochet::bench
