// SPDX-License-Identifier: BSD-3-Clause
//
// MPI_Get_library_version is one of the few MPI calls allowed before MPI_Init. It may answer with several
// lines or a long list of configuration details. The text up to the first comma or line end names the
// library.
#include "mpi/mpi_library.hpp"

#include <mpi.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <string_view>

namespace ricochet {
namespace {

FileErrorFunction report_error = nullptr;

extern "C" void report_failed_operation(MPI_File* /*file*/, int* code, ...) {
    const int error = errno;
    std::array<char, MPI_MAX_ERROR_STRING> words{};
    int length = 0;
    MPI_Error_string(*code, words.data(), &length);
    report_error(error, words.data());
}

}  // namespace

std::string mpi_library_version() {
    std::array<char, MPI_MAX_LIBRARY_VERSION_STRING> text{};
    int length = 0;
    MPI_Get_library_version(text.data(), &length);
    const std::string full(text.data(), static_cast<std::size_t>(length));
    return full.substr(0, full.find_first_of(",\n"));
}

void prefer_reliable_mpi_io() {
#if defined(OMPI_MAJOR_VERSION) && OMPI_MAJOR_VERSION == 4
    setenv("OMPI_MCA_io", "romio321", 0);
#endif
}

bool is_started_by_launcher() {
    constexpr std::array variables{"OMPI_COMM_WORLD_SIZE", "PMIX_RANK", "PMI_RANK", "PMI_FD",
                                   "SLURM_STEP_ID"};
    return std::any_of(variables.begin(), variables.end(),
                       [](const char* name) { return std::getenv(name) != nullptr; });
}

bool is_first_of_launcher() {
    constexpr std::array ranks{"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK", "SLURM_PROCID"};
    return std::all_of(ranks.begin(), ranks.end(), [](const char* name) {
        const char* const rank = std::getenv(name);
        return rank == nullptr || std::string_view(rank) == "0";
    });
}

void prefer_start_without_daemon() {
#if defined(OMPI_MAJOR_VERSION)
    setenv("OMPI_MCA_ess_singleton_isolated", "1", 0);
    // All isolated processes of a user have one session folder: one may remove it while another creates it.
    setenv("OMPI_MCA_orte_create_session_dirs", "0", 0);
    if (std::getenv("OMPI_MCA_mtl") == nullptr) setenv("OMPI_MCA_pml", "ob1", 0);
#endif
}

void report_failed_mpi_io(FileErrorFunction report) {
    report_error = report;
    MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
    MPI_File_create_errhandler(report_failed_operation, &handler);
    MPI_File_set_errhandler(MPI_FILE_NULL, handler);  // of all files opened from now on
}

}  // namespace ricochet
