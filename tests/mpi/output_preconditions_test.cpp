// SPDX-License-Identifier: BSD-3-Clause
//
// Broken preconditions of HDF5 files and results.
#include <gtest/gtest.h>

#include <stdexcept>

#include "hdf5/hdf5_dataset.hpp"
#include "hdf5/hdf5_handle.hpp"
#include "result/collision_log.hpp"
#include "result/observable_writer.hpp"

namespace ricochet {
namespace {

TEST(OutputPreconditions, OfHdf5) {
    EXPECT_THROW(hdf5::Handle(-1, nullptr), std::logic_error);
    EXPECT_THROW(hdf5::chunk_extents({3}, 0), std::logic_error);
}

/// Steps do not decrease, and a sample has the values that were described.
TEST(OutputPreconditions, OfResult) {
    CollisionLog log;
    log.append(5, {});
    EXPECT_NO_THROW(log.append(5, {}));
    EXPECT_THROW(log.append(4, {}), std::logic_error);
    const std::vector<double> values(1);
    EXPECT_THROW(ObservableWriter().append(0, 0, values), std::logic_error);
}

}  // namespace
}  // namespace ricochet
