// SPDX-License-Identifier: BSD-3-Clause
//
// Communication between the ranks of a run. All code for more than one rank is written against this class, so
// that it runs and is tested without MPI. MpiExchange (mpi_exchange.hpp) is the one for real runs. In the
// tests every rank is a thread of one process.
//
// Design: a few operations on bytes, sufficient for the step and for output. There are one message per
// neighbour and phase, small reductions, and any-to-any messages for redistributions and sorted output. Typed
// wrappers stand below the class and in collectives.hpp. Messages may be of any length (64-bit byte counts),
// also empty.
//
// Invariant: every function but rank(), size() and mpi() is collective. All ranks call it, in the same order,
// also ranks that own no particle.
//
// Cost: a virtual call and a copy into a byte buffer per message, small against the message itself.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <span>
#include <stdexcept>
#include <type_traits>
#include <utility>
#include <vector>

#include "ricochet/core/check.hpp"

namespace ricochet {

class MpiExchange;

using Bytes = std::vector<std::byte>;
using BytesView = std::span<const std::byte>;  ///< to be read
using BytesRoom = std::span<std::byte>;        ///< to be filled

/// Distinguishes the messages of different parts of a step.
enum class MessagePhase : int { migration = 0, halo = 1, events = 2, redistribution = 3 };

/// How far the placement of a start has come, over all ranks.
struct StartProgress {
    std::uint64_t num_placed = 0;
    std::uint64_t num_particles = 0;  ///< 0: not counted
};

class Exchange {
  public:
    virtual ~Exchange() = default;
    Exchange() = default;
    Exchange(const Exchange&) = delete;
    Exchange& operator=(const Exchange&) = delete;
    Exchange(Exchange&&) = delete;
    Exchange& operator=(Exchange&&) = delete;

    virtual int rank() const = 0;
    virtual int size() const = 0;
    /// The number of ranks that share this rank's memory, including itself.
    virtual int ranks_on_node() = 0;

    /// Sends outgoing[n] to rank neighbours[n] and receives incoming[n] from it. `neighbours` lists distinct
    /// ranks, never this one. The relation is symmetric: a rank that is listed lists the caller. Ranks
    /// without neighbours pass empty lists.
    virtual void swap_messages(MessagePhase phase, std::span<const int> neighbours,
                               std::span<const Bytes> outgoing, std::vector<Bytes>& incoming) = 0;

    /// Sends numbers[r] to rank r; element r of the result comes from rank r, with the own entry included.
    /// Requires: numbers.size() == size().
    virtual std::vector<std::uint64_t> all_to_all_numbers(std::span<const std::uint64_t> numbers) = 0;
    /// Sends outgoing[r] to rank r and receives incoming[r] from it, with the own entry included. For whole systems:
    /// nothing is copied beyond what the transport copies.
    /// Requires: both lists have length size(), and incoming[r] the length that rank r sends.
    virtual void all_to_all_pieces(std::span<const BytesView> outgoing,
                                   std::span<const BytesRoom> incoming) = 0;
    /// Sends outgoing[r] to rank r; element r of the result comes from rank r, with the own entry included.
    /// Requires: outgoing.size() == size().
    std::vector<Bytes> all_to_all(std::vector<Bytes> outgoing);

    /// Elementwise maximum over the ranks, in place; same length on all ranks, no NaN.
    virtual void max(std::span<double> values) = 0;
    virtual void max(std::span<std::int64_t> values) = 0;
    /// Elementwise sum over the ranks, in place, modulo 2^64: also for unsigned numbers.
    virtual void sum(std::span<std::int64_t> values) = 0;
    /// The sum over the ranks below this one, modulo 2^64; 0 on rank 0.
    virtual std::uint64_t sum_below(std::uint64_t mine) = 0;
    /// Bitwise or over the ranks.
    virtual std::uint64_t bit_or(std::uint64_t flags) = 0;

    /// The bytes of all ranks, in rank order, on all ranks; the lengths may differ.
    virtual std::vector<Bytes> all_gather(std::span<const std::byte> mine) = 0;
    /// The bytes of all ranks, in rank order, on rank `root`; an empty list elsewhere.
    virtual std::vector<Bytes> gather(std::span<const std::byte> mine, int root) = 0;
    /// Copies the bytes of rank `root` to `bytes` of every rank.
    virtual void broadcast(Bytes& bytes, int root) = 0;

    /// The exchange over MPI that this one is or wraps; none where there is no MPI. For libraries that make
    /// the ranks write a file together.
    virtual const MpiExchange* mpi() const = 0;

    /// Lets the user end a run before its first step, while there is nothing to be saved. Every
    /// offer_end_of_start() calls `is_wanted` with how far the start has come. Set on all ranks or on none.
    void end_start_when(std::function<bool(const StartProgress&)> is_wanted) {
        is_end_wanted_ = std::move(is_wanted);
    }
    /// Long work before the first step calls this between its parts. Throws StoppedAtStart on all ranks when
    /// one wants to end.
    void offer_end_of_start(const StartProgress& progress = {});

  private:
    std::function<bool(const StartProgress&)> is_end_wanted_;
};

/// Appends the records to a message, as they are in memory.
template <class Record>
requires std::is_trivially_copyable_v<Record>
void append_records(Bytes& message, std::span<const Record> records) {
    const auto bytes = std::as_bytes(records);
    message.insert(message.end(), bytes.begin(), bytes.end());
}

/// Appends the `count` records of a message from byte `offset` on.
/// Requires: the message contains them.
template <class Record>
requires std::is_trivially_copyable_v<Record>
void read_records(std::span<const std::byte> message, std::size_t offset, std::size_t count,
                  std::vector<Record>& out) {
    RICOCHET_CHECK_LE(offset, message.size());
    RICOCHET_CHECK_LE(count, (message.size() - offset) / sizeof(Record));
    const std::size_t before = out.size();
    out.resize(before + count);
    if (count > 0) std::memcpy(out.data() + before, message.data() + offset, count * sizeof(Record));
}

/// Appends all records of a message.
/// Requires: the message contains nothing else.
template <class Record>
void read_records(std::span<const std::byte> message, std::vector<Record>& out) {
    RICOCHET_CHECK_EQ(message.size() % sizeof(Record), 0);
    read_records(message, 0, message.size() / sizeof(Record), out);
}

}  // namespace ricochet
