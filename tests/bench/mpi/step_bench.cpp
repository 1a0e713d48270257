// SPDX-License-Identifier: BSD-3-Clause
//
// What a step costs: elastic and Brownian gases of equal or unequal spheres and discs, on any number of ranks
// through SlabStepper, one measurement per start of the program, written as one line of JSON.
// tests/bench/run.sh starts it over a grid of cases and makes a table.
//
//   [mpirun -n 2] step_bench [key=value]...
//
//   dynamics=elastic|brownian  dimension=3  fraction=0.3  particles=32000
//   ratio=1 large_share=0   large particles' diameter, and their share of the number
//   step=0                  elastic: contacts per particle and step, 0: what is fastest; Brownian: root mean
//                           square displacement in diameters, 0: 0.1
//   contacts_per_particle=4 contacts=1e5 steps=0     measured at least, each, in whole periods of sorting
//   rules=none              contact rules (bench_case.hpp): chance and strangers never fire, rate does
//   equilibrate=0 seed=1    contacts per particle of the tile (bench_case.hpp), 0: what its fraction needs
//   check=1                 0: a rate that is off does not fail
//
// Result: wall seconds of the slowest rank; CPU seconds of all; contacts, each counted once; `rate_ratio`,
// the contact rate over Enskog's at the measured temperature, and whether it is within `rate_tolerance`: what
// says that a fluid was measured and that nothing was missed; seconds per phase, the mean over the ranks;
// peak memory beyond what the process had when it started; instructions, where the machine counts them. Where
// it does not, run it under callgrind with --toggle-collect=measured_steps. Exit status: 0, 1 when the rate
// is off or the step fails, 2 for a case that makes no sense.
#include <fmt/format.h>

#include <array>
#include <boost/mpi/communicator.hpp>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <exception>
#include <numeric>
#include <string>
#include <string_view>
#include <vector>

#include "bench_case.hpp"
#include "bench_gas.hpp"
#include "bench_main.hpp"
#include "parallel/collectives.hpp"
#include "process_counters.hpp"
#include "ricochet/core/error.hpp"
#include "ricochet/mpi/mpi_exchange.hpp"

/// Found by name when instructions are counted from the outside.
extern "C" __attribute__((noinline)) void measured_steps(ricochet::bench::BenchGas& gas,
                                                         std::uint64_t num_steps, double dt) {
    for (std::uint64_t k = 0; k < num_steps; ++k) gas.step(dt);
}

