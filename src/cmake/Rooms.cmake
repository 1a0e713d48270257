# SPDX-License-Identifier: BSD-3-Clause
#
# A room is a folder with one subject: sources and private headers in src/<room>, public headers in
# include/ricochet/<room>. Each is a static library, ricochet_<room>, known to other projects as ricochet::<room>.

# ricochet_add_room(<room> [ROOMS <below>...] [LIBRARIES <private>...] [PUBLIC_LIBRARIES <public>...])
#
# Public headers are included as "ricochet/<room>/name.hpp" and installed; private ones as "<room>/name.hpp".
# ROOMS are those that the room may include.
function(ricochet_add_room room)
    cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "ROOMS;LIBRARIES;PUBLIC_LIBRARIES")
    set(target ricochet_${room})
    file(GLOB sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/src/${room}/*.cpp")
    list(FILTER sources EXCLUDE REGEX "/main\\.cpp$")
    file(GLOB headers CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/include/ricochet/${room}/*.hpp")
    file(GLOB private_headers CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/src/${room}/*.hpp")
    add_library(${target} STATIC ${sources})
    add_library(ricochet::${room} ALIAS ${target})
    set_target_properties(${target} PROPERTIES EXPORT_NAME ${room} RICOCHET_PRIVATE_HEADERS "${private_headers}"
        UNITY_BUILD ${RICOCHET_JOIN_SOURCES} UNITY_BUILD_BATCH_SIZE ${RICOCHET_SOURCES_AT_ONCE})
    target_sources(${target} PUBLIC FILE_SET HEADERS BASE_DIRS "${PROJECT_SOURCE_DIR}/include" FILES ${headers})
    target_include_directories(${target} PRIVATE "${PROJECT_SOURCE_DIR}/src")
    list(TRANSFORM arg_ROOMS PREPEND "ricochet_" OUTPUT_VARIABLE rooms_below)
    target_link_libraries(${target} PUBLIC ${rooms_below} ${arg_PUBLIC_LIBRARIES} PRIVATE ${arg_LIBRARIES})
    if("hwy::hwy" IN_LIST arg_LIBRARIES)
        # x86-64-v3 has no AES instructions; without this Highway's static target would fall back to SSE2.
        target_compile_definitions(${target} PRIVATE HWY_DISABLE_PCLMUL_AES)
    endif()
endfunction()

# Adds the target ricochet_check_headers, which compiles every header of the given rooms by itself: public ones by
# CMake's own verification, private ones through a source each that includes nothing else.
function(ricochet_check_headers)
    add_custom_target(ricochet_check_headers)
    foreach(room IN LISTS ARGN)
        set(target ricochet_${room})
        get_target_property(public_headers ${target} HEADER_SET)
        if(public_headers)
            add_dependencies(ricochet_check_headers ${target}_verify_interface_header_sets)
        endif()
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
