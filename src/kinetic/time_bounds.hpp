// SPDX-License-Identifier: BSD-3-Clause
//
// Time bounds in subspaces: spheres that grow as fast as accelerations could lead their particles astray
// (time_bound.hpp). They live over many steps, although particles are kicked before each.
//
// Algorithm: space is divided into cells, the subspaces. A bound is listed in all that it overlaps: at most two along
// each axis, as its diameter is at most their side. There are five events. It enters or leaves a subspace: a quadratic
// in time for each face. Two bounds meet, of those in one subspace: a quartic. A bound meets a wall: a quadratic. A
// bound has grown as wide as a side. In the last three, and after a contact, bounds are reset to their particles.
//
// Neighbours are those whose bounds overlap right after a reset of one of them. Contact times are asked for these only.
// So are those with walls, of spheres whose bounds touch a wall right after their reset.
//
// Layout: bounds have numbers of their own, so that they outlive a change of slots. Lists of subspaces and of
// neighbours are doubly linked. Events stay in a queue of the structure's own, in its own time, which goes on over
// steps. The engine's queue has one event: when to look here next.
//
// Invariant: bounds that overlap are linked. Two in one subspace are linked, or their next meeting before either
// is reset is in the queue. Radii have a slack beyond all rounding, so events may come a little late. Bounds closer
// than a fraction of the slack count as overlapping; otherwise a pair could meet twice at one instant. Each reset
// brings a meeting nearer to the contact: the next gap is about a g^2 / v^2, with g the present one and v the relative
// speed.
//
// At the begin of a step nothing is trusted. A bound stays where it verifiably holds the present particle and its path
// until the end of the step; else it is reset. So no drive can lose a contact; one that does not keep to the expected
// accelerations costs a reset per particle and step. Where a step is done again, the structure's time goes on. Bounds
// that are a step ahead of their particles are reset then, and events that are due come first.
//
// Several images: an axis that is periodic with fewer than four subspaces has one only, and bounds overlap whatever
// their coordinates along it are. Otherwise two bounds in one subspace have one nearest image.
//
// Disadvantage: a particle much larger than the others makes all subspaces large. Two that move side by side meet again
// and again, if their gap is small.
//
// Cost: O(particles) for the check at the begin of a step; O(log events) and the bounds of a few subspaces per event.
//
// Source: the notes 球体衝突の続き ("Collisions of spheres, continued"), which have no sections. From paragraph 2 are
// subspaces and events, and that a bound meets others when it enters. From 3 is the reset where a diameter is as long
// as a side, from 8 its time, and from 4 the reset of bounds that have met. From 6: no event is kept that comes after
// the next reset.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "kinetic/cell_axis.hpp"
#include "kinetic/kinetic_structure.hpp"
#include "kinetic/time_bound.hpp"

namespace ricochet {

class TimeBounds : public KineticStructure {
  public:
    TimeBounds(const Box& box, const EngineOptions& options);

    void begin(const KineticSetting& setting, TopologicalQueue& queue) override;
    void neighbours(Slot slot, std::vector<Slot>& found) const override;
    /// Whether the slot's sphere may touch a wall before the next event; also true of what has no bound.
    bool may_touch_wall(Slot slot) const override;
    bool foresees_walls() const override { return true; }
    std::optional<Slot> process(const TopologicalEvent& event, TopologicalQueue& queue,
                                std::vector<Slot>& found) override;
    bool changed(Slot slot, double now, TopologicalQueue& queue) override;
    void save() override { saved_ = state_; }
    void restore() override { state_ = saved_; }
    void append_order(std::vector<Slot>& order) const override;
    std::size_t memory_bytes() const override;

    /// The kind of the event that was processed last.
    BoundEventKind latest_kind() const override { return latest_kind_; }
    /// Since it was made, how often it was foreseen when two bounds meet.
    std::uint64_t num_certificates() const override { return num_certificates_; }
    /// The largest diameter of a bound.
    double side() const { return state_.side; }
    /// How many bounds the latest begin of a step has reset.
    std::size_t num_reset_at_begin() const { return to_reset_.size(); }
    /// The bound of a present slot, in the structure's time; for tests.
    const TimeBound& bound_of(Slot slot) const { return state_.bounds[state_.bound_of[slot]]; }
    /// The structure's time at a time of the step; for tests.
    double own_time(double now) const { return origin_ + now; }

  private:
    using Number = std::uint32_t;  ///< of a bound, a link, or an entry of a list of a subspace
    static constexpr Number none = std::numeric_limits<Number>::max();
    static constexpr Slot no_slot = std::numeric_limits<Slot>::max();
    static constexpr ParticleId no_particle = std::numeric_limits<ParticleId>::max();
    static constexpr Number is_reset = none, is_wall = none - 1, is_report = none - 2, is_crossing = none - 3,
                            first_code = is_crossing;
    static constexpr Number most_subspaces = 8;  ///< of one bound

