// SPDX-License-Identifier: BSD-3-Clause
#include "kinetic/cells_crossing.hpp"

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

template <class Cells>
CrossedCells<Cells>::CrossedCells(const Box& box, const EngineOptions& /*options*/)
    : box_(box), slack_(2 * sphere_slack(box)) {}

// --- the grid ----------------------------------------------------------------------------------------------

/// The width that cells need for all contacts that are possible now.
template <class Cells>
double CrossedCells<Cells>::needed_width() const {
    return state_.radii.contact_distance() + 2 * setting_.reach + slack_;
}

/// Returns the number of cells.
template <class Cells>
double CrossedCells<Cells>::set_axes(double least_width, double wished_width) {
    const std::array<double, 3> lower{setting_.domain.lower, 0, 0};
    double num_cells = 1;
    state_.least_width = never;
    for (int axis = 0; axis < 3; ++axis) {
        const auto k = static_cast<std::size_t>(axis);
        const double period = box_.is_periodic(axis) ? box_.size[axis] : 0;
        state_.axes[k] = CellAxis(lower[k], extent()[k], period, least_width, wished_width);
        num_cells *= state_.axes[k].size();
        state_.least_width = std::min(state_.least_width, state_.axes[k].least_width());
    }
    return num_cells;
}

/// Cells hold about one particle each, where particles are: in all of the domain, or where no cell need be empty.
template <class Cells>
void CrossedCells<Cells>::choose_axes(std::size_t num_present) {
    constexpr double room_for_growth = 1.25, growth = 1.1, most_per_axis = 1 << 20;
    const double least_width = (setting_.is_rebuilt ? room_for_growth : 1.0) * needed_width();
    double volume = 1;
    for (int axis = 0; axis < box_.dimension; ++axis) volume *= extent()[static_cast<std::size_t>(axis)];
    double wished = std::pow(volume / static_cast<double>(num_present + 1), 1.0 / box_.dimension);
    if constexpr (Cells::has_empty_ones) {
        const double most_cells = 2 * static_cast<double>(num_present) + 64;
        while (set_axes(least_width, wished) > most_cells) wished *= growth;
    } else {
        const double finest =
            std::max(least_width, std::max({extent()[0], extent()[1], extent()[2]}) / most_per_axis);
        set_axes(finest, wished);
        while (wished > finest && 2 * count_occupied() < num_present) set_axes(finest, wished *= 0.5);
    }
}

template <class Cells>
std::size_t CrossedCells<Cells>::count_occupied() {
    numbers_.clear();
    for (Slot slot = 0; slot < setting_.motion.size(); ++slot)
        if (!is_absent(setting_.attributes[slot])) numbers_.push_back(number_of(cell_at(slot, setting_.now)));
    std::sort(numbers_.begin(), numbers_.end());
    return static_cast<std::size_t>(std::unique(numbers_.begin(), numbers_.end()) - numbers_.begin());
}

template <class Cells>
std::uint64_t CrossedCells<Cells>::num_cells() const {
    std::uint64_t product = 1;
    for (const CellAxis& axis : state_.axes) product *= static_cast<std::uint64_t>(axis.size());
    return product;
}

/// In lexicographic order.
template <class Cells>
std::uint64_t CrossedCells<Cells>::number_of(const Cell& cell) const {
    std::uint64_t number = 0;
    for (std::size_t k = 0; k < 3; ++k)
        number =
            number * static_cast<std::uint64_t>(state_.axes[k].size()) + static_cast<std::uint64_t>(cell[k]);
    return number;
}

template <class Cells>
typename CrossedCells<Cells>::Cell CrossedCells<Cells>::cell_at(Slot slot, double now) const {
    Cell cell;
    for (int axis = 0; axis < 3; ++axis) {
        const auto k = static_cast<std::size_t>(axis);
        cell[k] = state_.axes[k].cell_of(coordinate(setting_.motion[slot], axis, now));
    }
    return cell;
}

template <class Cells>
void CrossedCells<Cells>::begin(const KineticSetting& setting, TopologicalQueue& queue) {
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
    cells_.clear(num_cells(), num_slots);
    state_.places.assign(num_slots, Place{});
    queue.clear();
    for (Slot slot = num_slots; slot-- > 0;) {  // each list ascends
        if (is_absent(setting.attributes[slot])) continue;
        insert(slot, cell_at(slot, setting.now));
        schedule(slot, setting.now, queue);
    }
}

