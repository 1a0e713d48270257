// SPDX-License-Identifier: BSD-3-Clause
#include "hdf5/reserved_room.hpp"

#include <algorithm>
#include <functional>
#include <optional>

#include "files/posix_file.hpp"
#include "hdf5/superblock.hpp"
#include "parallel/collectives.hpp"
#include "ricochet/core/error.hpp"

namespace ricochet {
namespace {

/// Adds bytes for the index of the chunks, and for chunks that the output does not fill.
std::uint64_t with_slack(std::uint64_t num_bytes) {
    return num_bytes + num_bytes / 512 + (std::uint64_t{4} << 20);
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
