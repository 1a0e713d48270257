// SPDX-License-Identifier: BSD-3-Clause
//
// One row of the collision log, in memory as in the file. It has no padding, so that every byte of the file
// is defined and no conversion is needed. Where contacts do more than bounce, rows are longer: they also tell
// what came of the contact.
#pragma once

#include <array>
#include <cstdint>
#include <type_traits>

#include "hdf5/hdf5_dataset.hpp"
#include "hdf5/hdf5_types.hpp"
#include "ricochet/model/contact.hpp"

namespace ricochet {

/// The position of a contact in the chronological order of the run.
struct CollisionOrder {
    std::uint64_t step = 0;
    ContactKey key;

    friend bool operator<(const CollisionOrder& x, const CollisionOrder& y) {
        if (x.step != y.step) return x.step < y.step;
        return x.key.time != y.key.time ? x.key.time < y.key.time : x.key < y.key;
    }
};

/// What happens before the drive comes before all contacts of its step. Decays after the drift have a later time.
inline double time_in_order(double time, ContactEffect effect) {
    return time == 0 && is_between_drifts(effect) ? -1 : time;
}

/// Species number in the file of a wall. The rows tell walls from absent particles by b, the id of an obstacle.
inline constexpr std::uint32_t wall_species_in_file = 0xffffffffu;

inline std::uint32_t species_in_file(SpeciesIndex species) {
    return species == wall_species ? wall_species_in_file : species;
}
/// The reverse, for a place where no particle is absent.
inline SpeciesIndex partner_in_file(std::uint32_t species) {
    return species == wall_species_in_file ? wall_species : species;
}

struct CollisionRow {
    std::uint64_t step = 0;
    double time = 0;  ///< within the step
    std::uint64_t generation = 0;
    std::uint64_t a = 0;  ///< the lower id
    std::uint64_t b = 0;  ///< the higher id, or first_obstacle_id + face
    std::uint32_t species_a = 0;
    std::uint32_t species_b = 0;  ///< wall_species_in_file for a wall
    std::array<double, 3> point{};
    std::array<double, 3> normal{};  ///< from a to b
    double impulse = 0;
    double speed = 0;

    CollisionOrder order() const { return {step, {time, generation, a, b}}; }
};
static_assert(sizeof(CollisionRow) == 112 && std::is_trivially_copyable_v<CollisionRow>);

/// A row of a log with outcomes.
struct OutcomeRow {
    CollisionRow contact;
    std::uint32_t rule = no_rule;  ///< place in the input's list contacts.pairs, of a decay in decays
    std::uint32_t outcome = 0;     ///< index into outcome_names
    std::uint32_t product_a = 0;   ///< species of id a afterwards; absent_species where it has ended
    std::uint32_t product_b = 0;   ///< likewise of id b; wall_species_in_file for a wall

    CollisionOrder order() const {
        CollisionOrder order = contact.order();
        order.key.time = time_in_order(contact.time, static_cast<ContactEffect>(outcome));
        return order;
    }
};
static_assert(sizeof(OutcomeRow) == 128 && std::is_trivially_copyable_v<OutcomeRow>);

/// The words for ContactEffect, by its value.
inline constexpr std::array outcome_names{"bounce", "pass",  "react", "coalesce", "let_pass",
                                          "decay",  "stick", "hold",  "part"};

inline std::uint64_t step_of(const CollisionRow& row) { return row.step; }
inline std::uint64_t step_of(const OutcomeRow& row) { return row.contact.step; }

/// Row is CollisionRow or OutcomeRow.
template <class Row>
Row to_row(std::uint64_t step, const Contact& contact);
template <>
inline CollisionRow to_row(std::uint64_t step, const Contact& contact) {
    return {.step = step,
            .time = contact.key.time,
            .generation = contact.key.generation,
            .a = contact.key.low,
            .b = contact.key.high,
            .species_a = contact.species_low,
            .species_b = species_in_file(contact.species_high),
            .point = {contact.point.x, contact.point.y, contact.point.z},
            .normal = {contact.normal.x, contact.normal.y, contact.normal.z},
            .impulse = contact.impulse,
            .speed = contact.speed};
}
template <>
inline OutcomeRow to_row(std::uint64_t step, const Contact& contact) {
    return {to_row<CollisionRow>(step, contact), contact.rule, static_cast<std::uint32_t>(contact.effect),
            contact.product_low, species_in_file(contact.product_high)};
}

/// The compound type of the dataset, of CollisionRow or OutcomeRow.
hdf5::Handle collision_row_type(bool has_outcomes);
/// Whether a log has rows with outcomes.
bool has_outcomes(const hdf5::Dataset& log);

}  // namespace ricochet
