#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# Installs what is missing, builds everything, and runs the test suite.
#   tests/run.sh [--preset NAME] [quick] [options of ctest, e.g. -R mpi, or -L long]
# Without a label among the options the tests labelled long (hours), tidy (minutes), paraview (which wants
# ParaView installed) and quick (which repeats others) are left out. `quick` builds and runs what says most in
# twenty seconds.
set -euo pipefail
# shellcheck source=jobs/setup.sh
source "$(dirname "${BASH_SOURCE[0]}")/../jobs/setup.sh"

preset=$ricochet_preset
if [ "${1:-}" = --preset ]; then
    preset=${2:?--preset needs a name: release, debug, asan or ci}
    shift 2
fi
selection=(-LE 'long|tidy|paraview|quick') targets=()
if [ "${1:-}" = quick ]; then
    shift
    selection=(-R '^quick\.|^static\.(layering|layout|links|format)$') targets=(ricochet unit_tests mpi_tests)
fi
for option in "$@"; do
    case $option in -L | -LE | --label-*) selection=() targets=() ;; esac
done

ricochet_install "${ricochet_build_packages[@]}" "${ricochet_test_packages[@]}"
ricochet_configure "$preset"
ricochet_build "$preset" "${targets[@]}"

say "Testing ($preset)"
cd "$ricochet_root/build/$preset"
# Most of the long ones wait for files, signals and other programs: twice as many as there are cores.
status=0
rm -f failed.log
ctest --output-on-failure --parallel "$((2 * $(ricochet_cores)))" "${selection[@]}" "$@" | tee suite.log || status=$?
if [ $status -ne 0 ]; then
    # Once more at the end, where it is read first: what the failed tests printed.
    awk '/^ *[0-9]+\/[0-9]+ Test +#/ { failed = /\*\*\*/ && !/\*\*\*Skipped/ } /^ *Start +[0-9]+:/ { failed = 0 } failed' suite.log |
        tee failed.log
fi
exit $status
