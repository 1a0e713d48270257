// SPDX-License-Identifier: BSD-3-Clause
//
// The program, and how it ends after an error.
//
// Only runs and studies need MPI. Other commands do without it, unless a launcher has started several ranks of them:
// then rank 0 answers.
//
// Errors common to all ranks (InputError, RunError) are printed once, by rank 0. All ranks then leave
// together through MPI_Finalize with the same status.
//
// Any other error may have hit this rank alone: a failed HDF5 call, no memory, a defect. It ends all ranks at
// once. Otherwise the other ranks might wait in a collective call, and MPI_Finalize on this rank would wait
// for them for ever. A failed write ends the program from inside the failed call, by an error handler of
// MPI-IO.
//
// Even common errors are checked: ranks that do not meet at the exit within some seconds are ended.
#include <boost/mpi/communicator.hpp>
#include <boost/mpi/environment.hpp>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <new>
#include <optional>
#include <string>
#include <thread>
#include <variant>

#include "app/commands.hpp"
#include "app/separate_check.hpp"
#include "core/text.hpp"
#include "files/failed_write.hpp"
#include "files/output_lock.hpp"
#include "files/output_path.hpp"
#include "mpi/mpi_library.hpp"
#include "parallel/serial_exchange.hpp"
#include "process/stop_signals.hpp"
#include "ricochet/core/array_memory.hpp"
#include "ricochet/core/error.hpp"
#include "ricochet/mpi/mpi_exchange.hpp"

