# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash
#
# Sourced by the scripts that submit batch jobs, and by the jobs themselves.
#
# On the login node: finds or builds the program and asks `ricochet check` whether the run is possible, so that
# mistakes show at once and not after hours in the queue.
#
# In the job: mpirun runs in the background, because a shell that waits for a foreground command runs its traps
# only after the command has ended. USR1 (sent by the scheduler some minutes before the time limit, to this shell
# only) is passed on to mpirun, which passes it on to every rank: the program writes a checkpoint and ends with
# status 85, and the job is queued again. TERM means that the job is being ended for good (time limit, scancel);
# schedulers send it to all processes of a job, so it is not passed on, but the ranks get time to write a
# checkpoint, and nothing is queued again. The same job script goes on from the newest checkpoint each time
# (`ricochet run --continue`), also after a node has failed.
# shellcheck source=jobs/setup.sh
source "$(dirname "${BASH_SOURCE[0]}")/setup.sh"

readonly ricochet_stopped=85 # exit status of a run that has stopped at a checkpoint
readonly ricochet_died_by_usr1=138

# Sets `program`: RICOCHET_EXE when that is set, else the build folder's, built when it is out of date.
ricochet_find_program() {
    if [ -n "${RICOCHET_EXE:-}" ]; then
        program=$RICOCHET_EXE
        [ -x "$program" ] || fail 1 "There is no program $program (RICOCHET_EXE)"
        program=$(ricochet_absolute "$program")
    else
        ricochet_install "${ricochet_build_packages[@]}"
        ricochet_configure "$ricochet_preset"
        ricochet_build "$ricochet_preset" ricochet
        program=$ricochet_root/build/$ricochet_preset/ricochet
    fi
    command -v mpirun >/dev/null || fail 1 "There is no mpirun on this machine: load the MPI that ricochet was built with"
}

ricochet_absolute() { printf '%s/%s\n' "$(cd "$(dirname "$1")" && pwd)" "$(basename "$1")"; }

# ricochet_quoted WORDS...: one line that a shell reads as these words.
ricochet_quoted() {
    local line
    printf -v line '%q ' "$@"
    printf '%s\n' "${line% }"
}

# ricochet_require_command COMMAND WHERE_ELSE
ricochet_require_command() {
    command -v "$1" >/dev/null ||
        fail 1 "There is no $1 on this machine: submit from a login node of the cluster, or use $2"
}

# ricochet_find_python SCRIPT MODULES...: sets `python` to one that has the modules. Debian's belong to
# /usr/bin/python3, which need not be the first in the path.
ricochet_find_python() {
    local candidate modules
    printf -v modules '%s, ' "${@:2}"
    for candidate in python3 /usr/bin/python3; do
        if "$candidate" -c "import ${modules%, }" 2>/dev/null; then
            # shellcheck disable=SC2034  # for the scripts that source this one
            python=$(command -v "$candidate")
            return 0
        fi
    done
    fail 1 "$1 needs Python 3 with ${modules%, } (Debian: apt-get install python3-h5py python3-matplotlib python3-yaml)"
}

# ricochet_overrides ARRAY [options of `ricochet run`]: fills the array with the KEY=VALUE that they set.
ricochet_overrides() {
    local -n overrides_out=$1
    overrides_out=()
    shift
    while [ $# -gt 0 ]; do
        case $1 in
        --set=*) overrides_out+=("${1#--set=}") ;;
        --steps=*) overrides_out+=("run.steps=${1#--steps=}") ;;
        --set | --steps)
            [ $# -gt 1 ] || fail 2 "$1 needs a value"
            if [ "$1" = --set ]; then overrides_out+=("$2"); else overrides_out+=("run.steps=$2"); fi
            shift
            ;;
        esac
        shift
    done
}

# ricochet_check_plan PROGRAM INPUT RANKS [options of `ricochet run`]: ends this script when the program refuses
# the input, or the number of ranks.
ricochet_check_plan() {
    local overrides message status=0
    ricochet_overrides overrides "${@:4}"
    ricochet_mpi_environment 1
    message=$("$1" check "$2" --ranks "$3" "${overrides[@]/#/--set=}" 2>&1 >/dev/null </dev/null) || status=$?
    [ "$status" -eq 0 ] || fail "$status" "$message"
}

