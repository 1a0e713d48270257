// SPDX-License-Identifier: BSD-3-Clause
#include "result/collision_row.hpp"

#include <cstddef>

namespace ricochet {

hdf5::Handle collision_row_type(bool has_outcomes) {
    const hid_t u64 = hdf5::number_type<std::uint64_t>(), u32 = hdf5::number_type<std::uint32_t>();
    const hid_t f64 = hdf5::number_type<double>();
    const hdf5::Handle f64_triple = hdf5::triple_type(f64);
    hdf5::CompoundBuilder type(has_outcomes ? sizeof(OutcomeRow) : sizeof(CollisionRow));
    type.field("step", offsetof(CollisionRow, step), u64)
        .field("time", offsetof(CollisionRow, time), f64)
        .field("generation", offsetof(CollisionRow, generation), u64)
        .field("a", offsetof(CollisionRow, a), u64)
        .field("b", offsetof(CollisionRow, b), u64)
        .field("species_a", offsetof(CollisionRow, species_a), u32)
        .field("species_b", offsetof(CollisionRow, species_b), u32)
        .field("point", offsetof(CollisionRow, point), f64_triple.get())
        .field("normal", offsetof(CollisionRow, normal), f64_triple.get())
        .field("impulse", offsetof(CollisionRow, impulse), f64)
        .field("speed", offsetof(CollisionRow, speed), f64);
    if (has_outcomes)
        type.field("rule", offsetof(OutcomeRow, rule), u32)
            .field("outcome", offsetof(OutcomeRow, outcome), u32)
            .field("product_a", offsetof(OutcomeRow, product_a), u32)
            .field("product_b", offsetof(OutcomeRow, product_b), u32);
    return type.take();
}

bool has_outcomes(const hdf5::Dataset& log) {
    const hdf5::Handle type = log.type();
    return H5Tget_member_index(type.get(), "outcome") >= 0;
}

}  // namespace ricochet
