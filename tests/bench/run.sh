#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# Measures how fast ricochet is on this machine, and what others reach in the same minutes.
#   tests/bench/run.sh [quick|full] [--output FOLDER] [--filter REGEX] [--ranks 1|2] [--repetitions N]
#                      [--no-peers] [--no-counts] [--list]
# quick (under 3 minutes on two calm cores): a few cases that show whether something broke. full (most of an
# hour): the whole grid, and what two ranks gain in turns with one (by itself 6 minutes: --filter turns). The
# folder, build/bench/quick or full by default, gets table.md and results.json. --filter takes the cases whose
# names match, --list prints the names; table.py makes one table of parts that were measured one by one, and
# puts it into tests/bench/README.md. Builds nothing: it uses the programs in build/release or in the build
# folder that RICOCHET_BUILD names. LAMMPS and valgrind are used where they are installed. Exit status: 0, 1
# when a program fails or a collision rate is off, 2 for wrong usage or missing programs.
set -euo pipefail
unset CDPATH
folder=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=jobs/setup.sh
source "$folder/../../jobs/setup.sh"

build=${RICOCHET_BUILD:-$ricochet_root/build/release}
for program in ricochet tests/step_bench tests/turns_bench tests/machine_bench; do
    [ -x "$build/$program" ] || fail 2 "There is no $build/$program. Build it with
    cmake --preset release && cmake --build --preset release
or name another build folder, configured with -D RICOCHET_BUILD_BENCH=ON, in RICOCHET_BUILD."
done
command -v python3 >/dev/null || fail 2 "python3 is missing (Debian: apt-get install python3)"
ricochet_mpi_environment 2
exec python3 -B "$folder/measure.py" --build "$build" --default-output "$ricochet_root/build/bench" "$@"