# ricochet_check_batch IS_LOCAL FOLDER [options of sbatch]: what a series of runs needs before it begins.
ricochet_check_batch() {
    [ ! -e "$2" ] || fail 2 "$2 exists: name another --folder, or remove it"
    [ -w "$(dirname "$2")" ] || fail 2 "--folder: cannot make $2 in $(dirname "$2")"
    if [ "$1" = no ]; then
        ricochet_require_command sbatch --local
    elif [ $# -gt 2 ]; then
        fail 2 "$3: not an option of this script, and --local takes none of sbatch"
    fi
}

# ricochet_job_text FUNCTION LINE: a job script that calls a function of this file with a line of arguments.
ricochet_job_text() {
    printf '#!/usr/bin/env bash\nset -euo pipefail\nsource %q\n%s %s\n' "$ricochet_root/jobs/batch.sh" "$1" "$2"
}

# ricochet_collect IS_LOCAL FOLDER FILES COMMAND: runs the command, or submits it to run after the jobs in
# `job_ids`, with `sbatch_options`.
ricochet_collect() {
    if [ "$1" = yes ]; then
        eval "$4"
        return
    fi
    local dependency
    # shellcheck disable=SC2154  # job_ids, sbatch_options: the caller's
    dependency=$(IFS=: && printf '%s' "${job_ids[*]%%;*}")
    # shellcheck disable=SC2154
    sbatch --job-name=collect --dependency="afterany:$dependency" --output="$2/collect.log" \
        "${sbatch_options[@]}" --ntasks=1 --wrap="$4"
    say "When all jobs have ended, $2 has $3. To collect before, from what there is: $4"
}

# --- in the job ---------------------------------------------------------------------------------------------

# ricochet_job RANKS REQUEUE PROGRAM ARGUMENTS...: runs the program on so many ranks and exits with its status.
# REQUEUE is a shell command that queues this job again.
ricochet_job() {
    local ranks=$1 requeue=$2 launcher status
    shift 2
    ricochet_mpi_environment "$ranks"
    # Time for a checkpoint between TERM and KILL; schedulers wait 30 seconds or more.
    export OMPI_MCA_odls_base_sigkill_timeout=${OMPI_MCA_odls_base_sigkill_timeout:-25}
    is_interrupted=no is_stopping=no is_ending=no launcher=""
    trap 'is_interrupted=yes is_stopping=yes; [ -z "$launcher" ] || kill -USR1 "$launcher" 2>/dev/null || true' USR1
    trap 'is_interrupted=yes is_ending=yes' TERM
    say "$(date): job ${SLURM_JOB_ID:-${PBS_JOBID:-${LSB_JOBID:-without a number}}}, start $((${SLURM_RESTART_COUNT:-0} + 1)):" \
        "mpirun -n $ranks $(ricochet_quoted "$@")"
    mpirun -n "$ranks" "$@" &
    launcher=$!
    # A trap interrupts `wait`, which then has the status of the signal instead of the launcher's.
    while
        is_interrupted=no status=0
        wait "$launcher" || status=$?
        [ $is_interrupted = yes ]
    do :; done
    ricochet_after_run "$status" "$requeue"
}

ricochet_after_run() {
    local status=$1 requeue=$2
    if [ "$is_stopping" = yes ] && [ "$status" -eq $ricochet_died_by_usr1 ]; then
        say "$(date): stopped before the program was ready for it"
        status=$ricochet_stopped
    fi
    if [ "$status" -ne $ricochet_stopped ]; then
        say "$(date): ended with status $status"
    elif [ "$is_ending" = yes ]; then
        say "$(date): stopped with status 85; submit again to go on"
    else
        say "$(date): stopped with status 85; queueing this job again"
        eval "$requeue" || fail 1 "This job could not be queued again; submit it again to go on"
    fi
    exit "$status"
}

# ricochet_measure RANKS RESULT PROGRAM ARGUMENTS...: a run whose times count and whose result does not; of the
# result only its description stays, in the log.
ricochet_measure() {
    local ranks=$1 result=$2 program=$3
    ricochet_mpi_environment "$ranks"
    mpirun -n "$ranks" "${@:3}" --output "$result" --force </dev/null
    "$program" info "$result"
    rm -f "$result" "${result%.h5md}.xdmf"
}
