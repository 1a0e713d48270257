#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# How an input scales: runs it on several numbers of ranks, strongly (the same system on more ranks) and weakly
# (a system that grows with the ranks: its first edge and its particles times the number of ranks), one job
# each, and collects the times into FOLDER/scaling.{csv,md,png}. Times are those of the steps alone, without
# placement and equilibration. Each run is repeated on request; the median counts. Results are deleted after
# their hash has been taken: those of the strong sweep must be the same bits. Beside the measured efficiency stands
# the one that the model of `ricochet check` foresees.
#
# All runs are checked before the first is submitted. A sweep is as good as its quietest node: the jobs ask for
# --exclusive. jobs/scaling.py does the arithmetic and draws.
set -euo pipefail
# shellcheck source=jobs/batch.sh
source "$(dirname "${BASH_SOURCE[0]}")/batch.sh"

usage() {
    cat <<'HELP'
usage: jobs/slurm-scaling.sh INPUT.yaml "RANKS..." [options] [options of sbatch] [-- options of `ricochet run`]
  e.g. jobs/slurm-scaling.sh inputs/sphere_gas.yaml "1 2 4 8" --time=00:20:00 -- --set output.trajectory_every=0
  --strong, --weak   only this sweep
  --repeats=N        run each N times (1)
  --folder=FOLDER    for logs, table and plot; must not exist (NAME-scaling, for NAME.yaml)
  --local            run one after the other on this machine, without Slurm
HELP
    exit "$1"
}

read_arguments() {
    case ${1:-} in -h | --help) usage 0 ;; esac
    [ $# -ge 2 ] || usage 2
    input=$1
    read -r -a rank_counts <<<"$2"
    shift 2
    kinds=(strong weak) repeats=1 is_local=no folder=$(basename "$input" .yaml)-scaling
    sbatch_options=() run_options=()
    while [ $# -gt 0 ]; do
        case $1 in
        --strong) kinds=(strong) ;;
        --weak) kinds=(weak) ;;
        --repeats=*) repeats=${1#*=} ;;
        --folder=*) folder=${1#*=} ;;
        --local) is_local=yes ;;
        --) run_options=("${@:2}") && break ;;
        *) sbatch_options+=("$1") ;;
        esac
        shift
    done
}

check_arguments() {
    ricochet_check_input "$input"
    [ ${#rank_counts[@]} -gt 0 ] || fail 2 'RANKS: got nothing, expected numbers such as "1 2 4"'
    local ranks
    for ranks in "${rank_counts[@]}"; do
        ricochet_check_ranks "$ranks"
    done
    [[ $repeats =~ ^[1-9][0-9]*$ ]] || fail 2 "--repeats: got $repeats, expected a whole number > 0"
    ricochet_check_batch "$is_local" "$folder" "${sbatch_options[@]}"
    ricochet_find_python jobs/slurm-scaling.sh matplotlib yaml
}

# Options of `ricochet run` that let the system grow with the ranks, one per line.
weak_options() {
    local overrides
    ricochet_overrides overrides "${run_options[@]}"
    "$program" check "$input" "${overrides[@]/#/--set=}" |
        ricochet_python scaling.py weak-options "$input" "$1" "${overrides[@]}"
}

# Seconds per step that the model of `ricochet check` foresees on so many ranks; nothing where it has no estimate.
# model_seconds RANKS [options of `ricochet run`]
model_seconds() {
    local overrides
    ricochet_overrides overrides "${@:2}"
    "$program" check "$input" --ranks "$1" "${overrides[@]/#/--set=}" |
        sed -n 's/^  time per step  *about \(.*\) s$/\1/p'
}

# Notes the runs of one sweep and number of ranks: names, and commands as one line each; and what is foreseen.
plan_runs() {
    local kind=$1 ranks=$2 text growth=() repeat
    if [ "$kind" = weak ]; then
        text=$(weak_options "$ranks") || fail 2 "No weak sweep with this input; choose --strong"
        mapfile -t growth <<<"$text"
    fi
    ricochet_check_plan "$program" "$input" "$ranks" "${run_options[@]}" "${growth[@]}"
    foreseen+=("$kind,$ranks,$(model_seconds "$ranks" "${run_options[@]}" "${growth[@]}")")
    for ((repeat = 1; repeat <= repeats; ++repeat)); do
        names+=("$kind-$ranks-$repeat")
        commands+=("$(ricochet_quoted "$ranks" "$folder/$kind-$ranks-$repeat.h5md" \
            "$program" run "$input" "${run_options[@]}" "${growth[@]}")")
    done
}

# start_run NAME RANKS COMMAND: what fails, or what Slurm does not accept, leaves a log, and the others go on.
start_run() {
    local job job_id log=$folder/$1.log
    say "$1: ranks, result, program: $3"
    job=$(ricochet_job_text ricochet_measure "$3")
    if [ $is_local = yes ]; then
        bash -s <<<"$job" >"$log" 2>&1 || say "$1 failed (log: $log)"
    elif job_id=$(sbatch --parsable --job-name="$1" --ntasks="$2" --exclusive --output="$log" \
        "${sbatch_options[@]}" <<<"$job" 2>"$log"); then
        job_ids+=("$job_id")
    else
        say "$1 was not accepted by Slurm: $(<"$log")"
    fi
}

read_arguments "$@"
check_arguments
ricochet_find_program
input=$(ricochet_absolute "$input")
folder=$(ricochet_absolute "$folder")
names=() commands=() job_ids=() foreseen=('sweep,ranks,seconds per step')
for kind in "${kinds[@]}"; do
    for ranks in "${rank_counts[@]}"; do
        plan_runs "$kind" "$ranks"
    done
done
mkdir "$folder"
printf '%s\n' "${foreseen[@]}" >"$folder/model.csv"
for run in "${!names[@]}"; do
    start_run "${names[run]}" "${commands[run]%% *}" "${commands[run]}"
done
ricochet_collect "$is_local" "$folder" "scaling.csv, scaling.md and scaling.png" \
    "$(ricochet_python_command scaling.py collect "$folder")"
