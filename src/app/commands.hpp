// SPDX-License-Identifier: BSD-3-Clause
//
// The subcommands. All are collective and print on rank 0. Errors of type InputError and RunError are thrown
// on all ranks alike; for others see core/error.hpp.
#pragma once

#include "app/command_line.hpp"
#include "ricochet/parallel/exchange.hpp"

namespace ricochet {

ExitStatus execute(Exchange& exchange, const RunCommand& command);
ExitStatus execute(Exchange& exchange, const CheckCommand& command);
ExitStatus execute(Exchange& exchange, const StudyCommand& command);
ExitStatus execute(Exchange& exchange, const InfoCommand& command);
ExitStatus execute(Exchange& exchange, const RecoverCommand& command);
ExitStatus execute(Exchange& exchange, const CompareCommand& command);
ExitStatus execute(Exchange& exchange, const ExportCommand& command);
ExitStatus execute(Exchange& exchange, const ReportCommand& command);
ExitStatus execute(Exchange& exchange, const OptionsCommand& command);
ExitStatus execute(Exchange& exchange, const VerifyCommand& command);
ExitStatus execute(Exchange& exchange, const Message& message);

}  // namespace ricochet
