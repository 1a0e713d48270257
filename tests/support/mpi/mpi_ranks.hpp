// SPDX-License-Identifier: BSD-3-Clause
//
// The ranks of an MPI test: an exchange over MPI in which ranks that join different collectives are an error
// instead of a hang. Before each operation all ranks compare what they are about to do, by one reduction
// more.
#pragma once

#include <array>
#include <boost/mpi/communicator.hpp>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include "ricochet/mpi/mpi_exchange.hpp"
#include "tests/support/passing_exchange.hpp"

namespace ricochet::test {

namespace detail {
/// Made before the base that refers to it.
struct MpiBase {
    explicit MpiBase(const boost::mpi::communicator& communicator) : exchange(communicator) {}
    MpiExchange exchange;
};
}  // namespace detail

class MpiRanks final : private detail::MpiBase, public PassingExchange {
  public:
    /// All ranks of the program, or those of a communicator. Collective.
    explicit MpiRanks(const boost::mpi::communicator& communicator = {})
        : MpiBase(communicator), PassingExchange(exchange) {}

    /// The ranks that give the same colour. Collective.
    MpiRanks split(int colour) const { return MpiRanks(exchange.communicator().split(colour)); }
    /// Returns when all ranks have come. Collective.
    void barrier() { bit_or(0); }

    int ranks_on_node() override {
        require_same("ranks_on_node");
        return PassingExchange::ranks_on_node();
    }
    void swap_messages(MessagePhase phase, std::span<const int> neighbours, std::span<const Bytes> outgoing,
                       std::vector<Bytes>& incoming) override {
        require_same("swap_messages " + std::to_string(static_cast<int>(phase)));
        PassingExchange::swap_messages(phase, neighbours, outgoing, incoming);
    }
    std::vector<std::uint64_t> all_to_all_numbers(std::span<const std::uint64_t> numbers) override {
        require_same("all_to_all_numbers");
        return PassingExchange::all_to_all_numbers(numbers);
    }
    void all_to_all_pieces(std::span<const BytesView> outgoing,
                           std::span<const BytesRoom> incoming) override {
        require_same("all_to_all_pieces");
        PassingExchange::all_to_all_pieces(outgoing, incoming);
    }
    void max(std::span<double> values) override {
        require_same("max of " + std::to_string(values.size()));
        PassingExchange::max(values);
    }
    void max(std::span<std::int64_t> values) override {
        require_same("integer max of " + std::to_string(values.size()));
        PassingExchange::max(values);
    }
    void sum(std::span<std::int64_t> values) override {
        require_same("sum of " + std::to_string(values.size()));
        PassingExchange::sum(values);
    }
    std::uint64_t sum_below(std::uint64_t mine) override {
        require_same("sum_below");
        return PassingExchange::sum_below(mine);
    }
    std::uint64_t bit_or(std::uint64_t flags) override {
        require_same("bit_or");
        return PassingExchange::bit_or(flags);
    }
    std::vector<Bytes> all_gather(std::span<const std::byte> mine) override {
        require_same("all_gather");
        return PassingExchange::all_gather(mine);
    }
    std::vector<Bytes> gather(std::span<const std::byte> mine, int root) override {
        require_same("gather " + std::to_string(root));
        return PassingExchange::gather(mine, root);
    }
    void broadcast(Bytes& bytes, int root) override {
        require_same("broadcast " + std::to_string(root));
        PassingExchange::broadcast(bytes, root);
    }

  private:
    void require_same(const std::string& operation) {
        const auto hash = static_cast<std::int64_t>(std::hash<std::string>()(operation) >> 1);
        std::array<std::int64_t, 2> extremes{hash, -hash};
        exchange.max(extremes);
        if (extremes[0] != -extremes[1])
            throw std::logic_error("ranks do not join the same collective: here " + operation);
    }
};

/// Local.
inline MpiRanks this_rank_alone() {
    return MpiRanks(boost::mpi::communicator(MPI_COMM_SELF, boost::mpi::comm_attach));
}

}  // namespace ricochet::test
