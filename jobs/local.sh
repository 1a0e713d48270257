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
most_ranks=$((8 * $(ricochet_cores)))
[ "$ranks" -le $most_ranks ] || fail 2 "RANKS: got $ranks, expected at most $most_ranks, 8 per core of this machine"

ricochet_install "${ricochet_build_packages[@]}"
ricochet_configure "$ricochet_preset"
ricochet_build "$ricochet_preset" ricochet
program=$ricochet_root/build/$ricochet_preset/ricochet
ricochet_check_plan "$program" "$input" "$ranks" "$@"
ricochet_mpi_environment "$ranks"

say "Running $input on $ranks ranks"
# TERM (kill), INT (Ctrl-C) and USR1 stop the run at a checkpoint, with status 85. mpirun itself passes on only USR1
# and answers the others by ending its ranks within a second: that is what a second signal is passed on as. It gets a
# process group of its own, or the terminal would send Ctrl-C to it, too.
launcher="" first_signal=""
# shellcheck disable=SC2317  # called by the trap
pass_on() {
    is_interrupted=yes
    [ -n "$launcher" ] || exit 1
    if [ -z "$first_signal" ]; then
        first_signal=$SECONDS
        kill -USR1 "$launcher" 2>/dev/null || true
    elif ((SECONDS > first_signal + 1)); then # one request may come twice
        kill -TERM "$launcher" 2>/dev/null || true
    fi
}
trap pass_on TERM INT HUP USR1
set -m
mpirun -n "$ranks" "$program" run "$input" "$@" </dev/null &
launcher=$!
set +m
# A trap interrupts `wait`, which then has the status of the signal instead of the launcher's.
while
    is_interrupted=no status=0
    wait "$launcher" || status=$?
    [ $is_interrupted = yes ]
do :; done
exit "$status"
