# SPDX-License-Identifier: BSD-3-Clause
#
# Installs BUILD to an empty PREFIX; removes the consumers of an earlier run, so that they configure anew.
file(REMOVE_RECURSE "${PREFIX}" ${CONSUMERS})
execute_process(COMMAND "${CMAKE_COMMAND}" --install "${BUILD}" --prefix "${PREFIX}" COMMAND_ERROR_IS_FATAL ANY)
