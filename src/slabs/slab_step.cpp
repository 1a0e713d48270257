// SPDX-License-Identifier: BSD-3-Clause
#include "slabs/slab_step.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <stdexcept>
#include <tuple>
#include <utility>

#include "core/scoped_seconds.hpp"
#include "engine/halo_check.hpp"
#include "parallel/collectives.hpp"
#include "ricochet/core/error.hpp"
#include "slabs/migration.hpp"
#include "slabs/step_limits.hpp"
#include "slabs/step_part.hpp"
#include "slabs/window_verdict.hpp"

namespace ricochet {
namespace {

/// A chain of contacts that runs to and fro across a face takes a round for every crossing: a touching row, a
/// jammed lattice, an inelastic collapse. After so many rounds it is better to have all of it in one halo. Of
/// a gas, it takes as many as the longest such chain at any face: for a million spheres on 2 ranks 2.2 on
/// average at a volume fraction of 0.3, 2.7 at 0.49, and no more than 5 in 360 sub-windows. Larger faces, and
/// more of them, have longer ones, but a step done again costs more than all of its rounds.
constexpr std::uint64_t most_rounds_per_halo = 32;

/// So many particles without contacts are added where contacts per particle are estimated: a rank with a few
/// particles does not know their density.
constexpr double few_particles = 32;

/// What has_nearest_images must hold for, when some particles reach as far as `extent` after a contact and no
/// other reaches farther than `others`. Along some axis an image other than the nearest is half a box length
/// away: a pair that reaches less far along it cannot touch through it.
Vec3 extents_of_two(Vec3 extent, double others) {
    Vec3 of_two;
    for (int axis = 0; axis < 3; ++axis)
        of_two[axis] = extent[axis] > 0 ? extent[axis] + std::max(extent[axis], others) : 0;
    return of_two;
}

}  // namespace

double adapted_to_ranks(double contacts_per_window, int num_ranks) {
    return num_ranks == 1 ? contacts_per_window : 1.4 * contacts_per_window;
}

SlabStepper::SlabStepper(Exchange& exchange, StepEngine& engine, const Box& box, SlabDecomposition slabs,
                         SlabStepOptions options)
    : exchange_(exchange),
      engine_(engine),
      box_(box),
      slabs_(std::move(slabs)),
      options_(options),
      excursion_factor_(options.excursion_factor) {}

void SlabStepper::run(Particles& owned, std::uint64_t step, double dt, ContactSink& contacts) {
    ++statistics_.num_steps;
    for (StepPart part; !part.is_past_end();) {
        if (run_part(owned, step, part.span_of(dt), part.can_be_halved(), contacts)) {
            part = part.next();
            if (!part.is_past_end()) contacts.settle();
        } else {
            ++statistics_.num_halved_spans;
            part = part.halved();
        }
    }
}

/// False where the span is too long for the box: the particles are then as they were, though perhaps on other
/// ranks.
bool SlabStepper::run_part(Particles& owned, std::uint64_t step, TimeSpan span, bool can_be_halved,
                           ContactSink& contacts) {
    if (span.begin > 0)
        for (Motion& motion : owned.motion) motion.time = span.begin;
    const std::uint64_t num_verified_before = statistics_.num_verified;
    std::optional<Reach> reach = migrate_for(owned, span.length(), can_be_halved);
    if (!reach) return false;
    bool has_escaped = false;
    for (;;) {
        const WindowVerdict verdict = try_part(owned, step, span, *reach, contacts);
        if (verdict.has_outgrown_box) {
            if (!can_be_halved) throw_images(owned, *reach);
            return false;
        }
        if (!verdict.needs_wider_halo()) break;
        ++statistics_.num_redone;
        has_escaped = has_escaped || verdict.has_escaped;
        reach = wider(*reach, verdict);
    }
    adapt_factor(has_escaped, statistics_.num_verified > num_verified_before);
    return true;
}

/// None where the span is too long for the box.
std::optional<SlabStepper::Reach> SlabStepper::migrate_for(Particles& owned, double dt, bool can_be_halved) {
    const ScopedSeconds timer(statistics_.seconds_migration);
    // As wide as the halo will be, unless somebody is much faster than all were in the step before.
    constexpr double likely_growth = 1.1;
    path_bounds(owned, dt, {likely_growth * margins_.lower, likely_growth * margins_.upper});
    const MigrationPlan plan =
        plan_migration(owned, path_bounds_.outside, dt, box_, slabs_, exchange_.rank());
    const StepLimits limits =
        agree_on_limits(exchange_, path_bounds_, box_, !plan.is_to_adjacent_slabs, window_rate_);
    if (can_be_halved && !has_nearest_images(box_, limits.extents())) return std::nullopt;
    require_nearest_images(exchange_, owned, box_, limits.extents());
    const std::size_t size_before = owned.size();
    migrate(exchange_, slabs_, plan, limits.any_to_any, owned);
    follow_migration(size_before, owned.size(), path_bounds_.near);
    statistics_.num_migrated += plan.leavers.size();
    statistics_.num_any_to_any += limits.any_to_any ? 1 : 0;
    // More than the engine allows for the rounding of paths.
    const double slack = 4e-6 * box_.size.x;
    return Reach{{limits.max_radius, excursion_factor_ * limits.max_displacement + slack},
                 limits.max_displacement,
                 limits.largest_extent,
                 limits.window_rate};
}

void SlabStepper::path_bounds(const Particles& owned, double dt, const FaceMargins& margins) {
    path_bounds_ = bounds_of_paths(owned, dt, box_, inner_part(slabs_, exchange_.rank(), margins),
                                   inner_part(slabs_, exchange_.rank(), {}));
    bounded_margins_ = margins;
}

/// Returns why it must be done in another way: with a wider halo, or in shorter parts. Then nothing has changed
/// but the statistics.
WindowVerdict SlabStepper::try_part(Particles& owned, std::uint64_t step, TimeSpan span, const Reach& reach,
                                    ContactSink& contacts) {
    begin(owned, span, reach, contacts.detail());
    plan_windows(span.length(), reach.window_rate);
    WindowVerdict verdict;
    while (open_window()) {
        verdict = settle_window(reach);
        if (verdict.ends_attempt()) break;
        close_window(contacts);
    }
    verdict = reason_to_give_up(verdict, reach);
    if (verdict.has_reached_cap) throw_cap(step);
    if (!verdict.needs_wider_halo() && !verdict.has_outgrown_box) {
        finish(owned);
        return {};
    }
    max_extent_ = window_->max_extent();
    engine_.abandon_step();
    contacts.take_back();
    drop_copies(halo_, owned);
    return verdict;
}

/// Of what an attempt has ended with, that which must be heeded first: contacts beyond a halo that is too
/// narrow may be wrong, and those behind a path that is too long for the box.
WindowVerdict SlabStepper::reason_to_give_up(const WindowVerdict& verdict, const Reach& reach) {
    if (verdict.needs_wider_halo())
        return {.has_escaped = verdict.has_escaped, .has_stalled = verdict.has_stalled};
    if (!verdict.has_reached_cap) return {.has_outgrown_box = verdict.has_outgrown_box};
    const bool has_outgrown_box = some_rank_has_outgrown_images(reach);
    return {.has_reached_cap = !has_outgrown_box, .has_outgrown_box = has_outgrown_box};
}

/// Whether a contact has made a particle of this rank so fast that the box is too small for it.
bool SlabStepper::has_outgrown_images(const Reach& reach) const {
    return !has_nearest_images(box_, extents_of_two(window_->max_extent(), reach.largest_extent));
}

/// Collective.
bool SlabStepper::some_rank_has_outgrown_images(const Reach& reach) {
    return exchange_.bit_or(has_outgrown_images(reach) ? 1 : 0) != 0;
}

void SlabStepper::begin(Particles& local, TimeSpan span, const Reach& reach, ContactDetail detail) {
    halo_width_ = reach.halo.max_width();
    {
        const ScopedSeconds timer(statistics_.seconds_halo);
        // Of what lies deeper, no straight path comes nearer to the lower face than that of a copy might, and
        // none leads above the upper face.
        const double straight = reach.halo.max_radius + 0.5 * reach.max_displacement;
        margins_ = {halo_width_ + 0.5 * reach.max_displacement, straight};
        if (!margins_.are_within(bounded_margins_)) path_bounds(local, span.length(), margins_);
        NearFaces near{path_bounds_.near, {}};
        if (near.slots.size() < local.size())
            near.of_others = {straight - bounded_margins_.lower, straight - bounded_margins_.upper};
        exchange_halo(exchange_, box_, slabs_, reach.halo, near, span, local, halo_);
    }
    statistics_.num_copies_sent += halo_.num_sent;
    collected_.resize(halo_.neighbours.size());
    sent_.resize(halo_.neighbours.size());
    outgoing_.resize(halo_.neighbours.size());
    const ContactForecast forecast = search(local, span, reach, detail);
    const double contact_rate = 2 * static_cast<double>(forecast.num_contacts) /
                                ((static_cast<double>(halo_.num_owned) + few_particles) * forecast.time);
    window_rate_ = contact_rate / adapted_to_ranks(options_.contacts_per_window, exchange_.size());
}

ContactForecast SlabStepper::search(Particles& local, TimeSpan span, const Reach& reach,
                                    ContactDetail detail) {
    double seconds = 0;
    ContactForecast forecast;
    {
        const ScopedSeconds timer(seconds);
        coverage_ = coverage_of(slabs_, exchange_.rank(), halo_, reach.halo);
        forecast = engine_.begin_step(local, halo_.num_owned, halo_.holders, span, coverage_, detail);
    }
    const double sorting = engine_.statistics().seconds_cells;
    statistics_.seconds_cells += sorting;
    statistics_.seconds_search += seconds - sorting;
    return forecast;
}

void SlabStepper::plan_windows(double dt, double agreed_rate) {
    const std::uint64_t count = num_windows(dt, agreed_rate);
    const ScopedSeconds timer(statistics_.seconds_islands);
    engine_.plan_windows(count);
}

/// As many as the ranks have agreed on at the start of the step; in the first one they have not, and do now.
std::uint64_t SlabStepper::num_windows(double dt, double agreed_rate) const {
    if (options_.num_windows > 0) return options_.num_windows;
    double rate = agreed_rate;
    if (rate < 0) {
        rate = window_rate_;
        exchange_.max(std::span(&rate, 1));
    }
    return static_cast<std::uint64_t>(std::max(1.0, std::ceil(rate * dt)));
}

/// Brings the open sub-window to its end, halved where it is too much for some rank. Returns what the ranks
/// found: it may end the attempt.
WindowVerdict SlabStepper::settle_window(const Reach& reach) {
    WindowVerdict verdict = settle_rounds(reach);
    for (int num_cuts = 0; is_to_be_halved(verdict, reach, num_cuts); ++num_cuts) {
        window_->halve();
        ++statistics_.num_halved;
        verdict = settle_rounds(reach);
    }
    ++statistics_.num_windows;
    return verdict;
}

/// Where it is too much for some rank. Also where it holds a particle at the cap and one for which the box is
/// too small, to learn which of them comes first: that must not depend on where sub-windows end. Halving
/// stops at 2^-64 of the sub-window, beyond the resolution of times.
bool SlabStepper::is_to_be_halved(const WindowVerdict& verdict, const Reach& reach, int num_cuts) {
    constexpr int most_cuts = 64;
    if (verdict.needs_wider_halo()) return false;
    if (verdict.is_overloaded) return true;
    return verdict.has_reached_cap && num_cuts < most_cuts && some_rank_has_outgrown_images(reach);
}

/// False where none is left. Where a search interval begins with it, that is searched first, on the engine's
/// own clock.
bool SlabStepper::open_window() {
    const double before = engine_.statistics().seconds_later_intervals;
    double seconds = 0;
    {
        const ScopedSeconds timer(seconds);
        window_ = engine_.next_window();
    }
    statistics_.seconds_islands += seconds - (engine_.statistics().seconds_later_intervals - before);
    return window_ != nullptr;
}

void SlabStepper::close_window(ContactSink& contacts) {
    const ScopedSeconds timer(statistics_.seconds_islands);
    window_->commit(contacts);
}

/// Exchanges until no rank has news for another, or has a reason not to go on.
WindowVerdict SlabStepper::settle_rounds(const Reach& reach) {
    collect(statistics_.seconds_islands);
    std::uint64_t num_rounds = 0;
    WindowVerdict verdict;
    do {
        if (exchange_events())
            collect(statistics_.seconds_repair);
        else
            collected_ = sent_;
        verdict = agree(reach);
        ++num_rounds;
        verdict.has_stalled = verdict.has_news && num_rounds == most_rounds_per_halo;
    } while (verdict.has_news && !verdict.needs_wider_halo() && !verdict.is_overloaded);
    statistics_.num_rounds += num_rounds;
    statistics_.most_rounds = std::max(statistics_.most_rounds, num_rounds);
    return verdict;
}

/// Collective.
WindowVerdict SlabStepper::agree(const Reach& reach) {
    const PathReach& paths = engine_.swept_paths().reach;
    const WindowVerdict own{
        .has_news = has_news(),
        .has_escaped = reaches_non_neighbours(slabs_, exchange_.rank(), halo_, paths.of_owned()),
        .may_have_escaped = may_have_missed(slabs_, exchange_.rank(), halo_, paths, received_bounds_),
        .is_overloaded = !is_resolved_,
        .has_reached_cap = window_->cap_hit().has_value(),
        // At the end, when all windows before are final and this is the last to become so.
        .has_outgrown_box = window_->is_last() && has_outgrown_images(reach)};
    const ScopedSeconds timer(statistics_.seconds_exchange);
    WindowVerdict verdict = own.over_ranks(exchange_);
    if (is_to_be_verified(verdict) && has_missed_contacts()) verdict.has_escaped = true;
    return verdict;
}

/// Once for all paths of the step, when it is settled; or when what ends it might come of wrong paths.
bool SlabStepper::is_to_be_verified(const WindowVerdict& verdict) const {
    const bool is_settled = !verdict.has_news && !verdict.is_overloaded;
    const bool is_at_end = window_->is_last() || verdict.has_reached_cap;
    return verdict.may_have_escaped && !verdict.has_escaped && is_settled && is_at_end;
}

/// Whether a neighbour must be sent more than it has.
bool SlabStepper::has_news() const {
    const PathReach& paths = engine_.swept_paths().reach;
    for (std::size_t n = 0; n < sent_bounds_.size(); ++n)
        if (sent_bounds_[n] != paths.bounds_for(n)) return true;
    return collected_ != sent_;
}

/// Whether paths of which some rank does not know both really come close to each other: those that lead far
/// enough are shown to the neighbours. Collective.
bool SlabStepper::has_missed_contacts() {
    ++statistics_.num_verified;
    const HaloCheck check(box_, coverage_, halo_.holders, engine_.swept_paths().spheres);
    std::vector<BoundingSphere> spheres;
    for (std::size_t n = 0; n < outgoing_.size(); ++n) {
        spheres.clear();
        check.collect_above(
            least_reach_in_question(slabs_, exchange_.rank(), halo_.neighbours[n], received_bounds_[n]),
            spheres);
        outgoing_[n].clear();
        append_records(outgoing_[n], std::span<const BoundingSphere>(spheres));
    }
    exchange_.swap_messages(MessagePhase::events, halo_.neighbours, outgoing_, incoming_);
    bool has_missed = false;
    for (std::size_t n = 0; n < incoming_.size(); ++n) {
        spheres.clear();
        read_records(incoming_[n], spheres);
        has_missed = has_missed || check.touches_unsent(static_cast<unsigned>(n), spheres);
    }
    return exchange_.bit_or(has_missed ? 1 : 0) != 0;
}

/// Brings the islands up to date and lists the boundary events for each neighbour.
void SlabStepper::collect(double& seconds) {
    const ScopedSeconds timer(seconds);
    is_resolved_ = window_->resolve();
    for (std::size_t n = 0; n < collected_.size(); ++n) {
        collected_[n].clear();
        window_->collect_boundary_events(static_cast<unsigned>(n), collected_[n]);
    }
}

/// Sends the lists just collected and imposes what the neighbours sent. False when that is what had been
/// imposed already, so that nothing is to be resolved again.
bool SlabStepper::exchange_events() {
    const ScopedSeconds timer(statistics_.seconds_exchange);
    std::swap(sent_, collected_);
    sent_bounds_.clear();
    const PathReach& paths = engine_.swept_paths().reach;
    for (std::size_t n = 0; n < sent_.size(); ++n) sent_bounds_.push_back(paths.bounds_for(n));
    for (std::size_t n = 0; n < sent_.size(); ++n) {
        outgoing_[n].resize(sizeof(FaceBounds));
        std::memcpy(outgoing_[n].data(), &sent_bounds_[n], sizeof(FaceBounds));
        append_records(outgoing_[n], std::span<const BoundaryEvent>(sent_[n]));
        statistics_.num_boundary_events += sent_[n].size();
    }
    exchange_.swap_messages(MessagePhase::events, halo_.neighbours, outgoing_, incoming_);
    std::vector<BoundaryEvent> remote;
    received_bounds_.clear();
    for (const Bytes& message : incoming_) {
        read_records(message, 0, 1, received_bounds_);
        read_records(std::span(message).subspan(sizeof(FaceBounds)), remote);
    }
    return window_->set_remote_events(remote);
}

/// The earliest of the ranks' caps is that of the whole system: everything before it is right everywhere.
void SlabStepper::throw_cap(std::uint64_t step) {
    const std::optional<CapHit> own = window_->cap_hit();
    engine_.abandon_step();
    const auto hits = all_gather_records<CapHit>(exchange_, std::span(own ? &*own : nullptr, own ? 1 : 0));
    const CapHit first = *std::min_element(hits.begin(), hits.end(), [](const CapHit& a, const CapHit& b) {
        return std::tie(a.key, a.particle) < std::tie(b.key, b.particle);
    });
    throw RunError(cap_message(step, first));
}

/// What a redo allows for: at least twice the excursion, and what the fastest particle could need; for a
/// stall a layer of particles more. Ends at the latest when the halo covers the box.
SlabStepper::Reach SlabStepper::wider(const Reach& reach, const WindowVerdict& verdict) {
    constexpr double least_growth = 1e-3;
    double wanted = max_extent_.x;
    exchange_.max(std::span(&wanted, 1));
    wanted = std::max(wanted, reach.max_displacement);
    if (verdict.has_stalled) wanted = std::max(wanted, reach.halo.excursion + 2 * reach.halo.max_radius);
    Reach wide = reach;
    wide.halo.excursion = std::max(2 * reach.halo.excursion, wanted) + least_growth * box_.size.x;
    return wide;
}

/// The factor comes down until paths have to be judged, before steps have to be done again. Judging takes as
/// long as one or two steps, and a tenth more copies next to nothing: so one such step must last for a
/// thousand (with one in ten, 600 steps of 97,336 particles took a tenth to a third longer). Some systems
/// that need a wider halo once need it again: heavy particles among light ones at rest. In others it was one
/// path. So it grows much only when it was not enough although it had grown already, and comes down from
/// there sooner. Every rank finds the same.
void SlabStepper::adapt_factor(bool has_escaped_now, bool was_verified) {
    constexpr double least = 0.6, most = 4;
    const double given = options_.excursion_factor;
    const bool has_grown = excursion_factor_ > given;
    double growth = has_grown ? 0.998 : 0.9998;
    if (was_verified || has_escaped_now) growth = has_escaped_now && has_grown ? 1.5 : 1.25;
    excursion_factor_ = std::clamp(growth * excursion_factor_, least * given, most * given);
}

/// After the attempt that has found it.
void SlabStepper::throw_images(const Particles& owned, const Reach& reach) {
    std::array<double, 3> extent{max_extent_.x, max_extent_.y, max_extent_.z};
    exchange_.max(extent);
    require_nearest_images(exchange_, owned, box_,
                           extents_of_two({extent[0], extent[1], extent[2]}, reach.largest_extent));
    throw std::logic_error("ranks without nearest images must find the axis that lacks them");
}

void SlabStepper::finish(Particles& local) {
    const ScopedSeconds timer(statistics_.seconds_finish);
    engine_.end_step();
    drop_copies(halo_, local);
    statistics_.engine += engine_.statistics();
    statistics_.seconds_search += engine_.statistics().seconds_later_intervals;
}

}  // namespace ricochet
