#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# Installs what is missing, builds everything, and runs the test suite.
#   tests/run.sh [--preset NAME] [options of ctest, e.g. -R mpi, or -L long]
# Without a label among the options the tests labelled long (hours), tidy (minutes) and paraview (which
# wants ParaView installed) are left out.
set -euo pipefail
# shellcheck source=jobs/setup.sh
source "$(dirname "${BASH_SOURCE[0]}")/../jobs/setup.sh"

preset=$ricochet_preset
if [ "${1:-}" = --preset ]; then
    preset=${2:?--preset needs a name: release, debug, asan or ci}
    shift 2
fi
selection=(-LE 'long|tidy|paraview')
for option in "$@"; do
    case $option in -L | -LE | --label-*) selection=() ;; esac
done

ricochet_install "${ricochet_build_packages[@]}" "${ricochet_test_packages[@]}"
ricochet_configure "$preset"
ricochet_build "$preset"

say "Testing ($preset)"
cd "$ricochet_root/build/$preset"
exec ctest --output-on-failure --parallel "$(ricochet_cores)" "${selection[@]}" "$@"
