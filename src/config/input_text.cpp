// SPDX-License-Identifier: BSD-3-Clause
//
// Reads the text of an input. Only names that can be an input are opened. A pipe without a writer would
// block, and a device or a trajectory would fill the memory.
#include <fstream>

#include "files/posix_file.hpp"
#include "ricochet/config/config.hpp"
#include "ricochet/core/error.hpp"

namespace ricochet {
namespace {

constexpr std::size_t most_bytes = 64'000'000;

bool is_open_already(const std::string& path) {
    return path == "/dev/stdin" || path.starts_with("/dev/fd/") || path.starts_with("/proc/self/fd/");
}

}  // namespace

std::string read_input_text(const std::string& path) {
    const std::string problem = is_open_already(path) ? "" : find_irregularity(path);
    if (!problem.empty()) throw InputError(path + ": cannot be read: " + problem);
    std::ifstream file(path, std::ios::binary);
    if (!file) throw InputError(path + ": cannot be read, expected an input file (YAML)");
    std::string text;
    constexpr std::size_t piece_bytes = std::size_t{1} << 20;
    while (file && text.size() <= most_bytes) {
        const std::size_t before = text.size();
        text.resize(before + piece_bytes);
        file.read(text.data() + before, piece_bytes);
        text.resize(before + static_cast<std::size_t>(file.gcount()));
    }
    if (file.bad()) throw InputError(path + ": cannot be read to its end");
    if (text.size() > most_bytes)
        throw InputError(path + ": is longer than 64 MB, expected an input file (YAML)");
    return text;
}

}  // namespace ricochet
