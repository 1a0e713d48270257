// SPDX-License-Identifier: BSD-3-Clause
#include "app/report_page.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <memory>
#include <vector>

#include "app/child_process.hpp"
#include "app/page_theory.hpp"
#include "files/living_writer.hpp"
#include "result/result_reader.hpp"
#include "ricochet/core/error.hpp"

namespace ricochet {
namespace {

namespace fs = std::filesystem;

constexpr const char* page_name = "report.html";
/// At opening a file that a process writes, as read_while_written makes.
constexpr const char* attempts_while_written = "50";

fs::path find_scripts() {
    std::error_code error;
    const fs::path program = fs::read_symlink("/proc/self/exe", error);
    for (const char* place : {"../share/ricochet/report", "share/ricochet/report"}) {
        fs::path scripts = (program.parent_path() / place).lexically_normal();
        if (fs::is_regular_file(scripts / "__main__.py", error)) return scripts;
    }
    throw RunError("report: its scripts (share/ricochet/report) are missing beside the program " +
                   program.string() + "; install or build it again");
}

/// Makes the path of a program absolute, since Python runs in another folder. Names without a folder stay.
std::string from_every_folder(const std::string& program) {
    return program.find('/') == std::string::npos ? program : fs::absolute(program).string();
}

bool can_plot(const std::string& python, const fs::path& scripts) {
    return run_child({python, "-B", "-c", "import h5py, matplotlib"}, scripts.string(),
                     ChildOutput::silent) == 0;
}

std::string find_python(const fs::path& scripts) {
    std::vector<std::string> candidates{"python3", "/usr/bin/python3"};
    if (const char* chosen = std::getenv("RICOCHET_PYTHON"); chosen != nullptr && *chosen != '\0')
        candidates = {from_every_folder(chosen)};
    for (const std::string& python : candidates)
        if (can_plot(python, scripts)) return python;
    throw RunError(fmt::format(
        "report: needs Python 3 with h5py and matplotlib, which {} has not. Debian: apt-get install "
        "python3-h5py python3-matplotlib; elsewhere: pip install h5py matplotlib. The environment "
        "variable RICOCHET_PYTHON names another Python",
        candidates.front()));
}

void prepare_folder(const PageRequest& request) {
    const fs::path folder(request.folder);
    std::error_code error;
    if (fs::exists(folder / page_name, error) && !request.replace)
        throw InputError("output " + (folder / page_name).string() +
                         ": it exists; give --force to replace it, or choose another folder");
    if (fs::exists(folder, error) && !fs::is_directory(folder, error))
        throw InputError("output folder " + request.folder + ": is a file");
    if (!fs::exists(folder, error) && !fs::create_directory(folder, error))
        throw InputError("output folder " + request.folder + ": cannot be created: " + error.message());
    if (access(folder.c_str(), W_OK | X_OK) != 0)
        throw InputError("output folder " + request.folder + ": is not writable");
}

}  // namespace

std::string make_page(const PageRequest& request) {
    const auto reader =
        read_while_written(request.path, [&] { return std::make_unique<ResultReader>(request.path); });
    const fs::path scripts = find_scripts();
    const std::string python = find_python(scripts);
    prepare_folder(request);
    // -B: an installed tree is not written to.
    std::vector<std::string> arguments{python,
                                       "-B",
                                       scripts.string(),
                                       fs::absolute(request.path).string(),
                                       fs::absolute(request.folder).string(),
                                       "--theory",
                                       page_theory(*reader)};
    if (is_being_written(request.path))
        arguments.insert(arguments.end(), {"--attempts", attempts_while_written});
    if (request.animation) arguments.insert(arguments.end(), {"--animation", *request.animation});
    const int status = run_child(arguments, scripts.string(), ChildOutput::shared);
    if (status == 2) throw InputError("report: not made");
    if (status != 0)
        throw RunError(fmt::format("report: {} {} ended with status {}", python, scripts.string(), status));
    return (fs::path(request.folder) / page_name).string() + "\n";
}

}  // namespace ricochet
