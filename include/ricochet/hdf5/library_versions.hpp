// SPDX-License-Identifier: BSD-3-Clause
//
// The versions of the libraries in use, for --version and for the provenance in every output file.
#pragma once

#include <string>
#include <vector>

namespace ricochet {

struct LibraryVersion {
    std::string name;     ///< "MPI", "HDF5", "Boost"
    std::string version;  ///< as the library itself says, e.g. "1.10.8"
};

/// The version linked at run time where the library tells it (MPI, HDF5), otherwise the one compiled against.
/// Not collective; may be called before MPI is initialised.
std::vector<LibraryVersion> library_versions();

}  // namespace ricochet
