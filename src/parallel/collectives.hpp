// SPDX-License-Identifier: BSD-3-Clause
//
// Agreement between ranks apart from the step: errors, numbers, positions in a common list, small lists, and
// whole systems that fit on one rank. All functions are collective.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "ricochet/model/particles.hpp"
#include "ricochet/parallel/exchange.hpp"

namespace ricochet {

/// The message of the lowest rank that has one, on all ranks; nothing when none has. For errors that only
/// some ranks see: all must act on them, or ranks would wait for one that has stopped.
std::optional<std::string> agreed_message(Exchange& exchange, const std::optional<std::string>& mine);

/// Throws Error with the message of the lowest rank that has one, on all ranks.
template <class Error>
void throw_together(Exchange& exchange, const std::optional<std::string>& mine) {
    if (const auto message = agreed_message(exchange, mine)) throw Error(*message);
}

/// Runs `work` on rank 0; an Error that it throws is thrown on all ranks.
template <class Error, class Work>
void run_on_root(Exchange& exchange, const Work& work) {
    std::optional<std::string> problem;
    if (exchange.rank() == 0) {
        try {
            work();
        } catch (const Error& error) {
            problem = error.what();
        }
    }
    throw_together<Error>(exchange, problem);
}

/// The largest of the ranks' numbers.
/// Requires: all are below 2^63.
std::uint64_t max_of_ranks(Exchange& exchange, std::uint64_t mine);
/// The sum of the ranks' numbers, modulo 2^64.
std::uint64_t sum_of_ranks(Exchange& exchange, std::uint64_t mine);
/// Element by element, in place, modulo 2^64: for checksums.
void sum_over_ranks(Exchange& exchange, std::span<std::uint64_t> values);

/// The position of a rank's rows among those of all ranks.
struct GlobalRows {
    std::uint64_t first = 0;  ///< rows of the ranks below this one
    std::uint64_t total = 0;  ///< rows of all ranks
};

GlobalRows locate_rows(Exchange& exchange, std::uint64_t num_local);

/// The records of rank `root`, on all ranks.
template <class Record>
void broadcast_records(Exchange& exchange, std::vector<Record>& records, int root = 0) {
    Bytes bytes;
    if (exchange.rank() == root) append_records(bytes, std::span<const Record>(records));
    exchange.broadcast(bytes, root);
    records.clear();
    read_records(bytes, records);
}

/// The text of rank `root`, on all ranks.
std::string broadcast_text(Exchange& exchange, const std::string& text, int root = 0);

/// The value that rank 0 passes, on all ranks.
template <class Value>
requires std::is_trivially_copyable_v<Value> Value value_of_root(Exchange& exchange, const Value& mine) {
    std::vector<Value> values(1, mine);
    broadcast_records(exchange, values);
    return values.at(0);
}

/// The records of all ranks, in rank order, on `root`; an empty list elsewhere.
template <class Record>
std::vector<Record> gather_records(Exchange& exchange, std::span<const Record> mine, int root = 0) {
    std::vector<Record> all;
    for (const Bytes& part : exchange.gather(std::as_bytes(mine), root)) read_records(part, all);
    return all;
}

/// The records of all ranks, in rank order, on all ranks.
template <class Record>
std::vector<Record> all_gather_records(Exchange& exchange, std::span<const Record> mine) {
    std::vector<Record> all;
    for (const Bytes& part : exchange.all_gather(std::as_bytes(mine))) read_records(part, all);
    return all;
}

/// All particles in the order of their ids on `root`, none elsewhere. For tests and small systems that fit
/// into the memory of `root`.
Particles gather_particles(Exchange& exchange, const Particles& mine, int root = 0);

/// Adds the limbs of any number of exact sums over the ranks, in place and without rounding, with one
/// message. Sum has limbs() (canonical, may be added elementwise) and from_limbs().
template <class Sum>
void reduce_exact(Exchange& exchange, std::span<Sum> sums) {
    std::vector<std::int64_t> limbs;
    for (const Sum& sum : sums) {
        const auto own = sum.limbs();
        limbs.insert(limbs.end(), own.begin(), own.end());
    }
    exchange.sum(limbs);
    auto next = limbs.cbegin();
    for (Sum& sum : sums) {
        auto own = sum.limbs();
        for (std::int64_t& limb : own) limb = *next++;
        sum = Sum::from_limbs(own);
    }
}

}  // namespace ricochet
