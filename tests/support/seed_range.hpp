// SPDX-License-Identifier: BSD-3-Clause
//
// The seeds of a test that may go on for as long as one likes: FIRST:COUNT in a variable of the environment.
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>

namespace ricochet::test {

struct SeedRange {
    std::uint64_t first = 0, count = 0;

    std::uint64_t end() const { return first + count; }
};

/// Those of the variable, where it is set.
inline SeedRange seeds_of(const char* variable, SeedRange otherwise) {
    const char* const range = std::getenv(variable);
    if (range == nullptr) return otherwise;
    unsigned long long first = 0, count = 0;
    if (std::sscanf(range, "%llu:%llu", &first, &count) != 2)
        throw std::runtime_error(std::string(variable) + ": got " + range + ", expected FIRST:COUNT");
    return {first, count};
}

}  // namespace ricochet::test
