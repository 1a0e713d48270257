// SPDX-License-Identifier: BSD-3-Clause
#include "parallel/row_sources.hpp"

#include <array>
#include <span>

namespace ricochet {
namespace {

constexpr std::uint64_t highest_bit = std::uint64_t{1} << 63;

/// A bijection that turns the order round: lower ids are larger.
std::int64_t reversed(std::uint64_t id) { return static_cast<std::int64_t>(~id ^ highest_bit); }
std::uint64_t id_of_reversed(std::int64_t number) {
    return ~(static_cast<std::uint64_t>(number) ^ highest_bit);
}

}  // namespace

std::optional<std::string> describe_wrong_ids(Exchange& exchange, const WrongIds& mine) {
    std::array lowest{reversed(mine.unknown), reversed(mine.twice)};
    exchange.max(std::span<std::int64_t>(lowest));
    const std::uint64_t unknown = id_of_reversed(lowest[0]), twice = id_of_reversed(lowest[1]);
    if (unknown != no_id) return "particle " + std::to_string(unknown) + " is not one of the start";
    if (twice != no_id) return "particle " + std::to_string(twice) + " exists twice";
    return std::nullopt;
}

}  // namespace ricochet
