// SPDX-License-Identifier: BSD-3-Clause
//
// The identity of a run that starts anew: see files/run_identity.hpp.
#pragma once

#include "ricochet/config/config.hpp"
#include "ricochet/files/run_identity.hpp"
#include "ricochet/parallel/exchange.hpp"

namespace ricochet {

/// The identity of a run of `config` that starts now, with a new id. An unreadable start file counts as none;
/// reading it later reports the error. Collective, and the same on all ranks, which share the reading of the
/// start file.
RunIdentity new_identity(Exchange& exchange, const Config& config);

}  // namespace ricochet
