// SPDX-License-Identifier: BSD-3-Clause
//
// What the ranks agree on or bring together beside the step itself: errors, small lists, whole systems of a
// size that one rank can hold. All functions are collective.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "ricochet/core/particles.hpp"
#include "ricochet/parallel/exchange.hpp"

namespace ricochet {

/// The message of the lowest rank that has one; "" when none has. For local failures that all ranks must act
/// on, so that no rank is left waiting in the next collective:
///     if (const auto error = agreed_message(exchange, my_error); !error.empty()) throw RunError(error);
std::string agreed_message(Exchange& exchange, const std::string& mine);

/// Everybody's records in rank order on `root`, an empty list elsewhere.
template <class Record>
std::vector<Record> gather_records(Exchange& exchange, std::span<const Record> mine, int root = 0) {
    std::vector<Record> all;
    for (const Bytes& part : exchange.gather(std::as_bytes(mine), root)) read_records(part, all);
    return all;
}

/// Everybody's records in rank order, on all ranks.
template <class Record>
std::vector<Record> all_gather_records(Exchange& exchange, std::span<const Record> mine) {
    std::vector<Record> all;
    for (const Bytes& part : exchange.all_gather(std::as_bytes(mine))) read_records(part, all);
    return all;
}

/// All particles in the order of their ids on `root`, none elsewhere. For tests and small systems: root must
/// have the memory.
Particles gather_particles(Exchange& exchange, const Particles& mine, int root = 0);

/// Sums the limbs of any number of exact accumulators over the ranks, in place and without rounding: one
/// message for all of them. Sum has limbs() (canonical, may be added elementwise) and from_limbs().
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
