// SPDX-License-Identifier: BSD-3-Clause
#include "ricochet/io/checkpoint.hpp"

#include <algorithm>
#include <boost/mpi/collectives/broadcast.hpp>
#include <boost/serialization/string.hpp>
#include <boost/serialization/vector.hpp>
#include <charconv>
#include <filesystem>
#include <functional>
#include <span>
#include <system_error>
#include <utility>

#include "io/agree.hpp"
#include "io/checkpoint_content.hpp"
#include "io/posix_file.hpp"
#include "io/sealed_file.hpp"
#include "ricochet/core/error.hpp"
#include "ricochet/core/hash.hpp"
#include "ricochet/io/output_path.hpp"

namespace ricochet {
namespace {

namespace fs = std::filesystem;
using boost::mpi::communicator;

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

/// Runs `work` on rank 0; a RunError is thrown on all ranks. Collective.
void on_root(const communicator& ranks, const std::function<void()>& work) {
    std::optional<std::string> problem;
    if (ranks.rank() == 0) {
        try {
            work();
        } catch (const RunError& error) {
            problem = error.what();
        }
    }
    throw_together<RunError>(ranks, problem);
}

void remove_all(const std::vector<std::string>& paths) {
    std::error_code ignored;
    for (const std::string& path : paths) fs::remove(path, ignored);
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

/// As their seals name it.
std::uint64_t owner_of(const RunIdentity& identity) {
    return hash_values(std::span<const char>(identity.run_id));
}

bool is_of(std::uint64_t owner, const std::string& path) { return owner_of_sealed(path) == owner; }

/// Of the run's own files. Those of later steps than the one just written belong to a past that was given up,
/// e.g. because they were damaged.
void keep_newest(const std::string& result_path, const std::string& written, std::uint64_t keep) {
    const std::uint64_t owner = owner_of_sealed(written).value();
    std::vector<std::string> paths = list_checkpoints(result_path);
    std::erase_if(paths, [&](const std::string& path) { return !is_of(owner, path); });
    const auto newest = std::find(paths.begin(), paths.end(), written);
    remove_all({paths.begin(), newest});
    paths.erase(paths.begin(), newest);
    const auto kept = std::min<std::uint64_t>(paths.size(), std::max<std::uint64_t>(keep, 1));
    paths.erase(paths.begin(), paths.begin() + static_cast<std::ptrdiff_t>(kept));
    remove_all(paths);
}

/// Puts what is not the run's own out of the way of a checkpoint.
void set_others_aside(const std::string& path, std::uint64_t owner) {
    std::error_code error;
    if (fs::exists(path, error) && !is_of(owner, path)) rename_durably(path, path + ".other");
}

/// What was read back must be what was meant to be written.
void require_readable(const communicator& ranks, const std::string& path, const CheckpointHeader& written) {
    const Checkpoint read = read_checkpoint_content(ranks, path);
    if (static_cast<const CheckpointHeader&>(read) != written)
        throw RunError("it does not hold what was written to it");
}

/// A usable checkpoint, or a sentence why it is not. Collective.
std::optional<std::string> try_to_read(const communicator& ranks, const std::string& path,
                                       Checkpoint& checkpoint) {
    if (auto damage = find_damage(ranks, path)) return damage;
    try {
        checkpoint = read_checkpoint_content(ranks, path);
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
    std::vector<std::pair<std::uint64_t, std::string>> found;
    for_each_beside(result_path, [&](const fs::path& path) {
        if (const auto step = step_in(path.filename().string(), prefix_of(result_path)))
            found.emplace_back(*step, checkpoint_path(result_path, *step));
    });
    std::sort(found.begin(), found.end(), std::greater<>());
    std::vector<std::string> paths;
    paths.reserve(found.size());
    for (auto& [step, path] : found) paths.push_back(std::move(path));
    return paths;
}

std::uint64_t checkpoint_bytes(std::uint64_t num_particles) {
    return 144 * num_particles + (std::uint64_t{1} << 20);
}

std::string write_checkpoint(const communicator& ranks, const std::string& result_path,
                             const CheckpointHeader& header, const Particles& owned, std::uint64_t keep) {
    std::string path = checkpoint_path(result_path, header.state.step);
    const std::string temporary = path + unfinished;
    on_root(ranks, [&] { remove_all(unfinished_checkpoints(result_path)); });
    require_free_space(ranks, path, checkpoint_bytes(header.num_particles));
    write_checkpoint_content(ranks, temporary, header, owned);
    try {
        require_readable(ranks, temporary, header);
    } catch (const RunError& error) {
        throw RunError(temporary + ": cannot be read back after writing: " + error.what());
    }
    const std::uint64_t owner = owner_of(header.identity);
    seal_file(ranks, temporary, owner);
    on_root(ranks, [&] {
        set_others_aside(path, owner);
        rename_durably(temporary, path);
        keep_newest(result_path, path, keep);
    });
    return path;
}

FoundCheckpoint read_newest_checkpoint(const communicator& ranks, const std::string& result_path) {
    std::vector<std::string> paths;
    if (ranks.rank() == 0) paths = list_checkpoints(result_path);
    boost::mpi::broadcast(ranks, paths, 0);
    FoundCheckpoint found;
    for (const std::string& path : paths) {
        Checkpoint checkpoint;
        const auto problem = try_to_read(ranks, path, checkpoint);
        if (!problem) {
            found.checkpoint = std::move(checkpoint);
            found.path = path;
            break;
        }
        found.damaged.push_back(path + ": is damaged: " + *problem);
    }
    return found;
}

void remove_checkpoints(const communicator& ranks, const std::string& result_path) {
    on_root(ranks, [&] {
        remove_all(list_checkpoints(result_path));
        remove_all(unfinished_checkpoints(result_path));
    });
}

}  // namespace ricochet
