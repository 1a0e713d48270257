// SPDX-License-Identifier: BSD-3-Clause
//
// Reading of files and inputs by all ranks together. One rank reads the file system; all ranks get the same
// bytes or the same error.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "ricochet/config/config.hpp"
#include "ricochet/parallel/exchange.hpp"

namespace ricochet {

struct RunInput {
    std::string text;  ///< as in the file
    Config config;
};

/// Reads and parses an input. Collective. Throws InputError on all ranks.
RunInput read_input(Exchange& exchange, const std::string& path, const std::vector<std::string>& overrides);

/// Runs `work` on rank 0; all ranks get what it returns. An InputError or RunError that it throws is thrown
/// on all ranks. Collective.
std::string on_root(Exchange& exchange, const std::function<std::string()>& work);

}  // namespace ricochet
