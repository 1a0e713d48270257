// SPDX-License-Identifier: BSD-3-Clause
//
// The main of every gtest program that uses MPI. All ranks run the same tests; rank 0 prints as usual, the
// others only their failures, with their rank in front. After each test the ranks meet (on a communicator of
// their own, so that a test which left a message behind cannot disturb it) and the test fails on rank 0 when
// it failed anywhere. A rank that leaves a test early while others wait in a collective hangs: prefer EXPECT
// to ASSERT before a collective; mpiexec --timeout ends what hangs all the same.
#include <gtest/gtest.h>

#include <boost/mpi.hpp>
#include <functional>
#include <iostream>
#include <sstream>
#include <string>

#include "files/output_path.hpp"
#include "mpi/mpi_library.hpp"

namespace {

namespace mpi = boost::mpi;

class FailurePrinter : public testing::EmptyTestEventListener {
  public:
    explicit FailurePrinter(int rank) : rank_(rank) {}

    void OnTestStart(const testing::TestInfo& test) override {
        test_ = std::string(test.test_suite_name()) + "." + test.name();
    }

    // Called with gtest's lock held: asking gtest for the current test here would wait for ever.
    void OnTestPartResult(const testing::TestPartResult& result) override {
        if (!result.failed()) return;
        std::ostringstream text;
        text << "[rank " << rank_ << "] " << test_ << " "
             << (result.file_name() == nullptr ? "unknown file" : result.file_name()) << ":"
             << result.line_number() << ": Failure\n"
             << result.message() << "\n";
        std::cerr << text.str() << std::flush;
    }

  private:
    int rank_;
    std::string test_;
};

class Agreement : public testing::EmptyTestEventListener {
  public:
    explicit Agreement(const mpi::communicator& ranks) : ranks_(ranks, mpi::comm_duplicate) {}

    void OnTestEnd(const testing::TestInfo& test) override {
        const int failed = test.result()->Failed() ? 1 : 0;
        const int num_failed = mpi::all_reduce(ranks_, failed, std::plus<>());
        // A failure recorded here still belongs to the test, and the printer, called later, shows it.
        if (ranks_.rank() == 0 && failed == 0 && num_failed > 0)
            ADD_FAILURE() << "failed on " << num_failed << " of " << ranks_.size() << " ranks, not on rank 0";
    }

  private:
    mpi::communicator ranks_;
};

int run_on_all_ranks(int argc, char** argv) {
    ricochet::prefer_reliable_mpi_io();
    const mpi::environment environment(argc, argv);
    const mpi::communicator world;
    auto& listeners = testing::UnitTest::GetInstance()->listeners();
    if (world.rank() != 0) {
        delete listeners.Release(listeners.default_result_printer());
        listeners.Append(new FailurePrinter(world.rank()));
    }
    Agreement agreement(world);
    listeners.Append(&agreement);
    const int status = RUN_ALL_TESTS();
    listeners.Release(&agreement);
    return mpi::all_reduce(world, status, mpi::maximum<int>());
}

}  // namespace

int main(int argc, char** argv) {
    testing::InitGoogleTest(&argc, argv);
    // Listing is done at build time, where there may be no MPI launcher.
    if (GTEST_FLAG_GET(list_tests)) return RUN_ALL_TESTS();
    return run_on_all_ranks(argc, argv);
}
