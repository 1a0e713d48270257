// SPDX-License-Identifier: BSD-3-Clause
//
// main() of step_bench and turns_bench.
#pragma once

#include <boost/mpi/environment.hpp>
#include <cstdio>
#include <exception>
#include <string>
#include <vector>

#include "bench_case.hpp"
#include "ricochet/core/array_memory.hpp"
#include "ricochet/core/error.hpp"

namespace ricochet::bench {

/// Calls run(case) with what the words say, those of the command line last, and returns what it returns. An error
/// ends all ranks, with the program's name before the message.
template <class Run>
int bench_main(int argc, char** argv, std::vector<std::string> words, Run&& run) {
    keep_large_arrays_apart();  // as the program does
    const boost::mpi::environment environment(argc, argv);
    words.insert(words.end(), argv + 1, argv + argc);
    try {
        return run(parse_case(words));
    } catch (const std::exception& error) {
        const std::string program = argv[0];
        std::fprintf(stderr, "%s: %s\n", program.substr(program.rfind('/') + 1).c_str(), error.what());
        boost::mpi::environment::abort(dynamic_cast<const InputError*>(&error) != nullptr ? 2 : 1);
    }
    return 1;
}

}  // namespace ricochet::bench
