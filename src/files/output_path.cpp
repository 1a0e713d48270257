// SPDX-License-Identifier: BSD-3-Clause
#include "files/output_path.hpp"

#include <unistd.h>

#include <cerrno>
#include <climits>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <optional>
#include <string_view>

#include "files/posix_file.hpp"
#include "files/system_calls.hpp"
#include "parallel/collectives.hpp"
#include "ricochet/core/error.hpp"

namespace ricochet {
namespace {

namespace fs = std::filesystem;

std::string reason() { return std::strerror(errno); }

std::optional<std::string> find_folder_problem(const fs::path& folder) {
    std::error_code error;
    if (!fs::is_directory(folder, error)) return "the folder " + folder.string() + " does not exist";
    if (access(folder.c_str(), W_OK | X_OK) != 0)
        return "the folder " + folder.string() + " is not writable (" + reason() + ")";
    return std::nullopt;
}

std::optional<std::string> find_file_problem(const fs::path& path, bool force) {
    std::error_code error;
    const fs::file_status status = fs::status(path, error);
    if (!fs::exists(status) && fs::is_symlink(fs::symlink_status(path, error)))
        return "it is a link to a file that does not exist; remove the link, or choose another name";
    if (!fs::exists(status)) return std::nullopt;
    if (!fs::is_regular_file(status)) return "it exists and is not a regular file";
    if (!force) return "it exists; give --force to replace it, or choose another name";
    if (access(path.c_str(), W_OK) != 0) return "it exists and is not writable (" + reason() + ")";
    return std::nullopt;
}

/// Files beside the result have its name with a suffix; checkpoints have the longest.
std::optional<std::string> find_length_problem(const fs::path& path, const fs::path& folder) {
    constexpr std::string_view longest_addition = ".checkpoint-18446744073709551615.tmp";
    const long known_limit = pathconf(folder.c_str(), _PC_NAME_MAX);
    const long limit = known_limit < 0 ? NAME_MAX : known_limit;
    const std::size_t length = path.filename().native().size();
    if (length + longest_addition.size() <= static_cast<std::size_t>(limit)) return std::nullopt;
    return "its name has " + std::to_string(length) + " bytes, expected at most " +
           std::to_string(static_cast<std::size_t>(limit) - longest_addition.size()) +
           " (checkpoints beside it have longer names)";
}

fs::path folder_part(const fs::path& path) {
    return path.has_parent_path() ? path.parent_path() : fs::path(".");
}

/// The problem of the last part of the path.
std::optional<std::string> find_problem_of_last_part(const fs::path& path) {
    if (!path.has_filename()) return "it names no file";
    return find_length_problem(path, folder_part(path));
}

std::optional<std::string> find_path_problem(const fs::path& path, bool force) {
    std::optional<std::string> problem;
    if (path.has_filename()) problem = find_folder_problem(folder_part(path));
    if (!problem) problem = find_problem_of_last_part(path);
    if (!problem) problem = find_file_problem(path, force);
    return problem;
}

void throw_about_output(Exchange& exchange, const std::string& path, std::optional<std::string> problem) {
    if (problem) problem = "output file " + path + ": " + *problem;
    throw_together<InputError>(exchange, problem);
}

std::optional<std::string> find_space_problem(const std::string& path, std::uint64_t num_bytes) {
    constexpr std::uint64_t reserve = std::uint64_t{16} << 20;
    struct statvfs disk {};
    const std::string place = fs::exists(path) ? path : folder_of(path);
    if (system_calls().statvfs(place.c_str(), &disk) != 0)
        return "cannot look up the free space (" + reason() + ")";
    const std::uint64_t free_bytes = std::uint64_t{disk.f_bavail} * disk.f_frsize;
    if (free_bytes >= reserve && free_bytes - reserve >= num_bytes) return std::nullopt;
    return "the next output needs " + std::to_string(num_bytes) +
           " bytes and 16 MiB to spare, but the disk has " + std::to_string(free_bytes) +
           " bytes left; what was written before is complete";
}

}  // namespace

std::optional<std::string> find_name_problem(const std::string& path) {
    if (path.find('\0') != std::string::npos) return "got a zero byte, expected a file name";
    if (path.find(':') == std::string::npos) return std::nullopt;
    return "got " + path +
           ", expected no colon (MPI takes what stands before it for a kind of file system); where it is in "
           "the name "
           "of a folder, run in that folder with a relative path";
}

std::string find_output_problem(const std::string& path, bool replace) {
    std::optional<std::string> problem = "it names no file";
    if (fs::path(path).has_filename()) problem = find_folder_problem(folder_part(path));
    if (!problem) problem = find_file_problem(path, replace);
    return problem ? "output " + path + ": " + *problem : "";
}

void check_output_path(Exchange& exchange, const std::string& path, bool force) {
    std::optional<std::string> problem;
    if (exchange.rank() == 0) problem = find_path_problem(path, force);
    throw_about_output(exchange, path, problem);
}

void check_output_name(Exchange& exchange, const std::string& path) {
    std::optional<std::string> problem;
    if (exchange.rank() == 0) problem = find_problem_of_last_part(path);
    throw_about_output(exchange, path, problem);
}

void require_free_space(Exchange& exchange, const std::string& path, std::uint64_t num_bytes) {
    std::optional<std::string> problem;
    if (exchange.rank() == 0) problem = find_space_problem(path, num_bytes);
    if (problem) problem = path + ": " + *problem;
    throw_together<RunError>(exchange, problem);
}

void turn_file_size_limits_into_errors() { std::signal(SIGXFSZ, SIG_IGN); }

}  // namespace ricochet
