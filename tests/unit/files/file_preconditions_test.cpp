// SPDX-License-Identifier: BSD-3-Clause
//
// Broken preconditions of the rooms that write files, where no MPI is needed.
#include <gtest/gtest.h>

#include <stdexcept>

#include "files/output_file.hpp"
#include "ricochet/checkpoint/checkpoint.hpp"
#include "tests/support/shared_folder.hpp"
#include "tests/support/thread_exchange.hpp"

namespace ricochet {
namespace {

using test::run_ranks;
using test::SharedFolder;

TEST(FilePreconditions, OfFiles) {
    const SharedFolder folder;
    OutputFile file(folder.file("text"));
    file.close();
    EXPECT_THROW(file.write("more"), std::logic_error);
    EXPECT_THROW(file.close(), std::logic_error);
}

/// The least, the mean and the most of each phase.
TEST(FilePreconditions, OfCheckpoint) {
    const SharedFolder folder;
    CheckpointHeader header;
    header.state.times.phase_seconds = {1, 2};
    const auto write = [&](Exchange& exchange) {
        write_checkpoint(exchange, folder.file("gas.h5md"), header, {}, 1);
    };
    EXPECT_THROW(run_ranks(2, write), std::logic_error);
}

}  // namespace
}  // namespace ricochet
