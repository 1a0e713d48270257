// SPDX-License-Identifier: BSD-3-Clause
//
// When pairs of slots touch: many at a time, in vectors (geometry/contact_time.hpp). Where rules change matter, what
// the vectors find is corrected by RuledTimes; where particles are no spheres, by ShapedTimes before.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/local_motion.hpp"
#include "engine/ruled_times.hpp"
#include "engine/shaped_times.hpp"
#include "engine/step_context.hpp"
#include "geometry/contact_time.hpp"
#include "search/candidate_pairs.hpp"

namespace ricochet {

/// Slots and the times at which another touches them.
struct FoundContacts {
    std::span<const Slot> slots;
    std::span<const double> times;
};

/// Memory for the search of one slot or one block of pairs. Every object that searches has its own.
struct ContactScratch {
    std::vector<double> distances, times;
    std::vector<std::uint32_t> found;
};

class PairTimes {
  public:
    /// Refers to all four.
    PairTimes(const StepContext& context, const LocalMotion& local, const ShapedTimes& shaped,
              const RuledTimes& ruled)
        : context_(context), local_(local), shaped_(shaped), ruled_(ruled) {}

    /// To be called once for each scratch after the particles were loaded. Equal contact distances are filled in once
    /// per step.
    void prepare(ContactScratch& scratch) const {
        if (local_.has_one_distance() && !scratch.distances.empty())
            scratch.distances.assign(scratch.distances.size(), local_.one_distance());
    }

    /// Finds which others the slot touches before `until` when all fly straight on, and when. Also names others whose
    /// own time is later than `ahead_of`. Valid until the next use of the scratch.
    [[gnu::always_inline]] FoundContacts find_contacts(Slot slot, std::span<const Slot> others, double until,
                                                       double ahead_of, ContactScratch& scratch) const {
        make_room_in(scratch, contacts_room(others.size()));
        if (!local_.has_one_distance()) {
            const double own = local_.radius(slot);
            local_.with_radii([&](auto radius_of) {
                for (std::size_t k = 0; k < others.size(); ++k)
                    scratch.distances[k] = own + radius_of(others[k]);
            });
        }
        const auto found_with = [&](const auto& images) {
            return ricochet::find_contacts(local_.motion(slot), others, local_.motions().data(),
                                           scratch.distances.data(), images, until, ahead_of,
                                           scratch.found.data(), scratch.times.data());
        };
        std::size_t count = 0;
        if (context_.has_plain_contacts) [[likely]] {
            count = found_with(context_.images);
        } else if (context_.growth > 0) {
            count = found_with(context_.growing());
        } else {
            count = found_with(context_.images);
            if (context_.has_shapes)
                count = shaped_.correct(slot, others, until, ahead_of, {scratch.found, scratch.times, count});
            if (context_.changes_matter)
                count = ruled_.correct(slot, others, until, ahead_of, {scratch.found, scratch.times, count});
        }
        return {{scratch.found.data(), count}, {scratch.times.data(), count}};
    }
    /// visit(a, b, time) for those pairs, at most CandidatePairs::per_block, that touch before `until` when
    /// all fly straight on.
    template <class Visit>
    void for_each_contact(const PairSpan& pairs, double until, ContactScratch& scratch, Visit&& visit) const {
        make_room_in(scratch, contacts_room(pairs.size()));
        if (!local_.has_one_distance()) {
            local_.with_radii([&](auto radius_of) {
                for (std::size_t k = 0; k < pairs.size(); ++k)
                    scratch.distances[k] = radius_of(pairs.first[k]) + radius_of(pairs.second[k]);
            });
        }
        const auto found_with = [&](const auto& images) {
            return find_pair_contacts(pairs.first, pairs.second, local_.motions().data(),
                                      scratch.distances.data(), images, until, scratch.found.data(),
                                      scratch.times.data());
        };
        std::size_t count =
            context_.growth > 0 ? found_with(context_.growing()) : found_with(context_.images);
        if (context_.has_shapes) count = shaped_.correct(pairs, until, {scratch.found, scratch.times, count});
        if (context_.changes_matter) {
            ruled_.for_each_contact(pairs, until, {scratch.found, scratch.times, count}, visit);
            return;
        }
        for (std::size_t k = 0; k < count; ++k)
            visit(pairs.first[scratch.found[k]], pairs.second[scratch.found[k]], scratch.times[k]);
    }

  private:
    void make_room_in(ContactScratch& scratch, std::size_t room) const {
        if (scratch.times.size() < room) [[unlikely]]
            grow(scratch, room);
    }
    void grow(ContactScratch& scratch, std::size_t room) const {
        scratch.times.resize(room);
        scratch.found.resize(room);
        scratch.distances.resize(room, local_.has_one_distance() ? local_.one_distance() : 0);
    }

    const StepContext& context_;
    const LocalMotion& local_;
    const ShapedTimes& shaped_;
    const RuledTimes& ruled_;
};

}  // namespace ricochet
