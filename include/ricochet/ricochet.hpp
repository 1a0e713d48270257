// SPDX-License-Identifier: BSD-3-Clause
//
// Everything that a program needs to run whole inputs. Programs that want the engine alone, without MPI, include
// ricochet/kinetic/engine_choice.hpp.
#pragma once

#include "ricochet/config/config.hpp"
#include "ricochet/core/error.hpp"
#include "ricochet/core/version.hpp"
#include "ricochet/hdf5/library_versions.hpp"
#include "ricochet/mpi/mpi_exchange.hpp"
#include "ricochet/result/compare.hpp"
#include "ricochet/result/result_info.hpp"
#include "ricochet/run/result_recorder.hpp"
#include "ricochet/run/simulation.hpp"
