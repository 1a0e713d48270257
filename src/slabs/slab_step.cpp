// SPDX-License-Identifier: BSD-3-Clause
#include "slabs/slab_step.hpp"

#include <algorithm>
#include <array>
#include <span>
#include <stdexcept>
#include <tuple>

#include "model/rounding.hpp"
#include "parallel/collectives.hpp"
#include "ricochet/core/error.hpp"
#include "slabs/latest_contact_exchange.hpp"
#include "slabs/migration.hpp"
#include "slabs/step_part.hpp"
#include "slabs/tether_exchange.hpp"

namespace ricochet {

SlabStepper::SlabStepper(Exchange& exchange, StepEngine& engine, const Box& box, SlabDecomposition slabs,
                         PhaseClock& clock, SlabStepOptions options)
    : exchange_(exchange),
      engine_(engine),
      clock_(clock),
      box_(box),
      slabs_(std::move(slabs)),
      excursion_factor_(options.excursion_factor),
      window_count_(options.contacts_per_window, options.num_windows, exchange.size()),
      windows_(exchange, engine, clock) {}

// ------------------------------------------------------------------------------------------ the step as text

void SlabStepper::run(Particles& owned, std::uint64_t step, double dt, ContactSink& contacts) {
    ++statistics_.num_steps;
    num_ended_in_step_ = 0;
    grown_ = growth_ * dt;
    if (engine_.has_tethers()) owned.track.keep_tethers();
    if (engine_.prevents_collapse()) owned.track.keep_latest_contacts();
    for (StepPart part; !part.is_past_end();) {
        // Reactions at rates are decided for the rest of a step: its half would be another step.
        const bool can_be_halved = part.can_be_halved() && !engine_.has_rates();
        if (run_part(owned, {step, part.span_of(dt), part.is_last(), can_be_halved}, contacts)) {
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
bool SlabStepper::run_part(Particles& owned, const Task& task, ContactSink& contacts) {
    if (task.span.begin > 0)
        for (Motion& motion : owned.motion) motion.time = task.span.begin;
    const std::uint64_t num_verified_before = statistics_.num_verified;
    if (!agree_and_migrate(owned, task)) return false;
    bool has_escaped = false;
    for (;;) {
        const WindowVerdict verdict = attempt(owned, task, contacts);
        if (verdict.has_outgrown_box && !task.can_be_halved) throw_images(owned);
        if (verdict.has_outgrown_box) return false;
        if (!verdict.must_be_redone()) break;
        if (!verdict.needs_wider_halo()) continue;  // an engine has lost a contact: it knows
        ++statistics_.num_redone;
        has_escaped = has_escaped || verdict.has_escaped;
        reach_ = wider(verdict);
    }
    excursion_factor_.adapt(has_escaped, statistics_.num_verified > num_verified_before);
    return true;
}

/// Returns why the task must be done in another way: with a wider halo, or in shorter parts. Then nothing has
/// changed but the statistics.
WindowVerdict SlabStepper::attempt(Particles& owned, const Task& task, ContactSink& contacts) {
    exchange_copies(owned, task.span);
    search(owned, task, contacts.detail());
    const WindowVerdict found = resolve_windows(task.span.length(), contacts);
    const WindowVerdict verdict = reason_to_give_up(found);
    if (verdict.is_exhausted) {
        engine_.abandon_step();
        throw RunError(exhaustion_message(task.step));
    }
    if (verdict.has_reached_cap) throw_cap(task.step);
    if (!verdict.ends_attempt()) {
        finish(owned);
        return verdict;
    }
    // The largest may have grown in this attempt. Where a cap was reached as well, how far the attempt came depends on
    // the ranks: then it is the largest at the beginning.
    if (verdict.has_outgrown_box && !found.has_reached_cap)
        largest_ = largest_product(owned, halo_.num_owned, task.step);
    give_up(owned, contacts);
    if (verdict.has_outgrown_box && found.has_reached_cap)
        largest_ = largest_product(owned, owned.size(), task.step);
    return verdict;
}

WindowVerdict SlabStepper::resolve_windows(double dt, ContactSink& contacts) {
    const std::uint64_t count = window_count_.in_step(exchange_, dt, limits_.window_rate);
    WindowVerdict verdict;
    for (window_ = first_window(count); window_ != nullptr; window_ = next_window(contacts)) {
        verdict = windows_.settle(*window_, setting(), statistics_);
        if (verdict.ends_attempt()) break;
    }
    return verdict;
}

// -------------------------------------------------------------------------------------------- its phases

/// False where the span is too long for the box.
bool SlabStepper::agree_and_migrate(Particles& owned, const Task& task) {
    const PhaseClock::Scope scope = clock_.enter(Phase::migration);
    const double dt = task.span.length();
    // As wide as the halo will be, unless a particle is much faster than all were in the step before.
    constexpr double likely_growth = 1.1;
    bound_paths(owned, dt, {likely_growth * margins_.lower, likely_growth * margins_.upper});
    const MigrationPlan plan =
        plan_migration(owned, path_bounds_.outside, dt, box_, slabs_, exchange_.rank());
    limits_ = agree_on_limits(exchange_, path_bounds_, box_, !plan.is_to_adjacent_slabs,
                              window_count_.wished_rate());
    if (task.can_be_halved && !has_nearest_images(box_, limits_.extents())) return false;
    if (engine_.changes_matter() && !has_nearest_images(box_, limits_.extents()))
        largest_ = largest_product(owned, owned.size(), task.step);
    require_images(owned, limits_.extents());
    const std::size_t size_before = owned.size();
    migrate(exchange_, slabs_, plan, limits_.any_to_any, owned);
    follow_migration(size_before, owned.size(), path_bounds_.near);
    statistics_.num_migrated += plan.leavers.size();
    statistics_.num_any_to_any += limits_.any_to_any ? 1 : 0;
    reach_ = {limits_.max_radius,
              excursion_factor_.value() * limits_.max_displacement + excursion_slack(box_),
              limits_.max_reach};
    return true;
}

void SlabStepper::bound_paths(const Particles& owned, double dt, const FaceMargins& margins) {
    path_bounds_ = bounds_of_paths(owned, dt, box_, inner_part(slabs_, exchange_.rank(), margins),
                                   inner_part(slabs_, exchange_.rank(), {}));
    path_bounds_.max_reach = engine_.reach(owned) + grown_ * path_bounds_.max_radius;
    bounded_margins_ = margins;
}

void SlabStepper::exchange_copies(Particles& local, TimeSpan span) {
    const PhaseClock::Scope scope = clock_.enter(Phase::halo);
    halo_width_ = reach_.max_width();
    // Straight paths of particles that lie deeper than this come no nearer to the lower face than a copy's
    // might. None leads above the upper face.
    const double straight = reach_.max_radius + reach_.reaction + 0.5 * limits_.max_displacement;
    margins_ = {halo_width_ + 0.5 * limits_.max_displacement, straight};
    if (!margins_.are_within(bounded_margins_)) bound_paths(local, span.length(), margins_);
    NearFaces near{path_bounds_.near, {}};
    if (near.slots.size() < local.size())
        near.of_others = {straight - bounded_margins_.lower, straight - bounded_margins_.upper};
    exchange_halo(exchange_, box_, slabs_, reach_, near, span, local, halo_);
    if (engine_.has_tethers()) exchange_tethers(exchange_, near, halo_, local);
    if (engine_.prevents_collapse()) exchange_latest_contacts(exchange_, near, halo_, local);
    statistics_.num_copies_sent += halo_.num_sent;
}

void SlabStepper::search(Particles& local, const Task& task, ContactDetail detail) {
    const PhaseClock::Scope scope = clock_.enter(Phase::search);
    coverage_ = coverage_of(slabs_, exchange_.rank(), halo_, reach_);
    const ContactForecast forecast = engine_.begin_step(
        local, halo_.num_owned, halo_.holders,
        {task.span, detail, task.step, limits_.max_reach, growth_, task.ends_step}, coverage_);
    window_count_.note(forecast, halo_.num_owned);
}

StepWindow* SlabStepper::first_window(std::uint64_t count) {
    const PhaseClock::Scope scope = clock_.enter(Phase::events);
    engine_.plan_windows(count);
    return engine_.next_window();
}

/// Commits the open sub-window and opens the next.
StepWindow* SlabStepper::next_window(ContactSink& contacts) {
    const PhaseClock::Scope scope = clock_.enter(Phase::events);
    window_->commit(contacts);
    return engine_.next_window();
}

void SlabStepper::finish(Particles& local) {
    const PhaseClock::Scope scope = clock_.enter(Phase::finish);
    engine_.end_step();
    drop_copies(halo_, local);
    if (engine_.num_ended() > 0) num_ended_in_step_ += local.remove_absent();
    statistics_.engine += engine_.statistics();
}

// ------------------------------------------------------------------------------------- when it cannot go on

void SlabStepper::give_up(Particles& local, ContactSink& contacts) {
    max_extent_ = window_->max_extent();
    engine_.abandon_step();
    contacts.take_back();
    drop_copies(halo_, local);
}

/// The reason that decides, where there are several. Contacts beyond a halo that is too narrow may be wrong, and so may
/// those after a path that is too long for the box.
WindowVerdict SlabStepper::reason_to_give_up(const WindowVerdict& verdict) {
    if (verdict.needs_wider_halo())
        return {.has_escaped = verdict.has_escaped, .has_stalled = verdict.has_stalled};
    if (verdict.has_lost_contact) return {.has_lost_contact = true};
    if (verdict.is_exhausted) return {.is_exhausted = true};
    if (!verdict.has_reached_cap) return {.has_outgrown_box = verdict.has_outgrown_box};
    const bool has_outgrown_box = windows_.some_rank_has_outgrown_images(*window_, setting());
    return {.has_reached_cap = !has_outgrown_box, .has_outgrown_box = has_outgrown_box};
}

/// The halo of a redo: at least twice the excursion, and what the fastest particle could need; for a stall a
/// layer of particles more. Redos end at the latest when the halo covers the box.
HaloReach SlabStepper::wider(const WindowVerdict& verdict) {
    constexpr double least_growth = 1e-3;
    double wanted = max_extent_.x;
    exchange_.max(std::span(&wanted, 1));
    wanted = std::max(wanted, limits_.max_displacement);
    if (verdict.has_stalled)
        wanted = std::max(wanted, reach_.excursion + 2 * (reach_.max_radius + reach_.reaction));
    HaloReach wide = reach_;
    wide.excursion = std::max(2 * reach_.excursion, wanted) + least_growth * box_.size.x;
    return wide;
}

/// The earliest of the ranks' caps is that of the whole system: everything before it is right everywhere.
void SlabStepper::throw_cap(std::uint64_t step) {
    const std::optional<CapHit> own = window_->cap_hit();
    engine_.abandon_step();
    const auto hits = all_gather_records<CapHit>(exchange_, std::span(own ? &*own : nullptr, own ? 1 : 0));
    const CapHit first = *std::min_element(hits.begin(), hits.end(), [](const CapHit& a, const CapHit& b) {
        return std::tie(a.key, a.particle) < std::tie(b.key, b.particle);
    });
    throw RunError(cap_message(step, first, engine_));
}

/// By the largest particle as it was when the box was found too small: an attempt that is given up takes growth back.
void SlabStepper::require_images(const Particles& owned, Vec3 extents) const {
    if (!engine_.changes_matter()) return require_nearest_images(exchange_, owned, box_, extents);
    require_nearest_images(exchange_, largest_, box_, extents,
                           [this](SpeciesIndex species) { return engine_.name_of(species); });
}

/// After the attempt that has found it.
void SlabStepper::throw_images(const Particles& owned) {
    std::array<double, 3> extent{max_extent_.x, max_extent_.y, max_extent_.z};
    exchange_.max(extent);
    require_images(owned, extents_of_two({extent[0], extent[1], extent[2]}, limits_.largest_extent));
    throw std::logic_error("ranks without nearest images must find the axis that lacks them");
}

}  // namespace ricochet
