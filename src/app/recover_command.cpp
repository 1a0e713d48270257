// SPDX-License-Identifier: BSD-3-Clause
#include <filesystem>
#include <system_error>

#include "app/commands.hpp"
#include "app/console.hpp"
#include "files/output_lock.hpp"
#include "hdf5/recovery.hpp"
#include "parallel/collectives.hpp"
#include "ricochet/core/error.hpp"

namespace ricochet {
namespace {

void require_result(const std::string& path) {
    std::error_code error;
    if (!std::filesystem::exists(path, error))
        throw InputError(path + ": is not there; give the result file of a run that was killed");
    if (!std::filesystem::is_regular_file(path, error)) throw InputError(path + ": is not a file");
}

}  // namespace

ExitStatus execute(Exchange& exchange, const RecoverCommand& command) {
    run_on_root<InputError>(exchange, [&] { require_result(command.path); });
    lock_of_this_process().take(exchange, command.path);
    const auto note = recover_output(exchange, command.path);
    lock_of_this_process().release();
    Console(exchange.rank() == 0).print(note.value_or(command.path + ": nothing is to be put back") + "\n");
    return ExitStatus::done;
}

}  // namespace ricochet
