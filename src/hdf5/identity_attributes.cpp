// SPDX-License-Identifier: BSD-3-Clause
#include "hdf5/identity_attributes.hpp"

#include "hdf5/hdf5_attribute.hpp"

namespace ricochet {

void write_identity(hid_t group, const RunIdentity& identity) {
    hdf5::write_attribute(group, "run_id", identity.run_id);
    hdf5::write_attribute(group, "input_hash", identity.input_hash);
    hdf5::write_attribute(group, "start_hash", identity.start_hash);
}

RunIdentity read_identity(hid_t group) {
    if (!hdf5::has_attribute(group, "run_id")) return {};
    return {hdf5::read_text(group, "run_id"), hdf5::read_number<std::uint64_t>(group, "input_hash"),
            hdf5::read_number<std::uint64_t>(group, "start_hash")};
}

}  // namespace ricochet
