// SPDX-License-Identifier: BSD-3-Clause
//
// The engine: walks through the sub-windows of one step of one slab. Finds the primary contacts at the start
// and where a leg of the search ends, forms the islands of each window, has them run, imposes what neighbours
// sent, commits, and writes the particles back.
//
// The search is a template parameter so that its loops are compiled in; StepEngine hides it.
//
// What limits large systems is waiting for memory: at volume fraction 0.3 and a contact per particle and
// step, a contact takes some 36 cache lines from beyond a cache of 1 MB, and as many are its share of the
// search of all (callgrind's cache simulation, 125,000 particles, prefetches not counted). An island fetched
// ahead of its turn costs half as much. It did not help to fetch what enlarging a ball would read (rows of
// balls all around, of which half are needed: a tenth to a half more time). Not built: time-skewed sweeps,
// which resolve several windows while a block of cells is in cache. Chains of contacts cross several reaches
// within a window, so that such a block would have to move by as much from window to window: in a cache of 1
// MB, which holds some 15 particles a side, by its own size in three or four windows. Nor is it the number of
// sweeps that costs: with a half or a third as many windows, each so much longer, islands of 1e6 particles
// take 0 to 5 % more time. Particles sorted by blocks of a tenth or a fifth of the rows, so that three layers
// nearly fit into that cache: 1 to 2 % more.
#pragma once

#include <algorithm>
#include <array>
#include <limits>
#include <span>
#include <string>

#include "ricochet/core/error.hpp"
#include "ricochet/core/prefetch.hpp"
#include "ricochet/engine/island_runner.hpp"
#include "ricochet/engine/primary_search.hpp"
#include "ricochet/engine/shared_index.hpp"
#include "ricochet/engine/shown_balls.hpp"
#include "ricochet/geometry/path.hpp"
#include "ricochet/search/broad_phase.hpp"

namespace ricochet {

template <BroadPhase Search>
class WindowResolver final : public StepEngine {
  public:
    WindowResolver(const Box& box, const ContactRules& rules, const EngineOptions& options)
        : state_(box, rules, options), runner_(state_), primary_search_(state_) {}

    void begin_step(Particles& local, std::size_t num_owned, const Holders& holders, TimeSpan span,
                    const Coverage& coverage) override;
    std::uint64_t num_predicted() const override { return state_.statistics.num_predicted; }
    double predicted_time() const override { return state_.leg_end - state_.span.begin; }
    void plan_windows(std::uint64_t count) override;
    bool has_window() const override { return next_window_ < state_.schedule.size(); }
    void begin_window() override;
    void resolve() override;
    bool is_overloaded() const override;
    void halve_window() override;
    void collect_straddling(unsigned neighbour, std::vector<BoundaryEvent>& events) const override;
    bool impose(std::span<const BoundaryEvent> events) override;
    std::optional<CapHit> cap_hit() const override;
    void commit_window() override;
    void keep_contacts(ContactDetail detail) override { state_.forest.contacts.keep(detail); }
    const BlockVector<Contact>& contacts() const override { return state_.forest.contacts.records(); }
    const BlockVector<ContactBrief>& contact_briefs() const override {
        return state_.forest.contacts.briefs();
    }
    const PathReach& path_reach() const override { return state_.reach; }
    void collect_beyond(double upper_reach, std::vector<SweptBall>& balls) const override;
    bool meets_unsent(unsigned neighbour, std::span<const SweptBall> balls) const override;
    Vec3 max_extent() const override;
    const StepStatistics& statistics() const override { return state_.statistics; }
    void end_step() override;
    void abandon_step() override;
    BlockVector<std::uint32_t> spatial_order() override;

  private:
    void open_islands();
    void fetch_ahead(std::uint32_t island);

    std::vector<ImposedEvent> localised(std::span<const BoundaryEvent> events) const;
    void reopen_changed(const std::vector<ImposedEvent>& next);
    void reopen(Slot slot);

