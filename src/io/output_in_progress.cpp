// SPDX-License-Identifier: BSD-3-Clause
#include "io/output_in_progress.hpp"

#include <mpi.h>
#include <sys/statvfs.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

#include "io/posix_file.hpp"
#include "ricochet/io/failed_write.hpp"

namespace ricochet {
namespace {

const OutputInProgress* innermost = nullptr;
LeaveFunction leave_program = nullptr;

/// The cause as the kernel tells it, where `error` can be of a write: MPI-IO implementations keep little more
/// than "input/output error". Another errno is left over from an earlier call.
std::string cause_of(int error, int mpi_code) {
    constexpr std::array causes{ENOSPC, EDQUOT, EIO,    EFBIG,  EROFS,    ESTALE,
                                EACCES, EPERM,  ENOENT, EEXIST, ETIMEDOUT};
    if (std::find(causes.begin(), causes.end(), error) != causes.end()) return std::strerror(error);
    std::array<char, MPI_MAX_ERROR_STRING> text{};
    int length = 0;
    MPI_Error_string(mpi_code, text.data(), &length);
    return text.data();
}

extern "C" void end_after_failed_call(MPI_File* /*file*/, int* code, ...) {
    const int error = errno;
    const std::string cause = cause_of(error, *code);
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
    if (statvfs(folder_of(path_).c_str(), &disk) == 0)
        text += (num_bytes_ > 0 ? " and the disk has " : "; the disk has ") +
                std::to_string(std::uint64_t{disk.f_bavail} * disk.f_frsize) + " bytes left";
    return text + "; what was announced before is complete";
}

void leave_on_failed_writes(LeaveFunction leave) {
    leave_program = leave;
    MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
    MPI_File_create_errhandler(end_after_failed_call, &handler);
    MPI_File_set_errhandler(MPI_FILE_NULL, handler);  // of all files opened from now on
}

}  // namespace ricochet
