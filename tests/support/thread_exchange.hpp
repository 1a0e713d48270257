// SPDX-License-Identifier: BSD-3-Clause
//
// Exchange without MPI: every rank is a thread of one process. For tests of the parallel code under
// sanitizers, and for finding wrong use of collectives. Ranks that call different functions, or wait for one
// that has ended, or messages whose neighbour lists do not match, are an error here where MPI would hang.
//
// Every operation is: put a pointer to one's own data on the board, meet, read what the others put there,
// meet again. A rank that throws breaks the world, so that the others do not wait for it for ever.
#pragma once

#include <algorithm>
#include <condition_variable>
#include <exception>
#include <functional>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "ricochet/parallel/exchange.hpp"

namespace ricochet::test {

/// Thrown on the ranks that wait for one that has failed.
struct WorldBroken : std::runtime_error {
    WorldBroken() : std::runtime_error("another rank has failed") {}
};

/// What the threads share.
class ThreadWorld {
  public:
    struct Entry {
        std::string operation;
        const void* data = nullptr;
        std::size_t length = 0;
        std::span<const int> neighbours;
    };

    explicit ThreadWorld(int num_ranks) : board_(static_cast<std::size_t>(num_ranks)) {}

    int size() const { return static_cast<int>(board_.size()); }
    const Entry& entry(int rank) const { return board_[static_cast<std::size_t>(rank)]; }

    /// Puts the entry on the board, waits for all ranks' entries, and checks that all ranks do the same thing.
    void post(int rank, Entry entry) {
        board_[static_cast<std::size_t>(rank)] = std::move(entry);
        meet();
        for (const Entry& other : board_)
            if (other.operation != board_.front().operation)
                throw std::logic_error("ranks do not join the same collective: " + board_.front().operation +
                                       " and " + other.operation);
    }

    /// Waits until all ranks are here.
    void meet() {
        std::unique_lock lock(mutex_);
        require_all_here();
        const std::size_t round = round_;
        if (++num_waiting_ == board_.size()) {
            num_waiting_ = 0;
            ++round_;
            all_here_.notify_all();
            return;
        }
        all_here_.wait(lock, [&] { return round_ != round || broken_ || has_ended_; });
        if (round_ == round) require_all_here();
    }

    /// A rank has done all that it has to do: none may wait for it any more.
    void end() {
        const std::lock_guard lock(mutex_);
        has_ended_ = true;
        all_here_.notify_all();
    }

    void fail() {
        const std::lock_guard lock(mutex_);
        broken_ = true;
        all_here_.notify_all();
    }

  private:
    void require_all_here() const {
        if (broken_) throw WorldBroken();
        if (has_ended_) throw std::logic_error("a rank has ended, and others join a collective");
    }

    std::mutex mutex_;
    std::condition_variable all_here_;
    std::vector<Entry> board_;
    std::size_t num_waiting_ = 0;
    std::size_t round_ = 0;
    bool broken_ = false;
    bool has_ended_ = false;  ///< some rank
};

class ThreadExchange final : public Exchange {
  public:
    ThreadExchange(ThreadWorld& world, int rank) : world_(world), rank_(rank) {}

    int rank() const override { return rank_; }
    int size() const override { return world_.size(); }
    int ranks_on_node() override {
        post("ranks_on_node", nullptr, 0);
        world_.meet();
        return size();
    }

    void swap_messages(MessagePhase phase, std::span<const int> neighbours, std::span<const Bytes> outgoing,
                       std::vector<Bytes>& incoming) override {
        if (outgoing.size() != neighbours.size()) throw std::logic_error("one message per neighbour");
        incoming.resize(neighbours.size());
        post("swap " + std::to_string(static_cast<int>(phase)), outgoing.data(), 0, neighbours);
        for (std::size_t n = 0; n < neighbours.size(); ++n) {
            const auto& other = world_.entry(neighbours[n]);
            const auto found = std::find(other.neighbours.begin(), other.neighbours.end(), rank_);
            if (found == other.neighbours.end() || neighbours[n] == rank_)
                throw std::logic_error("neighbour lists do not match");
            incoming[n] = static_cast<const Bytes*>(other.data)[found - other.neighbours.begin()];
        }
        world_.meet();
    }

    std::vector<std::uint64_t> all_to_all_numbers(std::span<const std::uint64_t> numbers) override {
        require_one_per_rank(numbers.size());
        post("all_to_all_numbers", numbers.data(), 0);
        std::vector<std::uint64_t> received;
        for (int r = 0; r < size(); ++r)
            received.push_back(static_cast<const std::uint64_t*>(world_.entry(r).data)[rank_]);
        world_.meet();
        return received;
    }

