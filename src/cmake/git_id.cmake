# SPDX-License-Identifier: BSD-3-Clause
#
# Run at build time: writes the id of the checked-out commit to OUTPUT, and touches the file only when the id
# has changed. Without git or outside a clone the id is "unknown".
set(id "unknown")
find_program(GIT git)
if(GIT AND EXISTS "${SOURCE_DIR}/.git")
    execute_process(
        COMMAND "${GIT}" describe --always --dirty --abbrev=12 --exclude=*
        WORKING_DIRECTORY "${SOURCE_DIR}"
        OUTPUT_VARIABLE described
        OUTPUT_STRIP_TRAILING_WHITESPACE
        ERROR_QUIET
        RESULT_VARIABLE status)
    if(status EQUAL 0)
        set(id "${described}")
    endif()
endif()
file(CONFIGURE OUTPUT "${OUTPUT}" CONTENT "#define RICOCHET_GIT_ID \"${id}\"\n")