    StepState<Search> state_;
    IslandRunner<Search> runner_;
    PrimarySearch<Search> primary_search_;
    Particles* particles_ = nullptr;
    std::size_t num_owned_ = 0;
    std::size_t next_window_ = 0;
    std::uint32_t next_island_ = 0;        ///< of this window: those from here on have not been run
    std::vector<std::uint32_t> reopened_;  ///< of those before: to be run again
    std::uint64_t num_contacts_ = 0;       ///< of committed windows
    Vec3 max_extent_;                      ///< of committed windows
    int num_halvings_ = 0;                 ///< of this window
    SharedIndex shared_;
};

// ---------------------------------------------------------------------------------------------- start of the
// step

template <BroadPhase Search>
void WindowResolver<Search>::begin_step(Particles& local, std::size_t num_owned, const Holders& holders,
                                        TimeSpan span, const Coverage& coverage) {
    constexpr std::size_t most = first_wall_slot;
    if (local.size() >= most) {
        throw RunError("one rank holds " + std::to_string(local.size()) + " particles, expected fewer than " +
                       std::to_string(most) + ": use more ranks");
    }
    particles_ = &local;
    num_owned_ = num_owned;
    max_extent_ = {};
    num_contacts_ = 0;
    state_.forest.contacts.clear();
    state_.holders = &holders;
    state_.span = span;
    state_.set_coverage(coverage);
    state_.statistics = {};
    primary_search_.start(local);
    state_.set.load(local, num_owned, primary_search_.has_equal_matter(), span.begin);
    if (!coverage.is_whole_box) shared_.build(std::span<const Motion>(local.motion), holders);
    primary_search_.find();
}

template <BroadPhase Search>
void WindowResolver<Search>::plan_windows(std::uint64_t count) {
    state_.schedule.plan(state_.span, static_cast<std::size_t>(std::max<std::uint64_t>(count, 1)),
                         primary_search_.primaries());
    next_window_ = 0;
}

// ---------------------------------------------------------------------------------------------------- one
// window

template <BroadPhase Search>
void WindowResolver<Search>::begin_window() {
    if (state_.set.latest_stamp() > std::numeric_limits<std::uint32_t>::max() / 2) {
        throw RunError("more than 2^31 contacts on one rank in one step: use a smaller run.timestep");
    }
    state_.imposed.clear();
    state_.forest.contacts.clear();
    if (state_.schedule.end(next_window_) > state_.leg_end)
        primary_search_.search_again(*particles_, next_window_);
    ++next_window_;
    num_halvings_ = 0;
    open_islands();
}

template <BroadPhase Search>
void WindowResolver<Search>::open_islands() {
    const std::size_t window = next_window_ - 1;
    next_island_ = 0;
    reopened_.clear();
    state_.window_begin = state_.schedule.begin(window);
    state_.window_end = state_.schedule.end(window);
    const std::size_t num_pending = state_.forest.open(state_.set, state_.schedule.waiting(window));
    // A contact takes two searches; many more say that islands are run again and again. Events at one instant
    // are one island however short the window is: after a few halvings the work is done whatever it takes.
    constexpr std::uint64_t searches_per_contact = 10, few = 1000;
    constexpr int most_halvings = 10;
    state_.most_searches = num_halvings_ < most_halvings
                               ? state_.statistics.num_searches + searches_per_contact * num_pending + few
                               : std::numeric_limits<std::uint64_t>::max();
}

template <BroadPhase Search>
void WindowResolver<Search>::resolve() {
    const auto run = [this](std::uint32_t island) {
        const std::uint32_t root = state_.forest.find(island);
        if (!state_.forest[root].is_current) runner_.run(root);
    };
    for (std::size_t k = 0; k < reopened_.size() && !is_overloaded(); ++k) run(reopened_[k]);
    reopened_.clear();
    for (; next_island_ < state_.forest.size() && !is_overloaded(); ++next_island_) {
        fetch_ahead(next_island_);
        run(next_island_);
    }
    runner_.file_expected();
}

/// Islands are run in a known order and what each will read is known, so that it can be on its way from
/// memory before it is needed, pointer by pointer. Into the second cache, but for the list, which is read
/// soon. Measured in turns within a run (1e6 spheres at a volume fraction of 0.3, one rank): all into the
/// first cache and twice as far ahead, islands take 1.14 to 1.2 times as long; without the neighbours, 1.35
/// to 1.4 times; with the first contact of each island only, a step takes 3 % longer.
template <BroadPhase Search>
void WindowResolver<Search>::fetch_ahead(std::uint32_t island) {
    constexpr std::uint32_t distance = 2;
    const LocalSet& set = state_.set;
    const NeighbourLists& neighbours = state_.neighbours;
    const auto for_each_slot = [this](std::uint32_t later, auto&& fetch) {
        // Of islands that have become one, the others name the same contacts.
        if (later >= state_.forest.size() || !state_.forest.is_root(later)) return;
        state_.forest.for_each_pending(later, [&fetch](const Prediction& contact) {
            fetch(contact.a);
            if (contact.b < first_wall_slot) fetch(contact.b);
        });
        state_.forest.for_each_imposed(later, [&](std::uint32_t k) { fetch(state_.imposed[k].slot); });
    };
    for_each_slot(island + 3 * distance, [&](Slot slot) {
        set.prefetch_state(slot);
        neighbours.prefetch_head(slot);
        state_.prefetch_at_faces(slot);
    });
    for_each_slot(island + 2 * distance, [&](Slot slot) {
        set.prefetch_attributes(slot);
        primary_search_.prefetch_ball(slot);
        neighbours.prefetch_list(slot);
    });
    for_each_slot(island + distance, [&](Slot slot) {
        neighbours.for_each_ahead(slot, [&set](Slot other) { set.prefetch_motion(other); });
    });
}

template <BroadPhase Search>
bool WindowResolver<Search>::is_overloaded() const {
    return state_.is_overloaded();
}

template <BroadPhase Search>
void WindowResolver<Search>::halve_window() {
    for (std::uint32_t island = 0; island < state_.forest.size(); ++island) {
        if (state_.forest.is_root(island)) state_.forest.roll_back(state_.set, island);
    }
    state_.schedule.halve(next_window_ - 1, state_.forest.pending());
    state_.forest.clear(state_.set);
    state_.imposed.clear();
    ++num_halvings_;
    open_islands();
}

template <BroadPhase Search>
void WindowResolver<Search>::commit_window() {
    IslandForest& forest = state_.forest;
    for (std::uint32_t k = 0; k < forest.size(); ++k) {
        if (!forest.is_root(k)) continue;
        const Island& island = forest[k];
        max_extent_ = max(max_extent_, island.max_extent());
        ++state_.statistics.num_islands;
        state_.statistics.largest_island = std::max<std::uint64_t>(
            state_.statistics.largest_island, island.contacts.end - island.contacts.begin);
    }
    forest.clear(state_.set);
    num_contacts_ += forest.contacts.size();
}

template <BroadPhase Search>
Vec3 WindowResolver<Search>::max_extent() const {
    const IslandForest& forest = state_.forest;
    Vec3 extent = max_extent_;
    for (std::uint32_t k = 0; k < forest.size(); ++k)
        if (forest.is_root(k)) extent = max(extent, forest[k].max_extent());
    return extent;
}

// ------------------------------------------------------------------------------------ exchange with the
// neighbours

template <BroadPhase Search>
void WindowResolver<Search>::collect_straddling(unsigned neighbour,
                                                std::vector<BoundaryEvent>& events) const {
    // Sorted by what is small.
    struct Entry {
        double time;
        const BoundaryEvent* event;
    };
    const NeighbourMask bit = NeighbourMask{1} << neighbour;
    std::vector<Entry> entries;
    for (const StraddlingEvent& straddling : state_.forest.straddling) {
        if ((straddling.receivers & bit) != 0)
            entries.push_back({straddling.event.key.time, &straddling.event});
    }
    std::sort(entries.begin(), entries.end(), [](const Entry& p, const Entry& q) {
        if (p.time != q.time) return p.time < q.time;
        return p.event->key != q.event->key ? p.event->key < q.event->key
                                            : p.event->particle < q.event->particle;
    });
    events.reserve(events.size() + entries.size());
    for (const Entry& entry : entries) events.push_back(*entry.event);
}

/// Those of local particles, in the order of (slot, key).
template <BroadPhase Search>
std::vector<ImposedEvent> WindowResolver<Search>::localised(std::span<const BoundaryEvent> events) const {
    struct Entry {
        Slot slot;
        const BoundaryEvent* event;
    };
    std::vector<Entry> entries;
    entries.reserve(events.size());
    for (const BoundaryEvent& event : events) {
        const Slot slot = shared_.slot_of(event.particle);
        if (slot != no_slot) entries.push_back({slot, &event});
    }
    std::sort(entries.begin(), entries.end(), [](const Entry& p, const Entry& q) {
        return p.slot != q.slot ? p.slot < q.slot : p.event->key < q.event->key;
    });
    std::vector<ImposedEvent> imposed;
    imposed.reserve(entries.size());
    for (const Entry& entry : entries) imposed.push_back({entry.slot, *entry.event});
    return imposed;
}

template <BroadPhase Search>
bool WindowResolver<Search>::impose(std::span<const BoundaryEvent> events) {
    std::vector<ImposedEvent> next = localised(events);
    if (next == state_.imposed) return false;
    reopen_changed(next);
    state_.imposed = std::move(next);
    state_.forest.forget_imposed();
    for (std::uint32_t k = 0; k < state_.imposed.size(); ++k) {
        const std::uint32_t island = state_.set.status(state_.imposed[k].slot).island;
        state_.forest.add_imposed(state_.forest.find(island), k);
    }
    return true;
}

/// Walks both lists slot by slot; the island of every slot whose events differ runs again.
template <BroadPhase Search>
void WindowResolver<Search>::reopen_changed(const std::vector<ImposedEvent>& next) {
    const std::vector<ImposedEvent>& old = state_.imposed;
    auto i = old.begin();
    auto j = next.begin();
    while (i != old.end() || j != next.end()) {
        const Slot slot = std::min(i != old.end() ? i->slot : no_slot, j != next.end() ? j->slot : no_slot);
        const auto is_other = [slot](const ImposedEvent& imposed) { return imposed.slot != slot; };
        const auto i_end = std::find_if(i, old.end(), is_other);
        const auto j_end = std::find_if(j, next.end(), is_other);
        if (!std::equal(i, i_end, j, j_end)) reopen(slot);
        i = i_end;
        j = j_end;
    }
}

/// Makes the island of the slot run again, with the slot pinned to it.
template <BroadPhase Search>
void WindowResolver<Search>::reopen(Slot slot) {
    const std::uint32_t island = state_.set.status(slot).island;
    if (island != no_island) {
        const std::uint32_t root = state_.forest.find(island);
        state_.forest.roll_back(state_.set, root);
        reopened_.push_back(root);
        ++state_.statistics.num_repairs;
    }
    state_.forest.pin(state_.set, slot);
}

template <BroadPhase Search>
void WindowResolver<Search>::collect_beyond(double upper_reach, std::vector<SweptBall>& balls) const {
    if (!state_.has_whole_paths()) {  // nothing is known of earlier legs: a ball that meets any
        balls.push_back({0, 0, 0, std::numeric_limits<float>::infinity()});
        return;
    }
    for (Slot slot = 0; slot < num_owned_; ++slot) {
        if (state_.reach_of_ball(slot).upper >= upper_reach) balls.push_back(state_.balls[slot]);
    }
}

template <BroadPhase Search>
bool WindowResolver<Search>::meets_unsent(unsigned neighbour, std::span<const SweptBall> balls) const {
    if (balls.empty() || !state_.has_whole_paths()) return !balls.empty();
    const ShownBalls shown(state_.box, balls, 2 * ball_slack(state_.box));
    const double least = shown.reach_that_meets(state_.coverage.lower);
    for (Slot slot = 0; slot < num_owned_; ++slot) {
        if (state_.reach_of_ball(slot).lower < least) continue;
        if (((*state_.holders)[slot] >> neighbour & 1) == 0 && shown.meets(state_.balls[slot])) return true;
    }
    return false;
}

template <BroadPhase Search>
std::optional<CapHit> WindowResolver<Search>::cap_hit() const {
    return state_.forest.cap_hit();
}

// ------------------------------------------------------------------------------------------------ end of the
// step

template <BroadPhase Search>
void WindowResolver<Search>::end_step() {
    const auto num_particles = static_cast<double>(std::max<std::size_t>(1, num_owned_));
    if (state_.span.length() > 0)
        primary_search_.note_contact_rate(2 * static_cast<double>(num_contacts_) /
                                          (num_particles * state_.span.length()));
    // The few that leave the box are noted: the loop has no calls in it.
    constexpr std::size_t at_once = 256;
    const PeriodicWrap wrap(state_.box);
    std::array<std::size_t, at_once> outside;
    for (std::size_t begin = 0; begin < num_owned_; begin += at_once) {
        std::size_t num_outside = 0;
        for (std::size_t k = begin; k < std::min(num_owned_, begin + at_once); ++k) {
            Motion& motion = particles_->motion[k];
            fly_to(motion, state_.span.end);
            motion.time = 0;
            if (!wrap.is_inside(motion.position)) outside[num_outside++] = k;
        }
        for (const std::size_t k : std::span(outside).first(num_outside)) {
            TrackList::Image image = particles_->track.image(k);
            wrap(particles_->motion[k].position, image);
            particles_->track.set_image(k, image);
        }
    }
}

template <BroadPhase Search>
void WindowResolver<Search>::abandon_step() {
    state_.forest.clear(state_.set);
    state_.set.restore_start();
}

template <BroadPhase Search>
BlockVector<std::uint32_t> WindowResolver<Search>::spatial_order() {
    BlockVector<std::uint32_t> order(state_.memory);
    for (const Slot slot : state_.search.order()) {
        if (slot < num_owned_) order.push_back(slot);
    }
    return order;
}

}  // namespace ricochet
