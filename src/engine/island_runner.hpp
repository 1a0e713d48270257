// SPDX-License-Identifier: BSD-3-Clause
//
// Runs islands: pops an island's events in the order of ContactKey, applies them, searches again for every
// particle that has changed, and merges islands that meet.
//
// Applying a contact changes one or two slots; each is then searched along the rest of its path. What a
// search finds inside the window goes on the heap and claims its partner; what lies beyond is filed for its
// window, also by runs that are discarded: their predictions are stale, or true all the same. A search can
// meet a slot of another island:
//  * a contact inside the window with it: the islands are one;
//  * it is already *ahead* of the time of the search: its earlier path is no longer at hand. If the two could
//  have met
//    before, by a bound on both speeds, the islands are one; if not, the contact time counts from its own,
//    later time, which the canonical function does by itself. Nothing is ever extrapolated back.
// In both cases both islands are rolled back and run again as one.
#pragma once

#include <algorithm>
#include <utility>

#include "contact/response.hpp"
#include "engine/event_heap.hpp"
#include "engine/step_state.hpp"
#include "geometry/path.hpp"

namespace ricochet {

class IslandRunner {
  public:
    explicit IslandRunner(StepState& state) : state_(state), heap_(TieBreak{this}) {}
    IslandRunner(const IslandRunner&) = delete;
    IslandRunner& operator=(const IslandRunner&) = delete;
    ~IslandRunner() = default;

    /// Runs the island, merging it with whatever it touches, until a run stands; or gives up when the window
    /// is overloaded and must be halved.
    void run(std::uint32_t root);

    /// Files the contacts expected in later windows; to be called when the islands of a window have been run.
    void file_expected();

  private:
    struct Ids {
        ParticleId low, high;
        friend auto operator<=>(const Ids&, const Ids&) = default;
    };
    /// A contact whose turn has come, and what comes of it.
    struct DueContact {
        ContactKey key;
        Slot low;      ///< the partner with the lower id
        Partner high;  ///< never of a remote event
        ContactOutcome outcome;
    };
    /// Later of two events of equal time and generation, by ids.
    struct TieBreak {
        const IslandRunner* runner;
        bool operator()(const Prediction& p, const Prediction& q) const {
            return runner->ids_of(p) > runner->ids_of(q);
        }
    };
    static constexpr std::uint32_t no_conflict = no_island;

    // Events. Each returns an island to merge with, or no_conflict.
    std::uint32_t attempt(std::uint32_t root);
    std::uint32_t search_changed(std::uint32_t root);
    std::uint32_t apply(std::uint32_t root, const Prediction& event);
    std::uint32_t apply_remote(std::uint32_t root, const Prediction& event);
    DueContact pair_contact(const Prediction& event) const;
    DueContact wall_contact(const Prediction& event) const;
    std::uint32_t take_effect(std::uint32_t root, const DueContact& contact);

    // Search after a change.
    std::uint32_t search_from(std::uint32_t root, Slot slot, Slot skip);
    std::uint32_t meet(std::uint32_t root, Slot slot, Slot other, double time, double query_time);
    std::uint32_t expect(std::uint32_t root, const Prediction& prediction);
    std::uint32_t take_in(std::uint32_t root, Slot slot);
    bool could_have_touched(Slot slot, Slot ahead, double query_time) const;

    // Bookkeeping of one contact.
    void change(std::uint32_t root, Slot slot, const ContactKey& key, const NewMotion& after);
    void keep_in_sphere(Slot slot);
    void watch_faces(Slot slot, double radius, double onwards);
    void report(const DueContact& contact);
    void record(const DueContact& contact);
    Vec3 touching_point(const DueContact& contact) const;
    void record_outgoing(const ContactKey& key, Slot slot, Slot partner, const NewMotion& after);
    Ids ids_of(const Prediction& p) const;
    ContactKey key_of(const Prediction& p) const;

    StepState& state_;
    EventHeap<TieBreak> heap_;
    std::vector<InitialPrediction> to_file_;  ///< expected in later windows
};

}  // namespace ricochet
