// SPDX-License-Identifier: BSD-3-Clause
#include "app/child_process.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <optional>
#include <string_view>

namespace ricochet {
namespace {

constexpr int not_started = 127;

bool belongs_to_mpi(std::string_view variable) {
    constexpr std::array<std::string_view, 5> prefixes{"OMPI_", "PMIX_", "PMI_", "ORTE_", "OPAL_"};
    return std::any_of(prefixes.begin(), prefixes.end(),
                       [&](std::string_view prefix) { return variable.starts_with(prefix); });
}

std::vector<char*> environment_without_mpi() {
    std::vector<char*> kept;
    for (char** variable = environ; *variable != nullptr; ++variable)
        if (!belongs_to_mpi(*variable)) kept.push_back(*variable);
    kept.push_back(nullptr);
    return kept;
}

std::vector<char*> pointers_to(std::vector<std::string>& texts) {
    std::vector<char*> pointers;
    pointers.reserve(texts.size() + 1);
    for (std::string& text : texts) pointers.push_back(text.data());
    pointers.push_back(nullptr);
    return pointers;
}

int status_of(pid_t child) {
    int status = 0;
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR) return not_started;
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

/// Folder, standard output and standard error of the child process.
class StartActions {
  public:
    StartActions() { posix_spawn_file_actions_init(&actions_); }
    StartActions(const StartActions&) = delete;
    StartActions& operator=(const StartActions&) = delete;
    ~StartActions() { posix_spawn_file_actions_destroy(&actions_); }

    void enter(const std::string& folder) { posix_spawn_file_actions_addchdir_np(&actions_, folder.c_str()); }
    void silence(int stream) {
        posix_spawn_file_actions_addopen(&actions_, stream, "/dev/null", O_WRONLY, 0);
    }
    void redirect(int stream, int target) { posix_spawn_file_actions_adddup2(&actions_, target, stream); }

    /// The process; none when it cannot be started.
    std::optional<pid_t> start(const std::vector<std::string>& arguments) const {
        std::vector<std::string> texts = arguments;
        const std::vector<char*> argv = pointers_to(texts);
        const std::vector<char*> environment = environment_without_mpi();
        pid_t child = 0;
        const int error = posix_spawnp(&child, argv[0], &actions_, nullptr, argv.data(), environment.data());
        return error == 0 ? std::optional(child) : std::nullopt;
    }

  private:
    posix_spawn_file_actions_t actions_{};
};

/// Reads to the end, so that the child never waits; keeps the beginning.
std::string read_to_end(int source) {
    constexpr std::size_t most_bytes = 1 << 16;
    std::string text;
    std::array<char, 4096> block{};
    for (ssize_t count = 0; (count = read(source, block.data(), block.size())) != 0;) {
        if (count < 0 && errno != EINTR) break;
        if (count > 0 && text.size() < most_bytes) text.append(block.data(), static_cast<std::size_t>(count));
    }
    return text;
}

}  // namespace

int run_child(const std::vector<std::string>& arguments, const std::string& folder, ChildOutput output) {
    StartActions actions;
    actions.enter(folder);
    if (output == ChildOutput::silent)
        for (const int stream : {STDOUT_FILENO, STDERR_FILENO}) actions.silence(stream);
    const std::optional<pid_t> child = actions.start(arguments);
    return child ? status_of(*child) : not_started;
}

ChildText read_child(const std::vector<std::string>& arguments) {
    std::array<int, 2> pipe_ends{};
    if (pipe2(pipe_ends.data(), O_CLOEXEC) != 0) return {not_started, ""};
    StartActions actions;
    actions.redirect(STDOUT_FILENO, pipe_ends[1]);
    actions.silence(STDERR_FILENO);
    const std::optional<pid_t> child = actions.start(arguments);
    close(pipe_ends[1]);
    const std::string text = read_to_end(pipe_ends[0]);
    close(pipe_ends[0]);
    return {child ? status_of(*child) : not_started, text};
}

}  // namespace ricochet
