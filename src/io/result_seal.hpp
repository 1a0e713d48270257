// SPDX-License-Identifier: BSD-3-Clause
//
// The checksums of a result: what its complete rows and its description add up to, as of the latest flush.
// Unlike the seal of a checkpoint (sealed_file.hpp) they are kept up while the file grows, at a cost that
// goes with what is added.
//
// Layout: the dataset /ricochet/checksums, two records of which the newer is in force. They are written in
// turn, each before the counters of complete rows, which are the moment of change: whenever a run is killed,
// one record is whole and fits the counters.
//
// While the description changes, e.g. when a file is closed, the record says that it does: a run that is
// killed in between leaves rows that can be checked, and a description that can not.
#pragma once

#include <boost/mpi/communicator.hpp>
#include <cstdint>
#include <optional>

#include "io/complete_rows.hpp"
#include "io/hdf5_dataset.hpp"
#include "ricochet/io/run_state.hpp"

namespace ricochet {

struct ResultSeal {
    std::uint64_t serial = 0;  ///< of the record; the place is its remainder by 2
    CompleteRows complete;
    ResultSums sums;
    std::uint64_t description = 0;  ///< hdf5::hash_of_description; 0 while it changes
    std::uint64_t own_hash = 0;     ///< of the words before it
};

/// Creates the dataset "checksums" of a result without rows, whose description still changes. Collective.
void create_seals(const boost::mpi::communicator& ranks, hid_t parent);

/// The newest intact record that fits the counters; none where they, or both records, are damaged.
std::optional<ResultSeal> read_seal(const hdf5::Dataset& dataset, const CompleteRows& complete);

/// Writes `seal` over the older record, with the next serial number, which it then has. Collective; what rank
/// 0 passes counts.
void write_seal(const boost::mpi::communicator& ranks, hdf5::Dataset& dataset, ResultSeal& seal);

}  // namespace ricochet