    void all_to_all_pieces(std::span<const BytesView> outgoing,
                           std::span<const BytesRoom> incoming) override {
        require_one_per_rank(outgoing.size());
        require_one_per_rank(incoming.size());
        post("all_to_all_pieces", outgoing.data(), 0);
        for (int r = 0; r < size(); ++r) {
            const BytesView piece = static_cast<const BytesView*>(world_.entry(r).data)[rank_];
            const BytesRoom room = incoming[static_cast<std::size_t>(r)];
            if (piece.size() != room.size()) throw std::logic_error("a piece does not fit its room");
            std::copy(piece.begin(), piece.end(), room.begin());
        }
        world_.meet();
    }

    void max(std::span<double> values) override {
        reduce("max", values, [](double a, double b) { return std::max(a, b); });
    }
    void max(std::span<std::int64_t> values) override {
        reduce("integer max", values, [](std::int64_t a, std::int64_t b) { return std::max(a, b); });
    }
    void sum(std::span<std::int64_t> values) override {
        reduce("sum", values, [](std::int64_t a, std::int64_t b) {
            return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
        });
    }
    std::uint64_t sum_below(std::uint64_t mine) override {
        post("sum_below", &mine, sizeof mine);
        std::uint64_t sum = 0;
        for (int r = 0; r < rank_; ++r) sum += *static_cast<const std::uint64_t*>(world_.entry(r).data);
        world_.meet();
        return sum;
    }
    std::uint64_t bit_or(std::uint64_t flags) override {
        reduce("bit_or", std::span(&flags, 1), std::bit_or<std::uint64_t>());
        return flags;
    }

    std::vector<Bytes> all_gather(std::span<const std::byte> mine) override {
        post("all_gather", mine.data(), mine.size());
        auto all = entries();
        world_.meet();
        return all;
    }
    std::vector<Bytes> gather(std::span<const std::byte> mine, int root) override {
        post("gather " + std::to_string(root), mine.data(), mine.size());
        auto all = rank_ == root ? entries() : std::vector<Bytes>{};
        world_.meet();
        return all;
    }
    void broadcast(Bytes& bytes, int root) override {
        const Bytes mine = bytes;
        post("broadcast " + std::to_string(root), mine.data(), mine.size());
        bytes = content(world_.entry(root));
        world_.meet();
    }
    const MpiExchange* mpi() const override { return nullptr; }

  private:
    void require_one_per_rank(std::size_t number) const {
        if (static_cast<int>(number) != size()) throw std::logic_error("one message per rank");
    }
    void post(std::string operation, const void* data, std::size_t length,
              std::span<const int> neighbours = {}) {
        world_.post(rank_, {std::move(operation), data, length, neighbours});
    }
    static Bytes content(const ThreadWorld::Entry& entry) {
        const auto* data = static_cast<const std::byte*>(entry.data);
        return entry.length == 0 ? Bytes{} : Bytes(data, data + entry.length);
    }
    std::vector<Bytes> entries() const {
        std::vector<Bytes> all;
        for (int r = 0; r < size(); ++r) all.push_back(content(world_.entry(r)));
        return all;
    }
    template <class T, class Operation>
    void reduce(const std::string& name, std::span<T> values, Operation operation) {
        const std::vector<T> mine(values.begin(), values.end());
        post(name + " of " + std::to_string(values.size()), mine.data(), mine.size() * sizeof(T));
        for (int r = 0; r < size(); ++r) {
            const auto* other = static_cast<const T*>(world_.entry(r).data);
            for (std::size_t k = 0; k < values.size(); ++k)
                values[k] = r == 0 ? other[k] : operation(values[k], other[k]);
        }
        world_.meet();
    }

    ThreadWorld& world_;
    int rank_;
};

/// Runs f(exchange) on every rank of a world of its own, and rethrows the first rank's exception, if any.
template <class Function>
void run_ranks(int num_ranks, Function f) {
    ThreadWorld world(num_ranks);
    std::vector<std::exception_ptr> failures(static_cast<std::size_t>(num_ranks));
    std::vector<std::thread> threads;
    for (int rank = 0; rank < num_ranks; ++rank)
        threads.emplace_back([&world, &failures, &f, rank] {
            try {
                ThreadExchange exchange(world, rank);
                f(exchange);
                world.end();
            } catch (const WorldBroken&) {
            } catch (...) {
                failures[static_cast<std::size_t>(rank)] = std::current_exception();
                world.fail();
            }
        });
    for (std::thread& thread : threads) thread.join();
    for (const auto& failure : failures)
        if (failure) std::rethrow_exception(failure);
}

}  // namespace ricochet::test
