// SPDX-License-Identifier: BSD-3-Clause
#include "ricochet/mpi/mpi_exchange.hpp"

#include <algorithm>
#include <boost/mpi/collectives.hpp>
#include <boost/mpi/nonblocking.hpp>
#include <boost/mpi/operations.hpp>
#include <boost/mpi/request.hpp>
#include <functional>
#include <limits>
#include <utility>

#include "ricochet/core/check.hpp"

namespace ricochet {
namespace {

namespace mpi = boost::mpi;
using Requests = std::vector<mpi::request>;

constexpr std::size_t length_bytes = sizeof(std::uint64_t);

int first_tag(MessagePhase phase) { return 100 + 2 * static_cast<int>(phase); }
int rest_tag(MessagePhase phase) { return first_tag(phase) + 1; }

const char* chars(const std::byte* bytes) { return reinterpret_cast<const char*>(bytes); }
char* chars(std::byte* bytes) { return reinterpret_cast<char*>(bytes); }

/// Posts the sends of a buffer of any length, in pieces that MPI can count.
void send_pieces(const mpi::communicator& communicator, int destination, int tag,
                 std::span<const std::byte> bytes, std::size_t piece, Requests& requests) {
    for (; !bytes.empty(); bytes = bytes.subspan(std::min(piece, bytes.size()))) {
        const int count = static_cast<int>(std::min(piece, bytes.size()));
        requests.push_back(communicator.isend(destination, tag, chars(bytes.data()), count));
    }
}

/// Posts the receives that match send_pieces of the same length.
void receive_pieces(const mpi::communicator& communicator, int source, int tag, std::span<std::byte> bytes,
                    std::size_t piece, Requests& requests) {
    for (; !bytes.empty(); bytes = bytes.subspan(std::min(piece, bytes.size()))) {
        const int count = static_cast<int>(std::min(piece, bytes.size()));
        requests.push_back(communicator.irecv(source, tag, chars(bytes.data()), count));
    }
}

void wait_for(Requests& requests) { mpi::wait_all(requests.begin(), requests.end()); }

/// A buffer with the length and as much of the message as fits behind it.
void fill_first(std::span<const std::byte> message, std::size_t capacity, Bytes& first) {
    const std::uint64_t length = message.size();
    const std::size_t inside = std::min(message.size(), capacity - length_bytes);
    first.resize(length_bytes + inside);
    std::memcpy(first.data(), &length, length_bytes);
    if (inside > 0) std::memcpy(first.data() + length_bytes, message.data(), inside);
}

/// Resizes the message and copies its beginning; returns the number of bytes copied.
std::size_t take_first(std::span<const std::byte> first, Bytes& message) {
    std::uint64_t length = 0;
    std::memcpy(&length, first.data(), length_bytes);
    message.resize(length);
    const std::size_t inside = std::min(message.size(), first.size() - length_bytes);
    if (inside > 0) std::memcpy(message.data(), first.data() + length_bytes, inside);
    return inside;
}

std::span<std::uint64_t> as_unsigned(std::span<std::int64_t> values) {
    return {reinterpret_cast<std::uint64_t*>(values.data()), values.size()};
}

/// Boost's own in-place form binds a reference to the address MPI_IN_PLACE, which is undefined: a copy
/// instead.
template <class T, class Operation>
void reduce_in_place(const mpi::communicator& ranks, std::span<T> values, Operation operation) {
    if (values.empty()) return;  // on all ranks: they have equally many
    const std::vector<T> mine(values.begin(), values.end());
    mpi::all_reduce(ranks, mine.data(), static_cast<int>(mine.size()), values.data(), operation);
}

}  // namespace

MpiExchange::MpiExchange(const mpi::communicator& communicator, MessageLimits limits)
    : communicator_(communicator, mpi::comm_duplicate), limits_(limits) {
    constexpr std::size_t largest = std::numeric_limits<int>::max();
    RICOCHET_CHECK_GE(limits.eager_bytes, length_bytes);
    RICOCHET_CHECK_LE(limits.eager_bytes, largest);
    RICOCHET_CHECK_GE(limits.chunk_bytes, 1);
    RICOCHET_CHECK_LE(limits.chunk_bytes, largest);
}

int MpiExchange::ranks_on_node() {
    MPI_Comm node = MPI_COMM_NULL;
    MPI_Comm_split_type(communicator_, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
    int count = 1;
    MPI_Comm_size(node, &count);
    MPI_Comm_free(&node);
    return count;
}

void MpiExchange::swap_messages(MessagePhase phase, std::span<const int> neighbours,
                                std::span<const Bytes> outgoing, std::vector<Bytes>& incoming) {
    const std::size_t num_neighbours = neighbours.size();
    RICOCHET_CHECK_EQ(outgoing.size(), num_neighbours);
    for (const int neighbour : neighbours) RICOCHET_CHECK_NE(neighbour, rank());
    incoming.resize(num_neighbours);
    first_sent_.resize(std::max(first_sent_.size(), num_neighbours));
    first_received_.resize(std::max(first_received_.size(), num_neighbours));
    Requests requests;
    for (std::size_t n = 0; n < num_neighbours; ++n) {
        first_received_[n].resize(limits_.eager_bytes);
        receive_pieces(communicator_, neighbours[n], first_tag(phase), first_received_[n],
                       limits_.eager_bytes, requests);
    }
    for (std::size_t n = 0; n < num_neighbours; ++n) {
        fill_first(outgoing[n], limits_.eager_bytes, first_sent_[n]);
        send_pieces(communicator_, neighbours[n], first_tag(phase), first_sent_[n], limits_.eager_bytes,
                    requests);
    }
    wait_for(requests);
    requests.clear();
    for (std::size_t n = 0; n < num_neighbours; ++n) {
        const std::size_t here = take_first(first_received_[n], incoming[n]);
        receive_pieces(communicator_, neighbours[n], rest_tag(phase), std::span(incoming[n]).subspan(here),
                       limits_.chunk_bytes, requests);
    }
    for (std::size_t n = 0; n < num_neighbours; ++n) {
        const std::size_t sent = first_sent_[n].size() - length_bytes;
        send_pieces(communicator_, neighbours[n], rest_tag(phase), std::span(outgoing[n]).subspan(sent),
                    limits_.chunk_bytes, requests);
    }
    wait_for(requests);
}

std::vector<std::uint64_t> MpiExchange::all_to_all_numbers(std::span<const std::uint64_t> numbers) {
    RICOCHET_CHECK_EQ(numbers.size(), size());
    std::vector<std::uint64_t> received(numbers.size());
    mpi::all_to_all(communicator_, numbers.data(), 1, received.data());
    return received;
}

void MpiExchange::all_to_all_pieces(std::span<const BytesView> outgoing,
                                    std::span<const BytesRoom> incoming) {
    const int tag = first_tag(MessagePhase::redistribution);
    const auto self = static_cast<std::size_t>(rank());
    RICOCHET_CHECK_EQ(outgoing.size(), size());
    RICOCHET_CHECK_EQ(incoming.size(), size());
    RICOCHET_CHECK_EQ(outgoing[self].size(), incoming[self].size());
    Requests requests;
    for (std::size_t r = 0; r < incoming.size(); ++r)
        if (r != self)
            receive_pieces(communicator_, static_cast<int>(r), tag, incoming[r], limits_.chunk_bytes,
                           requests);
    for (std::size_t r = 0; r < outgoing.size(); ++r)
        if (r != self)
            send_pieces(communicator_, static_cast<int>(r), tag, outgoing[r], limits_.chunk_bytes, requests);
    std::copy(outgoing[self].begin(), outgoing[self].end(), incoming[self].begin());
    wait_for(requests);
}

void MpiExchange::max(std::span<double> values) {
    reduce_in_place(communicator_, values, mpi::maximum<double>());
}

void MpiExchange::max(std::span<std::int64_t> values) {
    reduce_in_place(communicator_, values, mpi::maximum<std::int64_t>());
}

void MpiExchange::sum(std::span<std::int64_t> values) {
    reduce_in_place(communicator_, as_unsigned(values), std::plus<std::uint64_t>());
}

std::uint64_t MpiExchange::sum_below(std::uint64_t mine) {
    return mpi::scan(communicator_, mine, std::plus<std::uint64_t>()) - mine;
}

std::uint64_t MpiExchange::bit_or(std::uint64_t flags) {
    std::uint64_t result = 0;
    mpi::all_reduce(communicator_, &flags, 1, &result, mpi::bitwise_or<std::uint64_t>());
    return result;
}

std::vector<Bytes> MpiExchange::all_gather(std::span<const std::byte> mine) {
    const std::vector<Bytes> parts = gather(mine, 0);
    std::vector<std::uint64_t> lengths;
    lengths.reserve(parts.size());
    Bytes packed;
    for (const Bytes& part : parts) lengths.push_back(part.size());
    append_records(packed, std::span<const std::uint64_t>(lengths));
    for (const Bytes& part : parts) packed.insert(packed.end(), part.begin(), part.end());
    broadcast(packed, 0);

    lengths.clear();
    read_records(packed, 0, static_cast<std::size_t>(size()), lengths);
    std::vector<Bytes> all;
    auto next = packed.cbegin() + static_cast<std::ptrdiff_t>(lengths.size() * length_bytes);
    for (const std::uint64_t length : lengths) {
        all.emplace_back(next, next + static_cast<std::ptrdiff_t>(length));
        next += static_cast<std::ptrdiff_t>(length);
    }
    return all;
}

std::vector<Bytes> MpiExchange::gather(std::span<const std::byte> mine, int root) {
    const std::uint64_t length = mine.size();
    const int tag = first_tag(MessagePhase::redistribution);
    Requests requests;
    std::vector<Bytes> all;
    if (rank() != root) {
        mpi::gather(communicator_, length, root);
        send_pieces(communicator_, root, tag, mine, limits_.chunk_bytes, requests);
    } else {
        std::vector<std::uint64_t> lengths;
        mpi::gather(communicator_, length, lengths, root);
        all.resize(lengths.size());
        for (std::size_t r = 0; r < all.size(); ++r) {
            all[r].resize(lengths[r]);
            if (static_cast<int>(r) == root)
                all[r].assign(mine.begin(), mine.end());
            else
                receive_pieces(communicator_, static_cast<int>(r), tag, all[r], limits_.chunk_bytes,
                               requests);
        }
    }
    wait_for(requests);
    return all;
}

void MpiExchange::broadcast(Bytes& bytes, int root) {
    std::uint64_t length = bytes.size();
    mpi::broadcast(communicator_, length, root);
    bytes.resize(length);
    for (std::span<std::byte> rest(bytes); !rest.empty();) {
        const std::size_t count = std::min(limits_.chunk_bytes, rest.size());
        mpi::broadcast(communicator_, chars(rest.data()), static_cast<int>(count), root);
        rest = rest.subspan(count);
    }
}

}  // namespace ricochet
