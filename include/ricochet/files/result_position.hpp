// SPDX-License-Identifier: BSD-3-Clause
//
// The extent of the rows of a result. A run that is continued cuts its result back to it. Plain data, the
// same on all ranks.
#pragma once

#include <cstdint>
#include <optional>

namespace ricochet {

/// Checksums of the complete rows of a result, the same for any number of ranks (src/result/result_sums.hpp).
struct ResultSums {
    std::uint64_t frames = 0;
    std::uint64_t collisions = 0;
    std::uint64_t samples = 0;

    friend bool operator==(const ResultSums&, const ResultSums&) = default;
};

/// The number of complete rows in a result file.
struct ResultPosition {
    std::uint64_t frames = 0;
    std::uint64_t collisions = 0;
    std::uint64_t samples = 0;
    std::uint64_t log_end_step = 0;  ///< contacts of the steps below this one have been handed in
    std::optional<std::uint64_t> first_missing_step;  ///< where the byte budget ended the collision log
    ResultSums sums{};

    friend bool operator==(const ResultPosition&, const ResultPosition&) = default;
};

}  // namespace ricochet
