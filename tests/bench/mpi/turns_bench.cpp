// SPDX-License-Identifier: BSD-3-Clause
//
// What ranks gain, measured in turns: the same gas on rank 0 alone, on all ranks together, and in as many
// boxes of their own as there are ranks, a few steps of each after a few of the other. A machine that other
// work slows down for seconds at a time does that to all alike, where single runs of step_bench, one after
// the other, then differ by tenths. The boxes of their own take two turns: in one the ranks know nothing of
// each other, in the other they meet after every step and exchange nothing. Between the two lies what a
// machine with cores of unequal speed costs all that goes in step, and between the second and `together` what
// halos and exchange cost.
//
//   mpirun -n 2 turns_bench [key=value]...
//
//   turns=9      of each; ratios are taken within a turn
//   steps=12     at least, in each turn; whole periods of sorting
//   the others   as for step_bench; contacts, contacts_per_particle and check say nothing here
//
// Result: one line of JSON. `speed_up`: wall time alone over that together, `speed_up_apart`: over that of
// each rank with its share of the particles in a box of its own, which is what the machine lets ranks reach
// side by side; `speed_up_in_step`: over that where they meet; median and quartiles over the turns.
// Milliseconds per step and phase: medians over the turns, the wall time of the slowest rank, phases the mean
// over the ranks; `exchange` of those in step is their waiting. While one rank runs alone the others sleep.
// Exit status: 0; 1 when a step fails or other contacts are found together than alone, which is_same says; 2
// for a case that makes no sense.
#include <fmt/format.h>
#include <mpi.h>

#include <algorithm>
#include <array>
#include <boost/mpi/communicator.hpp>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <exception>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "bench_case.hpp"
#include "bench_gas.hpp"
#include "bench_main.hpp"
#include "parallel/collectives.hpp"
#include "ricochet/core/error.hpp"
#include "ricochet/mpi/mpi_exchange.hpp"

namespace ricochet::bench {
namespace {

enum Arrangement : std::size_t { alone, together, apart, in_step };
constexpr std::array<std::string_view, 4> arrangement_names{"alone", "together", "apart", "in_step"};

constexpr auto exchange_phase = static_cast<std::size_t>(Phase::exchange);

/// A barrier that keeps no core busy.
void meet_asleep(MPI_Comm ranks) {
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Ibarrier(ranks, &request);
    for (int have_met = 0; have_met == 0;) {
        MPI_Test(&request, &have_met, MPI_STATUS_IGNORE);
        if (have_met == 0) std::this_thread::sleep_for(std::chrono::microseconds(200));
    }
}

/// What a rank spent on the steps of one turn, in seconds. Plain numbers, sent as bytes.
struct Turn {
    double wall = 0;  ///< 0 where the rank had no part
    double contacts = 0;
    Phases phases{};
};

/// A gas and the steps of a turn.
class Runner {
  public:
    Runner(Exchange& exchange, const BenchCase& of)
        : dt_(of.timestep()),
          num_steps_((of.least_steps + steps_between_sorts - 1) / steps_between_sorts * steps_between_sorts),
          gas_(make_gas(exchange, of, dt_)) {}

    std::uint64_t num_steps() const { return num_steps_; }
    /// After each step the ranks of `meeting` wait for each other, if there is one.
    Turn run(MPI_Comm meeting) {
        const Phases before = gas_.phases();
        const std::uint64_t contacts_before = gas_.num_contacts();
        double waiting = 0;
        const auto start = std::chrono::steady_clock::now();
        for (std::uint64_t k = 0; k < num_steps_; ++k) {
            gas_.step(dt_);
            const auto arrival = std::chrono::steady_clock::now();
            if (meeting != MPI_COMM_NULL) MPI_Barrier(meeting);
            waiting += std::chrono::duration<double>(std::chrono::steady_clock::now() - arrival).count();
        }
        const auto end = std::chrono::steady_clock::now();
        Turn turn{std::chrono::duration<double>(end - start).count(),
                  static_cast<double>(gas_.num_contacts() - contacts_before), gas_.phases()};
        for (std::size_t k = 0; k < before.size(); ++k) turn.phases[k] -= before[k];
        turn.phases[exchange_phase] += waiting;
        return turn;
    }

