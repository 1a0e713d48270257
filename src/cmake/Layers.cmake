# SPDX-License-Identifier: BSD-3-Clause
#
# A layer is a folder of sources, src/<layer>, and one of public headers, include/ricochet/<layer>.

# Adds sources (src/<layer>/<pattern>.cpp) and headers of a layer to a target: public headers as a header set,
# which is installed, private ones to be included as "<layer>/name.hpp". An optional fourth argument is a
# regular expression for file names to leave out.
function(ricochet_add_files target layer pattern)
    file(GLOB sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/src/${layer}/${pattern}.cpp")
    file(GLOB headers CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/include/ricochet/${layer}/${pattern}.hpp")
    file(GLOB private_headers CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/src/${layer}/${pattern}.hpp")
    foreach(excluded IN LISTS ARGN)
        list(FILTER sources EXCLUDE REGEX "/${excluded}\\.cpp$")
        list(FILTER headers EXCLUDE REGEX "/${excluded}\\.hpp$")
        list(FILTER private_headers EXCLUDE REGEX "/${excluded}\\.hpp$")
    endforeach()
    target_sources(${target} PRIVATE ${sources})
    target_sources(${target} PUBLIC FILE_SET HEADERS BASE_DIRS "${PROJECT_SOURCE_DIR}/include" FILES ${headers})
    target_include_directories(${target} PRIVATE "${PROJECT_SOURCE_DIR}/src")
    set_property(TARGET ${target} APPEND PROPERTY RICOCHET_PRIVATE_HEADERS ${private_headers})
endfunction()

# Adds whole layers to a target.
function(ricochet_add_layers target)
    foreach(layer IN LISTS ARGN)
        ricochet_add_files(${target} ${layer} "*")
    endforeach()
endfunction()

# Adds the target ricochet_check_headers, which compiles every header of the given targets by itself: public
# ones by CMake's own verification, private ones through a source each that includes nothing else.
function(ricochet_check_headers)
    add_custom_target(ricochet_check_headers)
    foreach(target IN LISTS ARGN)
        add_dependencies(ricochet_check_headers ${target}_verify_interface_header_sets)
        get_property(headers TARGET ${target} PROPERTY RICOCHET_PRIVATE_HEADERS)
        if(NOT headers)
            continue()
        endif()
        set(sources "")
        foreach(header IN LISTS headers)
            cmake_path(RELATIVE_PATH header BASE_DIRECTORY "${PROJECT_SOURCE_DIR}/src" OUTPUT_VARIABLE name)
            set(source "${CMAKE_CURRENT_BINARY_DIR}/headers/${name}.cpp")
            file(CONFIGURE OUTPUT "${source}" CONTENT "#include \"${name}\"\n")
            list(APPEND sources "${source}")
        endforeach()
        add_library(${target}_private_headers OBJECT EXCLUDE_FROM_ALL ${sources})
        set_target_properties(${target}_private_headers PROPERTIES EXPORT_COMPILE_COMMANDS OFF)
        target_include_directories(${target}_private_headers
            PRIVATE "$<TARGET_PROPERTY:${target},INCLUDE_DIRECTORIES>")
        target_compile_options(${target}_private_headers PRIVATE "$<TARGET_PROPERTY:${target},COMPILE_OPTIONS>")
        target_compile_features(${target}_private_headers PRIVATE cxx_std_20)
        target_link_libraries(${target}_private_headers PRIVATE "$<TARGET_PROPERTY:${target},LINK_LIBRARIES>")
        add_dependencies(ricochet_check_headers ${target}_private_headers)
    endforeach()
endfunction()
