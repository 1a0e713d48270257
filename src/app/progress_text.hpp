// SPDX-License-Identifier: BSD-3-Clause
//
// How far the run of a result has come, for `ricochet info`.
#pragma once

#include <string>

namespace ricochet {

/// "running: 1600 of 4000 steps, process 12 on host n1 since 13:02, ends about 14:05", or that it has ended, was
/// stopped, or was killed, and what goes on from there. The end is what the mean speed since the begin of this part of
/// the run gives. Throws InputError where the result cannot be read. Not collective.
std::string describe_progress(const std::string& path);

}  // namespace ricochet
