# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash
#
# Sourced by the scripts that submit batch jobs (jobs/slurm*.sh, jobs/pbs.sh, jobs/lsf.sh): what happens on the
# login node. It finds or builds the program and asks `ricochet check` whether the run is possible, so that
# mistakes show at once and not after hours in the queue. What happens in the jobs is in jobs/in_job.sh.
# shellcheck source=jobs/setup.sh
source "$(dirname "${BASH_SOURCE[0]}")/setup.sh"

# shellcheck disable=SC2034  # for the scripts that source this one
readonly ricochet_slurm_early=60 # seconds by which Slurm may send a signal before it is asked to

# Sets `program`: RICOCHET_EXE when that is set, else the one installed with these scripts (PREFIX/share/ricochet/jobs),
# or the build folder's, built when it is out of date.
ricochet_find_program() {
    if [ -n "${RICOCHET_EXE:-}" ]; then
        program=$RICOCHET_EXE
        [ -x "$program" ] || fail 1 "There is no program $program (RICOCHET_EXE)"
        program=$(ricochet_absolute "$program")
    elif [ ! -f "$ricochet_root/CMakeLists.txt" ] && [ -x "$ricochet_root/../../bin/ricochet" ]; then
        program=$(ricochet_absolute "$ricochet_root/../../bin/ricochet")
    else
        ricochet_install "${ricochet_build_packages[@]}"
        ricochet_configure "$ricochet_preset"
        ricochet_build "$ricochet_preset" ricochet
        program=$ricochet_root/build/$ricochet_preset/ricochet
    fi
    command -v mpirun >/dev/null ||
        fail 1 "There is no mpirun on this machine: load the MPI that ricochet was built with"
}

# ricochet_require_command COMMAND WHERE_ELSE
ricochet_require_command() {
    command -v "$1" >/dev/null ||
        fail 1 "There is no $1 on this machine: submit from a login node of the cluster, or use $2"
}

# ricochet_require_slurm WHERE_ELSE: sbatch alone is not enough, a controller must answer behind it.
ricochet_require_slurm() {
    local answer
    ricochet_require_command sbatch "$1"
    answer=$(timeout 60 scontrol ping 2>&1 </dev/null) ||
        fail 1 "There is an sbatch on this machine, but no Slurm answers behind it (scontrol ping:" \
            "$(grep -v '^[*]' <<<"$answer" | tail -n 1)):" \
            "submit from a login node of the cluster, or use $1"
}

# ricochet_find_python SCRIPT MODULES...: sets `python` to one that has the modules. Debian's belong to
# /usr/bin/python3, which need not be the first in the path. Python runs in the folder of its scripts, and gets absolute
# paths: in the user's folder it would import modules from there, and Matplotlib would read settings.
ricochet_find_python() {
    local candidate modules
    printf -v modules '%s, ' "${@:2}"
    for candidate in python3 /usr/bin/python3; do
        if (cd "$ricochet_root/jobs" && exec "$candidate" -B -c "import ${modules%, }") 2>/dev/null; then
            # shellcheck disable=SC2034  # for the scripts that source this one
            python=$(command -v "$candidate")
            return 0
        fi
    done
    fail 1 "$1 needs Python 3 with ${modules%, }" \
        "(Debian: apt-get install python3-h5py python3-matplotlib python3-yaml)"
}

# ricochet_python_command SCRIPT ARGUMENTS...: the shell command that runs a Python script of jobs/.
ricochet_python_command() {
    printf '(cd %s)\n' "$(ricochet_quoted "$ricochet_root/jobs") && $(ricochet_quoted "$python" -B "$@")"
}

ricochet_python() { eval "$(ricochet_python_command "$@")"; }

