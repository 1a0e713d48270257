// SPDX-License-Identifier: BSD-3-Clause
#include "result_bytes.hpp"

#include <gtest/gtest.h>

#include "result/result_reader.hpp"
#include "tests/support/mpi/temporary_folder.hpp"

namespace ricochet::test {
namespace {

std::vector<std::string> all_datasets(const std::string& path) {
    std::vector<std::string> names{"/particles/trajectory/position/value",
                                   "/particles/trajectory/position/step",
                                   "/particles/trajectory/position/time",
                                   "/particles/trajectory/velocity/value",
                                   "/particles/trajectory/image/value",
                                   "/particles/trajectory/id/value",
                                   "/particles/trajectory/species/value",
                                   "/particles/trajectory/box/edges/value",
                                   "/ricochet/collisions",
                                   "/ricochet/observables/energy/value",
                                   "/ricochet/observables/energy/step",
                                   "/ricochet/observables/momentum/value",
                                   "/ricochet/observables/momentum/time",
                                   "/ricochet/complete"};
    const ResultDescription description = ResultReader(path).description();
    if (description.first_new_id) names.emplace_back("/ricochet/rows");
    for (const std::string name : {"radius", "mass"})
        names.push_back("/particles/trajectory/" + name +
                        (description.has_changing_particles ? "/value" : ""));
    return names;
}

}  // namespace

std::string dataset_bytes(const std::string& path, const std::string& name) {
    const hdf5::Handle file = hdf5::open_for_reading(path);
    const hdf5::Dataset dataset = hdf5::Dataset::open(file.get(), name.c_str());
    const hdf5::Extents shape = dataset.shape();
    const hdf5::Block all{hdf5::Extents(shape.size(), 0), shape};
    const hdf5::Handle type = dataset.type();
    std::string bytes(all.num_elements() * H5Tget_size(type.get()), '\0');
    dataset.read(all, type.get(), bytes.data());
    return bytes;
}

void expect_same_datasets(const std::string& path_a, const std::string& path_b) {
    for (const auto& name : all_datasets(path_a))
        EXPECT_TRUE(dataset_bytes(path_a, name) == dataset_bytes(path_b, name)) << name << " differs";
}

std::optional<std::string> write_on(MpiRanks& world, int num_ranks, const std::string& path,
                                    const SampleRun& run, std::uint64_t rank_seed) {
    MpiRanks part = world.split(world.rank() < num_ranks ? 0 : 1);
    std::optional<std::string> notice;
    if (world.rank() < num_ranks)
        notice = write_sample_result(part, path, run, distribute_randomly(num_ranks, rank_seed));
    world.barrier();
    return notice;
}

void expect_same_on_all_rank_counts(const SampleRun& run) {
    MpiRanks world;
    const TemporaryFolder folder(world);
    for (int num_ranks = 1; num_ranks <= world.size(); ++num_ranks) {
        const std::string path = folder.file(std::to_string(num_ranks) + ".h5md");
        write_on(world, num_ranks, path, run, static_cast<std::uint64_t>(num_ranks));
        if (world.rank() == 0 && num_ranks > 1) expect_same_datasets(folder.file("1.h5md"), path);
    }
}

}  // namespace ricochet::test
