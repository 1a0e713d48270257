// SPDX-License-Identifier: BSD-3-Clause
//
// Resolves the contacts of one step, window by window: finds the primary contacts, forms islands, runs each
// island's heap, searches again for every particle that has changed, merges islands that meet, imposes what
// neighbours sent.
//
// One island run (`attempt`) pops events in the order of ContactKey. Applying one changes one or two slots;
// each is then searched along the rest of its path. What a search finds inside the window goes on the heap
// and claims its partner; what lies beyond waits in `later` until the window is committed. A search can meet
// a slot of another island:
//  * a contact inside the window with it: the islands are one;
//  * it is already *ahead* of the time of the search: its earlier path is no longer at hand. If the two could
//  have met
//    before, by a bound on both speeds, the islands are one; if not, the contact time counts from its own,
//    later time, which the canonical function does by itself. Nothing is ever extrapolated back.
// In both cases both islands are rolled back and run again as one.
//
// The search is a template parameter so that its loops are compiled into the resolver; StepEngine hides it.
#pragma once

#include <limits>

#include "ricochet/contact/response.hpp"
#include "ricochet/engine/islands.hpp"
#include "ricochet/engine/window_schedule.hpp"
#include "ricochet/events/event_heap.hpp"
#include "ricochet/geometry/path.hpp"
#include "ricochet/search/broad_phase.hpp"

namespace ricochet {

template <BroadPhase Search>
class WindowResolver final : public StepEngine {
  public:
    WindowResolver(const Box& box, const ContactRules& rules, const EngineOptions& options)
        : box_(box),
          rules_(rules),
          options_(options),
          search_(box),
          set_(box, options.use_generations),
          heap_(TieBreak{this}) {}
    WindowResolver(const WindowResolver&) = delete;
    WindowResolver& operator=(const WindowResolver&) = delete;

    void begin_step(Particles& local, std::size_t num_owned, std::span<const NeighbourMask> holders,
                    double dt, const Coverage& coverage) override;
    std::uint64_t num_predicted() const override { return statistics_.num_predicted; }
    void plan_windows(std::uint64_t count) override;
    void begin_window() override;
    void resolve() override;
    void collect_straddling(unsigned neighbour, std::vector<BoundaryEvent>& events) const override;
    bool impose(std::vector<BoundaryEvent> events) override;
    std::optional<CapHit> cap_hit() const override;
    void commit_window() override;
    const std::vector<Contact>& contacts() const override { return contacts_; }
    bool has_strayed() const override { return has_strayed_; }
    double max_displacement() const override { return max_displacement_; }
    const StepStatistics& statistics() const override { return statistics_; }
    void end_step() override;
    void abandon_step() override { abandon_window(); }
    std::vector<std::uint32_t> spatial_order() const override;

  private:
    /// Later of two events of equal time and generation, by ids.
    struct TieBreak {
        const WindowResolver* resolver;
        bool operator()(const Prediction& p, const Prediction& q) const {
            return resolver->ids_of(p) > resolver->ids_of(q);
        }
    };
    struct Ids {
        ParticleId low, high;
        friend auto operator<=>(const Ids&, const Ids&) = default;
    };
    static constexpr std::uint32_t no_conflict = no_island;

    // begin_step
    void build_search();
    void index_copies();
    void find_primary_contacts();
    template <class Visit>
    void for_each_wall_contact(Slot slot, Visit&& visit) const;

    // resolve: each returns the island to merge with, or no_conflict
    void run(std::uint32_t root);
    std::uint32_t attempt(std::uint32_t root);
    std::uint32_t search_changed(std::uint32_t root);
    std::uint32_t apply(std::uint32_t root, const Prediction& event);
    std::uint32_t apply_pair(std::uint32_t root, const Prediction& event);
    std::uint32_t apply_wall(std::uint32_t root, const Prediction& event);
    std::uint32_t apply_imposed(std::uint32_t root, const Prediction& event);
    std::uint32_t expect(std::uint32_t root, const Prediction& prediction);
    std::uint32_t search_from(std::uint32_t root, Slot slot, Slot skip);
    std::uint32_t meet(std::uint32_t root, Slot slot, Slot other, double query_time);
    std::uint32_t take_in(std::uint32_t root, Slot slot);
    bool could_have_met(Slot slot, Slot ahead, double query_time) const;

    // bookkeeping of one contact
    void prepare_change(Slot slot);
    void finish_change(std::uint32_t root, Slot slot, const ContactKey& key);
    void watch_excursion(Slot slot, double excursion);
    void record(const ContactKey& key, Slot a, Slot b, const Impact& impact);
    void record_straddling(const ContactKey& key, Slot slot, Slot partner);
    Ids ids_of(const Prediction& p) const;
    ContactKey key_of(const Prediction& p) const;
    NeighbourMask holders(Slot slot) const {
        return holders_.empty() ? 0 : holders_[set_.status(slot).source];
    }

    // imposed events
    struct Imposed {
        Slot slot;
        BoundaryEvent event;
        friend bool operator==(const Imposed&, const Imposed&) = default;
    };
    std::vector<Imposed> localised(const std::vector<BoundaryEvent>& events) const;
    void reopen(Slot slot);
    Slot local_slot(ParticleId id) const;
    void abandon_window() { forest_.clear(set_); }

    Box box_;
    ContactRules rules_;
    EngineOptions options_;
    Search search_;
    LocalSet set_;
    IslandForest forest_;
    WindowSchedule schedule_;
    EventHeap<TieBreak> heap_;

    Particles* particles_ = nullptr;
    std::size_t num_owned_ = 0;
    std::vector<NeighbourMask> holders_;  ///< by source; empty without neighbours
    double dt_ = 0;
    Coverage coverage_;
    std::size_t next_window_ = 0;
    double window_begin_ = 0, window_end_ = 0;
    std::uint32_t run_counter_ = 0;
    bool has_strayed_ = false;
    double max_displacement_ = 0;
    StepStatistics statistics_;
    std::vector<Contact> contacts_;
    std::vector<Imposed> imposed_;                         ///< of this window, in the order of (slot, key)
    std::vector<std::pair<ParticleId, Slot>> copy_slots_;  ///< by id

    // scratch
    std::vector<SweptBall> balls_;
    std::vector<Slot> candidates_;
    std::vector<Prediction> primaries_;
};

}  // namespace ricochet
