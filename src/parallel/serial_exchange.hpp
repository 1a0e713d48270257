// SPDX-License-Identifier: BSD-3-Clause
//
// The exchange of one rank with itself, without MPI: for commands that read and answer.
#pragma once

#include "ricochet/parallel/exchange.hpp"

namespace ricochet {

class SerialExchange final : public Exchange {
  public:
    int rank() const override { return 0; }
    int size() const override { return 1; }
    int ranks_on_node() override { return 1; }
    void swap_messages(MessagePhase phase, std::span<const int> neighbours, std::span<const Bytes> outgoing,
                       std::vector<Bytes>& incoming) override;
    std::vector<std::uint64_t> all_to_all_numbers(std::span<const std::uint64_t> numbers) override;
    void all_to_all_pieces(std::span<const BytesView> outgoing, std::span<const BytesRoom> incoming) override;
    void max(std::span<double> /*values*/) override {}
    void max(std::span<std::int64_t> /*values*/) override {}
    void sum(std::span<std::int64_t> /*values*/) override {}
    std::uint64_t sum_below(std::uint64_t /*mine*/) override { return 0; }
    std::uint64_t bit_or(std::uint64_t flags) override { return flags; }
    std::vector<Bytes> all_gather(std::span<const std::byte> mine) override;
    std::vector<Bytes> gather(std::span<const std::byte> mine, int root) override;
    void broadcast(Bytes& bytes, int root) override;
    const MpiExchange* mpi() const override { return nullptr; }
};

}  // namespace ricochet
