// SPDX-License-Identifier: BSD-3-Clause
#include "ricochet/files/run_identity.hpp"

namespace ricochet {

std::string difference_in_origin(const RunIdentity& found, const RunIdentity& now) {
    if (found.input_hash != now.input_hash) return "its input is another";
    if (now.start_hash != 0 && found.start_hash != now.start_hash) return "its start file is another";
    return "";
}

}  // namespace ricochet
