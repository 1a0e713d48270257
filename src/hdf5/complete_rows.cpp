// SPDX-License-Identifier: BSD-3-Clause
#include "hdf5/complete_rows.hpp"

#include <cstddef>

#include "hdf5/hdf5_types.hpp"

namespace ricochet {
namespace {

hdf5::Handle complete_rows_type() {
    const hid_t u64 = hdf5::number_type<std::uint64_t>();
    return hdf5::CompoundBuilder(sizeof(CompleteRows))
        .field("frames", offsetof(CompleteRows, frames), u64)
        .field("collisions", offsetof(CompleteRows, collisions), u64)
        .field("samples", offsetof(CompleteRows, samples), u64)
        .field("steps", offsetof(CompleteRows, steps), u64)
        .take();
}

}  // namespace

hdf5::Dataset create_complete_rows(hid_t parent) {
    const hdf5::Handle type = complete_rows_type();
    return hdf5::Dataset::create_fixed(parent, "complete", type.get(), {1});
}

void write_complete_rows(Exchange& exchange, hdf5::Dataset& dataset, const CompleteRows& complete) {
    const hdf5::Handle type = complete_rows_type();
    const hsize_t num_own = exchange.rank() == 0 ? 1 : 0;
    dataset.write(exchange, {{0}, {num_own}}, type.get(), &complete);
}

CompleteRows read_complete_rows(const hdf5::Dataset& dataset) {
    const hdf5::Handle type = complete_rows_type();
    CompleteRows complete;
    dataset.read({{0}, {1}}, type.get(), &complete);
    return complete;
}

}  // namespace ricochet
