// SPDX-License-Identifier: BSD-3-Clause
#include "ricochet/io/run_identity.hpp"

#include <fmt/format.h>

#include <boost/mpi/collectives/broadcast.hpp>
#include <boost/serialization/string.hpp>
#include <random>

#include "io/hdf5_attribute.hpp"
#include "io/identity_attributes.hpp"
#include "io/sealed_file.hpp"
#include "ricochet/io/config.hpp"

namespace ricochet {
namespace {

std::string draw_id() {
    std::random_device source;
    std::string id;
    for (int word = 0; word < 4; ++word) id += fmt::format("{:08x}", source());
    return id;
}

}  // namespace

RunIdentity new_identity(const boost::mpi::communicator& ranks, const Config& config) {
    RunIdentity identity;
    if (ranks.rank() == 0) identity.run_id = draw_id();
    boost::mpi::broadcast(ranks, identity.run_id, 0);
    identity.input_hash = hash_of_fixed_keys(effective_yaml(config));
    if (const std::string start = placement_path(config); !start.empty())
        identity.start_hash = checksum_of_file(ranks, start).value_or(0);
    return identity;
}

std::string difference_in_origin(const RunIdentity& found, const RunIdentity& now) {
    if (found.input_hash != now.input_hash) return "its input is another";
    if (now.start_hash != 0 && found.start_hash != now.start_hash) return "its start file is another";
    return "";
}

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
