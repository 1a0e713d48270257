// SPDX-License-Identifier: BSD-3-Clause
//
// Which build of the library this is: goes to --version and, as provenance, into every output file.
#pragma once

namespace ricochet {

/// The released version, e.g. "0.1.0".
const char* version();

/// The commit that was built, e.g. "773e1fe12345", with "-dirty" when files differed from it; "unknown" when
/// built outside a clone.
const char* git_id();

/// The compiler that built this, e.g. "GNU 12.2.0".
const char* compiler();

/// The flags that all of it was compiled with, of the build type and of the arithmetic.
const char* compiler_flags();

}  // namespace ricochet
