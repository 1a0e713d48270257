// SPDX-License-Identifier: BSD-3-Clause
#include "ricochet/hdf5/library_versions.hpp"

#include <hdf5.h>

#include <boost/version.hpp>

#include "mpi/mpi_library.hpp"
#include "ricochet/core/error.hpp"

namespace ricochet {
namespace {

std::string dotted(unsigned major, unsigned minor, unsigned patch) {
    return std::to_string(major) + "." + std::to_string(minor) + "." + std::to_string(patch);
}

std::string hdf5_version() {
    unsigned major = 0, minor = 0, patch = 0;
    if (H5get_libversion(&major, &minor, &patch) < 0) throw RunError("HDF5 does not tell its version");
    return dotted(major, minor, patch);
}

}  // namespace

std::vector<LibraryVersion> library_versions() {
    return {{"MPI", mpi_library_version()},
            {"HDF5", hdf5_version()},
            {"Boost", dotted(BOOST_VERSION / 100000, BOOST_VERSION / 100 % 1000, BOOST_VERSION % 100)}};
}

}  // namespace ricochet