  private:
    double dt_;
    std::uint64_t num_steps_;
    BenchGas gas_;
};

double quantile(std::vector<double> values, double share) {
    std::sort(values.begin(), values.end());
    return values[static_cast<std::size_t>(std::lround(share * static_cast<double>(values.size() - 1)))];
}

/// The turns of one arrangement, all ranks taken together.
struct Record {
    std::vector<double> wall, contacts;
    std::array<std::vector<double>, num_step_phases> phases;

    void add(const std::vector<Turn>& ranks) {
        Turn all;
        double num_running = 0;
        for (const Turn& rank : ranks) {
            num_running += rank.wall > 0 ? 1 : 0;
            all.wall = std::max(all.wall, rank.wall);
            all.contacts += rank.contacts;
            for (std::size_t k = 0; k < all.phases.size(); ++k) all.phases[k] += rank.phases[k];
        }
        wall.push_back(all.wall);
        contacts.push_back(all.contacts);
        for (std::size_t k = 0; k < phases.size(); ++k) phases[k].push_back(all.phases[k] / num_running);
    }
};

std::string milliseconds_json(const Record& record, std::uint64_t num_steps) {
    const double scale = 1e3 / static_cast<double>(num_steps);
    std::string text = fmt::format("{{\"wall\": {:.6g}", scale * quantile(record.wall, 0.5));
    for (std::size_t k = 0; k < num_step_phases; ++k)
        text += fmt::format(", \"{}\": {:.6g}", phase_names[k].name, scale * quantile(record.phases[k], 0.5));
    return text + "}";
}

std::string ratio_json(const Record& slow, const Record& fast) {
    std::vector<double> ratios;
    for (std::size_t k = 0; k < slow.wall.size(); ++k) ratios.push_back(slow.wall[k] / fast.wall[k]);
    return fmt::format("[{:.4f}, {:.4f}, {:.4f}]", quantile(ratios, 0.25), quantile(ratios, 0.5),
                       quantile(ratios, 0.75));
}

/// The exit status, the same on all ranks.
int run(const boost::mpi::communicator& world, const BenchCase& of) {
    MpiExchange all(world);
    MpiExchange self(boost::mpi::communicator(MPI_COMM_SELF, boost::mpi::comm_duplicate));
    std::array<std::shared_ptr<Runner>, arrangement_names.size()> runners;  // none where the rank has no part
    if (all.rank() == 0) runners[alone] = std::make_shared<Runner>(self, of);
    runners[together] = std::make_shared<Runner>(all, of);
    runners[apart] = std::make_shared<Runner>(self, share_of_rank(of, all.rank(), all.size()));
    runners[in_step] = runners[apart];

    std::array<Record, arrangement_names.size()> records;
    for (std::uint64_t turn = 0; turn < of.num_turns; ++turn)
        for (std::size_t place = 0; place < records.size(); ++place) {
            const std::size_t k = (turn + place) % records.size();  // none is always the first
            meet_asleep(world);
            const Turn mine =
                runners[k] ? runners[k]->run(k == in_step ? MPI_Comm(world) : MPI_COMM_NULL) : Turn{};
            meet_asleep(world);
            records[k].add(all_gather_records<Turn>(all, std::span(&mine, 1)));
        }

    const bool is_same = records[alone].contacts == records[together].contacts;
    if (all.rank() == 0) {
        const std::uint64_t num_steps = runners[together]->num_steps();
        std::string text = fmt::format(
            "{{\"ranks\": {}, \"dynamics\": \"{}\", \"dimension\": {}, \"fraction\": {}, \"particles\": {}, "
            "\"turns\": {}, \"steps\": {}, \"is_same\": {}, \"speed_up\": {}, \"speed_up_apart\": {}, "
            "\"speed_up_in_step\": {}",
            all.size(), of.is_brownian ? "brownian" : "elastic", of.dimension, of.fraction, of.num_particles,
            of.num_turns, num_steps, is_same, ratio_json(records[alone], records[together]),
            ratio_json(records[alone], records[apart]), ratio_json(records[alone], records[in_step]));
        for (const Arrangement k : {alone, together, apart, in_step})
            text +=
                fmt::format(", \"{}\": {}", arrangement_names[k], milliseconds_json(records[k], num_steps));
        std::puts((text + "}").c_str());
    }
    return is_same ? 0 : 1;
}

}  // namespace
}  // namespace ricochet::bench

int main(int argc, char** argv) {
    return ricochet::bench::bench_main(argc, argv, {"steps=12"}, [](const ricochet::bench::BenchCase& of) {
        return ricochet::bench::run(boost::mpi::communicator(), of);
    });
}
