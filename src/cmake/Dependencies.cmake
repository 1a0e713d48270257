# SPDX-License-Identifier: BSD-3-Clause
#
# What the libraries need. Nothing is downloaded; everything is packaged by the distribution.
find_package(hwy REQUIRED)
find_package(Boost 1.74 REQUIRED CONFIG)  # headers: Boost.Intrusive

if(RICOCHET_WITH_MPI)
    set(HDF5_PREFER_PARALLEL ON)
    find_package(MPI REQUIRED COMPONENTS CXX)
    find_package(HDF5 1.10.5 REQUIRED COMPONENTS C)
    if(NOT HDF5_IS_PARALLEL)
        message(FATAL_ERROR "HDF5 without MPI was found; ricochet needs parallel HDF5 (Debian: libhdf5-openmpi-dev)")
    endif()
    find_package(ZLIB REQUIRED)  # HDF5 brings it
    find_package(Boost 1.74 REQUIRED CONFIG COMPONENTS mpi serialization)
    find_package(yaml-cpp REQUIRED)
    set(RICOCHET_YAML_TARGET yaml-cpp)  # its name before 0.8
    if(TARGET yaml-cpp::yaml-cpp)
        set(RICOCHET_YAML_TARGET yaml-cpp::yaml-cpp)
    endif()
    find_package(fmt REQUIRED)
    find_package(CLI11 REQUIRED)
endif()
