// SPDX-License-Identifier: BSD-3-Clause
//
// What the ranks of a run can do together. Everything that needs more than one rank is written against this
// class, so that it runs and is tested without MPI: MpiExchange (mpi_exchange.hpp) is the one for real runs,
// the tests have another in which every rank is a thread of one process.
//
// Design: a few operations on bytes, wide enough for the step: one message per neighbour and phase, small
// reductions, and any-to-any for the rare redistributions. Typed wrappers stand below the class. Messages may
// be of any length (64-bit byte counts), also empty; a message to oneself is never sent by the callers.
// Disadvantage: a virtual call and a copy into a byte buffer per message, small against the message itself.
//
// Every function but rank() and size() is collective: all ranks call it, in the same order, also ranks that
// own no particle.
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

namespace ricochet {

using Bytes = std::vector<std::byte>;

/// Keeps the messages of different parts of a step apart.
enum class MessagePhase : int { migration = 0, halo = 1, events = 2, redistribution = 3 };

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

    /// Sends outgoing[n] to rank neighbours[n] and receives incoming[n] from it. `neighbours` lists distinct
    /// ranks, never this one, and the relation is symmetric: a rank that is listed lists the caller. Ranks
    /// without neighbours call it with empty lists.
    virtual void swap_messages(MessagePhase phase, std::span<const int> neighbours,
                               std::span<const Bytes> outgoing, std::vector<Bytes>& incoming) = 0;

    /// outgoing[r] to rank r, the result holds what rank r sent; both of length size(), own entry included.
    virtual std::vector<Bytes> all_to_all(std::vector<Bytes> outgoing) = 0;

    /// Element by element over the ranks, in place; same length on all ranks, no NaN.
    virtual void max(std::span<double> values) = 0;
    /// Element by element over the ranks, in place; exact, overflow is the caller's care.
    virtual void sum(std::span<std::int64_t> values) = 0;
    /// Bitwise or over the ranks.
    virtual std::uint64_t bit_or(std::uint64_t flags) = 0;

    /// Everybody's bytes in rank order, on all ranks; the lengths may differ.
    virtual std::vector<Bytes> all_gather(std::span<const std::byte> mine) = 0;
    /// Everybody's bytes in rank order on rank `root`, an empty list elsewhere.
    virtual std::vector<Bytes> gather(std::span<const std::byte> mine, int root) = 0;
    /// Rank root's bytes, in `bytes` of every rank.
    virtual void broadcast(Bytes& bytes, int root) = 0;

    /// Lets the user end a run before its first step, while there is nothing to be saved: `is_wanted` is
    /// asked at every offer_end_of_start(). Set on all ranks or on none.
    void end_start_when(std::function<bool()> is_wanted) { is_end_wanted_ = std::move(is_wanted); }
    /// A place in long work before the first step. Throws StoppedAtStart on all ranks when the end is
    /// wanted on one.
    void offer_end_of_start();

  private:
    std::function<bool()> is_end_wanted_;
};

/// Appends the records to a message as they lie in memory.
template <class Record>
requires std::is_trivially_copyable_v<Record>
void append_records(Bytes& message, std::span<const Record> records) {
    const auto bytes = std::as_bytes(records);
    message.insert(message.end(), bytes.begin(), bytes.end());
}

/// The records of a message, or of the part of it that begins at byte `offset` and holds `count` of them.
/// Throws std::logic_error where the message does not hold them: a defect of the program.
template <class Record>
requires std::is_trivially_copyable_v<Record>
void read_records(std::span<const std::byte> message, std::size_t offset, std::size_t count,
                  std::vector<Record>& out) {
    if (offset + count * sizeof(Record) > message.size())
        throw std::logic_error("a message between ranks is shorter than its content");
    const std::size_t before = out.size();
    out.resize(before + count);
    if (count > 0) std::memcpy(out.data() + before, message.data() + offset, count * sizeof(Record));
}

/// Appends all records of a message that holds nothing else.
template <class Record>
void read_records(std::span<const std::byte> message, std::vector<Record>& out) {
    if (message.size() % sizeof(Record) != 0)
        throw std::logic_error("a message between ranks is not a whole number of records");
    read_records(message, 0, message.size() / sizeof(Record), out);
}

}  // namespace ricochet
