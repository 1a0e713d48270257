// SPDX-License-Identifier: BSD-3-Clause
//
// The ids of the particles of the start, in ascending order: the ids of the first rows of all frames. A result
// keeps them where particles can come and ids have gaps. There an id that has ended may come back to its row,
// also in a run that begins with frames only when it is continued.
//
// Advantage over rows in the order of frame 0: every id has its row before there is a frame. Disadvantage: 8
// bytes per particle in the file, a twelfth of one frame.
#pragma once

#include <cstdint>
#include <vector>

#include "hdf5/hdf5_handle.hpp"
#include "ricochet/parallel/exchange.hpp"
#include "ricochet/result/result_description.hpp"

namespace ricochet {

/// The dataset in the group /ricochet.
inline constexpr const char* start_ids_name = "start_ids";

/// Whether rows cannot be told from the ids alone, and ids that have ended can come back.
bool needs_start_ids(const ResultDescription& description);

/// Whether the file has them. Files of earlier versions have none.
bool has_start_ids(hid_t file);

/// Those of the rows from `first` on.
std::vector<ParticleId> read_start_ids(hid_t file, std::uint64_t first, std::uint64_t count);

/// Those of a new result.
class StartIds {
  public:
    /// Sorts the ids of all ranks, in any order, where they are needed. Throws RunError on all ranks when they
    /// are neither as many different ones as the description has particles, nor none at all. Collective.
    StartIds(Exchange& exchange, const ResultDescription& description, std::vector<ParticleId> own_ids);

    /// Creates the dataset in the group, if there are any. Collective.
    void write(Exchange& exchange, hid_t group) const;

    /// Their part of ResultSums::frames, the same on all ranks.
    std::uint64_t sum() const { return sum_; }

  private:
    std::uint64_t total_ = 0, first_ = 0, sum_ = 0;
    std::vector<ParticleId> ids_;  ///< this rank's block of all
};

}  // namespace ricochet
