// SPDX-License-Identifier: BSD-3-Clause
//
// An Exchange that passes everything on to another: the base of those that change or watch one operation.
#pragma once

#include "ricochet/parallel/exchange.hpp"

namespace ricochet::test {

class PassingExchange : public Exchange {
  public:
    /// Keeps a reference.
    explicit PassingExchange(Exchange& inner) : inner_(inner) {}

    int rank() const override { return inner_.rank(); }
    int size() const override { return inner_.size(); }
    int ranks_on_node() override { return inner_.ranks_on_node(); }
    void swap_messages(MessagePhase phase, std::span<const int> neighbours, std::span<const Bytes> outgoing,
                       std::vector<Bytes>& incoming) override {
        inner_.swap_messages(phase, neighbours, outgoing, incoming);
    }
    std::vector<std::uint64_t> all_to_all_numbers(std::span<const std::uint64_t> numbers) override {
        return inner_.all_to_all_numbers(numbers);
    }
    void all_to_all_pieces(std::span<const BytesView> outgoing,
                           std::span<const BytesRoom> incoming) override {
        inner_.all_to_all_pieces(outgoing, incoming);
    }
    void max(std::span<double> values) override { inner_.max(values); }
    void max(std::span<std::int64_t> values) override { inner_.max(values); }
    void sum(std::span<std::int64_t> values) override { inner_.sum(values); }
    std::uint64_t sum_below(std::uint64_t mine) override { return inner_.sum_below(mine); }
    std::uint64_t bit_or(std::uint64_t flags) override { return inner_.bit_or(flags); }
    std::vector<Bytes> all_gather(std::span<const std::byte> mine) override {
        return inner_.all_gather(mine);
    }
    std::vector<Bytes> gather(std::span<const std::byte> mine, int root) override {
        return inner_.gather(mine, root);
    }
    void broadcast(Bytes& bytes, int root) override { inner_.broadcast(bytes, root); }
    const MpiExchange* mpi() const override { return inner_.mpi(); }

  private:
    Exchange& inner_;
};

}  // namespace ricochet::test
