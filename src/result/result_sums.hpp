// SPDX-License-Identifier: BSD-3-Clause
//
// Checksums of the rows of a result. Each word of a dataset is hashed with its place and the name of the
// dataset, and all hashes are added (sequence_sum in core/hash.hpp). So every rank adds what it writes, and
// flushes add the parts of all ranks. Readers may share the rows in any other way.
//
// The sum of the frames covers all elements of the trajectory group, step, time, edges, radius and mass. Where
// these hold for all frames, they count with the first. A dataset with several names counts once. The ids of
// the start (start_ids.hpp) count from the beginning.
//
// Where rows may be added, the sum of an element of all particles must not change with their number. So a
// place there is made of frame and row, and fill values count nothing.
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>

#include "core/hash.hpp"
#include "result/result_reader.hpp"
#include "ricochet/files/result_position.hpp"
#include "ricochet/parallel/exchange.hpp"

namespace ricochet {

/// The contribution of `values`, which begin at element `first` of a dataset, to the sum of the dataset.
template <class T>
std::uint64_t sum_of_elements(std::string_view dataset, std::uint64_t first, std::span<const T> values) {
    return sequence_sum(hash_values(std::span<const char>(dataset)), first, values);
}

/// The same for values of whole rows of a frame, from row `first` on, of a dataset whose rows may become more.
/// Each row has `width` values, each as long as the fill value.
std::uint64_t sum_of_growing_rows(std::string_view dataset, std::uint64_t frame, std::uint64_t first,
                                  std::uint64_t width, std::span<const std::byte> values,
                                  std::span<const std::byte> fill_value);

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
ResultSums sum_over(Exchange& exchange, const ResultSums& own);

}  // namespace ricochet
