// SPDX-License-Identifier: BSD-3-Clause
//
// An input without mistakes, which tests of messages spoil.
#pragma once

#include <string>
#include <vector>

#include "ricochet/config/config.hpp"
#include "ricochet/core/error.hpp"

namespace ricochet::test {

// clang-format off
inline const std::string good_input =
    "title: test\n"
    "box: {size: [10, 12, 14]}\n"
    "species:\n"
    "  - {name: a, radius: 0.5, mass: 1, diffusion: 1, count: 10}\n"
    "  - {name: b, radius: 0.4, mass: 1, diffusion: 1, count: 10}\n"
    "placement: {method: random}\n"
    "dynamics: {type: ballistic, kT: 1}\n"
    "contacts: {restitution: 1}\n"
    "run: {timestep: 0.1, steps: 10}\n"
    "output: {collisions: all}\n";
// clang-format on

/// The good input with a part replaced.
inline std::string changed(std::string text, const std::string& part, const std::string& with) {
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + with.size()))
        text.replace(at, part.size(), with);
    return text;
}

/// The error of an input; "no error" where there is none.
inline std::string messages_of(const std::string& text, const std::vector<std::string>& overrides = {}) {
    try {
        parse_config(text, "a.yaml", overrides);
    } catch (const InputError& error) {
        return error.what();
    }
    return "no error";
}

}  // namespace ricochet::test
