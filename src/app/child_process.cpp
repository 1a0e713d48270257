// SPDX-License-Identifier: BSD-3-Clause
#include "app/child_process.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <string_view>

namespace ricochet {
namespace {

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
        if (errno != EINTR) return 127;
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

}  // namespace

int run_child(const std::vector<std::string>& arguments, const std::string& folder, ChildOutput output) {
    std::vector<std::string> texts = arguments;
    const std::vector<char*> argv = pointers_to(texts);
    const std::vector<char*> environment = environment_without_mpi();
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addchdir_np(&actions, folder.c_str());
    if (output == ChildOutput::silent)
        for (const int stream : {STDOUT_FILENO, STDERR_FILENO})
            posix_spawn_file_actions_addopen(&actions, stream, "/dev/null", O_WRONLY, 0);
    pid_t child = 0;
    const int error = posix_spawnp(&child, argv[0], &actions, nullptr, argv.data(), environment.data());
    posix_spawn_file_actions_destroy(&actions);
    return error == 0 ? status_of(child) : 127;
}

}  // namespace ricochet
