// SPDX-License-Identifier: BSD-3-Clause
//
// The build system passes version, compiler and flags. It writes ricochet_git_id.hpp when it builds: the id
// is that of the sources that were compiled, not of those that were configured.
#include "ricochet/core/version.hpp"

#include "ricochet_git_id.hpp"

namespace ricochet {

const char* version() { return RICOCHET_VERSION; }

const char* git_id() { return RICOCHET_GIT_ID; }

const char* compiler() { return RICOCHET_COMPILER; }

const char* compiler_flags() { return RICOCHET_COMPILER_FLAGS; }

}  // namespace ricochet