# ricochet_slurm_seconds TIME: seconds of a time limit in one of Slurm's forms; fails when it is none.
ricochet_slurm_seconds() {
    local days=0 time=$1 parts=()
    case $time in UNLIMITED | INFINITE) printf '%d\n' $((1 << 40)) && return ;; esac
    [[ $time =~ ^([0-9]+-)?[0-9]+(:[0-9]+){0,2}$ ]] || return 1
    if [[ $time = *-* ]]; then
        days=${time%%-*} time=${time#*-}
        IFS=: read -r -a parts <<<"$time:0:0" # hours, minutes, seconds
    elif [[ $time = *:*:* ]]; then
        IFS=: read -r -a parts <<<"$time"
    else
        IFS=: read -r -a parts <<<"0:$time:0" # minutes, seconds
    fi
    printf '%d\n' $((((10#$days * 24 + 10#${parts[0]}) * 60 + 10#${parts[1]}) * 60 + 10#${parts[2]}))
}

# ricochet_check_warning SECONDS EARLY [options of sbatch]: a start must be longer than the warning before its end,
# which may come some seconds early, or the job would be queued again for ever.
ricochet_check_warning() {
    local warning=$1 early=$2 time_limit="" seconds
    [[ $warning =~ ^[1-9][0-9]*$ ]] || fail 2 "--warning: got $warning, expected seconds, a whole number > 0"
    shift 2
    while [ $# -gt 0 ]; do
        case $1 in
        --time=*) time_limit=${1#*=} ;;
        --time | -t) time_limit=${2:-nothing} ;;
        esac
        shift
    done
    [ -n "$time_limit" ] || return 0
    seconds=$(ricochet_slurm_seconds "$time_limit") ||
        fail 2 "--time: got $time_limit, expected MINUTES, HOURS:MINUTES:SECONDS or DAYS-HOURS:MINUTES:SECONDS"
    [ "$seconds" -gt $((warning + early)) ] ||
        fail 2 "--time: $time_limit is not longer than the warning before its end ($warning s and at most $early s" \
            "by which it may come early; see --warning)"
}

# ricochet_read_site_arguments COMMAND ARGUMENTS...: reads and checks what jobs/pbs.sh and jobs/lsf.sh are given;
# sets input, ranks, seconds (of a start), hours_minutes_seconds, warning, site_options, run_options, program.
ricochet_read_site_arguments() {
    local site_command=$1 time_limit=""
    shift
    case ${1:-} in -h | --help) usage 0 ;; esac
    [ $# -ge 2 ] || usage 2
    input=$1 ranks=$2 warning=300 site_options=() run_options=()
    shift 2
    while [ $# -gt 0 ]; do
        case $1 in
        --time=*) time_limit=${1#*=} ;;
        --warning=*) warning=${1#*=} ;;
        --) run_options=("${@:2}") && break ;;
        *) site_options+=("$1") ;;
        esac
        shift
    done
    ricochet_check_input "$input"
    ricochet_check_ranks "$ranks"
    [ -n "$time_limit" ] || fail 2 "--time is missing, e.g. --time=01:00:00"
    ricochet_check_warning "$warning" 0 --time="$time_limit"
    seconds=$(ricochet_slurm_seconds "$time_limit")
    # shellcheck disable=SC2034  # for the scripts that source this one
    printf -v hours_minutes_seconds '%02d:%02d:%02d' $((seconds / 3600)) $((seconds / 60 % 60)) $((seconds % 60))
    ricochet_require_command "$site_command" jobs/local.sh
    ricochet_find_program
    input=$(ricochet_absolute "$input")
    ricochet_check_plan "$program" "$input" "$ranks" "${run_options[@]}"
}

# ricochet_check_batch IS_LOCAL FOLDER [options of sbatch]: what a series of runs needs before it begins.
ricochet_check_batch() {
    [ ! -e "$2" ] || fail 2 "$2 exists: name another --folder, or remove it"
    [ -w "$(dirname "$2")" ] || fail 2 "--folder: cannot make $2 in $(dirname "$2")"
    if [ "$1" = no ]; then
        ricochet_require_slurm --local
    elif [ $# -gt 2 ]; then
        fail 2 "$3: not an option of this script, and --local takes none of sbatch"
    fi
}

# ricochet_job_text FUNCTION LINE: a job script that calls a function of jobs/in_job.sh with a line of arguments.
ricochet_job_text() {
    printf '#!/usr/bin/env bash\nset -euo pipefail\nsource %q\n%s %s\n' "$ricochet_root/jobs/in_job.sh" "$1" "$2"
}

# ricochet_collect IS_LOCAL FOLDER FILES COMMAND: runs the command, or submits it to run after the jobs in
# `job_ids`, with `sbatch_options`.
ricochet_collect() {
    # shellcheck disable=SC2154  # job_ids, sbatch_options: the caller's
    if [ "$1" = yes ] || [ ${#job_ids[@]} -eq 0 ]; then
        eval "$4"
        return
    fi
    local dependency
    dependency=$(IFS=: && printf '%s' "${job_ids[*]%%;*}")
    # shellcheck disable=SC2154
    sbatch --job-name=collect --dependency="afterany:$dependency" --output="$2/collect.log" \
        "${sbatch_options[@]}" --ntasks=1 --wrap="$4"
    say "When all jobs have ended, $2 has $3. To collect before, from what there is: $4"
}
