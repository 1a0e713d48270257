// SPDX-License-Identifier: BSD-3-Clause
//
// How fast output is: positions, whole frames, and what the disk itself can do, in turns in the same minute.
//
//   mpirun -n 2 output_bench [particles, 1e7] [repetitions, 5] [folder, the working one]
//
// Each turn writes new files, synced, and takes wall time:
//   plain      one rank writes the bytes of all positions in blocks of a mebibyte and calls fdatasync: what
//              `dd bs=1M conv=fdatasync` does
//   positions  all ranks write their blocks of one float64 frame of positions, collectively, and sync
//   frame      a FrameWriter's whole frame (positions, velocities, images, ids, species): brought into the
//   order
//              of the ids across ranks, converted, written, synced
// The figures to read are the medians: GB/s of each and the fractions of `plain`.
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <boost/mpi/communicator.hpp>
#include <boost/mpi/environment.hpp>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include "hdf5/hdf5_file.hpp"
#include "hdf5/hdf5_types.hpp"
#include "result/frame_writer.hpp"
#include "ricochet/core/random.hpp"
#include "ricochet/mpi/mpi_exchange.hpp"

namespace {

using namespace ricochet;

struct Setting {
    std::uint64_t num_particles;
    int num_repetitions;
    std::string folder;

    std::string path(const char* name) const { return folder + "/output_bench_" + name; }
    double position_bytes() const { return 24.0 * static_cast<double>(num_particles); }
};

/// A rank's share of particles at random places, with ids distributed round so that the frame has to be
/// sorted.
Particles share_of(Exchange& ranks, const Setting& setting, const Box& box) {
    Particles particles;
    const auto stride = static_cast<std::uint64_t>(ranks.size());
    for (auto id = static_cast<std::uint64_t>(ranks.rank()); id < setting.num_particles; id += stride) {
        RandomSequence random({.seed = 1, .stream = Stream::placement}, id);
        Motion motion;
        motion.id = id;
        for (int axis = 0; axis < 3; ++axis) motion.position[axis] = box.size[axis] * random.uniform();
        particles.push_back(motion, {.radius = 0.5, .mass = 1}, {});
    }
    return particles;
}

double seconds_of(Exchange& ranks, const std::function<void()>& work) {
    ranks.bit_or(0);  // all begin together
    const double begin = MPI_Wtime();
    work();
    double seconds = MPI_Wtime() - begin;
    ranks.max(std::span(&seconds, 1));
    return seconds;
}

void write_plain(const Setting& setting, const std::vector<double>& block) {
    const int file = open(setting.path("plain").c_str(), O_CREAT | O_TRUNC | O_WRONLY, 0644);
    auto left = static_cast<std::size_t>(setting.position_bytes());
    bool is_good = file >= 0;
    while (is_good && left > 0) {
        const std::size_t size = std::min(left, sizeof(double) * block.size());
        is_good = write(file, block.data(), size) == static_cast<ssize_t>(size);
        left -= size;
    }
    if (!is_good || fdatasync(file) != 0 || close(file) != 0)
        throw std::runtime_error("cannot write " + setting.path("plain"));
}

void write_positions(Exchange& ranks, const Setting& setting, const std::vector<double>& own) {
    hdf5::ParallelFile file(ranks, setting.path("positions.h5"), true);
    {
        auto dataset = hdf5::Dataset::create_growing(file.get(), "value", hdf5::number_type<double>(),
                                                     {setting.num_particles, 3});
        const std::uint64_t share = setting.num_particles / static_cast<std::uint64_t>(ranks.size());
        const std::uint64_t first = share * static_cast<std::uint64_t>(ranks.rank());
        const bool is_last = ranks.rank() + 1 == ranks.size();
        dataset.resize(1);
        dataset.write(ranks, {{0, first, 0}, {1, is_last ? setting.num_particles - first : share, 3}},
                      hdf5::number_type<double>(), own.data());
    }  // the file must be the last to be closed
    file.flush();
    file.close();
}

void write_frame(Exchange& ranks, const Setting& setting, const Box& box, const Particles& own) {
    ResultDescription description;
    description.box = box;
    description.num_particles = setting.num_particles;
    hdf5::ParallelFile file(ranks, setting.path("frame.h5"), true);
    FrameWriter(file.get(), description).write(ranks, 0, 0, own);
    file.flush();
    file.close();
}

double median(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    return values[values.size() / 2];
}

struct Turns {
    std::vector<double> plain, positions, frame;
};

Turns measure(Exchange& ranks, const Setting& setting) {
    Box box;
    box.size = {1000, 1000, 1000};
    const Particles own = share_of(ranks, setting, box);
    const std::vector<double> block(std::size_t{1} << 17, 0.1);
    const std::vector<double> values(3 * (own.size() + static_cast<std::size_t>(ranks.size())), 0.1);
    Turns turns;
    for (int k = 0; k < setting.num_repetitions; ++k) {
        turns.plain.push_back(seconds_of(ranks, [&] {
            if (ranks.rank() == 0) write_plain(setting, block);
        }));
        turns.positions.push_back(seconds_of(ranks, [&] { write_positions(ranks, setting, values); }));
        turns.frame.push_back(seconds_of(ranks, [&] { write_frame(ranks, setting, box, own); }));
    }
    return turns;
}

void report(const Setting& setting, int num_ranks, const Turns& turns) {
    constexpr double frame_bytes_per_position_byte = 84.0 / 24.0;
    const double plain = setting.position_bytes() / median(turns.plain) * 1e-9;
    const double positions = setting.position_bytes() / median(turns.positions) * 1e-9;
    const double frame =
        frame_bytes_per_position_byte * setting.position_bytes() / median(turns.frame) * 1e-9;
    std::printf("%.3g particles on %d ranks, medians of %d\n", static_cast<double>(setting.num_particles),
                num_ranks, setting.num_repetitions);
    std::printf("plain      %7.3f GB/s\n", plain);
    std::printf("positions  %7.3f GB/s, %.2f of plain\n", positions, positions / plain);
    std::printf("frame      %7.3f GB/s, %.2f of plain\n", frame, frame / plain);
}

}  // namespace

int main(int argc, char** argv) {
    const boost::mpi::environment environment(argc, argv);
    MpiExchange ranks{boost::mpi::communicator()};
    const Setting setting{argc > 1 ? static_cast<std::uint64_t>(std::strtod(argv[1], nullptr)) : 10'000'000,
                          argc > 2 ? std::max(1, std::atoi(argv[2])) : 5, argc > 3 ? argv[3] : "."};
    const Turns turns = measure(ranks, setting);
    if (ranks.rank() == 0) {
        report(setting, ranks.size(), turns);
        for (const char* name : {"plain", "positions.h5", "frame.h5"})
            std::filesystem::remove(setting.path(name));
    }
}
