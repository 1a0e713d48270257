// SPDX-License-Identifier: BSD-3-Clause
//
// Tells work from waiting: an Exchange that passes everything on, and measures the time and the messages that
// go through it.
//
// Work is the CPU time of this thread less what it spends inside the exchange. Wall time would not do, since
// ranks that share a core would count each other's work. Time inside the exchange does not count, since ranks
// that wait may spin there. Reading the CPU clock is a system call (note 36 of tests/bench/notes.md). It is
// read only between start() and stop(), which callers need not call in every step.
#pragma once

#include <cstdint>

#include "ricochet/parallel/exchange.hpp"

namespace ricochet {

/// CPU seconds of the calling thread since some fixed time.
double thread_cpu_seconds();

/// What this rank has sent since the meter was made.
struct Traffic {
    std::uint64_t num_collectives = 0;  ///< calls of everything but swap_messages
    std::uint64_t num_messages = 0;     ///< to neighbours, empty ones included
    std::uint64_t num_bytes = 0;        ///< in them
};

class WorkMeter final : public Exchange {
  public:
    /// Keeps a reference.
    explicit WorkMeter(Exchange& inner) : inner_(inner) {}

    /// Begins to measure this rank's work. Local, as is stop().
    void start();
    /// CPU seconds of work since start().
    double stop();
    const Traffic& traffic() const { return traffic_; }

    int rank() const override { return inner_.rank(); }
    int size() const override { return inner_.size(); }
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
    const MpiExchange* mpi() const override { return inner_.mpi(); }

    /// A scope of CPU time that is no work of a slab: a wait, or work that ranks share in another way.
    class Pause {
      public:
        explicit Pause(WorkMeter& meter);
        ~Pause();
        Pause(const Pause&) = delete;
        Pause& operator=(const Pause&) = delete;
        Pause(Pause&&) = delete;
        Pause& operator=(Pause&&) = delete;

      private:
        WorkMeter& meter_;
        double began_;
    };

  private:
    Exchange& inner_;
    Traffic traffic_;
    bool is_measuring_ = false;
    double began_ = 0;    ///< by thread_cpu_seconds
    double waiting_ = 0;  ///< CPU seconds inside the exchange, and in other pauses, since then
};

}  // namespace ricochet
