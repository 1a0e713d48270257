// SPDX-License-Identifier: BSD-3-Clause
#include "ricochet/parallel/exchange.hpp"

#include "ricochet/core/check.hpp"
#include "ricochet/core/error.hpp"

namespace ricochet {

std::vector<Bytes> Exchange::all_to_all(std::vector<Bytes> outgoing) {
    RICOCHET_CHECK_EQ(outgoing.size(), size());
    Bytes to_myself = std::exchange(outgoing[static_cast<std::size_t>(rank())], {});
    std::vector<std::uint64_t> lengths;
    lengths.reserve(outgoing.size());
    for (const Bytes& message : outgoing) lengths.push_back(message.size());
    std::vector<Bytes> incoming;
    for (const std::uint64_t length : all_to_all_numbers(lengths)) incoming.emplace_back(length);
    all_to_all_pieces(std::vector<BytesView>(outgoing.begin(), outgoing.end()),
                      std::vector<BytesRoom>(incoming.begin(), incoming.end()));
    incoming[static_cast<std::size_t>(rank())] = std::move(to_myself);
    return incoming;
}

void Exchange::offer_end_of_start(const StartProgress& progress) {
    if (!is_end_wanted_ || bit_or(is_end_wanted_(progress) ? 1 : 0) == 0) return;
    throw StoppedAtStart(
        "stopped by a signal before the first step: nothing was written; give the same command again");
}

}  // namespace ricochet
