// SPDX-License-Identifier: BSD-3-Clause
//
// Kinetic sweep and prune: the "set of segment trees" of Gavrilova and Rokne, as it was meant, in continuous time.
// (sweep_and_prune.hpp sorts the same intervals once per step.)
//
// Algorithm: the cubes about the spheres are projected onto the axes. The ends of these intervals are kept in order
// along each axis. Where an end overtakes the next one, the two are exchanged: the only kind of topological event.
// Two intervals begin to overlap when the end of one passes the begin of the other. If the same two overlap along all
// axes then, they become neighbours.
//
// Layout: one sorted array of ends per axis (end_ring.hpp), where the source has a tree. Nothing is ever sought in it,
// so exchanges cost O(1). Pairs that overlap along all axes are listed for both (pair_lists.hpp). These are few, while
// the pairs that overlap along one axis grow as N^(5/3).
//
// Invariant: along each axis the ends are in order, but for a tolerance. Listed are those that overlap along all axes
// in that order. It is one order for both questions: of two axes that begin to overlap at one instant, whichever comes
// second sees the first.
//
// Slack: intervals are longer than their spheres. Two that approach along an axis touch when their cubes do. Without
// slack, rounding would decide which is seen first.
//
// A contact that moves a sphere, or makes it larger, moves its ends one by one. A particle that ends becomes an empty
// interval. A sphere as wide as a periodic box has no ends along that axis; one that grows to this width forces a
// rebuild.
//
// Disadvantage: ends of spheres far apart meet as well. Exchanges per contact grow as N^(2/3), and in a dilute gas
// as the mean free path.
//
// Source: M. L. Gavrilova and J. Rokne, "Collision Detection Optimization in a Multi-particle System", section 3.4.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "kinetic/end_ring.hpp"
#include "kinetic/kinetic_structure.hpp"
#include "kinetic/pair_lists.hpp"
#include "ricochet/core/array_memory.hpp"

namespace ricochet {

class KineticSweep final : public KineticStructure {
  public:
    KineticSweep(const Box& box, const EngineOptions& options);
    /// With another slack; for the tests that show what it prevents.
    KineticSweep(const Box& box, double slack);

    void begin(const KineticSetting& setting, TopologicalQueue& queue) override;
    void neighbours(Slot slot, std::vector<Slot>& found) const override { state_.pairs.append(slot, found); }
    std::optional<Slot> process(const TopologicalEvent& event, TopologicalQueue& queue,
                                std::vector<Slot>& found) override;
    bool changed(Slot slot, double now, TopologicalQueue& queue) override;
    void save() override { saved_ = state_; }
    void restore() override { state_ = saved_; }
    void append_order(std::vector<Slot>& order) const override;
    std::size_t memory_bytes() const override { return state_.memory_bytes() + saved_.memory_bytes(); }
    /// Since it was made, how often it was foreseen when two ends exchange.
    std::uint64_t num_certificates() const override { return num_certificates_; }

    /// How far the ends along an axis are out of order; below 0 where they are not.
    double disorder(int axis, double now) const;
    /// What that may be.
    double tolerance() const { return tolerance_; }

  private:
    using End = EndRing::End;
    using Place = EndRing::Place;

    /// All that is restored.
    struct State {
        std::array<EndRing, 3> rings;
        std::vector<double> extents;  ///< by slot, half of its intervals; 0: absent
        PairLists pairs;

        std::size_t memory_bytes() const {
            return rings[0].memory_bytes() + rings[1].memory_bytes() + rings[2].memory_bytes() +
                   bytes_of(extents) + pairs.memory_bytes();
        }
    };

    bool is_present(Slot slot) const { return state_.extents[slot] > 0; }
    double needed_extent(Slot slot) const;
    bool is_endless(double extent, int axis) const;
    double coordinate(End end, int axis, double now) const;
    double gap_to_next(int axis, Place place, double now) const;
    double velocity(End end, int axis) const { return setting_.motion[EndRing::slot_of(end)].velocity[axis]; }

    void sort_ends(int axis);
    int longest_axis() const;
    void find_pairs();
    bool overlap_but_along(int axis, Slot a, Slot b) const;
    bool can_hold(Slot slot, double extent) const;

    void schedule(int axis, Place place, double now, TopologicalQueue& queue);
    bool exchange(int axis, Place place, double now, TopologicalQueue& queue);
    bool move_up(int axis, End end, double now, TopologicalQueue& queue);
    bool move_down(int axis, End end, double now, TopologicalQueue& queue);
    void settle(int axis, Slot slot, double now, TopologicalQueue& queue);

    Box box_;
    double slack_;      ///< of each interval, at both ends
    double tolerance_;  ///< ends farther out of order than this are exchanged at once
    KineticSetting setting_;
    std::uint32_t latest_stamp_ = 0;  ///< of all exchanges ever scheduled in the step
    std::uint64_t num_certificates_ = 0;
    std::vector<EndRing::Item> items_;  ///< scratch
    State state_, saved_;
};

}  // namespace ricochet
