// SPDX-License-Identifier: BSD-3-Clause
//
// Exchange over MPI, through Boost.MPI's communicator, with records as plain bytes: Boost's serialisation
// is 8-46 times slower, and its irecv of a std::vector is not a posted receive, so that two outstanding ones
// of the same source and tag can get each other's message. Here every receive is posted with pointer and
// count.
//
// A message travels as one MPI message as long as it is short (`eager_bytes`: the boundary events of a
// sub-window nearly always are): 8 bytes of length and the content behind them, received into a buffer of
// that size. What does not fit follows in messages of at most `chunk_bytes` with a tag of its own, because
// MPI counts are 32-bit. Two exchanges of the same phase cannot mix: MPI keeps the order of messages of the
// same source and tag, and swap_messages returns when all of its messages are through.
#pragma once

#include <boost/mpi/communicator.hpp>
#include <cstddef>

#include "ricochet/parallel/exchange.hpp"

namespace ricochet {

/// The lengths at which messages are cut; other values than the defaults are of use to tests.
struct MessageLimits {
    std::size_t eager_bytes = 16384;                 ///< first message, its 8 bytes of length included
    std::size_t chunk_bytes = std::size_t{1} << 30;  ///< every further one; at most 2^31 - 1
};

class MpiExchange final : public Exchange {
  public:
    /// Collective: duplicates the communicator, so that no message of others can be taken for one of these.
    explicit MpiExchange(const boost::mpi::communicator& communicator, MessageLimits limits = {});

    int rank() const override { return communicator_.rank(); }
    int size() const override { return communicator_.size(); }
    void swap_messages(MessagePhase phase, std::span<const int> neighbours, std::span<const Bytes> outgoing,
                       std::vector<Bytes>& incoming) override;
    std::vector<Bytes> all_to_all(std::vector<Bytes> outgoing) override;
    void max(std::span<double> values) override;
    void sum(std::span<std::int64_t> values) override;
    std::uint64_t bit_or(std::uint64_t flags) override;
    std::vector<Bytes> all_gather(std::span<const std::byte> mine) override;
    std::vector<Bytes> gather(std::span<const std::byte> mine, int root) override;
    void broadcast(Bytes& bytes, int root) override;

    const boost::mpi::communicator& communicator() const { return communicator_; }
    /// How many of the ranks share this rank's memory, itself included. Collective.
    int ranks_on_node() const;

  private:
    boost::mpi::communicator communicator_;
    MessageLimits limits_;
    std::vector<Bytes> first_sent_, first_received_;  ///< kept between calls for their memory
};

}  // namespace ricochet
