// SPDX-License-Identifier: BSD-3-Clause
//
// Creates a result. The file is written under another name, <path>.new-<id>, without frames, and closed. Only
// then is it renamed. So a file with the name of a result is readable and names its run, even when the run is
// killed at its start. An earlier file of that name is replaced only by a whole new one.
#pragma once

#include <string>
#include <vector>

#include "ricochet/files/result_position.hpp"
#include "ricochet/parallel/exchange.hpp"
#include "ricochet/result/result_description.hpp"

namespace ricochet {

/// Creates a result without rows at `path`, or at the end of its symbolic links. An existing file is replaced
/// only if `replace`. Throws InputError on all ranks when the path cannot be written, RunError on all ranks
/// when the disk has no room. Likewise when `own_ids` of all ranks are wrong (start_ids.hpp). After an error there is
/// no new file, and an earlier one is unchanged. Returns the sums of the file, the same on all ranks.
/// Collective.
ResultSums create_empty_result(Exchange& exchange, const std::string& path,
                               const ResultDescription& description, bool replace,
                               std::vector<ParticleId> own_ids = {});

}  // namespace ricochet
