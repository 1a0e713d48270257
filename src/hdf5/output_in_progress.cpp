// SPDX-License-Identifier: BSD-3-Clause
#include "hdf5/output_in_progress.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

#include "files/failed_write.hpp"
#include "files/posix_file.hpp"
#include "files/system_calls.hpp"
#include "mpi/mpi_library.hpp"

namespace ricochet {
namespace {

const OutputInProgress* innermost = nullptr;
LeaveFunction leave_program = nullptr;

/// The cause as the kernel names it, where `error` can come from a write. MPI-IO implementations keep little
/// more than "input/output error". Any other errno is left over from an earlier call.
std::string cause_of(int error, const char* words_of_mpi) {
    constexpr std::array causes{ENOSPC, EDQUOT, EIO,    EFBIG,  EROFS,    ESTALE,
                                EACCES, EPERM,  ENOENT, EEXIST, ETIMEDOUT};
    if (std::find(causes.begin(), causes.end(), error) != causes.end()) return std::strerror(error);
    return words_of_mpi;
}

void end_after_failed_call(int error, const char* words_of_mpi) {
    const std::string cause = cause_of(error, words_of_mpi);
    if (innermost == nullptr)
        leave_program(("cannot write: " + cause).c_str());
    else
        leave_program((innermost->path() + ": cannot write: " + cause + innermost->describe_need()).c_str());
}

}  // namespace

OutputInProgress::OutputInProgress(std::string path, std::uint64_t num_bytes)
    : path_(std::move(path)), num_bytes_(num_bytes), outer_(innermost) {
    if (num_bytes_ == 0 && outer_ != nullptr && outer_->path_ == path_) num_bytes_ = outer_->num_bytes_;
    innermost = this;
    errno = 0;
}

OutputInProgress::~OutputInProgress() { innermost = outer_; }

std::string OutputInProgress::describe_need() const {
    struct statvfs disk {};
    std::string text = num_bytes_ > 0 ? "; this output needs " + std::to_string(num_bytes_) + " bytes" : "";
    if (system_calls().statvfs(folder_of(path_).c_str(), &disk) == 0)
        text += (num_bytes_ > 0 ? " and the disk has " : "; the disk has ") +
                std::to_string(std::uint64_t{disk.f_bavail} * disk.f_frsize) + " bytes left";
    return text + "; what was announced before is complete";
}

void leave_on_failed_writes(LeaveFunction leave) {
    leave_program = leave;
    report_failed_mpi_io(end_after_failed_call);
}

}  // namespace ricochet
