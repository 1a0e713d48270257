# SPDX-License-Identifier: BSD-3-Clause
#
# How everything is compiled. The flags that decide bits (target instruction set, no contraction) are public
# options of the engine target, so that other projects which inline its headers get the same bits.
include(GNUInstallDirs)

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
    set(CMAKE_BUILD_TYPE Release CACHE STRING "Build type" FORCE)
endif()

# A compiler cache serves all clones of the project on a machine: no path of the clone is part of what is compiled.
# Debug information may then name the sources of another clone.
find_program(RICOCHET_CCACHE ccache)
mark_as_advanced(RICOCHET_CCACHE)
if(RICOCHET_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
    set(CMAKE_CXX_COMPILER_LAUNCHER env "CCACHE_BASEDIR=${PROJECT_SOURCE_DIR}" CCACHE_NOHASHDIR=1 "${RICOCHET_CCACHE}")
endif()
add_compile_options("-fmacro-prefix-map=${PROJECT_SOURCE_DIR}/=")

# More than half of a source's compile time goes into headers of other projects. So the sources of a room are joined, some
# at a time; names in their unnamed namespaces differ within a room (tests/static/layout.py).
option(RICOCHET_JOIN_SOURCES "Compile several sources of a room as one" ON)
set(RICOCHET_SOURCES_AT_ONCE 8)

# Where each core has the memory, GCC collects its garbage less often, which takes an eighth of a compilation. It then
# uses up to 1.2 GB.
cmake_host_system_information(RESULT ricochet_cores QUERY NUMBER_OF_LOGICAL_CORES)
cmake_host_system_information(RESULT ricochet_memory QUERY TOTAL_PHYSICAL_MEMORY)
math(EXPR ricochet_memory_per_core "${ricochet_memory} / ${ricochet_cores}")
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND ricochet_memory_per_core GREATER 3000)
    add_compile_options(--param=ggc-min-expand=1000 --param=ggc-min-heapsize=2000000)
endif()

# Left out: -Wsign-conversion, which fires on every container indexed by an int axis.
add_compile_options(-Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wnon-virtual-dtor -Woverloaded-virtual)
if(RICOCHET_WARNINGS_AS_ERRORS)
    add_compile_options(-Werror)
endif()

# No a*b+c may become an fma that is not written as one; fma itself must exist in hardware.
# Nobody reads errno or the floating-point status flags: sqrt and nearbyint are then single instructions.
set(RICOCHET_ARITHMETIC_FLAGS -ffp-contract=off -fno-math-errno -fno-trapping-math)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64)$")
    list(APPEND RICOCHET_ARITHMETIC_FLAGS -march=x86-64-v3)
endif()

set(RICOCHET_SANITIZE "" CACHE STRING "Sanitizers for everything, e.g. address,undefined")
if(RICOCHET_SANITIZE)
    add_compile_options(-fsanitize=${RICOCHET_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
    add_link_options(-fsanitize=${RICOCHET_SANITIZE})
    set(RICOCHET_SOURCES_AT_ONCE 16)  # built once and as a whole, where fewer would only read headers more often
endif()

# The checks of inner loops (core/check.hpp): always in debug builds and under sanitizers.
option(RICOCHET_HEAVY_CHECKS "Evaluate heavy checks in any build" OFF)
string(TOUPPER "${CMAKE_BUILD_TYPE}" build_type)
if(RICOCHET_SANITIZE OR build_type STREQUAL "DEBUG")
    set(RICOCHET_HEAVY_CHECKS ON)
endif()
