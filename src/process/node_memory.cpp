// SPDX-License-Identifier: BSD-3-Clause
#include "process/node_memory.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "core/readable.hpp"
#include "ricochet/core/error.hpp"

namespace ricochet {
namespace {

namespace fs = std::filesystem;

/// The share of the plan's estimate that is certainly needed (plan.cpp). Runs are refused where it exceeds
/// the available memory.
constexpr double certain_part = 0.85;

/// The number after a word at the beginning of a line; none where no line begins with the word.
std::optional<double> number_after(const fs::path& path, const std::string& word) {
    std::ifstream file(path);
    for (std::string line; std::getline(file, line);)
        if (line.starts_with(word)) return std::strtod(line.c_str() + word.size(), nullptr);
    return std::nullopt;
}

/// The only number in a file; none where the file has a word instead, such as "max".
std::optional<double> number_in(const fs::path& path) {
    std::ifstream file(path);
    double number = 0;
    if (!(file >> number)) return std::nullopt;
    return number;
}

void keep_smaller(std::optional<double>& least, std::optional<double> other) {
    if (other && (!least || *other < *least)) least = other;
}

/// File names of control groups, version 1 or 2.
struct GroupFiles {
    const char* folder;
    const char* limit;
    const char* usage;
    const char* cache;  ///< a word of memory.stat: what is given back on demand
};
constexpr GroupFiles version_1{"sys/fs/cgroup/memory", "memory.limit_in_bytes", "memory.usage_in_bytes",
                               "total_inactive_file "};
constexpr GroupFiles version_2{"sys/fs/cgroup", "memory.max", "memory.current", "inactive_file "};

/// The memory that a control group and those above it leave. In a container the path may be that of the host,
/// whose folders do not exist there. Then the topmost existing folder has the limit of the container.
std::optional<double> left_in_groups(const fs::path& root, const GroupFiles& files, fs::path group) {
    std::optional<double> least;
    for (bool is_top = false; !is_top; group = group.parent_path()) {
        is_top = group.empty();
        const fs::path folder = root / files.folder / group;
        const auto limit = number_in(folder / files.limit), usage = number_in(folder / files.usage);
        const double cache = number_after(folder / "memory.stat", files.cache).value_or(0);
        if (limit && usage) keep_smaller(least, std::max(0.0, *limit - *usage + cache));
    }
    return least;
}

/// Lines of /proc/self/cgroup have the form NUMBER:CONTROLLERS:PATH, without controllers in version 2.
std::optional<double> left_in_own_groups(const fs::path& root) {
    std::optional<double> least;
    std::ifstream file(root / "proc/self/cgroup");
    for (std::string line; std::getline(file, line);) {
        const auto first = line.find(':'), second = line.find(':', first + 1);
        if (second == std::string::npos) continue;
        const std::string controllers = line.substr(first + 1, second - first - 1);
        const fs::path group = fs::path(line.substr(second + 1)).relative_path();
        if (controllers.empty()) keep_smaller(least, left_in_groups(root, version_2, group));
        if (controllers == "memory") keep_smaller(least, left_in_groups(root, version_1, group));
    }
    return least;
}

/// The memory of a node, and the ranks that share it.
struct Node {
    double num_ranks = 0;
    double available = 0;
    double per_rank() const { return available / num_ranks; }
};

/// The node with the least memory for each of its ranks; none where no system says what it has. Collective.
std::optional<Node> tightest_node(Exchange& exchange) {
    const std::array<Node, 1> mine{{{static_cast<double>(exchange.ranks_on_node()),
                                     available_memory().value_or(std::numeric_limits<double>::infinity())}}};
    std::vector<Node> nodes;
    for (const Bytes& message : exchange.all_gather(std::as_bytes(std::span(mine))))
        read_records(std::span<const std::byte>(message), nodes);
    const Node tightest = *std::min_element(
        nodes.begin(), nodes.end(), [](const Node& a, const Node& b) { return a.per_rank() < b.per_rank(); });
    if (!std::isfinite(tightest.available)) return std::nullopt;
    return tightest;
}

}  // namespace

std::optional<double> available_memory(const fs::path& root) {
    std::optional<double> least = number_after(root / "proc/meminfo", "MemAvailable:");
    if (least) *least *= 1024;
    keep_smaller(least, left_in_own_groups(root));
    return least;
}

void require_memory(Exchange& exchange, const Config& config, const ParticleSummary& particles,
                    const RunPlan& plan) {
    const auto node = tightest_node(exchange);
    if (!node || certain_part * plan.bytes_per_rank <= node->per_rank()) return;
    const double for_particles = std::max(0.0, node->per_rank() - plan.bytes_without_particles);
    const double part = for_particles / (plan.bytes_per_rank - plan.bytes_without_particles);
    const double fitting = std::floor(part * static_cast<double>(particles.num_particles));
    constexpr double many_contacts = 10;
    const std::string advice =
        particles.contacts_per_step.value_or(0) > many_contacts
            ? fmt::format("take a shorter run.timestep, in which a particle has some {:.3g} contacts",
                          *particles.contacts_per_step)
            : fmt::format("take at most about {:.3g} particles, or more nodes", fitting);
    throw InputError(fmt::format(
        "{}: species: got {} particles, which need about {} of memory on a node with {} of the {} ranks, "
        "expected at most the {} that are available there: {}",
        config.input_name, particles.num_particles, in_bytes(node->num_ranks * plan.bytes_per_rank),
        node->num_ranks, plan.num_ranks, in_bytes(node->available), advice));
}

}  // namespace ricochet
