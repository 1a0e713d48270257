// SPDX-License-Identifier: BSD-3-Clause
//
// `ricochet report`: a page of plots, with the same numbers as CSV. The scripts in src/app/report make it,
// with h5py and matplotlib. This side checks the request, computes the values expected by theory, and runs
// the scripts.
//
// The scripts are searched for beside the program: in ../share/ricochet/report where it is installed, in
// share/ricochet/report in a build folder. Python is $RICOCHET_PYTHON, or the first of python3 and
// /usr/bin/python3 that has both modules. A Python of the user's own, early in the path, often lacks them.
//
// Python runs in the folder of the scripts and gets absolute paths. In the user's folder it would import an
// h5py.py from there, and Matplotlib would read a matplotlibrc, which names programs to run. Python's own
// isolated mode (-I) would also leave out what users choose on purpose: PYTHONPATH and modules installed with
// --user.
//
// Variables of the MPI library are removed, so that the child process does not take itself for a rank.
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

/// Makes the page and returns one line for the user. Throws InputError for mistakes in the request. Throws
/// RunError when Python, a module or the scripts are missing or fail. Called by one rank.
std::string make_page(const PageRequest& request);

}  // namespace ricochet
