// SPDX-License-Identifier: BSD-3-Clause
//
// The run that a file belongs to. A run draws a random id when it starts anew, and keeps it when it is
// continued. The result and every checkpoint carry the id, so that files of two runs are never mixed.
//
// They also carry hashes of the input and of the start file: a run is continued only with the same ones.
// Neither affects a bit of the simulation, and `ricochet compare` leaves them out.
#pragma once

#include <cstdint>
#include <string>

namespace ricochet {

struct RunIdentity {
    std::string run_id;            ///< 32 hexadecimal digits, random; empty where none was drawn
    std::uint64_t input_hash = 0;  ///< hash_of_fixed_keys of the effective input
    std::uint64_t start_hash = 0;  ///< of the bytes of the start file; 0 without one

    friend bool operator==(const RunIdentity&, const RunIdentity&) = default;
};

/// Why files of `found` do not belong to a run of `now`: "its input is another", "its start file is another".
/// Empty when they do. The ids and a missing start file are not considered. Local.
std::string difference_in_origin(const RunIdentity& found, const RunIdentity& now);

}  // namespace ricochet
