// SPDX-License-Identifier: BSD-3-Clause
//
// The begin of a step: which bounds stay, and the grid of subspaces.
#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

#include "kinetic/time_bounds.hpp"
#include "model/acceleration.hpp"
#include "ricochet/core/check.hpp"
#include "ricochet/core/error.hpp"

namespace ricochet {

void TimeBounds::begin(const KineticSetting& setting, TopologicalQueue& queue) {
    if (!setting.is_rebuilt) {
        origin_ = end_ - setting.now;
        end_ = origin_ + setting.end;
    }
    setting_ = setting;
    state_.now = origin_ + setting.now;
    std::size_t num_present = 0;
    double needed = 0;
    for (Slot slot = 0; slot < setting.motion.size(); ++slot) {
        if (is_absent(setting.attributes[slot])) continue;
        ++num_present;
        needed = std::max(needed, needed_side(slot, kicks_.most_acceleration));
    }
    if (setting.is_rebuilt || !fits_grid(num_present, needed)) {
        build_grid(num_present, needed);
        state_.bound_of.clear();
    }
    follow_ids();
    for (const Number bound : to_reset_) take_out(bound);
    for (const Number bound : to_reset_) put_in(bound);
    drop_stale_events(num_present);
    queue.clear();
    state_.wake_time = never;
    wake(queue);
}

/// So that a bound lasts for a quarter of a step at least.
double TimeBounds::needed_side(Slot slot, double acceleration) const {
    const double age = 0.75 * kicks_.interval;
    return 2 * radius_of(slot) + acceleration * age * age;
}

// --- the grid ----------------------------------------------------------------------------------------------

bool TimeBounds::fits_grid(std::size_t num_present, double needed) const {
    const SearchDomain &grid = state_.grid_domain, &now = setting_.domain;
    return needed <= state_.side && num_present <= 2 * state_.num_in_grid &&
           2 * num_present >= state_.num_in_grid && now.lower >= grid.lower &&
           now.lower + now.width <= grid.lower + grid.width && 2 * now.width >= grid.width;
}

/// Without any bound.
void TimeBounds::build_grid(std::size_t num_present, double needed) {
    constexpr double margin = 0.05, room_for_growth = 1.25, widening = 1.1;
    const SearchDomain& domain = setting_.domain;
    const SearchDomain wider{domain.lower - margin * domain.width, (1 + 2 * margin) * domain.width};
    const bool is_part = domain.width < box_.size.x;
    const std::array<double, 3> lower{is_part ? wider.lower : domain.lower, 0, 0};
    const std::array<double, 3> extent{is_part ? wider.width : domain.width, box_.size.y, box_.size.z};
    double volume = 1;
    for (int axis = 0; axis < box_.dimension; ++axis) volume *= extent[static_cast<std::size_t>(axis)];
    const auto number = static_cast<double>(num_present + 1);
    double wished = asked_side_;
    if (wished == 0) wished = std::max(std::pow(volume / number, 1.0 / box_.dimension), 1.5 * needed);
    const double least = (setting_.is_rebuilt ? room_for_growth : 1) * needed;
    State fresh;
    fresh.grid_domain = wider;
    fresh.num_in_grid = num_present;
    fresh.now = state_.now;
    fresh.wake_stamp = state_.wake_stamp;
    fresh.side = std::max(wished - slack_, least);  // so that cells can be as wide as wished
    const double most_cells = (asked_side_ == 0 ? 2 : 64) * number + 64;
    double num_cells = 0, width = fresh.side + slack_;
    do {
        num_cells = 1;
        for (int axis = 0; axis < 3; ++axis) {
            const auto k = static_cast<std::size_t>(axis);
            const double period = box_.is_periodic(axis) ? box_.size[axis] : 0;
            fresh.axes[k] = CellAxis(lower[k], extent[k], period, width, width);
            num_cells *= fresh.axes[k].size();
        }
        width *= widening;
    } while (num_cells > most_cells);
    fresh.first.assign(static_cast<std::size_t>(num_cells), none);
    state_ = std::move(fresh);
}

// --- bounds and slots --------------------------------------------------------------------------------------

/// Leaves each present slot its bound where it still has the same particle. Returns the others.
std::vector<Slot> TimeBounds::keep_slots() {
    const std::vector<Number> before = std::exchange(state_.bound_of, {});
    const auto num_slots = static_cast<Slot>(setting_.motion.size());
    state_.bound_of.assign(num_slots, none);
    std::fill(state_.slot_of.begin(), state_.slot_of.end(), no_slot);
    std::vector<Slot> strangers;
    for (Slot slot = 0; slot < num_slots; ++slot) {
        if (is_absent(setting_.attributes[slot])) continue;
        const Number bound = slot < before.size() ? before[slot] : none;
        if (bound != none && state_.id_of[bound] == setting_.motion[slot].id)
            take_slot(bound, slot);
        else
            strangers.push_back(slot);
    }
    return strangers;
}

/// Gives each present slot the bound of its particle, or a new one, and lists those that are to be reset. Slots may
/// have been sorted, and particles may have come or gone.
void TimeBounds::follow_ids() {
    to_reset_.clear();
    std::vector<Slot> strangers = keep_slots();
    std::vector<std::pair<ParticleId, Number>> homeless;
    for (Number bound = 0; bound < state_.slot_of.size(); ++bound)
        if (state_.slot_of[bound] == no_slot) homeless.emplace_back(state_.id_of[bound], bound);
    std::sort(homeless.begin(), homeless.end());
    std::erase_if(strangers, [&](Slot slot) {
        const std::pair<ParticleId, Number> wanted{setting_.motion[slot].id, 0};
        const auto found = std::lower_bound(homeless.begin(), homeless.end(), wanted);
        if (found == homeless.end() || found->first != wanted.first ||
            state_.slot_of[found->second] != no_slot)
            return false;
        take_slot(found->second, slot);
        return true;
    });
    std::vector<Number> free;
    for (const auto& [id, bound] : homeless)
        if (state_.slot_of[bound] == no_slot) free.push_back(bound);
    give_bounds(strangers, std::move(free));
}

/// Takes the free ones first. Unused bounds remain unassigned.
void TimeBounds::give_bounds(const std::vector<Slot>& strangers, std::vector<Number> free) {
    for (const Number bound : free) {
        take_out(bound);
        state_.id_of[bound] = no_particle;
    }
    for (const Slot slot : strangers) {
        const Number bound = free.empty() ? another_bound() : free.back();
        if (!free.empty()) free.pop_back();
        state_.id_of[bound] = setting_.motion[slot].id;
        state_.bounds[bound].acceleration = acceleration_of(kicks_, state_.id_of[bound]);
        take_slot(bound, slot);
    }
}

void TimeBounds::take_slot(Number bound, Slot slot) {
    state_.bound_of[slot] = bound;
    state_.slot_of[bound] = slot;
    if (!holds(bound, slot)) to_reset_.push_back(bound);
}

TimeBounds::Number TimeBounds::another_bound() {
    const auto bound = static_cast<Number>(state_.bounds.size());
    RICOCHET_CHECK_LT(bound, is_crossing / most_subspaces);
    state_.bounds.emplace_back();
    state_.places.emplace_back();
    state_.slot_of.push_back(no_slot);
    state_.id_of.push_back(no_particle);
    state_.entries.resize(state_.entries.size() + most_subspaces);
    if (mark_.size() < state_.bounds.size()) mark_.resize(state_.bounds.size(), 0);
    return bound;
}

/// Whether the bound holds the slot's path until the end of the step, whatever has happened since it was reset.
bool TimeBounds::holds(Number bound, Slot slot) const {
    if (!state_.places[bound].is_present) return false;
    const TimeBound& b = state_.bounds[bound];
    if (b.radius != radius_of(slot)) return false;
    const Motion& motion = setting_.motion[slot];
    const Vec3 centre = motion.position + (setting_.now - motion.time) * motion.velocity;
    const Vec3 away = minimum_image(centre - b.centre_at(state_.now), images_);
    return b.holds_path(away, motion.velocity, state_.now, std::max(0.0, setting_.end - setting_.now), late_);
}

void TimeBounds::drop_stale_events(std::size_t num_present) {
    constexpr std::size_t most_per_particle = 16;
    if (state_.events.size() < most_per_particle * num_present + 1000) return;
    std::erase_if(state_.events, [this](const Event& event) { return is_stale(event); });
    std::make_heap(state_.events.begin(), state_.events.end(), std::greater<>());
}

}  // namespace ricochet