template <class Cells>
void CrossedCells<Cells>::insert(Slot slot, const Cell& cell) {
    Place& place = state_.places[slot];
    place.cell = cell;
    place.previous = no_slot;
    place.next = cells_.exchange_first(number_of(cell), slot);
    if (place.next != no_slot) state_.places[place.next].previous = slot;
}

template <class Cells>
void CrossedCells<Cells>::remove(Slot slot) {
    Place& place = state_.places[slot];
    if (place.previous != no_slot)
        state_.places[place.previous].next = place.next;
    else if (place.next != no_slot)
        cells_.exchange_first(number_of(place.cell), place.next);
    else
        cells_.make_empty(number_of(place.cell));
    if (place.next != no_slot) state_.places[place.next].previous = place.previous;
    place.cell[0] = -1;
}

template <class Cells>
void CrossedCells<Cells>::restore() {
    state_ = saved_;
    cells_.clear(num_cells(), state_.places.size());
    for (Slot slot = 0; slot < state_.places.size(); ++slot) {
        const Place& place = state_.places[slot];
        if (place.cell[0] >= 0 && place.previous == no_slot)
            cells_.exchange_first(number_of(place.cell), slot);
    }
}

// --- crossings ---------------------------------------------------------------------------------------------

/// Whatever was scheduled for the slot before is void.
template <class Cells>
void CrossedCells<Cells>::schedule(Slot slot, double now, TopologicalQueue& queue) {
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

template <class Cells>
std::optional<Slot> CrossedCells<Cells>::process(const TopologicalEvent& event, TopologicalQueue& queue,
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
        for_each_beside(beyond, static_cast<int>(along),
                        [&](Slot first) { append_list(first, slot, found); });
    return slot;
}

template <class Cells>
bool CrossedCells<Cells>::changed(Slot slot, double now, TopologicalQueue& queue) {
    if (state_.places[slot].cell[0] >= 0) remove(slot);
    if (is_absent(setting_.attributes[slot])) return true;
    insert(slot, cell_at(slot, now));
    schedule(slot, now, queue);
    state_.radii.include(slot, setting_.attributes[slot].radius);
    return needed_width() <= state_.least_width;
}

// --- neighbours --------------------------------------------------------------------------------------------

/// visit(slot) for the first slots of the cell and of those adjacent to it along all axes but one. That one may be 3,
/// which is none.
template <class Cells>
template <class Visit>
void CrossedCells<Cells>::for_each_beside(const Cell& cell, int but, Visit&& visit) const {
    const auto along = [&](int axis) {
        const auto k = static_cast<std::size_t>(axis);
        std::array<std::int32_t, 3> cells{-1, cell[k], -1};
        if (axis != but && state_.axes[k].size() > 1) {
            cells[0] = state_.axes[k].next(cell[k], -1);
            cells[2] = state_.axes[k].next(cell[k], 1);
        }
        return cells;
    };
    const auto xs = along(0), ys = along(1), zs = along(2);
    typename Cells::Cursor cursor;
    for (const auto x : xs) {
        for (const auto y : ys) {
            for (const auto z : zs) {
                if (x < 0 || y < 0 || z < 0) continue;
                const Slot first = cells_.find(number_of({x, y, z}), cursor);
                if (first != no_slot) visit(first);
            }
        }
    }
}

template <class Cells>
void CrossedCells<Cells>::append_list(Slot first, Slot but, std::vector<Slot>& found) const {
    for (Slot slot = first; slot != no_slot; slot = state_.places[slot].next)
        if (slot != but) found.push_back(slot);
}

template <class Cells>
void CrossedCells<Cells>::neighbours(Slot slot, std::vector<Slot>& found) const {
    constexpr int no_axis = 3;
    for_each_beside(state_.places[slot].cell, no_axis, [&](Slot first) { append_list(first, slot, found); });
}

template <class Cells>
void CrossedCells<Cells>::append_order(std::vector<Slot>& order) const {
    cells_.for_each_first([&](Slot first) { append_list(first, no_slot, order); });
}

template class CrossedCells<EveryCell>;
template class CrossedCells<OccupiedCells>;

}  // namespace ricochet
