// SPDX-License-Identifier: BSD-3-Clause
//
// The identity of this build, for --version and, as provenance, for every output file.
#pragma once

namespace ricochet {

/// The released version, e.g. "0.1.0".
const char* version();

/// The commit that was built, e.g. "773e1fe12345", with "-dirty" when files differed from it. "unknown" when
/// built outside a clone.
const char* git_id();

/// The compiler that built this, e.g. "GNU 12.2.0".
const char* compiler();

/// The flags of the whole build: those of the build type and those of the arithmetic.
const char* compiler_flags();

}  // namespace ricochet
