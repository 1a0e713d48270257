// SPDX-License-Identifier: BSD-3-Clause
//
// Runs a sub-window with one queue: takes contacts, remote events and topological events in the order of ContactKey,
// topological ones first at equal times. It is one island that holds all slots. So nothing is ever merged, and no slot
// is ahead of a search.
//
// Invariant: all contacts of neighbours in the structure, as the slots are now, are on the heap. So each contact is
// there before it is due. A pair may be there twice: the second one is stale when its turn comes.
//
// A contact of two that pass has changed nothing. A repeated search of the pair finds it once more, at its old time: it
// is due before what has been done, and is dropped.
//
// A contact that is found after its place in the order shows that the structure has lost a pair. Its place is after all
// contacts, remote events and topological events so far, and in the window. Where all only bounce and none overlap at
// the start, two that overlap show it too (overlap_watch.hpp). Neighbours are asked when they are searched, and all at
// the end of the step. Whatever was done since may be wrong, also in windows that are final. So the run gives up, and
// the step must be done again: then a reserve names the candidates (engine_choice.cpp).
//
// In the loop `restart` all is searched again after each contact. Then only the next contact must be found. In the loop
// `precheck`, pairs are not tested that are too far apart to touch before the earliest contact found so far.
//
// Cost: O(log events) and a search of the neighbours per contact and per topological event. With neighbours also a copy
// of structure and queues per window. Without, a window that is run again begins with a structure that is built anew.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "engine/contact_applier.hpp"
#include "kinetic/kinetic_structure.hpp"
#include "kinetic/overlap_watch.hpp"
#include "kinetic/precheck.hpp"
#include "ricochet/engine/step_engine.hpp"

namespace ricochet {

class QueueRunner : private ContactApplier {
  public:
    /// Refers to the first two. The reserve takes the structure's place in a step in which that has lost a contact.
    /// Neither may be null.
    QueueRunner(const StepContext& context, StepState& state, std::unique_ptr<KineticStructure> structure,
                std::unique_ptr<KineticStructure> reserve);

    using ContactApplier::arena;
    /// The one in use.
    const KineticStructure& structure() const { return *current_; }
    /// Since begin: the step must be done again.
    bool has_lost_contact() const { return has_lost_contact_; }
    /// Bytes of both structures.
    std::size_t structure_bytes() const { return own_->memory_bytes() + reserve_->memory_bytes(); }
    /// Bytes of the queues, and of what a window may be run again from.
    std::size_t memory_bytes() const;

    /// Builds the structure at the start of the step, and finds the contacts of all neighbours. After a contact was
    /// lost, builds the reserve, until end_step.
    void begin(const KineticSetting& setting);
    /// Keeps what a window may have to be run again from, where there are neighbours.
    void save();
    /// Runs the window as the root of an island, from what was saved.
    void run(std::uint32_t root);
    /// Undoes that.
    void roll_back(std::uint32_t root);
    void end_step() { is_replaced_ = false; }

  private:
    void apply(Run run, const Prediction& event);
    void apply_remote(Run run, const Prediction& event);
    void apply_contact(Run run, const DueContact& contact);
    /// The latest time of what has been done in the window.
    double present() const { return std::max(latest_.time, begun_); }
    bool is_late(const ContactKey& key) const { return !(latest_ < key) || key.time < begun_; }
    void start_anew();
    void watch_overlaps();
    void cross(const TopologicalEvent& event);
    void note_changed(Slot slot);
    void begin_structure();
    void rebuild();
    void restart();
    void begin_precheck();
    void search_neighbours(Slot slot, Slot skip);
    void search_obstacles(Slot slot);
    void search_all();
    void search(Slot slot, std::span<const Slot> others, Slot skip);
    bool is_absent(Slot slot) const {
        return context_.changes_matter && state_.local.matter().is_absent(slot);
    }

    /// What a window starts with.
    struct Start {
        EventHeap<LaterByIds> contacts;
        TopologicalQueue topological;
    };

    bool restarts_, prechecks_;
    std::unique_ptr<KineticStructure> own_, reserve_;
    KineticStructure* current_;  ///< one of the two
    bool is_replaced_ = false, has_lost_contact_ = false;
    TopologicalQueue topological_;
    KineticSetting setting_;
    ContactKey latest_{.time = -1};  ///< of the contacts and remote events that have been done in the window
    double begun_ = 0;               ///< of the window and its topological events so far, the latest time
    bool shows_overlaps_ = false;    ///< two that overlap have lost a contact
    bool is_broken_ = false;         ///< the structure must be built anew
    bool is_restarting_ =
        false;  ///< all is searched again after a contact, and a test of overlaps costs too much
    std::vector<Prediction> kept_;  ///< scratch: remote events
    Precheck precheck_;             ///< on while all is searched again in the loop `precheck`
    OverlapWatch overlaps_;
    Start start_{arena_.heap, {}};
};

}  // namespace ricochet
