// SPDX-License-Identifier: BSD-3-Clause
//
// Reads the text of an input. Only names that can be an input are opened. A pipe without a writer would
// block, and a device or a trajectory would fill the memory.
#include <fstream>
#include <string_view>

#include "core/text.hpp"
#include "files/posix_file.hpp"
#include "ricochet/config/config.hpp"
#include "ricochet/core/error.hpp"

namespace ricochet {
namespace {

struct TextKind {
    std::string_view name;
    std::size_t most_bytes;
    std::string_view most_in_words;
};
constexpr TextKind an_input{"an input file (YAML)", 64'000'000, "64 MB"};
constexpr TextKind spheres_of_a_body{"a table of spheres (CSV)", 2'000'000'000, "2 GB"};

bool is_open_already(const std::string& path) {
    return path == "/dev/stdin" || path.starts_with("/dev/fd/") || path.starts_with("/proc/self/fd/");
}

std::string read_text(const std::string& path, const TextKind& kind) {
    const std::string problem = is_open_already(path) ? "" : find_irregularity(path);
    if (!problem.empty()) throw InputError(path + ": cannot be read: " + problem);
    std::ifstream file(path, std::ios::binary);
    if (!file) throw InputError(text_of(path, ": cannot be read, expected ", kind.name));
    std::string text;
    constexpr std::size_t piece_bytes = std::size_t{1} << 20;
    while (file && text.size() <= kind.most_bytes) {
        const std::size_t before = text.size();
        text.resize(before + piece_bytes);
        file.read(text.data() + before, piece_bytes);
        text.resize(before + static_cast<std::size_t>(file.gcount()));
    }
    if (file.bad()) throw InputError(path + ": cannot be read to its end");
    if (text.size() > kind.most_bytes)
        throw InputError(text_of(path, ": is longer than ", kind.most_in_words, ", expected ", kind.name));
    return text;
}

}  // namespace

std::string read_input_text(const std::string& path) { return read_text(path, an_input); }

std::string read_sphere_text(const std::string& path) { return read_text(path, spheres_of_a_body); }

}  // namespace ricochet
