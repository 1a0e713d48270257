// SPDX-License-Identifier: BSD-3-Clause
//
// What the subcommands do. All are collective and print on rank 0; errors are thrown, on all ranks alike
// where their type is InputError or RunError (but see io/hdf5_error.hpp).
#pragma once

#include "app/command_line.hpp"
#include "ricochet/parallel/mpi_exchange.hpp"

namespace ricochet {

ExitStatus execute(MpiExchange& exchange, const RunCommand& command);
ExitStatus execute(MpiExchange& exchange, const CheckCommand& command);
ExitStatus execute(MpiExchange& exchange, const InfoCommand& command);
ExitStatus execute(MpiExchange& exchange, const CompareCommand& command);
ExitStatus execute(MpiExchange& exchange, const ExportCommand& command);
ExitStatus execute(MpiExchange& exchange, const ReportCommand& command);
ExitStatus execute(MpiExchange& exchange, const OptionsCommand& command);
ExitStatus execute(MpiExchange& exchange, const VerifyCommand& command);
ExitStatus execute(MpiExchange& exchange, const Message& message);

}  // namespace ricochet
