// SPDX-License-Identifier: BSD-3-Clause
//
// What a node's memory is found to be, from files as the kernel shows them, and which runs it is too small for.
#include "process/node_memory.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "ricochet/core/error.hpp"
#include "tests/support/mpi/mpi_ranks.hpp"
#include "tests/support/mpi/temporary_folder.hpp"

namespace ricochet::test {
namespace {

namespace fs = std::filesystem;

/// A folder that stands for / on this rank.
class NodeMemory : public testing::Test {
  protected:
    fs::path root() const { return folder_.file(std::to_string(world_.rank())); }
    void write(const std::string& name, const std::string& text) const {
        const fs::path path = root() / name;
        fs::create_directories(path.parent_path());
        std::ofstream(path) << text;
    }
    void write_memory() const { write("proc/meminfo", "MemTotal: 9000 kB\nMemAvailable:    1000 kB\n"); }

    MpiRanks world_;
    TemporaryFolder folder_{world_};
};

TEST_F(NodeMemory, IsUnknownWhereTheSystemDoesNotSay) { EXPECT_EQ(available_memory(root()), std::nullopt); }

TEST_F(NodeMemory, IsWhatTheKernelCallsAvailable) {
    write_memory();
    EXPECT_EQ(available_memory(root()), 1024000);
    EXPECT_GT(available_memory().value_or(0), 0);
}

TEST_F(NodeMemory, IsWhatTheGroupsLeave) {
    write_memory();
    write("proc/self/cgroup", "0::/slurm/job/step\n");
    write("sys/fs/cgroup/slurm/job/step/memory.max", "max\n");
    write("sys/fs/cgroup/slurm/job/step/memory.current", "100\n");
    EXPECT_EQ(available_memory(root()), 1024000);
    write("sys/fs/cgroup/slurm/job/memory.max", "700000\n");
    write("sys/fs/cgroup/slurm/job/memory.current", "500000\n");
    EXPECT_EQ(available_memory(root()), 200000);
    write("sys/fs/cgroup/slurm/job/memory.stat", "anon 1\nactive_file 7\ninactive_file 50000\n");
    EXPECT_EQ(available_memory(root()), 250000);
}

/// Also where the folder of the container's control group is that of the host.
TEST_F(NodeMemory, IsLimitedByAContainersGroup) {
    write_memory();
    write("proc/self/cgroup", "7:memory:/docker/1234\n3:cpu,cpuacct:/docker/1234\n");
    write("sys/fs/cgroup/memory/memory.limit_in_bytes", "600000\n");
    write("sys/fs/cgroup/memory/memory.usage_in_bytes", "600001\n");
    EXPECT_EQ(available_memory(root()), 0);
}

TEST_F(NodeMemory, IsShared) {
    EXPECT_EQ(world_.ranks_on_node(), world_.size());
    const double available = available_memory().value_or(0);
    Config config;
    ParticleSummary particles;
    particles.num_particles = 1000;
    RunPlan plan;
    plan.num_ranks = world_.size();
    plan.bytes_per_rank = available / world_.size() / 2;
    EXPECT_NO_THROW(require_memory(world_, config, particles, plan));
    plan.bytes_per_rank = available / world_.size() * 2;
    EXPECT_THROW(require_memory(world_, config, particles, plan), InputError);
}

}  // namespace
}  // namespace ricochet::test
