// SPDX-License-Identifier: BSD-3-Clause
//
// MPI_Get_library_version is one of the few MPI calls allowed before MPI_Init. It may answer with several
// lines or a long list of configuration details: the text up to the first comma or line end names the
// library.
#include "ricochet/io/library_versions.hpp"

#include <hdf5.h>
#include <mpi.h>

#include <array>
#include <boost/version.hpp>

#include "ricochet/core/error.hpp"

namespace ricochet {
namespace {

std::string dotted(unsigned major, unsigned minor, unsigned patch) {
    return std::to_string(major) + "." + std::to_string(minor) + "." + std::to_string(patch);
}

std::string mpi_version() {
    std::array<char, MPI_MAX_LIBRARY_VERSION_STRING> text{};
    int length = 0;
    MPI_Get_library_version(text.data(), &length);
    const std::string full(text.data(), static_cast<std::size_t>(length));
    return full.substr(0, full.find_first_of(",\n"));
}

std::string hdf5_version() {
    unsigned major = 0, minor = 0, patch = 0;
    if (H5get_libversion(&major, &minor, &patch) < 0) throw RunError("HDF5 does not tell its version");
    return dotted(major, minor, patch);
}

}  // namespace

std::vector<LibraryVersion> library_versions() {
    return {{"MPI", mpi_version()},
            {"HDF5", hdf5_version()},
            {"Boost", dotted(BOOST_VERSION / 100000, BOOST_VERSION / 100 % 1000, BOOST_VERSION % 100)}};
}

}  // namespace ricochet