    enum Crossing : std::int8_t { enters_low, enters_high, leaves_low, leaves_high };

    /// Along one axis: the one or two subspaces that a bound overlaps.
    struct Range {
        std::array<std::int32_t, 2> cell{-1, -1};  ///< -1: none
        std::int32_t low = 0;                      ///< which of both is the lower one, or the only one
    };
    /// Where a bound is listed: in entry 8 bound + i + 2 j + 4 k, with the i-th cell along x and so on.
    struct Place {
        std::array<Range, 3> ranges;
        std::uint32_t stamp = 0;           ///< of the latest reset
        std::uint32_t crossing_stamp = 0;  ///< of its next crossing
        double reset_time = never;
        Number first_link = none;
        bool is_present = false;
        bool touches_wall = false;
        std::int8_t axis = 0;  ///< along which the next crossing is
        Crossing where = enters_low;
    };
    struct Entry {
        Number next = none, previous = none;
    };
    /// Two links make a pair: 2 k and 2 k + 1.
    struct Link {
        Number other = none;  ///< bound
        Number next = none, previous = none;
    };
    struct Event {
        double time;
        Number a, b;  ///< b: a bound, or what happens to a alone
        std::uint32_t stamp_a, stamp_b;
        friend bool operator>(const Event& p, const Event& q) { return p.time > q.time; }
    };
    /// All that is restored.
    struct State {
        std::vector<TimeBound> bounds;
        std::vector<Place> places;
        std::vector<Entry> entries;
        std::vector<Number> first;  ///< by subspace
        std::vector<Link> links;
        Number first_free_link = none;
        std::vector<Event> events;  ///< a heap
        std::array<CellAxis, 3> axes;
        SearchDomain grid_domain;       ///< for which these were made
        std::size_t num_in_grid = 0;    ///< particles at that time
        double side = 0;                ///< the largest diameter of a bound
        double now = 0;                 ///< the structure's time
        std::vector<Number> bound_of;   ///< by slot
        std::vector<Slot> slot_of;      ///< by bound
        std::vector<ParticleId> id_of;  ///< by bound
        std::uint32_t wake_stamp = 0;
        double wake_time = never;
    };
    using Cell = std::array<std::int32_t, 3>;

    // The begin of a step: time_bounds_begin.cpp.
    bool fits_grid(std::size_t num_present, double needed) const;
    void build_grid(std::size_t num_present, double needed);
    std::vector<Slot> keep_slots();
    void follow_ids();
    void give_bounds(const std::vector<Slot>& strangers, std::vector<Number> free);
    void take_slot(Number bound, Slot slot);
    Number another_bound();
    bool holds(Number bound, Slot slot) const;
    void drop_stale_events(std::size_t num_present);
    double needed_side(Slot slot, double acceleration) const;

    void push(const Event& event);
    void wake(TopologicalQueue& queue);
    bool is_stale(const Event& event) const;
    double radius_of(Slot slot) const;
    void reset(Number bound, std::vector<Slot>& found);
    void reset_both(Number a, Number b, std::vector<Slot>& found);
    BoundEventKind take_place(const Event& event, std::vector<Slot>& found);
    void take_out(Number bound);
    void put_in(Number bound);
    std::size_t number_of(const Cell& cell) const;
    Range range_of(int axis, double centre, double radius) const;
    template <class Visit>
    void for_each_entry(Number bound, Visit&& visit) const;
    void list(Number entry, const Cell& cell);
    void unlist(Number entry, const Cell& cell);
    void schedule_crossing(Number bound);
    void schedule_wall(Number bound);
    BoundEventKind cross(Number bound, std::vector<Slot>& found);
    void leave(Number bound, int axis, bool leaves_upper);
    void enter(Number bound, int axis, int direction, std::vector<Slot>& found);
    void meet_all_in(Number bound, const Cell& cell, std::vector<Slot>* found);
    void meet(Number bound, Number other, const Cell& cell, std::vector<Slot>* found);
    void note_links(Number bound, std::vector<Number>& others) const;
    void append_new_links(Number bound, const std::vector<Number>& old, std::vector<Slot>& found) const;
    void link(Number a, Number b);
    void unlink(Number number);

    Box box_;
    ImageLengths images_;
    Kicks kicks_;        ///< that drives are expected to give
    double asked_side_;  ///< of subspaces; 0: chosen
    double slack_;       ///< of radii
    double late_;        ///< by what bounds are beyond a face when they leave
    KineticSetting setting_;
    double origin_ = 0;                ///< the structure's time when the step's is 0
    double end_ = 0;                   ///< of the latest step or part, in the structure's time
    std::vector<std::uint64_t> mark_;  ///< by bound: an epoch
    std::uint64_t epoch_ = 0;
    BoundEventKind latest_kind_ = BoundEventKind::other;
    std::uint64_t num_certificates_ = 0;
    std::vector<Number> to_reset_, old_links_, old_links_of_other_;  ///< scratch
    State state_, saved_;
};

}  // namespace ricochet
