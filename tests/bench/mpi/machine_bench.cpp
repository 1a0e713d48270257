// SPDX-License-Identifier: BSD-3-Clause
//
// What the machine gives right now, to hold the other figures against: one line of JSON.
//
//   [mpirun -n 2] machine_bench
//
//   copy_gigabytes_per_second  as STREAM's copy: bytes read plus bytes written, all ranks together, each with
//                              two arrays of 64 MiB, far beyond any cache; the best of ten
//   clock_gigahertz            additions per second that depend on each other, one per cycle; the best of
//                              ten, on the slowest rank
//   in_step                    of the time of ranks that do equal work in registers, additions that do not
//                              depend on each other, and meet every 20 ms or so, the share that is not
//                              waiting for the slowest, over a second: 1 where cores are equal and have
//                              nothing else to do. A virtual CPU that is half a core is slower while another program
//                              works on the other half. What a program that goes in step can gain on several ranks is
//                              about this share of their number.
#include <algorithm>
#include <array>
#include <boost/mpi/collectives/all_reduce.hpp>
#include <boost/mpi/communicator.hpp>
#include <boost/mpi/environment.hpp>
#include <boost/mpi/operations.hpp>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <functional>
#include <vector>

namespace {

using boost::mpi::communicator;

constexpr int num_turns = 10;

/// Seconds of the slowest rank, the ranks having begun together.
template <class Work>
double seconds_of(const communicator& ranks, Work&& work) {
    ranks.barrier();
    const double begin = MPI_Wtime();
    work();
    return boost::mpi::all_reduce(ranks, MPI_Wtime() - begin, boost::mpi::maximum<double>());
}

double copy_gigabytes_per_second(const communicator& ranks) {
    constexpr std::size_t size = std::size_t{64} << 20;
    const std::vector<char> from(size, 1);
    std::vector<char> to(size, 2);
    double best = 0;
    for (int turn = 0; turn < num_turns; ++turn) {
        const double seconds = seconds_of(ranks, [&] {
            std::memcpy(to.data(), from.data(), size);
            asm volatile("" : : "r"(to.data()) : "memory");  // not to be left out
        });
        best = std::max(best, 2e-9 * static_cast<double>(size) * ranks.size() / seconds);
    }
    return best;
}

double clock_gigahertz(const communicator& ranks) {
    constexpr std::uint64_t num_additions = 20'000'000;
    double best = 0;
    for (int turn = 0; turn < num_turns; ++turn) {
        const double seconds = seconds_of(ranks, [] {
            std::uint64_t sum = 0, step = 3;
            for (std::uint64_t k = 0; k < num_additions / 8; ++k)
                for (int unrolled = 0; unrolled < 8; ++unrolled) {
                    sum += step;
                    asm volatile("" : "+r"(sum), "+r"(step));  // neither known beforehand
                }
        });
        best = std::max(best, 1e-9 * static_cast<double>(num_additions) / seconds);
    }
    return best;
}

/// Seconds of this rank for some work that keeps all of a core's integer units busy.
double seconds_of_additions(std::uint64_t num_rounds) {
    const double begin = MPI_Wtime();
    std::array<std::uint64_t, 8> sums{};
    for (std::uint64_t k = 0; k < num_rounds; ++k)
        for (std::uint64_t& sum : sums) {
            sum += k;
            asm volatile("" : "+r"(sum));
        }
    return MPI_Wtime() - begin;
}

double share_in_step(const communicator& ranks) {
    constexpr int num_found = 50;
    constexpr std::uint64_t some_rounds = 1'000'000;
    constexpr double seconds_between = 0.02;
    double own = seconds_of_additions(some_rounds);
    const double seconds = boost::mpi::all_reduce(ranks, own, boost::mpi::maximum<double>());
    const auto num_rounds = static_cast<std::uint64_t>(seconds_between / seconds * some_rounds);
    double all = 0, slowest = 0;
    for (int meeting = 0; meeting < num_found; ++meeting) {
        ranks.barrier();
        own = seconds_of_additions(num_rounds);
        all += boost::mpi::all_reduce(ranks, own, std::plus<double>());
        slowest += boost::mpi::all_reduce(ranks, own, boost::mpi::maximum<double>());
    }
    return all / (slowest * ranks.size());
}

}  // namespace

int main(int argc, char** argv) {
    const boost::mpi::environment environment(argc, argv);
    const communicator ranks;
    const double clock = clock_gigahertz(ranks);
    const double copy = copy_gigabytes_per_second(ranks);
    const double in_step = share_in_step(ranks);
    if (ranks.rank() == 0)
        std::printf(
            "{\"ranks\": %d, \"copy_gigabytes_per_second\": %.3f, \"clock_gigahertz\": %.3f, "
            "\"in_step\": %.4f}\n",
            ranks.size(), copy, clock, in_step);
}
