// SPDX-License-Identifier: BSD-3-Clause
//
// What the machine gives right now, to hold the other figures against: one line of JSON.
//
//   [mpirun -n 2] machine_bench
//
//   copy_gigabytes_per_second  as STREAM's copy: bytes read plus bytes written, all ranks together, each with
//                              two arrays of 64 MiB, far beyond any cache; the best of ten
//   clock_gigahertz            additions per second that depend on each other, one per cycle; the best of
//   ten,
//                              on the slowest rank
#include <algorithm>
#include <boost/mpi/collectives/all_reduce.hpp>
#include <boost/mpi/communicator.hpp>
#include <boost/mpi/environment.hpp>
#include <boost/mpi/operations.hpp>
#include <cstdint>
#include <cstdio>
#include <cstring>
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

}  // namespace

int main(int argc, char** argv) {
    const boost::mpi::environment environment(argc, argv);
    const communicator ranks;
    const double clock = clock_gigahertz(ranks);
    const double copy = copy_gigabytes_per_second(ranks);
    if (ranks.rank() == 0)
        std::printf("{\"ranks\": %d, \"copy_gigabytes_per_second\": %.3f, \"clock_gigahertz\": %.3f}\n",
                    ranks.size(), copy, clock);
}
