// SPDX-License-Identifier: BSD-3-Clause
//
// `ricochet report`: a page of plots, with the same numbers as CSV, made by the scripts in src/app/report
// with h5py and matplotlib. This side checks the request, asks the input kept in the file what theory
// expects, and runs the scripts.
//
// The scripts are looked for beside the program: ../share/ricochet/report where it is installed,
// share/ricochet/report in a build folder. Python is $RICOCHET_PYTHON, or the first of python3 and
// /usr/bin/python3 that has both modules (a Python of one's own early in the path often has not).
//
// Python runs in the folder of the scripts and gets absolute paths. In the user's folder it would import an
// h5py.py from there, and Matplotlib would read a matplotlibrc, which names programs to run. Python's own
// isolated mode (-I) would also leave out what users choose on purpose: PYTHONPATH and modules installed with
// --user.
//
// The child process must not take itself for a rank: variables of the MPI library are kept from it.
#pragma once

#include <optional>
#include <string>

namespace ricochet {

struct PageRequest {
    std::string path;                      ///< the result
    std::string folder;                    ///< created when missing; its parent must exist
    std::optional<std::string> animation;  ///< "gif" or "mp4"
    bool replace = false;                  ///< overwrite an existing report.html and CSV files
};

/// Makes the page; returns one line for the user. Throws InputError for what is wrong with the request,
/// RunError when Python, a module or the scripts are missing or fail. Called by one rank.
std::string make_page(const PageRequest& request);

}  // namespace ricochet