namespace {

namespace mpi = boost::mpi;
using ricochet::ExitStatus;

constexpr std::chrono::seconds patience{20};
constexpr std::chrono::seconds short_patience{1};
constexpr const char* out_of_memory =
    "the memory is used up: take fewer particles, a shorter timestep (all contacts of a step are held), or "
    "more nodes";

/// Used by the handler of failed writes, which MPI calls.
const mpi::communicator* exit_door_of_all = nullptr;
/// The exit status, once the message of an error has been printed.
std::optional<int> final_status;

/// Whether all ranks come here within the limit. Collective, on a communicator of its own.
bool meet_at_exit(const mpi::communicator& exit_door, std::chrono::seconds limit) {
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Ibarrier(exit_door, &request);
    const auto deadline = std::chrono::steady_clock::now() + limit;
    int is_complete = 0;
    while (std::chrono::steady_clock::now() < deadline) {
        MPI_Test(&request, &is_complete, MPI_STATUS_IGNORE);
        if (is_complete != 0) return true;
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    return false;
}

/// With all output closed. Where the status is not 0, mpirun ends the other ranks when it sees the first: none may go
/// before rank 0 has removed its lock.
int leave_in_order(const mpi::communicator& exit_door, ExitStatus status) {
    if (status != ExitStatus::done) {
        ricochet::lock_of_this_process().release();
        meet_at_exit(exit_door, patience);
    }
    return static_cast<int>(status);
}

int leave_together(const mpi::communicator& exit_door, ExitStatus status, const char* message) {
    final_status = static_cast<int>(status);
    const std::string text = ricochet::as_message(message);
    if (exit_door.rank() == 0) std::fprintf(stderr, "%s\n", text.c_str());
    // Before mpirun sees another rank's status and ends this one. After a refusal no output is open.
    if (status == ExitStatus::bad_input) ricochet::lock_of_this_process().release();
    if (!meet_at_exit(exit_door, patience)) {
        std::fprintf(stderr, "rank %d: %s\n", exit_door.rank(), text.c_str());
        mpi::environment::abort(static_cast<int>(status));
    }
    return static_cast<int>(status);
}

/// Ends the program after a failed call of HDF5 or MPI-IO, which fails often but not always on all ranks. The
/// error is printed once. MPI_Finalize is not called, since HDF5 would write there what it still holds.
[[noreturn]] void leave_at_once(const mpi::communicator& exit_door, const char* message) {
    constexpr int status = static_cast<int>(ExitStatus::run_failed);
    final_status = status;
    const bool is_common = meet_at_exit(exit_door, short_patience);
    if (!is_common) std::fprintf(stderr, "rank %d: ", exit_door.rank());
    if (!is_common || exit_door.rank() == 0)
        std::fprintf(stderr, "%s\n", ricochet::as_message(message).c_str());
    std::fflush(nullptr);
    ricochet::lock_of_this_process().release();
    if (exit_door.size() == 1) std::_Exit(status);
    if (is_common && exit_door.rank() > 0) std::this_thread::sleep_for(patience);  // rank 0 ends all
    mpi::environment::abort(status);
    std::_Exit(status);
}

/// HDF5 closes in MPI_Finalize what an error has left open. That may fail too, and its messages add nothing.
void leave_after_failed_write(const char* message) {
    if (final_status) std::_Exit(*final_status);
    leave_at_once(*exit_door_of_all, message);
}

int leave_alone(const mpi::communicator& world, const char* message) {
    std::fprintf(stderr, "rank %d: %s\n", world.rank(), ricochet::as_message(message).c_str());
    if (world.size() > 1) mpi::environment::abort(static_cast<int>(ExitStatus::run_failed));
    return static_cast<int>(ExitStatus::run_failed);
}

ExitStatus execute_on(ricochet::Exchange& exchange, const ricochet::Command& command) {
    return std::visit([&](const auto& chosen) { return ricochet::execute(exchange, chosen); }, command);
}

int execute(const ricochet::Command& command) {
    const mpi::communicator world;
    const mpi::communicator exit_door(world, mpi::comm_duplicate);
    exit_door_of_all = &exit_door;
    ricochet::leave_on_failed_writes(leave_after_failed_write);
    try {
        ricochet::MpiExchange exchange(world);
        return leave_in_order(exit_door, execute_on(exchange, command));
    } catch (const ricochet::InputError& error) {
        return leave_together(exit_door, ExitStatus::bad_input, error.what());
    } catch (const ricochet::Hdf5Error& error) {
        leave_at_once(exit_door, error.what());
    } catch (const ricochet::RunError& error) {
        return leave_together(exit_door, ExitStatus::run_failed, error.what());
    } catch (const std::bad_alloc&) {
        return leave_alone(world, out_of_memory);
    } catch (const std::exception& error) {
        return leave_alone(world, error.what());
    }
}

int execute_without_mpi(const ricochet::Command& command) {
    const auto leave = [](ExitStatus status, const char* message) {
        std::fprintf(stderr, "%s\n", ricochet::as_message(message).c_str());
        return static_cast<int>(status);
    };
    try {
        ricochet::SerialExchange exchange;
        const ExitStatus status = execute_on(exchange, command);
        if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0)
            return leave(ExitStatus::run_failed, "standard output: cannot be written: is its disk full?");
        return static_cast<int>(status);
    } catch (const ricochet::InputError& error) {
        return leave(ExitStatus::bad_input, error.what());
    } catch (const std::bad_alloc&) {
        return leave(ExitStatus::run_failed, out_of_memory);
    } catch (const std::exception& error) {
        return leave(ExitStatus::run_failed, error.what());
    }
}

bool needs_mpi(const ricochet::Command& command) {
    return std::holds_alternative<ricochet::RunCommand>(command) ||
           std::holds_alternative<ricochet::StudyCommand>(command);
}

/// Signals that arrive during MPI_Init end a run: it has nothing to save yet.
int execute_with_mpi(int argc, char** argv, const ricochet::Command& command) {
    const bool is_run = std::holds_alternative<ricochet::RunCommand>(command);
    ricochet::prefer_reliable_mpi_io();
    if (!ricochet::is_started_by_launcher()) ricochet::prefer_start_without_daemon();
    if (is_run) std::signal(SIGPIPE, SIG_IGN);  // a run goes on when the reader of its messages has gone
    if (is_run) ricochet::let_stop_signals_end_the_start(ricochet::is_first_of_launcher());
    const mpi::environment environment(argc, argv);
    if (is_run) ricochet::install_stop_signals();
    return execute(command);
}

}  // namespace

int main(int argc, char** argv) {
    const ricochet::Command command = ricochet::parse_command_line(argc, argv);
    if (const auto* verify = std::get_if<ricochet::VerifyCommand>(&command))
        return ricochet::execute_alone(*verify);
    ricochet::keep_large_arrays_apart();
    ricochet::turn_file_size_limits_into_errors();
    if (!needs_mpi(command) && !ricochet::is_started_by_launcher()) return execute_without_mpi(command);
    return execute_with_mpi(argc, argv, command);
}
