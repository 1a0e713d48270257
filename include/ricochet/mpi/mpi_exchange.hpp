// SPDX-License-Identifier: BSD-3-Clause
//
// Exchange over MPI, through Boost.MPI's communicator, with records as plain bytes. Boost's serialisation is
// slower (note 37 of tests/bench/notes.md). Its irecv of a std::vector is not a posted receive. Two
// outstanding ones of the same source and tag can get each other's message. Here every receive is posted with
// pointer and count.
//
// A short message (`eager_bytes`) is one MPI message: 8 bytes of length and the content, received into a
// buffer of that size. The boundary events of a sub-window nearly always fit. The rest of a longer message
// follows in messages of at most `chunk_bytes` with a tag of their own, because MPI counts are 32-bit.
//
// Two exchanges of the same phase cannot mix. MPI keeps the order of messages of the same source and tag, and
// swap_messages returns when all of its messages have arrived.
#pragma once

#include <boost/mpi/communicator.hpp>
#include <cstddef>

#include "ricochet/parallel/exchange.hpp"

namespace ricochet {

/// The lengths at which messages are cut. Only tests use other values than the defaults.
struct MessageLimits {
    std::size_t eager_bytes = 16384;                 ///< first message, its 8 bytes of length included
    std::size_t chunk_bytes = std::size_t{1} << 30;  ///< every further one; at most 2^31 - 1
};

class MpiExchange final : public Exchange {
  public:
    /// Collective. Duplicates the communicator, so that messages of other users cannot be confused with
    /// these.
    explicit MpiExchange(const boost::mpi::communicator& communicator, MessageLimits limits = {});

    int rank() const override { return communicator_.rank(); }
    int size() const override { return communicator_.size(); }
    int ranks_on_node() override;
    void swap_messages(MessagePhase phase, std::span<const int> neighbours, std::span<const Bytes> outgoing,
                       std::vector<Bytes>& incoming) override;
    std::vector<std::uint64_t> all_to_all_numbers(std::span<const std::uint64_t> numbers) override;
    void all_to_all_pieces(std::span<const BytesView> outgoing, std::span<const BytesRoom> incoming) override;
    void max(std::span<double> values) override;
    void max(std::span<std::int64_t> values) override;
    void sum(std::span<std::int64_t> values) override;
    std::uint64_t sum_below(std::uint64_t mine) override;
    std::uint64_t bit_or(std::uint64_t flags) override;
    std::vector<Bytes> all_gather(std::span<const std::byte> mine) override;
    std::vector<Bytes> gather(std::span<const std::byte> mine, int root) override;
    void broadcast(Bytes& bytes, int root) override;
    const MpiExchange* mpi() const override { return this; }

    const boost::mpi::communicator& communicator() const { return communicator_; }

  private:
    boost::mpi::communicator communicator_;
    MessageLimits limits_;
    std::vector<Bytes> first_sent_, first_received_;  ///< kept between calls for their memory
};

}  // namespace ricochet
