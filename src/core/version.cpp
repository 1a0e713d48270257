// SPDX-License-Identifier: BSD-3-Clause
//
// The build system passes version, compiler and flags. It writes ricochet_git_id.hpp at build time, so the id
// is that of the compiled sources, not of the configured ones.
#include "ricochet/core/version.hpp"

#include "ricochet_git_id.hpp"

namespace ricochet {

const char* version() { return RICOCHET_VERSION; }

const char* git_id() { return RICOCHET_GIT_ID; }

const char* compiler() { return RICOCHET_COMPILER; }

const char* compiler_flags() { return RICOCHET_COMPILER_FLAGS; }

}  // namespace ricochet
