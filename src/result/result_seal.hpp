// SPDX-License-Identifier: BSD-3-Clause
//
// The checksums of the complete rows and the description of a result, as of the latest flush. Unlike the seal
// of a checkpoint (sealed_file.hpp) they are updated while the file grows, at a cost proportional to what is
// added.
//
// Layout: the dataset /ricochet/checksums has two records, of which the newer is valid. They are written in
// turn, each before the counters of complete rows, which complete the change. So at any moment one record is
// whole and fits the counters, also in a killed run.
//
// While the description changes, for example when a file is closed, the record says so. A run killed in
// between leaves rows that can be checked, and a description that cannot.
#pragma once

#include <cstdint>
#include <optional>

#include "hdf5/complete_rows.hpp"
#include "hdf5/hdf5_dataset.hpp"
#include "ricochet/files/result_position.hpp"
#include "ricochet/parallel/exchange.hpp"

namespace ricochet {

struct ResultSeal {
    std::uint64_t serial = 0;  ///< of the record; the place is its remainder by 2
    CompleteRows complete;
    ResultSums sums;
    std::uint64_t description = 0;  ///< hdf5::hash_of_description; 0 while it changes
    std::uint64_t own_hash = 0;     ///< of the words before it
};

/// Creates the dataset "checksums" of a result without rows, whose description still changes. Collective.
void create_seals(Exchange& exchange, hid_t parent, const ResultSums& sums);

/// The newest intact record that fits the counters; none where they, or both records, are damaged.
std::optional<ResultSeal> read_seal(const hdf5::Dataset& dataset, const CompleteRows& complete);

/// The counters as the records vouch for them. A torn write of counters leaves first bytes of the newer record's before
/// last bytes of the older's. They are then the newer's, since all data had been flushed before. Other counters are
/// returned as they are.
CompleteRows untorn(const CompleteRows& found, const hdf5::Dataset& dataset);

/// Writes `seal` over the older record, and gives it the next serial number. Collective; the value of rank 0
/// counts.
void write_seal(Exchange& exchange, hdf5::Dataset& dataset, ResultSeal& seal);

}  // namespace ricochet
