// SPDX-License-Identifier: BSD-3-Clause
#include "hdf5/reserved_room.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <functional>
#include <optional>
#include <span>

#include "files/posix_file.hpp"
#include "parallel/collectives.hpp"
#include "ricochet/core/error.hpp"

namespace ricochet {
namespace {

/// Adds bytes for the index of the chunks, and for chunks that the output does not fill.
std::uint64_t with_slack(std::uint64_t num_bytes) {
    return num_bytes + num_bytes / 512 + (std::uint64_t{4} << 20);
}

/// The end of HDF5's part by the superblock, or the end of the file where it has none yet. The format (HDF5
/// File Format Specification, II.A) stores it after two other addresses, at a place that depends on the
/// version.
std::uint64_t end_of_content(const PosixFile& file) {
    constexpr std::array<unsigned char, 8> signature{0x89, 'H', 'D', 'F', '\r', '\n', 0x1a, '\n'};
    std::array<unsigned char, 48> head{};
    const std::uint64_t length = file.size();
    if (length < head.size()) return length;
    file.read(0, std::as_writable_bytes(std::span(head)));
    if (!std::equal(signature.begin(), signature.end(), head.begin())) return length;
    std::uint64_t end = 0;
    std::memcpy(&end, &head[head[8] < 2 ? 40 : 28], sizeof end);
    return end;
}

void work_on(const std::string& path, const std::function<void(PosixFile&)>& work) {
    PosixFile file = PosixFile::open_for_writing(path);
    work(file);
    file.close();
}

/// Runs `work` on rank 0 with the file, if it is still the watched one. A RunError is thrown on all ranks.
/// Collective.
void on_file(Exchange& exchange, const std::string& path, const OutputWatch& watch,
             const std::function<void(PosixFile&)>& work) {
    std::optional<std::string> problem;
    if (exchange.rank() == 0) {
        problem = watch.problem();
        try {
            if (!problem) work_on(path, work);
        } catch (const RunError& error) {
            problem = watch.problem().value_or(error.what());
        }
    }
    throw_together<RunError>(exchange, problem);
}

void reserve(PosixFile& file, std::uint64_t num_bytes) {
    const std::uint64_t length = file.size();
    try {
        file.reserve(std::min(length, end_of_content(file)), with_slack(num_bytes));
    } catch (const RunError& error) {
        file.truncate(length);
        throw RunError(std::string(error.what()) + ": the next output needs " + std::to_string(num_bytes) +
                       " bytes and some MiB beside them; what was written before is complete");
    }
}

}  // namespace

void reserve_room(Exchange& exchange, const std::string& path, std::uint64_t num_bytes,
                  const OutputWatch& watch) {
    on_file(exchange, path, watch, [&](PosixFile& file) { reserve(file, num_bytes); });
}

void release_room(Exchange& exchange, const std::string& path, const OutputWatch& watch) {
    on_file(exchange, path, watch, [](PosixFile& file) {
        if (const std::uint64_t end = end_of_content(file); file.size() > end) file.truncate(end);
    });
}

}  // namespace ricochet
