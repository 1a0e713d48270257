// SPDX-License-Identifier: BSD-3-Clause
//
// Contact times where rules change matter. Also what a contact's outcome depends on beside the rule: tethers,
// suspension by them, reactions at a rate.
//
// The vector functions know bounces only, so what they find is held against the rule of the pair. What they cannot find
// are pairs that overlap, part, and react all the same, and pairs that a tether holds.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <variant>
#include <vector>

#include "contact/rated_reaction.hpp"
#include "engine/local_motion.hpp"
#include "engine/shaped_times.hpp"
#include "engine/special_pairs.hpp"
#include "engine/step_context.hpp"
#include "geometry/obstacle.hpp"
#include "search/candidate_pairs.hpp"

namespace ricochet {

class RuledTimes {
  public:
    /// Refers to all three.
    RuledTimes(const StepContext& context, const LocalMotion& local, const ShapedTimes& shaped)
        : context_(context), local_(local), shaped_(shaped), special_(context.changing_rules()) {}

    // --- times ---

    /// The contact time of the pair, of which that of a bounce is known.
    double time_of(Slot a, Slot b, double time_of_bounce) const;
    /// `motion`: that of the slot as obstacles see it, shifted into the box where it is the surface of a body.
    double time_at(Slot slot, const Motion& motion, const Obstacle& obstacle) const;
    /// Corrects the times of those found, keeps those that are ahead or touch, and adds what was not found. Returns
    /// their number, at most that of the others.
    std::size_t correct(Slot slot, std::span<const Slot> others, double until, double ahead_of,
                        const FoundTimes& found) const;
    /// visit(a, b, time) for those pairs that touch before `until`; `found` has what the vector functions find, as
    /// places in `pairs`.
    template <class Visit>
    void for_each_contact(const PairSpan& pairs, double until, const FoundTimes& found, Visit&& visit) const {
        const bool only_bounce = only_bounce_from_the_start();
        for (std::size_t k = 0; k < found.count; ++k) {
            const Slot a = pairs.first[found.places[k]], b = pairs.second[found.places[k]];
            const double time = only_bounce ? found.times[k] : time_of(a, b, found.times[k]);
            if (time < until) visit(a, b, time);
        }
        if (!special_.has_unseen(local_.matter().present())) return;
        for (std::size_t k = 0; k < pairs.size(); ++k) {
            const double time = time_without_approach(pairs.first[k], pairs.second[k], until);
            if (time < until) visit(pairs.first[k], pairs.second[k], time);
        }
    }

    // --- rates, tethers, suspension ---

    /// Where the pair reacts at a rate: what the two do next. The order of the slots does not matter.
    std::optional<RatedEvent> rated_event_of(Slot a, Slot b) const;
    /// `motion`: as in time_at.
    std::optional<RatedEvent> rated_event_of(Slot slot, const Motion& motion, const Obstacle& obstacle) const;
    /// The pair's tether; at a contact, or when it is taut, of the two as they are before.
    TetherState tether_of(Slot a, Slot b) const;
    /// Whether the two only bounce, because their rule would change one that has tethers.
    bool is_suspended(Slot a, Slot b) const;
    /// What the two do while they overlap.
    Overlap overlap_of(Slot a, Slot b) const;
    /// What the rule of a body may do: no more than bounce if it would change one that has tethers.
    ContactRule rule_at(Slot slot, BodyNumber body) const;
    /// The body, or its patch, whose rule is that of a contact at this point.
    BodyNumber part_at(Slot slot, const Obstacle& obstacle, Vec3 point) const {
        const SurfacePatches& patches = context_.obstacles.patches();
        if (!patches.are_on(obstacle.body) || may_pass(slot, obstacle.body)) return obstacle.body;
        return patches.part_at(obstacle, point);
    }
    /// Whether the slot's centre meets the body, and may pass it.
    bool may_pass(Slot slot, BodyNumber body) const {
        return std::holds_alternative<Pass>(context_.rules.at_body(species(slot), body));
    }

  private:
    /// Whether the slot has had no contact in this step, and can only bounce off the species present.
    bool only_bounces(Slot slot) const {
        const SlotMatter& matter = local_.matter();
        return !matter.has_ended() && !matter.has_had_contact(slot) &&
               (special_.special(species(slot)) & matter.present()) == 0;
    }
    /// Whether no slot has changed yet, and the species present can only bounce off each other.
    bool only_bounce_from_the_start() const {
        return local_.latest_stamp() == 0 && !local_.matter().has_ended() &&
               !special_.has_special(local_.matter().present());
    }
    SpeciesIndex species(Slot slot) const { return local_.attributes(slot).species; }
    PairContact pair_contact(Slot low, Slot high, double time) const;
    double touching_time_of(Slot a, Slot b, Overlap overlap = Overlap::bounces) const;
    double time_without_approach(Slot a, Slot b, double until) const;
    bool are_latest_partners(Slot a, Slot b) const;
    bool may_touch(Slot a, Slot b) const;
    bool may_meet(Slot slot, const Motion& motion, const Obstacle& obstacle) const;
    bool may_meet_again(Slot a, Slot b, double time) const;
    bool has_met_membrane(Slot slot, BodyNumber body) const;
    double touching_time_at(Slot slot, const Motion& motion, const Obstacle& obstacle) const;
    double crossing_time(Slot slot, const Motion& motion, const Obstacle& obstacle) const;
    double straight_time_at(Slot slot, const Motion& motion, const Obstacle& obstacle, BodyNumber part) const;
    BodyNumber part_met(Slot slot, const Motion& motion, const Obstacle& obstacle) const;
    ObstacleContact contact_at(Slot slot, const Motion& motion, const Obstacle& obstacle, double time) const;
    bool always_passes(Slot slot, BodyNumber body) const;
    bool are_parted(Slot low, Slot high, double time) const;
    std::optional<double> rate_of(Slot a, Slot b) const;
    bool is_suspended_at(Slot slot, BodyNumber body) const;
    bool may_become_tethered(Slot a, Slot b, const Stick& rule) const;
    double tether_time_of(Slot a, Slot b) const;

    const StepContext& context_;
    const LocalMotion& local_;
    const ShapedTimes& shaped_;
    SpecialPairs special_;
};

}  // namespace ricochet
