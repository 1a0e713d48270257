// SPDX-License-Identifier: BSD-3-Clause
#include "process/new_identity.hpp"

#include <fmt/format.h>

#include <random>

#include "files/sealed_file.hpp"
#include "parallel/collectives.hpp"

namespace ricochet {
namespace {

std::string draw_id() {
    std::random_device source;
    std::string id;
    for (int word = 0; word < 4; ++word) id += fmt::format("{:08x}", source());
    return id;
}

}  // namespace

RunIdentity new_identity(Exchange& exchange, const Config& config) {
    RunIdentity identity;
    if (exchange.rank() == 0) identity.run_id = draw_id();
    identity.run_id = broadcast_text(exchange, identity.run_id);
    identity.input_hash = hash_of_fixed_keys(effective_yaml(config));
    if (const std::string start = placement_path(config); !start.empty())
        identity.start_hash = checksum_of_file(exchange, start).value_or(0);
    return identity;
}

}  // namespace ricochet
