// SPDX-License-Identifier: BSD-3-Clause
#include "kinetic/cells_every_move.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "model/rounding.hpp"
#include "ricochet/core/error.hpp"

namespace ricochet {
namespace {

void make_unique(std::vector<Slot>& found, std::size_t from) {
    const auto begin = found.begin() + static_cast<std::ptrdiff_t>(from);
    std::sort(begin, found.end());
    found.erase(std::unique(begin, found.end()), found.end());
}

}  // namespace

CellsEveryMove::CellsEveryMove(const Box& box, const EngineOptions& /*options*/)
    : box_(box), slack_(2 * sphere_slack(box)) {}

// --- the grid ----------------------------------------------------------------------------------------------

/// About one cell per slot, at most 2 N + 64 of N slots, and none narrower than a mean particle.
void CellsEveryMove::choose_axes() {
    constexpr double growth = 1.1;
    double num_present = 0, sum = 0;
    for (Slot slot = 0; slot < setting_.motion.size(); ++slot) {
        if (is_absent(setting_.attributes[slot])) continue;
        ++num_present;
        sum += 2 * (setting_.attributes[slot].radius + setting_.reach);
    }
    const double least_width = sum / std::max(num_present, 1.0) + slack_;
    const std::array<double, 3> lower{setting_.domain.lower, 0, 0};
    const std::array<double, 3> extent{setting_.domain.width, box_.size.y, box_.size.z};
    double volume = 1;
    for (int axis = 0; axis < box_.dimension; ++axis) volume *= extent[static_cast<std::size_t>(axis)];
    double wished = std::pow(volume / (num_present + 1), 1.0 / box_.dimension), num_cells = 0;
    do {
        num_cells = 1;
        state_.longest_part = never;
        for (int axis = 0; axis < 3; ++axis) {
            const auto k = static_cast<std::size_t>(axis);
            const double period = box_.is_periodic(axis) ? box_.size[axis] : 0;
            state_.axes[k] = CellAxis(lower[k], extent[k], period, least_width, wished);
            num_cells *= state_.axes[k].size();
            state_.longest_part = std::min(state_.longest_part, state_.axes[k].least_width());
        }
        wished *= growth;
    } while (num_cells > 2 * num_present + 64);
    state_.first.assign(static_cast<std::size_t>(num_cells), none);
}

void CellsEveryMove::begin(const KineticSetting& setting, TopologicalQueue& queue) {
    setting_ = setting;
    if (!setting.is_rebuilt) latest_stamp_ = 0;
    choose_axes();
    state_.links.clear();
    state_.first_free = none;
    state_.slots.assign(setting.motion.size(), Linked{});
    queue.clear();
    for (auto slot = static_cast<Slot>(setting.motion.size()); slot-- > 0;)  // each list ascends
        if (!is_absent(setting.attributes[slot])) follow(slot, setting.now, queue);
}

// --- links -------------------------------------------------------------------------------------------------

/// Into `met_`: the cells that the slot may meet until then.
void CellsEveryMove::find_cells(Slot slot, double now, double part_end) {
    const Motion& motion = setting_.motion[slot];
    const double reach = setting_.attributes[slot].radius + setting_.reach + slack_;
    std::array<CellAxis::Range, 3> ranges;
    for (int axis = 0; axis < box_.dimension; ++axis) {
        const double velocity = motion.velocity[axis];
        const double at = motion.position[axis] + velocity * (now - motion.time);
        const double later = velocity == 0 ? at : at + velocity * (part_end - now);
        ranges[static_cast<std::size_t>(axis)] = state_.axes[static_cast<std::size_t>(axis)].cells_within(
            std::min(at, later) - reach, std::max(at, later) + reach);
    }
    met_.clear();
    const auto visit = [&](std::size_t k, auto&& act) {
        for (int n = 0; n < ranges[k].count; ++n)
            act(static_cast<std::uint32_t>((ranges[k].first + n) % state_.axes[k].size()));
    };
    const auto size = [this](std::size_t k) { return static_cast<std::uint32_t>(state_.axes[k].size()); };
    visit(0, [&](std::uint32_t x) {
        visit(1, [&](std::uint32_t y) {
            visit(2, [&](std::uint32_t z) { met_.push_back((x * size(1) + y) * size(2) + z); });
        });
    });
}

/// Links the slot to the cells of the next part of its path. `met_` then holds them.
void CellsEveryMove::follow(Slot slot, double now, TopologicalQueue& queue) {
    if (latest_stamp_ == std::numeric_limits<std::uint32_t>::max())
        throw RunError("more than 2^32 moves on one rank in one step: use a smaller run.timestep");
    const double speed = norm(setting_.motion[slot].velocity);
    const double part_end =
        speed == 0 ? setting_.end : std::min(setting_.end, now + state_.longest_part / speed);
    state_.slots[slot].stamp = ++latest_stamp_;
    find_cells(slot, now, part_end);
    unlink(slot);
    for (const std::uint32_t cell : met_) link(slot, cell);
    if (part_end < setting_.end) queue.push({part_end, slot, latest_stamp_});
}

void CellsEveryMove::link(Slot slot, std::uint32_t cell) {
    LinkNumber number = state_.first_free;
    if (number == none) {
        number = static_cast<LinkNumber>(state_.links.size());
        state_.links.emplace_back();
    } else {
        state_.first_free = state_.links[number].next_of_slot;
    }
    state_.links[number] = {slot, cell, state_.first[cell], none, state_.slots[slot].first};
    if (state_.first[cell] != none) state_.links[state_.first[cell]].previous = number;
    state_.first[cell] = state_.slots[slot].first = number;
}

void CellsEveryMove::unlink(Slot slot) {
    LinkNumber number = state_.slots[slot].first;
    while (number != none) {
        Link& link = state_.links[number];
        (link.previous == none ? state_.first[link.cell] : state_.links[link.previous].next) = link.next;
        if (link.next != none) state_.links[link.next].previous = link.previous;
        const LinkNumber following = link.next_of_slot;
        link.next_of_slot = state_.first_free;
        state_.first_free = number;
        number = following;
    }
    state_.slots[slot].first = none;
}

// --- moves -------------------------------------------------------------------------------------------------

std::optional<Slot> CellsEveryMove::process(const TopologicalEvent& event, TopologicalQueue& queue,
                                            std::vector<Slot>& found) {
    const Slot slot = event.name;
    const Linked& linked = state_.slots[slot];
    if (linked.first == none || linked.stamp != event.stamp) return std::nullopt;
    met_before_.clear();
    for (LinkNumber k = linked.first; k != none; k = state_.links[k].next_of_slot)
        met_before_.push_back(state_.links[k].cell);
    follow(slot, event.time, queue);
    for (const std::uint32_t cell : met_)
        if (std::find(met_before_.begin(), met_before_.end(), cell) == met_before_.end())
            append_cell(cell, slot, found);
    make_unique(found, 0);
    return slot;
}

bool CellsEveryMove::changed(Slot slot, double now, TopologicalQueue& queue) {
    if (is_absent(setting_.attributes[slot]))
        unlink(slot);
    else
        follow(slot, now, queue);
    return true;
}

void CellsEveryMove::append_cell(std::uint32_t cell, Slot but, std::vector<Slot>& found) const {
    for (LinkNumber k = state_.first[cell]; k != none; k = state_.links[k].next)
        if (state_.links[k].slot != but) found.push_back(state_.links[k].slot);
}

void CellsEveryMove::neighbours(Slot slot, std::vector<Slot>& found) const {
    const std::size_t from = found.size();
    for (LinkNumber k = state_.slots[slot].first; k != none; k = state_.links[k].next_of_slot)
        append_cell(state_.links[k].cell, slot, found);
    make_unique(found, from);
}

/// Each slot where its latest link is.
void CellsEveryMove::append_order(std::vector<Slot>& order) const {
    for (const LinkNumber first : state_.first)
        for (LinkNumber k = first; k != none; k = state_.links[k].next)
            if (state_.slots[state_.links[k].slot].first == k) order.push_back(state_.links[k].slot);
}

}  // namespace ricochet
