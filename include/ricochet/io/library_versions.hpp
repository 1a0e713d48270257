// SPDX-License-Identifier: BSD-3-Clause
//
// The versions of what the program runs on, for --version and for the provenance in every output file.
#pragma once

#include <string>
#include <vector>

namespace ricochet {

struct LibraryVersion {
    std::string name;     ///< "MPI", "HDF5", "Boost"
    std::string version;  ///< as the library itself says, e.g. "1.10.8"
};

/// What is linked at run time where the library tells (MPI, HDF5), otherwise what was compiled against.
/// Not collective; may be called before MPI is initialised.
std::vector<LibraryVersion> library_versions();

}  // namespace ricochet
