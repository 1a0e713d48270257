// SPDX-License-Identifier: BSD-3-Clause
#include "parallel/serial_exchange.hpp"

#include <algorithm>

namespace ricochet {

void SerialExchange::swap_messages(MessagePhase /*phase*/, std::span<const int> neighbours,
                                   std::span<const Bytes> outgoing, std::vector<Bytes>& incoming) {
    RICOCHET_CHECK(neighbours.empty());
    RICOCHET_CHECK(outgoing.empty());
    incoming.clear();
}

std::vector<std::uint64_t> SerialExchange::all_to_all_numbers(std::span<const std::uint64_t> numbers) {
    RICOCHET_CHECK_EQ(numbers.size(), 1);
    return {numbers.begin(), numbers.end()};
}

void SerialExchange::all_to_all_pieces(std::span<const BytesView> outgoing,
                                       std::span<const BytesRoom> incoming) {
    RICOCHET_CHECK_EQ(outgoing.size(), 1);
    RICOCHET_CHECK_EQ(incoming.size(), 1);
    RICOCHET_CHECK_EQ(outgoing[0].size(), incoming[0].size());
    std::copy(outgoing[0].begin(), outgoing[0].end(), incoming[0].begin());
}

std::vector<Bytes> SerialExchange::all_gather(std::span<const std::byte> mine) {
    return {Bytes(mine.begin(), mine.end())};
}

std::vector<Bytes> SerialExchange::gather(std::span<const std::byte> mine, int root) {
    RICOCHET_CHECK_EQ(root, 0);
    return all_gather(mine);
}

void SerialExchange::broadcast(Bytes& /*bytes*/, int root) { RICOCHET_CHECK_EQ(root, 0); }

}  // namespace ricochet
