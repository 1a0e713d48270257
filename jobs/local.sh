#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# Installs what is missing, builds, and runs an input on this machine.
#   jobs/local.sh INPUT.yaml [RANKS] [options of `ricochet run`]
set -euo pipefail
# shellcheck source=jobs/setup.sh
source "$(dirname "${BASH_SOURCE[0]}")/setup.sh"

if [ $# -lt 1 ] || [ "$1" = -h ] || [ "$1" = --help ]; then
    say "usage: jobs/local.sh INPUT.yaml [RANKS] [options of \`ricochet run\`]    (2 ranks unless said)"
    exit $(($# < 1 ? 2 : 0))
fi
input=$1 ranks=2
shift
if [ $# -gt 0 ] && [[ $1 != -* ]]; then
    ranks=$1
    shift
fi
ricochet_check_input "$input"
ricochet_check_ranks "$ranks"

ricochet_install "${ricochet_build_packages[@]}"
ricochet_configure "$ricochet_preset"
ricochet_build "$ricochet_preset" ricochet
ricochet_mpi_environment "$ranks"

say "Running $input on $ranks ranks"
exec mpirun -n "$ranks" "$ricochet_root/build/$ricochet_preset/ricochet" run "$input" "$@"