namespace ricochet::bench {
namespace {

/// What a rank tells: plain numbers, sent as bytes.
struct Account {
    double wall = 0, cpu = 0;  ///< seconds
    Phases phases{};           ///< seconds
    double contacts = 0, copies = 0, windows = 0, rounds = 0, most_rounds = 0, predicted = 0, searches = 0,
           merges = 0, redone = 0, verified = 0;
    double twice_energy = 0;
    double num_particles = 0;
    double peak_bytes = 0;     ///< beyond those at the start of the program
    double instructions = -1;  ///< -1: not counted
};

struct Plan {
    double dt = 0;
    std::uint64_t num_steps = 0;
};

Plan plan_of(const BenchCase& of) {
    Plan plan;
    plan.dt = of.timestep();
    const double per_step = plan.dt * expected_contact_rate(of, 1, of.is_brownian ? plan.dt : 0);
    const double wanted =
        std::max(of.least_contacts, of.contacts_per_particle * static_cast<double>(of.num_particles) / 2);
    constexpr double spare = 1.02;  // the number of contacts is random
    const auto least =
        std::max(of.least_steps, static_cast<std::uint64_t>(std::ceil(spare * wanted / per_step)));
    plan.num_steps = (least + steps_between_sorts - 1) / steps_between_sorts * steps_between_sorts;
    return plan;
}

/// Counters that grow from step to step.
Account running_account(const BenchGas& gas) {
    const SlabStepStatistics& s = gas.statistics();
    Account a;
    a.phases = gas.phases();
    a.contacts = static_cast<double>(gas.num_contacts());
    a.copies = static_cast<double>(s.num_copies_sent);
    a.windows = static_cast<double>(s.num_windows);
    a.rounds = static_cast<double>(s.num_rounds);
    a.most_rounds = static_cast<double>(s.most_rounds);
    a.predicted = static_cast<double>(s.engine.num_predicted);
    a.searches = static_cast<double>(s.engine.num_searches);
    a.merges = static_cast<double>(s.engine.num_merges);
    a.redone = static_cast<double>(s.num_redone);
    a.verified = static_cast<double>(s.num_verified);
    return a;
}

void subtract(Account& account, const Account& before) {
    for (std::size_t k = 0; k < account.phases.size(); ++k) account.phases[k] -= before.phases[k];
    account.contacts -= before.contacts;
    account.copies -= before.copies;
    account.windows -= before.windows;
    account.rounds -= before.rounds;
    account.predicted -= before.predicted;
    account.searches -= before.searches;
    account.merges -= before.merges;
    account.redone -= before.redone;
    account.verified -= before.verified;
}

/// What this rank spends on the steps of the plan; all begin together.
Account measure(Exchange& exchange, const BenchCase& of, const Plan& plan) {
    const double bytes_before = resident_bytes();
    BenchGas gas = make_gas(exchange, of, plan.dt);
    const Account before = running_account(gas);
    exchange.bit_or(0);
    const InstructionCounter instructions;
    const double cpu_before = cpu_seconds();
    const auto start = std::chrono::steady_clock::now();
    measured_steps(gas, plan.num_steps, plan.dt);
    const auto end = std::chrono::steady_clock::now();
    Account account = running_account(gas);
    subtract(account, before);
    account.cpu = cpu_seconds() - cpu_before;
    account.wall = std::chrono::duration<double>(end - start).count();
    if (const auto count = instructions.count()) account.instructions = static_cast<double>(*count);
    account.peak_bytes = peak_resident_bytes() - bytes_before;
    account.num_particles = static_cast<double>(gas.owned().size());
    for (std::size_t k = 0; k < gas.owned().size(); ++k)
        account.twice_energy += gas.owned().attributes[k].mass *
                                dot(gas.owned().motion[k].velocity, gas.owned().motion[k].velocity);
    return account;
}

template <class Member>
double total(const std::vector<Account>& ranks, Member member) {
    return std::accumulate(ranks.begin(), ranks.end(), 0.0,
                           [&](double sum, const Account& a) { return sum + a.*member; });
}

template <class Member>
double largest(const std::vector<Account>& ranks, Member member) {
    double result = ranks.front().*member;
    for (const Account& a : ranks) result = std::max(result, a.*member);
    return result;
}

std::string phases_text(const std::vector<Account>& ranks) {
    std::string text;
    for (std::size_t k = 0; k < num_step_phases; ++k) {
        double sum = 0;
        for (const Account& a : ranks) sum += a.phases[k];
        text += fmt::format("{}\"{}\": {:.6g}", k == 0 ? "" : ", ", phase_names[k].name,
                            sum / static_cast<double>(ranks.size()));
    }
    return text;
}

std::string instructions_text(const std::vector<Account>& ranks) {
    for (const Account& a : ranks)
        if (a.instructions < 0) return "null";
    return fmt::format("{:.0f}", total(ranks, &Account::instructions));
}

struct Rate {
    double ratio = 0;  ///< measured over expected
    RateError error;   ///< of the ratio
    bool is_right() const { return std::abs(ratio - 1) <= error.tolerance(); }
};

/// Brownian velocities are drawn at kT = 1 in every step; an elastic gas keeps the temperature it was given.
Rate rate_of(const BenchCase& of, const Plan& plan, const std::vector<Account>& ranks) {
    const double contacts = total(ranks, &Account::contacts);
    const double thermal_energy =
        total(ranks, &Account::twice_energy) / (of.dimension * total(ranks, &Account::num_particles));
    const double expected =
        of.is_brownian ? expected_contact_rate(of, 1, plan.dt) : expected_contact_rate(of, thermal_energy, 0);
    const auto num_steps = static_cast<double>(plan.num_steps);
    return {contacts / (expected * num_steps * plan.dt), rate_error(of, contacts, num_steps)};
}

std::string json(const BenchCase& of, const Plan& plan, const std::vector<Account>& ranks, const Rate& rate) {
    return fmt::format(
        "{{\"ranks\": {}, \"dynamics\": \"{}\", \"dimension\": {}, \"fraction\": {}, "
        "\"particles\": {:.0f}, "
        "\"ratio\": {}, \"large_share\": {}, \"step\": {}, \"dt\": {:.17g}, \"steps\": {}, \"tiles\": {}, "
        "\"contacts\": {:.0f}, \"rate_ratio\": {:.6f}, \"rate_error\": {:.6f}, \"rate_tolerance\": {:.6f}, "
        "\"is_rate_right\": {}, "
        "\"wall_seconds\": {:.6g}, \"cpu_seconds\": {:.6g}, \"peak_bytes\": {:.0f}, \"instructions\": {}, "
        "\"copies\": {:.0f}, \"windows\": {:.0f}, \"rounds\": {:.0f}, \"most_rounds\": {:.0f}, "
        "\"predicted\": {:.0f}, \"searches\": "
        "{:.0f}, "
        "\"merges\": {:.0f}, \"redone\": {:.0f}, \"verified\": {:.0f}, \"phases\": {{{}}}}}\n",
        ranks.size(), of.is_brownian ? "brownian" : "elastic", of.dimension, of.fraction,
        total(ranks, &Account::num_particles), of.size_ratio, of.large_share, of.step, plan.dt,
        plan.num_steps, of.num_tiles(), total(ranks, &Account::contacts), rate.ratio, rate.error.statistical,
        rate.error.tolerance(), rate.is_right(), largest(ranks, &Account::wall), total(ranks, &Account::cpu),
        total(ranks, &Account::peak_bytes), instructions_text(ranks), total(ranks, &Account::copies),
        largest(ranks, &Account::windows), largest(ranks, &Account::rounds),
        largest(ranks, &Account::most_rounds), total(ranks, &Account::predicted),
        total(ranks, &Account::searches), total(ranks, &Account::merges), largest(ranks, &Account::redone),
        largest(ranks, &Account::verified), phases_text(ranks));
}

/// The exit status, the same on all ranks.
int run(Exchange& exchange, const BenchCase& of) {
    const Plan plan = plan_of(of);
    const Account mine = measure(exchange, of, plan);
    const auto ranks = all_gather_records<Account>(exchange, std::span(&mine, 1));
    const Rate rate = rate_of(of, plan, ranks);
    if (exchange.rank() == 0) std::fputs(json(of, plan, ranks, rate).c_str(), stdout);
    return of.is_rate_required && !rate.is_right() ? 1 : 0;
}

}  // namespace
}  // namespace ricochet::bench

int main(int argc, char** argv) {
    return ricochet::bench::bench_main(argc, argv, {}, [](const ricochet::bench::BenchCase& of) {
        ricochet::MpiExchange exchange{boost::mpi::communicator()};
        return ricochet::bench::run(exchange, of);
    });
}
