// SPDX-License-Identifier: BSD-3-Clause
#include "ricochet/checkpoint/checkpoint.hpp"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <functional>
#include <span>
#include <system_error>
#include <utility>

#include "checkpoint/checkpoint_content.hpp"
#include "core/hash.hpp"
#include "files/output_path.hpp"
#include "files/posix_file.hpp"
#include "files/sealed_file.hpp"
#include "parallel/collectives.hpp"
#include "ricochet/core/check.hpp"
#include "ricochet/core/error.hpp"

namespace ricochet {
namespace {

namespace fs = std::filesystem;
constexpr const char* unfinished = ".tmp";

std::string prefix_of(const std::string& result_path) {
    return fs::path(result_path).filename().string() + ".checkpoint-";
}

/// The step in the name of a checkpoint; none for other files.
std::optional<std::uint64_t> step_in(const std::string& name, const std::string& prefix) {
    if (!name.starts_with(prefix)) return std::nullopt;
    std::uint64_t step = 0;
    const char* const end = name.data() + name.size();
    const auto [rest, error] = std::from_chars(name.data() + prefix.size(), end, step);
    if (error != std::errc() || rest != end) return std::nullopt;
    return step;
}

/// Calls visit(path) for the entries of the result's folder.
void for_each_beside(const std::string& result_path, const std::function<void(const fs::path&)>& visit) {
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(folder_of(result_path), error)) visit(entry.path());
}

void remove_all(const std::vector<std::string>& paths) {
    for (const std::string& path : paths) remove_where_possible(path);
}

std::vector<std::string> unfinished_checkpoints(const std::string& result_path) {
    std::vector<std::string> paths;
    for_each_beside(result_path, [&](const fs::path& path) {
        const std::string name = path.filename().string();
        if (name.ends_with(unfinished) && step_in(path.stem().string(), prefix_of(result_path)))
            paths.push_back(path.string());
    });
    return paths;
}

/// The finished checkpoints, newest first.
std::vector<std::uint64_t> steps_of_checkpoints(const std::string& result_path) {
    std::vector<std::uint64_t> steps;
    for_each_beside(result_path, [&](const fs::path& path) {
        if (const auto step = step_in(path.filename().string(), prefix_of(result_path)))
            steps.push_back(*step);
    });
    std::sort(steps.begin(), steps.end(), std::greater<>());
    return steps;
}

/// The owner, as named by the seal.
std::uint64_t owner_of(const RunIdentity& identity) {
    return hash_values(std::span<const char>(identity.run_id));
}

bool is_of(std::uint64_t owner, const std::string& path) { return owner_of_sealed(path) == owner; }

/// The finished checkpoints of one run, newest first.
std::vector<std::string> own_checkpoints(const std::string& result_path, std::uint64_t owner) {
    std::vector<std::string> paths = list_checkpoints(result_path);
    std::erase_if(paths, [&](const std::string& path) { return !is_of(owner, path); });
    return paths;
}

/// Removes old checkpoints of this run. Those of later steps than the one just written are removed too. They
/// belong to a past that was given up, for example because they were damaged.
void keep_newest(const std::string& result_path, const std::string& written, std::uint64_t keep) {
    std::vector<std::string> paths = own_checkpoints(result_path, owner_of_sealed(written).value());
    const auto newest = std::find(paths.begin(), paths.end(), written);
    remove_all({paths.begin(), newest});
    paths.erase(paths.begin(), newest);
    const auto kept = std::min<std::uint64_t>(paths.size(), std::max<std::uint64_t>(keep, 1));
    paths.erase(paths.begin(), paths.begin() + static_cast<std::ptrdiff_t>(kept));
    remove_all(paths);
}

/// Moves a file of another run away from the place of a checkpoint.
void set_others_aside(const std::string& path, std::uint64_t owner) {
    std::error_code error;
    if (fs::exists(path, error) && !is_of(owner, path)) rename_durably(path, path + ".other");
}

/// Compares what was read back with what was meant to be written.
void require_readable(Exchange& exchange, const std::string& path, const CheckpointHeader& written) {
    if (verify_checkpoint_content(exchange, path) != written)
        throw RunError("it does not hold what was written to it");
}

/// A usable checkpoint, or a sentence why it is not. Collective.
std::optional<std::string> try_to_read(Exchange& exchange, const std::string& path, Checkpoint& checkpoint) {
    if (auto damage = find_damage(exchange, path)) return damage;
    try {
        checkpoint = read_checkpoint_content(exchange, path);
    } catch (const RunError& error) {
        return error.what();
    }
    return std::nullopt;
}

}  // namespace

std::string checkpoint_path(const std::string& result_path, std::uint64_t step) {
    return result_path + ".checkpoint-" + std::to_string(step);
}

std::vector<std::string> list_checkpoints(const std::string& result_path) {
    std::vector<std::string> paths;
    for (const std::uint64_t step : steps_of_checkpoints(result_path))
        paths.push_back(checkpoint_path(result_path, step));
    return paths;
}

std::uint64_t step_of_checkpoint(const std::string& path) {
    return step_in(path, path.substr(0, path.rfind('-') + 1)).value_or(0);
}

std::uint64_t checkpoint_bytes(std::uint64_t num_particles, bool has_tethers) {
    return (has_tethers ? 280 : 152) * num_particles + (std::uint64_t{1} << 20);
}

std::string write_checkpoint(Exchange& exchange, const std::string& result_path,
                             const CheckpointHeader& header, const Particles& owned, std::uint64_t keep) {
    RICOCHET_CHECK_EQ(header.state.times.phase_seconds.size() % 3, 0);
    std::string path = checkpoint_path(result_path, header.state.step);
    const std::string temporary = path + unfinished;
    run_on_root<RunError>(exchange, [&] { remove_all(unfinished_checkpoints(result_path)); });
    require_free_space(exchange, path, checkpoint_bytes(header.num_particles, owned.track.keeps_tethers()));
    write_checkpoint_content(exchange, temporary, header, owned);
    try {
        require_readable(exchange, temporary, header);
    } catch (const RunError& error) {
        throw RunError(temporary + ": cannot be read back after writing: " + error.what());
    }
    const std::uint64_t owner = owner_of(header.identity);
    seal_file(exchange, temporary, owner);
    run_on_root<RunError>(exchange, [&] {
        set_others_aside(path, owner);
        rename_durably(temporary, path);
        keep_newest(result_path, path, keep);
    });
    return path;
}

FoundCheckpoint read_newest_checkpoint(Exchange& exchange, const std::string& result_path) {
    std::vector<std::uint64_t> steps;
    if (exchange.rank() == 0) steps = steps_of_checkpoints(result_path);
    broadcast_records(exchange, steps);
    FoundCheckpoint found;
    for (const std::uint64_t step : steps) {
        const std::string path = checkpoint_path(result_path, step);
        Checkpoint checkpoint;
        const auto problem = try_to_read(exchange, path, checkpoint);
        if (!problem) {
            found.checkpoint = std::move(checkpoint);
            found.path = path;
            break;
        }
        found.damaged.push_back(path + ": is damaged: " + *problem);
    }
    return found;
}

void remove_checkpoints_of(Exchange& exchange, const std::string& result_path, const RunIdentity& identity) {
    run_on_root<RunError>(exchange, [&] { remove_all(own_checkpoints(result_path, owner_of(identity))); });
}

void remove_checkpoints(Exchange& exchange, const std::string& result_path) {
    run_on_root<RunError>(exchange, [&] {
        remove_all(list_checkpoints(result_path));
        remove_all(unfinished_checkpoints(result_path));
    });
}

}  // namespace ricochet
