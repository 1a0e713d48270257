// SPDX-License-Identifier: BSD-3-Clause
//
// Results written on some of the ranks, and their datasets as they are in the file.
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "tests/support/mpi/mpi_ranks.hpp"
#include "tests/support/mpi/sample_result.hpp"

namespace ricochet::test {

/// The raw bytes of a whole dataset, in the type of the file.
std::string dataset_bytes(const std::string& path, const std::string& name);

template <class Number>
std::vector<Number> dataset_numbers(const std::string& path, const std::string& name) {
    const std::string bytes = dataset_bytes(path, name);
    std::vector<Number> numbers(bytes.size() / sizeof(Number));
    std::copy(bytes.begin(), bytes.end(), reinterpret_cast<char*>(numbers.data()));
    return numbers;
}

/// Compares all datasets but the checksums, in all files of write_sample_result.
void expect_same_datasets(const std::string& path_a, const std::string& path_b);

/// The first `num_ranks` ranks write the run; the others wait. Returns the notice on rank 0.
std::optional<std::string> write_on(MpiRanks& world, int num_ranks, const std::string& path,
                                    const SampleRun& run, std::uint64_t rank_seed);

/// Writes the run on 1 rank, 2 ranks, ... all ranks, and asks for the same bytes.
void expect_same_on_all_rank_counts(const SampleRun& run);

}  // namespace ricochet::test
