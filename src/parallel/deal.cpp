// SPDX-License-Identifier: BSD-3-Clause
//
// Particles from one rank to all: a start that was read from a file.
#include <exception>
#include <string>
#include <utility>
#include <vector>

#include "parallel/outbox.hpp"
#include "ricochet/core/error.hpp"
#include "ricochet/parallel/id_blocks.hpp"
#include "ricochet/parallel/placement.hpp"

namespace ricochet {

namespace {

enum class Outcome : char { made_resting = 'r', made_moving = 'm', bad_input = 'i', failed = 'f' };

/// What rank 0 tells the others before it deals: an outcome (of a start: with velocities or without) and the
/// text of an error.
struct Report {
    Outcome outcome = Outcome::made_resting;
    std::string text;
};

Report shared(const Report& report, Exchange& exchange) {
    const std::string letter_and_text = static_cast<char>(report.outcome) + report.text;
    Bytes bytes;
    append_records(bytes, std::span<const char>(letter_and_text));
    exchange.broadcast(bytes, 0);
    std::vector<char> letters;
    read_records(std::span<const std::byte>(bytes), letters);
    return {static_cast<Outcome>(letters.at(0)), std::string(letters.begin() + 1, letters.end())};
}

Report run(const std::function<GivenStart()>& make, Particles& particles) {
    try {
        GivenStart start = make();
        particles = std::move(start.particles);
        return {start.has_velocities ? Outcome::made_moving : Outcome::made_resting, {}};
    } catch (const InputError& error) {
        return {Outcome::bad_input, error.what()};
    } catch (const std::exception& error) {
        return {Outcome::failed, error.what()};
    }
}

}  // namespace

GivenStart deal_from_root(const std::function<GivenStart()>& make, Exchange& exchange) {
    Particles all;
    Report report;
    if (exchange.rank() == 0) report = run(make, all);
    report = shared(report, exchange);
    if (report.outcome == Outcome::bad_input) throw InputError(report.text);
    if (report.outcome == Outcome::failed) throw RunError(report.text);

    const IdBlocks shares(all.size(), exchange.size());
    detail::Outbox<Motion> motion(exchange);
    detail::Outbox<Attributes> attributes(exchange);
    detail::Outbox<Track> track(exchange);
    for (std::size_t k = 0; k < all.size(); ++k) {
        const int rank = shares.rank_of(k);
        motion.add(rank, all.motion[k]);
        attributes.add(rank, all.attributes[k]);
        track.add(rank, all.track[k]);
    }
    all = {};
    return {{motion.deliver(), attributes.deliver(), track.deliver()},
            report.outcome == Outcome::made_moving};
}

}  // namespace ricochet
