// SPDX-License-Identifier: BSD-3-Clause
#include "search/cells_crossing.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "model/rounding.hpp"
#include "ricochet/core/check.hpp"
#include "ricochet/core/error.hpp"

namespace ricochet {
namespace {

double coordinate(const Motion& motion, int axis, double now) {
    return motion.position[axis] + motion.velocity[axis] * (now - motion.time);
}

}  // namespace

CellsCrossing::CellsCrossing(const Box& box, const SearchOptions& /*options*/)
    : box_(box), slack_(2 * sphere_slack(box)) {}

// --- the grid ----------------------------------------------------------------------------------------------

/// Of cells, for all contacts that are possible now.
double CellsCrossing::needed_width() const {
    return state_.radii.contact_distance() + 2 * setting_.reach + slack_;
}

void CellsCrossing::choose_axes(std::size_t num_present) {
    constexpr double room_for_growth = 1.25, growth = 1.1;
    const double least_width = (setting_.is_rebuilt ? room_for_growth : 1.0) * needed_width();
    const std::array<double, 3> lower{setting_.domain.lower, 0, 0};
    const std::array<double, 3> extent{setting_.domain.width, box_.size.y, box_.size.z};
    double volume = 1;
    for (int axis = 0; axis < box_.dimension; ++axis) volume *= extent[static_cast<std::size_t>(axis)];
    const double most_cells = 2 * static_cast<double>(num_present) + 64;
    double wished = std::pow(volume / static_cast<double>(num_present + 1), 1.0 / box_.dimension);
    double num_cells = 0;
    do {
        num_cells = 1;
        for (int axis = 0; axis < 3; ++axis) {
            const auto k = static_cast<std::size_t>(axis);
            const double period = box_.is_periodic(axis) ? box_.size[axis] : 0;
            state_.axes[k] = CellAxis(lower[k], extent[k], period, least_width, wished);
            num_cells *= state_.axes[k].size();
        }
        wished *= growth;
    } while (num_cells > most_cells);
    state_.least_width = never;
    for (const CellAxis& axis : state_.axes)
        state_.least_width = std::min(state_.least_width, axis.least_width());
}

std::size_t CellsCrossing::number_of(const Cell& cell) const {
    const auto& axes = state_.axes;
    return (static_cast<std::size_t>(cell[0]) * static_cast<std::size_t>(axes[1].size()) +
            static_cast<std::size_t>(cell[1])) *
               static_cast<std::size_t>(axes[2].size()) +
           static_cast<std::size_t>(cell[2]);
}

CellsCrossing::Cell CellsCrossing::cell_at(Slot slot, double now) const {
    Cell cell;
    for (int axis = 0; axis < 3; ++axis) {
        const auto k = static_cast<std::size_t>(axis);
        cell[k] = state_.axes[k].cell_of(coordinate(setting_.motion[slot], axis, now));
    }
    return cell;
}

void CellsCrossing::begin(const KineticSetting& setting, TopologicalQueue& queue) {
    setting_ = setting;
    if (!setting.is_rebuilt) {
        latest_stamp_ = 0;
        state_.radii = {};
    }
    const auto num_slots = static_cast<Slot>(setting.motion.size());
    std::size_t num_present = 0;
    for (Slot slot = 0; slot < num_slots; ++slot) {
        if (is_absent(setting.attributes[slot])) continue;
        state_.radii.include(slot, setting.attributes[slot].radius);
        ++num_present;
    }
    choose_axes(num_present);
    const auto& axes = state_.axes;
    state_.first.assign(number_of({axes[0].size() - 1, axes[1].size() - 1, axes[2].size() - 1}) + 1, nobody);
    state_.places.assign(num_slots, Place{});
    queue.clear();
    for (Slot slot = num_slots; slot-- > 0;) {  // each list ascends
        if (is_absent(setting.attributes[slot])) continue;
        insert(slot, cell_at(slot, setting.now));
        schedule(slot, setting.now, queue);
    }
}

void CellsCrossing::insert(Slot slot, const Cell& cell) {
    Slot& first = state_.first[number_of(cell)];
    Place& place = state_.places[slot];
    place.cell = cell;
    place.previous = nobody;
    place.next = first;
    if (first != nobody) state_.places[first].previous = slot;
    first = slot;
}

void CellsCrossing::remove(Slot slot) {
    Place& place = state_.places[slot];
    if (place.previous != nobody)
        state_.places[place.previous].next = place.next;
    else
        state_.first[number_of(place.cell)] = place.next;
    if (place.next != nobody) state_.places[place.next].previous = place.previous;
    place.cell[0] = -1;
}

// --- crossings ---------------------------------------------------------------------------------------------

/// Whatever was scheduled for the slot before is void.
void CellsCrossing::schedule(Slot slot, double now, TopologicalQueue& queue) {
    if (latest_stamp_ == std::numeric_limits<std::uint32_t>::max())
        throw RunError(
            "more than 2^32 crossings of cells on one rank in one step: use a smaller run.timestep");
    const Motion& motion = setting_.motion[slot];
    Place& place = state_.places[slot];
    place.stamp = ++latest_stamp_;
    double soonest = never;
    for (int axis = 0; axis < 3; ++axis) {
        const auto k = static_cast<std::size_t>(axis);
        const double time =
            state_.axes[k].time_to_leave(place.cell[k], coordinate(motion, axis, now), motion.velocity[axis]);
        if (!(time < soonest)) continue;
        soonest = time;
        place.axis = axis;
    }
    if (soonest < never) queue.push({now + soonest, slot, place.stamp});
}

std::optional<Slot> CellsCrossing::process(const TopologicalEvent& event, TopologicalQueue& queue,
                                           std::vector<Slot>& found) {
    const Slot slot = event.name;
    const Place& place = state_.places[slot];
    if (place.cell[0] < 0 || place.stamp != event.stamp) return std::nullopt;
    const auto along = static_cast<std::size_t>(place.axis);
    const int direction = setting_.motion[slot].velocity[place.axis] > 0 ? 1 : -1;
    const CellAxis& axis = state_.axes[along];
    Cell cell = place.cell;
    cell[along] = axis.next(cell[along], direction);
    RICOCHET_CHECK_GE(cell[along], 0);
    remove(slot);
    insert(slot, cell);
    schedule(slot, event.time, queue);
    Cell beyond = cell;
    beyond[along] = axis.next(cell[along], direction);
    if (beyond[along] >= 0)
        for_each_beside(beyond, static_cast<int>(along), [&](const Cell& c) { append_cell(c, slot, found); });
    return slot;
}

bool CellsCrossing::changed(Slot slot, double now, TopologicalQueue& queue) {
    if (state_.places[slot].cell[0] >= 0) remove(slot);
    if (is_absent(setting_.attributes[slot])) return true;
    insert(slot, cell_at(slot, now));
    schedule(slot, now, queue);
    state_.radii.include(slot, setting_.attributes[slot].radius);
    return needed_width() <= state_.least_width;
}

// --- neighbours --------------------------------------------------------------------------------------------

/// visit(cell) for the cell and those adjacent to it along all axes but one; that one may be 3, which is none.
template <class Visit>
void CellsCrossing::for_each_beside(const Cell& cell, int but, Visit&& visit) const {
    const auto along = [&](int axis) {
        const auto k = static_cast<std::size_t>(axis);
        std::array<std::int32_t, 3> cells{cell[k], -1, -1};
        if (axis != but && state_.axes[k].size() > 1) {
            cells[1] = state_.axes[k].next(cell[k], 1);
            cells[2] = state_.axes[k].next(cell[k], -1);
        }
        return cells;
    };
    const auto xs = along(0), ys = along(1), zs = along(2);
    for (const auto x : xs) {
        for (const auto y : ys) {
            for (const auto z : zs)
                if (x >= 0 && y >= 0 && z >= 0) visit(Cell{x, y, z});
        }
    }
}

void CellsCrossing::append_cell(const Cell& cell, Slot but, std::vector<Slot>& found) const {
    for (Slot slot = state_.first[number_of(cell)]; slot != nobody; slot = state_.places[slot].next)
        if (slot != but) found.push_back(slot);
}

void CellsCrossing::neighbours(Slot slot, std::vector<Slot>& found) const {
    constexpr int no_axis = 3;
    for_each_beside(state_.places[slot].cell, no_axis, [&](const Cell& c) { append_cell(c, slot, found); });
}

void CellsCrossing::append_order(std::vector<Slot>& order) const {
    for (const Slot first : state_.first)
        for (Slot slot = first; slot != nobody; slot = state_.places[slot].next) order.push_back(slot);
}

}  // namespace ricochet
