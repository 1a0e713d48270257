// SPDX-License-Identifier: BSD-3-Clause
#include "run/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <string_view>
#include <vector>

#include "core/readable.hpp"
#include "model/world_facts.hpp"
#include "parallel/collectives.hpp"
#include "run/input.hpp"
#include "theory/contact_rate.hpp"

namespace ricochet {
namespace {

/// The account of one rank: plain numbers, sent as bytes.
struct RankAccount {
    std::array<double, num_phases> seconds{};
    double total_seconds = 0;
    double computing = 0;  ///< seconds, of the phases that load balancing evens out
    std::uint64_t num_particles = 0;
    SlabStepStatistics slabs;
    GravityStatistics gravity;
};
static_assert(std::is_trivially_copyable_v<RankAccount>);

RankAccount account_of(const Simulation& simulation) {
    RankAccount account;
    account.slabs = simulation.step_statistics();
    for (std::size_t k = 0; k < num_phases; ++k) {
        account.seconds[k] = simulation.clock().seconds(phase_names[k].phase);
        if (phase_names[k].is_computing) account.computing += account.seconds[k];
    }
    account.total_seconds = simulation.clock().total();
    account.num_particles = simulation.owned().size();
    account.gravity = simulation.gravity_statistics();
    return account;
}

struct Spread {
    double smallest = 0, mean = 0, largest = 0;
};

template <class Value>
Spread spread(const std::vector<RankAccount>& ranks, Value&& value) {
    const auto first = static_cast<double>(value(ranks.front()));
    Spread s{first, 0, first};
    for (const RankAccount& rank : ranks) {
        const auto x = static_cast<double>(value(rank));
        s.smallest = std::min(s.smallest, x);
        s.largest = std::max(s.largest, x);
        s.mean += x / static_cast<double>(ranks.size());
    }
    return s;
}

template <class Value>
double sum(const std::vector<RankAccount>& ranks, Value&& value) {
    return std::accumulate(ranks.begin(), ranks.end(), 0.0, [&](double total, const RankAccount& rank) {
        return total + static_cast<double>(value(rank));
    });
}

/// A line that begins the report of a run which was continued.
std::string part_text(const RunTotals& totals, const RunTimes& times) {
    if (times.num_parts < 2) return "";
    return fmt::format("part {} of this run; what follows is of its {} steps alone\n", times.num_parts,
                       totals.num_steps);
}

/// Collisions of Brownian particles are left out, since their number depends on the timestep.
std::string speed_text(const Config& config, const RunTotals& totals, double seconds) {
    const double particle_steps =
        static_cast<double>(totals.num_particles) * static_cast<double>(totals.num_steps);
    std::string text = fmt::format("{} steps in {}", totals.num_steps, in_time(seconds));
    if (totals.num_steps == 0) return text + "\n";
    text += fmt::format(": {} steps/s", in_words(static_cast<double>(totals.num_steps) / seconds));
    if (!has_changing_particles(world_of(config)))  // else the number of particles is that at the end
        text += fmt::format(", {} particle steps/s", in_words(particle_steps / seconds));
    if (config.dynamics.type == DynamicsType::ballistic) {
        text += fmt::format(", {} pair collisions/s",
                            in_words(static_cast<double>(totals.num_collisions) / seconds));
        if (totals.num_wall_contacts > 0)
            text += fmt::format(", {}/s with walls{}",
                                in_words(static_cast<double>(totals.num_wall_contacts) / seconds),
                                config.bodies.empty() ? "" : " and bodies");
    }
    return text + "\n";
}

std::string phase_table(const std::vector<RankAccount>& ranks) {
    std::string text = fmt::format("time per rank in seconds {:>10}{:>10}{:>10}\n", "min", "mean", "max");
    const auto row = [&](std::string_view name, const Spread& s) {
        text += fmt::format("  {:<23}{:>10.3f}{:>10.3f}{:>10.3f}\n", name, s.smallest, s.mean, s.largest);
    };
    for (std::size_t k = 0; k < num_phases; ++k)
        row(phase_names[k].name, spread(ranks, [&](const RankAccount& r) { return r.seconds[k]; }));
    row("all", spread(ranks, [](const RankAccount& r) { return r.total_seconds; }));
    return text;
}

std::string seconds_per_phase(const RunTimes& times) {
    std::string text;
    for (std::size_t phase = 0; 3 * phase + 2 < times.phase_seconds.size(); ++phase) {
        const double* const s = &times.phase_seconds[3 * phase];
        text += fmt::format("{}{} {:.4g} {:.4g} {:.4g}", phase == 0 ? "" : "; ", phase_names[phase].stored,
                            s[0], s[1], s[2]);
    }
    return text;
}

std::string computing_per_rank(const std::vector<RankAccount>& ranks) {
    constexpr std::size_t most_ranks = 1024;  // a line that people can still look at
    std::string text;
    if (ranks.size() > most_ranks) return text;
    for (const RankAccount& rank : ranks)
        text += fmt::format("{}{:.4g}", text.empty() ? "" : " ", rank.computing);
    return text;
}

std::string communication_text(const std::vector<RankAccount>& ranks) {
    const auto steps = static_cast<double>(std::max<std::uint64_t>(ranks.front().slabs.num_steps, 1));
    const auto per_rank_and_step = [&](auto member) {
        return in_words(sum(ranks, [&](const RankAccount& r) { return r.slabs.*member; }) /
                        (static_cast<double>(ranks.size()) * steps));
    };
    return fmt::format("communication: {} halo copies and {} migrations per rank and step\n",
                       per_rank_and_step(&SlabStepStatistics::num_copies_sent),
                       per_rank_and_step(&SlabStepStatistics::num_migrated));
}

/// How the steps were resolved (engine/islands.hpp).
std::string engine_details(const std::vector<RankAccount>& ranks) {
    const auto of_engine = [&](auto member) {
        return in_words(sum(ranks, [&](const RankAccount& r) { return r.slabs.engine.*member; }));
    };
    const SlabStepStatistics& one = ranks.front().slabs;
    std::string text =
        fmt::format("contacts: {} predicted, {} searches, {} islands, {} merges; {} sub-windows per step",
                    of_engine(&StepStatistics::num_predicted), of_engine(&StepStatistics::num_searches),
                    of_engine(&StepStatistics::num_islands), of_engine(&StepStatistics::num_merges),
                    in_words(static_cast<double>(one.num_windows) /
                             static_cast<double>(std::max<std::uint64_t>(one.num_steps, 1))));
    const auto exactly = [&](auto member) {
        return sum(ranks, [&](const RankAccount& r) { return r.slabs.engine.*member; });
    };
    if (exactly(&StepStatistics::num_topological) > 0)
        text += fmt::format(
            "\nqueue: {:.0f} events of the structure, of these {:.0f} resets of time bounds, {:.0f} meetings "
            "of two and {:.0f} with walls",
            exactly(&StepStatistics::num_topological), exactly(&StepStatistics::num_resets),
            exactly(&StepStatistics::num_bound_pairs), exactly(&StepStatistics::num_bound_walls));
    return text;
}

/// What kinetic structures did (kinetic/kinetic_structure.hpp), if there were any.
std::string structure_text(const Config& config, const RunTotals& totals,
                           const std::vector<RankAccount>& ranks) {
    if (loop_of(config.search, config.search_loop) == SearchLoop::windows) return "";
    const auto of_engine = [&](auto member) {
        return sum(ranks, [&](const RankAccount& r) { return r.slabs.engine.*member; });
    };
    const double contacts = static_cast<double>(std::max<std::uint64_t>(totals.num_collisions, 1));
    return fmt::format(
        "structure: {:.3g} topological events per collision, {} times built anew; of {} steps of a rank, {} "
        "on "
        "cells for lack of a triangulation, {} done again on a reserve because a contact was lost\n",
        of_engine(&StepStatistics::num_topological) / contacts,
        in_words(of_engine(&StepStatistics::num_rebuilt)),
        in_words(sum(ranks, [](const RankAccount& r) { return r.slabs.num_steps; })),
        in_words(of_engine(&StepStatistics::num_on_cells)),
        in_words(of_engine(&StepStatistics::num_replaced)));
}

/// A line on steps that were too long for the box, if there were any.
std::string halving_text(const SlabStepStatistics& slabs) {
    if (slabs.num_halved_spans == 0) return "";
    return fmt::format(
        "long steps: {} times a step, or a part of one, was halved because particles flew too far for the "
        "box; a shorter run.timestep spares the attempts\n",
        slabs.num_halved_spans);
}

/// How the slabs agreed on them (slabs/slab_step.hpp).
std::string slab_details(const std::vector<RankAccount>& ranks) {
    const SlabStepStatistics& one = ranks.front().slabs;
    const auto windows = static_cast<double>(std::max<std::uint64_t>(one.num_windows, 1));
    return fmt::format(
        "slabs: {} boundary events, {:.3f} exchanges per sub-window (at most {}), {} islands run again; {} "
        "steps redone with a wider halo, {} verified path by path",
        in_words(sum(ranks, [](const RankAccount& r) { return r.slabs.num_boundary_events; })),
        static_cast<double>(one.num_rounds) / windows, one.most_rounds,
        in_words(sum(ranks, [](const RankAccount& r) { return r.slabs.engine.num_repairs; })), one.num_redone,
        one.num_verified);
}

std::string balance_text(const std::vector<RankAccount>& ranks, const BalanceStatistics& balance) {
    const Spread work = spread(ranks, [](const RankAccount& r) { return r.computing; });
    const Spread load = spread(ranks, [](const RankAccount& r) { return r.num_particles; });
    std::string text = fmt::format(
        "balance: computing {:.0f} % of the slowest rank on average; {:.0f} to {:.0f} particles "
        "per rank",
        work.largest > 0 ? 100 * work.mean / work.largest : 100, load.smallest, load.largest);
    if (balance.num_checks > 0)
        text += fmt::format(
            "; work of the most loaded rank over the mean: {:.2f} at first, {:.2f} at last, cuts moved {} of "
            "{} times",
            balance.first_imbalance, balance.latest_imbalance, balance.num_moves, balance.num_checks);
    return text + "\n";
}

std::vector<NamedText> balance_provenance(const BalanceStatistics& balance) {
    if (balance.num_checks == 0) return {};
    return {{"balance", fmt::format("first_imbalance {:.4g}; latest_imbalance {:.4g}; checks {}; moves {}",
                                    balance.first_imbalance, balance.latest_imbalance, balance.num_checks,
                                    balance.num_moves)}};
}

/// What forces cost, and by how much momentum drifts because those of a tree are not quite opposite.
std::string gravity_text(const std::vector<RankAccount>& ranks, std::uint64_t num_particles) {
    GravityStatistics all = ranks.front().gravity;
    if (all.num_evaluations == 0) return "";
    for (std::size_t k = 1; k < ranks.size(); ++k) {
        const GravityStatistics& of = ranks[k].gravity;
        all.num_pairs += of.num_pairs;
        all.num_groups += of.num_groups;
        all.num_targets += of.num_targets;
        all.net_force = all.net_force + of.net_force;
        all.gross_force += of.gross_force;
    }
    const double targets = std::max(1.0, all.num_targets);
    std::string text =
        fmt::format("gravity: {} evaluations, each of {:.3g} particles and {:.3g} groups per particle",
                    all.num_evaluations, all.num_pairs / targets, all.num_groups / targets);
    if (all.gross_force > 0 && num_particles > 1)  // that of one is rounding
        text += fmt::format("; momentum drifts by {:.1e} of the sum of all impulses",
                            norm(all.net_force) / all.gross_force);
    return text + "\n";
}

std::string numbers_text(const World& world, const std::vector<std::int64_t>& counts) {
    std::string text;
    for (std::size_t s = 0; s < counts.size(); ++s)
        text += fmt::format("{}{} {}", text.empty() ? "" : ", ", counts[s], world.species[s].name);
    return text;
}

/// Generated particles that do not move before step 0 are not in equilibrium then. A lattice that was melted,
/// and a dense or grown start that has settled, have a note.
bool begins_out_of_equilibrium(const Config& config, const Simulation& simulation) {
    return config.placement.method != PlacementMethod::file && config.run.equilibrate.value_or(0) == 0 &&
           simulation.start_note().empty();
}

/// Measured rate of pair contacts against theory, where there is one.
std::string theory_text(const Config& config, const Simulation& simulation,
                        const std::vector<std::int64_t>& counts, bool is_first_part) {
    const RunTotals& totals = simulation.totals();
    const double elapsed = static_cast<double>(totals.num_steps) * config.run.timestep;
    if (totals.num_steps == 0) return "";
    const World world = world_of(config);
    if (has_changing_particles(world))
        return fmt::format("{} contacts of pairs, {} with walls{}; {} particles at the end: {}\n",
                           totals.num_collisions, totals.num_wall_contacts,
                           world.bodies.empty() ? "" : " and bodies", totals.num_particles,
                           numbers_text(world, counts));
    if (totals.num_collisions == 0) return "";
    const double measured = static_cast<double>(totals.num_collisions) / elapsed;
    const double per_particle = 2 / static_cast<double>(totals.num_particles);
    const bool is_brownian = config.dynamics.type == DynamicsType::brownian;
    const std::string rate = fmt::format("{:.6g} per particle and unit time", measured * per_particle);
    std::string text = is_brownian ? fmt::format(
                                         "contacts of straight steps of {:.6g}: {}; they grow as "
                                         "timestep^-1/2 and are no encounter rate",
                                         config.run.timestep, rate)
                                   : "collision rate: " + rate;
    const auto expected =
        expected_contact_rate(config, is_brownian ? config.dynamics.kT : totals.temperature);
    if (!expected) return text + "\n";
    const double error = 1 / std::sqrt(static_cast<double>(totals.num_collisions));
    const char* const transient = is_first_part && begins_out_of_equilibrium(config, simulation)
                                      ? "; the rate includes the way to equilibrium from the start, which "
                                        "run.equilibrate.collisions_per_particle leaves out"
                                      : "";
    return text + fmt::format(
                      "; {}: {:.6g}; ratio {:.4f}, statistical error {:.4f} if contacts are "
                      "independent{}\n",
                      is_equal_particle_system(world) ? "Enskog theory" : "Enskog estimate",
                      *expected * per_particle, measured / *expected, measured / *expected * error,
                      transient);
}

/// A line on wedged products (engine/contact_applier.hpp), if there were any.
std::string let_pass_text(const RunTotals& totals) {
    if (totals.num_let_pass == 0) return "";
    return fmt::format(
        "let pass: {} time{} in these steps two that were wedged into each other did not rebound, which "
        "counts as no "
        "contact\n",
        totals.num_let_pass, totals.num_let_pass == 1 ? "" : "s");
}

}  // namespace

RunTimes times_so_far(Exchange& exchange, const Simulation& simulation, double wall_seconds,
                      const RunTimes& earlier) {
    constexpr double nanosecond = 1e-9;
    RunTimes times = earlier;
    ++times.num_parts;
    times.wall_seconds += wall_seconds;
    times.phase_seconds.resize(3 * num_phases);
    if (!simulation.is_recording()) return times;
    const auto own = account_of(simulation).seconds;
    std::array<double, 2 * num_phases> extremes{};
    std::array<std::int64_t, num_phases> sums{};
    for (std::size_t phase = 0; phase < own.size(); ++phase) {
        extremes[2 * phase] = -own[phase];
        extremes[2 * phase + 1] = own[phase];
        sums[phase] = std::llround(own[phase] / nanosecond);
    }
    exchange.max(extremes);
    exchange.sum(sums);
    for (std::size_t phase = 0; phase < own.size(); ++phase) {
        double* const total = &times.phase_seconds[3 * phase];
        const double mean = nanosecond * static_cast<double>(sums[phase]) / exchange.size();
        total[0] += -extremes[2 * phase];
        total[1] += std::clamp(mean, -extremes[2 * phase], extremes[2 * phase + 1]);
        total[2] += extremes[2 * phase + 1];
    }
    return times;
}

namespace {

/// The report of a run that stopped before its first recorded step.
RunReport report_of_equilibration(const Exchange& exchange, const RunTimes& times) {
    RunReport report;
    report.provenance = {{"parts", std::to_string(times.num_parts)}};
    if (exchange.rank() == 0) report.text = "stopped in the equilibration: no step is recorded yet\n";
    return report;
}

}  // namespace

std::vector<std::int64_t> count_by_species(Exchange& exchange, const World& world, const Particles& owned) {
    std::vector<std::int64_t> counts(world.species.size());
    for (std::size_t k = 0; k < owned.size(); ++k)
        if (!is_absent(owned.attributes[k])) ++counts[owned.attributes[k].species];
    exchange.sum(counts);
    return counts;
}

RunReport report(Exchange& exchange, const Config& config, const Simulation& simulation,
                 const RunTimes& times) {
    if (!simulation.is_recording()) return report_of_equilibration(exchange, times);
    const RankAccount mine = account_of(simulation);
    const auto ranks = gather_records<RankAccount>(exchange, std::span(&mine, 1));
    RunReport report;
    report.provenance = {{"parts", std::to_string(times.num_parts)},
                         {"seconds_per_phase", seconds_per_phase(times)},
                         {"computing_seconds", on_root(exchange, [&] { return computing_per_rank(ranks); })}};
    const BalanceStatistics& balance = simulation.balance_statistics();
    for (const NamedText& text : balance_provenance(balance)) report.provenance.push_back(text);
    if (!simulation.start_note().empty()) report.provenance.push_back({"start", simulation.start_note()});
    const std::vector<std::int64_t> counts = count_by_species(exchange, world_of(config), simulation.owned());
    if (ranks.empty()) return report;
    const RunTotals& totals = simulation.totals();
    const double seconds = spread(ranks, [](const RankAccount& r) { return r.total_seconds; }).largest;
    report.text = part_text(totals, times) + speed_text(config, totals, seconds);
    if (times.num_parts > 1)
        report.text +=
            fmt::format("all {} parts of this run: {}\n", times.num_parts, in_time(times.wall_seconds));
    report.text += phase_table(ranks) + structure_text(config, totals, ranks) +
                   halving_text(ranks.front().slabs) + gravity_text(ranks, totals.num_particles);
    if (ranks.size() > 1) report.text += communication_text(ranks) + balance_text(ranks, balance);
    report.text += theory_text(config, simulation, counts, times.num_parts == 1) + let_pass_text(totals);
    report.details = engine_details(ranks);
    if (ranks.size() > 1) report.details += "\n" + slab_details(ranks);
    return report;
}

}  // namespace ricochet
