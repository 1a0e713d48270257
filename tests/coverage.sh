#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# Which lines of include and src the tests run: a table by file on the terminal, and pages in build/coverage/pages.
#   tests/coverage.sh [options of ctest, e.g. -R unit]     by default all tests that tests/run.sh runs
# Tests that fail do not end it: they run more slowly here, and some have limits of time.
set -euo pipefail
# shellcheck source=jobs/setup.sh
source "$(dirname "${BASH_SOURCE[0]}")/../jobs/setup.sh"

ricochet_install "${ricochet_build_packages[@]}" "${ricochet_test_packages[@]}" gcovr
ricochet_configure coverage
ricochet_build coverage
build=$ricochet_root/build/coverage
find "$build" -name '*.gcda' -delete
ctest --test-dir "$build" --parallel "$((2 * $(ricochet_cores)))" -LE 'long|tidy|paraview|quick' "$@" || true

say "Counting lines"
mkdir -p "$build/pages"
cd "$ricochet_root"
gcovr --root . --filter include/ --filter src/ --object-directory "$build" -j "$(ricochet_cores)" \
    --exclude-throw-branches --exclude-unreachable-branches \
    --txt - --html-details "$build/pages/index.html" "$build"
