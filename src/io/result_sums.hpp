// SPDX-License-Identifier: BSD-3-Clause
//
// Checksums of the rows of a result. Each word of a dataset is hashed with its place and the name of the
// dataset, and all are added (sequence_sum in core/hash.hpp). So every rank adds what it writes, at flushes
// the parts are added over the ranks, and whoever reads may share the rows in any other way.
//
// What belongs to frames: all elements of the trajectory group, step, time, edges, and with the first frame
// radius and mass. Where a dataset has several names, one of them counts.
#pragma once

#include <boost/mpi/communicator.hpp>
#include <cstdint>
#include <functional>
#include <string_view>

#include "io/result_reader.hpp"
#include "ricochet/core/hash.hpp"
#include "ricochet/io/run_state.hpp"

namespace ricochet {

/// What `values`, which begin at element `first` of a dataset, add to the sum to which the dataset belongs.
template <class T>
std::uint64_t sum_of_elements(std::string_view dataset, std::uint64_t first, std::span<const T> values) {
    return sequence_sum(hash_values(std::span<const char>(dataset)), first, values);
}

/// Share number `index` of `count` that together make up a whole.
struct Share {
    std::uint64_t index = 0;
    std::uint64_t count = 1;
};

/// The sums over this share of the first rows of a result, read from the file; `on_piece` is called now and
/// then. Throws Hdf5Error when rows cannot be read. Local. O(bytes of these rows), constant memory.
ResultSums read_sums(const ResultReader& reader, const CompleteRows& rows, const Share& share,
                     const std::function<void()>& on_piece);

/// Adds up what the ranks have. Collective.
ResultSums sum_over(const boost::mpi::communicator& ranks, const ResultSums& own);

}  // namespace ricochet
