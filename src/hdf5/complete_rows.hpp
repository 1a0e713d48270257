// SPDX-License-Identifier: BSD-3-Clause
//
// The counters of complete rows, which are all that readers trust. They are a contiguous dataset, not an
// attribute. Writing them touches no metadata of the file, so that a run may be killed at any moment.
#pragma once

#include <cstdint>

#include "hdf5/hdf5_dataset.hpp"
#include "ricochet/parallel/exchange.hpp"

namespace ricochet {

struct CompleteRows {
    std::uint64_t frames = 0;
    std::uint64_t collisions = 0;
    std::uint64_t samples = 0;
    std::uint64_t steps = 0;  ///< the collision log is complete for all steps below this

    friend bool operator==(const CompleteRows&, const CompleteRows&) = default;
};

/// Creates the dataset "complete". Collective.
hdf5::Dataset create_complete_rows(hid_t parent);
/// Collective.
void write_complete_rows(Exchange& exchange, hdf5::Dataset& dataset, const CompleteRows& complete);
CompleteRows read_complete_rows(const hdf5::Dataset& dataset);

}  // namespace ricochet
