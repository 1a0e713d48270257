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
    add_library(${target} STATIC ${sources})
    add_library(ricochet::${room} ALIAS ${target})
    set_target_properties(${target} PROPERTIES EXPORT_NAME ${room}
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
