// SPDX-License-Identifier: BSD-3-Clause
//
// Uses the installed engine in a project that knows nothing of MPI.
#include <iostream>

#include "ricochet/core/box.hpp"
#include "ricochet/core/version.hpp"

int main() {
    const ricochet::ImageLengths images(ricochet::Box{3, {8, 8, 8}});
    const ricochet::Vec3 near = ricochet::minimum_image({7, 0, -7}, images);
    std::cout << "ricochet " << ricochet::version() << " (" << ricochet::git_id() << ")\n";
    return near == ricochet::Vec3{-1, 0, 1} ? 0 : 1;
}
