# SPDX-License-Identifier: BSD-3-Clause
"""The Spack recipe. NOT RUN by us: Spack was not at hand; that it is valid Python is checked.

    spack repo add jobs/spack        # in the top folder of a clone
    spack install ricochet

It builds the clone that it lies in, as committed on the branch main.
"""
import pathlib

from spack.package import *

try:  # Spack 1.0 moved the build systems to the repository of its packages
    from spack_repo.builtin.build_systems.cmake import CMakePackage
except ImportError:
    from spack.package import CMakePackage


class Ricochet(CMakePackage):
    """Exact event-driven simulation of many moving hard particles: every contact at its time, with the same
    bits on any number of MPI ranks."""

    git = str(pathlib.Path(__file__).resolve().parents[4])

    license("BSD-3-Clause")

    version("main", branch="main")

    variant("tools", default=True, description="Python modules for `ricochet report` and the scripts of jobs/")

    depends_on("c", type="build")
    depends_on("cxx", type="build")
    depends_on("cmake@3.25:", type="build")
    depends_on("ninja", type="build")
    depends_on("mpi")
    depends_on("boost@1.74: +mpi +serialization")
    depends_on("hdf5@1.10: +mpi")
    depends_on("yaml-cpp@0.7:")
    depends_on("fmt@9:")
    depends_on("cli11@2.1:")
    depends_on("highway@1.0.0:")
    depends_on("py-h5py", type="run", when="+tools")
    depends_on("py-matplotlib", type="run", when="+tools")
    depends_on("py-pyyaml", type="run", when="+tools")

    # The bits of a result need fma in hardware.
    requires("target=x86_64_v3:", "target=aarch64:", policy="one_of")
    conflicts("%gcc@:11", msg="needs a C++20 compiler: GCC 12 or later")

    generator("ninja")

    def cmake_args(self):
        return [self.define("RICOCHET_BUILD_TESTS", False)]
