// SPDX-License-Identifier: BSD-3-Clause
#include "slabs/window_exchange.hpp"

#include <algorithm>
#include <cstring>
#include <span>
#include <utility>

#include "engine/halo_check.hpp"
#include "slabs/step_limits.hpp"

namespace ricochet {
namespace {

/// A chain of contacts that runs to and fro across a face takes a round for every crossing. Touching rows,
/// jammed lattices and inelastic collapses have such chains. Beyond this many rounds one halo had better hold the
/// chain. Gases need a few rounds (note 41 of tests/bench/notes.md), and redoing a step costs more than all of its
/// rounds.
constexpr std::uint64_t most_rounds_per_halo = 32;

bool has_outgrown_images(const StepWindow& window, const WindowSetting& setting) {
    return !has_nearest_images(setting.box, extents_of_two(window.max_extent(), setting.largest_extent));
}

/// Whether the paths of the step must be compared: once, when it is settled, or when what ends it might come
/// from wrong paths.
bool is_to_be_verified(const WindowVerdict& verdict, const StepWindow& window) {
    const bool is_settled = !verdict.has_news && !verdict.is_overloaded;
    const bool is_at_end = window.is_last() || verdict.has_reached_cap;
    return verdict.may_have_escaped && !verdict.has_escaped && is_settled && is_at_end;
}

/// Without matter, which most runs do not change, an event is a fifth shorter.
void append_events(Bytes& message, const std::vector<BoundaryEvent>& events, bool has_matter) {
    if (has_matter) return append_records(message, std::span(events));
    for (const BoundaryEvent& event : events) {
        const auto bytes = std::as_bytes(std::span(&event, 1)).first(event_bytes(false));
        message.insert(message.end(), bytes.begin(), bytes.end());
    }
}

void read_events(BytesView message, bool has_matter, std::vector<BoundaryEvent>& events) {
    if (has_matter) return read_records(message, events);
    RICOCHET_CHECK_EQ(message.size() % event_bytes(false), 0);
    for (std::size_t at = 0; at < message.size(); at += event_bytes(false))
        std::memcpy(static_cast<void*>(&events.emplace_back()), message.data() + at, event_bytes(false));
}

}  // namespace

Vec3 extents_of_two(Vec3 extent, double others) {
    Vec3 of_two;
    for (int axis = 0; axis < 3; ++axis)
        of_two[axis] = extent[axis] > 0 ? extent[axis] + std::max(extent[axis], others) : 0;
    return of_two;
}

WindowVerdict WindowExchange::settle(StepWindow& window, const WindowSetting& setting,
                                     SlabStepStatistics& statistics) {
    WindowVerdict verdict = settle_rounds(window, setting, statistics);
    for (int num_cuts = 0; is_to_be_halved(verdict, window, setting, num_cuts); ++num_cuts) {
        window.halve();
        ++statistics.num_halved;
        verdict = settle_rounds(window, setting, statistics);
    }
    ++statistics.num_windows;
    return verdict;
}

/// True where the window is too much for some rank. Also where it holds both a particle at the cap and one that
/// has outgrown the box. Which of them comes first must not depend on where sub-windows end. Halving stops at
/// 2^-64 of the sub-window, beyond the resolution of times.
bool WindowExchange::is_to_be_halved(const WindowVerdict& verdict, const StepWindow& window,
                                     const WindowSetting& setting, int num_cuts) {
    constexpr int most_cuts = 64;
    if (verdict.must_be_redone() || verdict.is_exhausted) return false;
    if (verdict.is_overloaded) return true;
    return verdict.has_reached_cap && num_cuts < most_cuts && some_rank_has_outgrown_images(window, setting);
}

bool WindowExchange::some_rank_has_outgrown_images(const StepWindow& window, const WindowSetting& setting) {
    return exchange_.bit_or(has_outgrown_images(window, setting) ? 1 : 0) != 0;
}

/// Exchanges until no rank has news for another, or has a reason not to go on.
WindowVerdict WindowExchange::settle_rounds(StepWindow& window, const WindowSetting& setting,
                                            SlabStepStatistics& statistics) {
    collected_.resize(setting.halo.neighbours.size());
    sent_.resize(collected_.size());
    outgoing_.resize(collected_.size());
    bool is_resolved = resolve(window, Phase::events);
    std::uint64_t num_rounds = 0;
    WindowVerdict verdict;
    do {
        if (exchange_events(window, setting, statistics))
            is_resolved = resolve(window, Phase::rollback);
        else
            collected_ = sent_;
        verdict = agree(window, setting, is_resolved, statistics);
        ++num_rounds;
        verdict.has_stalled = verdict.has_news && num_rounds == most_rounds_per_halo;
    } while (verdict.has_news && !verdict.must_be_redone() && !verdict.is_overloaded &&
             !verdict.is_exhausted);
    statistics.num_rounds += num_rounds;
    statistics.most_rounds = std::max(statistics.most_rounds, num_rounds);
    return verdict;
}

/// Brings the islands up to date and lists the boundary events for each neighbour. False where the window is
/// too much for this rank.
bool WindowExchange::resolve(StepWindow& window, Phase phase) {
    const PhaseClock::Scope scope = clock_.enter(phase);
    const bool is_resolved = window.resolve();
    for (std::size_t n = 0; n < collected_.size(); ++n) {
        collected_[n].clear();
        window.collect_boundary_events(static_cast<unsigned>(n), collected_[n]);
    }
    return is_resolved;
}

/// Sends the lists just collected and hands the engine what the neighbours sent. False where that is what they
/// had sent before, so that nothing must be resolved again.
bool WindowExchange::exchange_events(StepWindow& window, const WindowSetting& setting,
                                     SlabStepStatistics& statistics) {
    const PhaseClock::Scope scope = clock_.enter(Phase::exchange);
    std::swap(sent_, collected_);
    sent_bounds_.clear();
    const PathReach& paths = engine_.swept_paths().reach;
    for (std::size_t n = 0; n < sent_.size(); ++n) {
        sent_bounds_.push_back(paths.bounds_for(n));
        outgoing_[n].resize(sizeof(FaceBounds));
        std::memcpy(outgoing_[n].data(), &sent_bounds_[n], sizeof(FaceBounds));
        append_events(outgoing_[n], sent_[n], engine_.changes_matter());
        statistics.num_boundary_events += sent_[n].size();
    }
    exchange_.swap_messages(MessagePhase::events, setting.halo.neighbours, outgoing_, incoming_);
    std::vector<BoundaryEvent> remote;
    received_bounds_.clear();
    for (const Bytes& message : incoming_) {
        read_records(message, 0, 1, received_bounds_);
        read_events(std::span(message).subspan(sizeof(FaceBounds)), engine_.changes_matter(), remote);
    }
    return window.set_remote_events(remote);
}

/// What the ranks find after a round.
WindowVerdict WindowExchange::agree(const StepWindow& window, const WindowSetting& setting, bool is_resolved,
                                    SlabStepStatistics& statistics) {
    const PathReach& paths = engine_.swept_paths().reach;
    const int rank = exchange_.rank();
    const WindowVerdict own{
        .has_news = has_news(),
        .has_escaped = reaches_non_neighbours(setting.slabs, rank, setting.halo, paths.of_owned()),
        .may_have_escaped = may_have_missed(setting.slabs, rank, setting.halo, paths, received_bounds_),
        .is_overloaded = !is_resolved,
        .has_reached_cap = window.cap_hit().has_value(),
        // Asked at the end only, when all windows before are final and this is the last to become so.
        .has_outgrown_box = window.is_last() && has_outgrown_images(window, setting),
        .has_lost_contact = window.has_lost_contact(),
        .is_exhausted = window.is_exhausted()};
    const PhaseClock::Scope scope = clock_.enter(Phase::exchange);
    WindowVerdict verdict = own.over_ranks(exchange_);
    if (!is_to_be_verified(verdict, window)) return verdict;
    ++statistics.num_verified;
    if (has_missed_contacts(setting)) verdict.has_escaped = true;
    return verdict;
}

/// Whether a neighbour must be sent more than it has.
bool WindowExchange::has_news() const {
    const PathReach& paths = engine_.swept_paths().reach;
    for (std::size_t n = 0; n < sent_bounds_.size(); ++n)
        if (sent_bounds_[n] != paths.bounds_for(n)) return true;
    return collected_ != sent_;
}

/// Whether two paths of which some rank does not know one may have touched. Neighbours are sent bounding
/// spheres of the paths that lead far enough. Collective.
bool WindowExchange::has_missed_contacts(const WindowSetting& setting) {
    const HaloCheck check(setting.box, setting.coverage, setting.halo.holders, engine_.swept_paths().spheres);
    const std::vector<int>& neighbours = setting.halo.neighbours;
    std::vector<BoundingSphere> spheres;
    for (std::size_t n = 0; n < outgoing_.size(); ++n) {
        spheres.clear();
        check.collect_above(
            least_reach_in_question(setting.slabs, exchange_.rank(), neighbours[n], received_bounds_[n]),
            spheres);
        outgoing_[n].clear();
        append_records(outgoing_[n], std::span<const BoundingSphere>(spheres));
    }
    exchange_.swap_messages(MessagePhase::events, neighbours, outgoing_, incoming_);
    bool has_missed = false;
    for (std::size_t n = 0; n < incoming_.size(); ++n) {
        spheres.clear();
        read_records(incoming_[n], spheres);
        has_missed = has_missed || check.touches_unsent(static_cast<unsigned>(n), spheres);
    }
    return exchange_.bit_or(has_missed ? 1 : 0) != 0;
}

}  // namespace ricochet
