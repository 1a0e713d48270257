# SPDX-License-Identifier: BSD-3-Clause
#
# Two export sets, so that a project which wants only the engine needs neither MPI nor HDF5:
#   find_package(ricochet COMPONENTS engine)   ricochet::engine and the other rooms without MPI
#   find_package(ricochet)                     also ricochet::ricochet: whole runs, their files
include(CMakePackageConfigHelpers)

set(package_folder "${CMAKE_INSTALL_LIBDIR}/cmake/ricochet")

list(TRANSFORM RICOCHET_SERIAL_ROOMS PREPEND "ricochet_" OUTPUT_VARIABLE serial_targets)
install(TARGETS ${serial_targets} EXPORT ricochetEngineTargets FILE_SET HEADERS)
install(EXPORT ricochetEngineTargets NAMESPACE ricochet:: DESTINATION "${package_folder}")

if(RICOCHET_WITH_MPI)
    list(TRANSFORM RICOCHET_PARALLEL_ROOMS PREPEND "ricochet_" OUTPUT_VARIABLE parallel_targets)
    set_target_properties(ricochet_library PROPERTIES EXPORT_NAME ricochet)
    install(TARGETS ricochet_library ${parallel_targets} EXPORT ricochetParallelTargets FILE_SET HEADERS)
    install(EXPORT ricochetParallelTargets NAMESPACE ricochet:: DESTINATION "${package_folder}")
    install(TARGETS ricochet)
    install(DIRECTORY "${PROJECT_SOURCE_DIR}/src/app/report" DESTINATION "${CMAKE_INSTALL_DATADIR}/ricochet"
        FILES_MATCHING PATTERN "*.py")

    # Documents, inputs and job scripts lie as in the source tree: so their links and commands hold. jobs/local.sh
    # stays behind: it builds.
    set(share "${CMAKE_INSTALL_DATADIR}/ricochet")
    install(FILES "${PROJECT_SOURCE_DIR}/README.md" "${PROJECT_SOURCE_DIR}/LICENSE" DESTINATION "${share}")
    foreach(folder IN ITEMS src src/search tests tests/bench tests/bench/studies)
        install(FILES "${PROJECT_SOURCE_DIR}/${folder}/README.md" DESTINATION "${share}/${folder}")
    endforeach()
    install(FILES "${PROJECT_SOURCE_DIR}/.github/CHANGELOG.md" "${PROJECT_SOURCE_DIR}/.github/CONTRIBUTING.md"
        DESTINATION "${share}/.github")
    install(DIRECTORY "${PROJECT_SOURCE_DIR}/inputs" DESTINATION "${share}"
        FILES_MATCHING PATTERN "*.md" PATTERN "*.yaml" PATTERN "*.json" PATTERN "*.csv" PATTERN "pictures/*.p[ny]*")
    install(DIRECTORY "${PROJECT_SOURCE_DIR}/jobs" DESTINATION "${share}" USE_SOURCE_PERMISSIONS
        FILES_MATCHING PATTERN "*.md" PATTERN "*.sh" PATTERN "jobs/*.py" PATTERN "local.sh" EXCLUDE PATTERN "spack" EXCLUDE)

    # In Tcl, which both Lmod and Environment Modules read; it finds its prefix from where it lies.
    install(FILES "${PROJECT_SOURCE_DIR}/jobs/modulefile" RENAME "${PROJECT_VERSION}"
        DESTINATION "${CMAKE_INSTALL_DATADIR}/modulefiles/ricochet")
endif()

configure_package_config_file("${PROJECT_SOURCE_DIR}/src/cmake/ricochetConfig.cmake.in"
    "${PROJECT_BINARY_DIR}/ricochetConfig.cmake" INSTALL_DESTINATION "${package_folder}")
write_basic_package_version_file("${PROJECT_BINARY_DIR}/ricochetConfigVersion.cmake"
    COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/ricochetConfig.cmake" "${PROJECT_BINARY_DIR}/ricochetConfigVersion.cmake"
    DESTINATION "${package_folder}")
