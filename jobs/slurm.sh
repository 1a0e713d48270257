#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# Submits an input to Slurm, as a job that lives through time limits: some minutes before the limit Slurm sends
# USR1 to the batch shell (--signal=B:USR1@SECONDS), the run writes a checkpoint and ends with status 85, the job
# is queued again and goes on from there, as often as it takes (jobs/batch.sh). A node that fails takes at most
# the work since the last checkpoint with it (--requeue). Results and the log ricochet-JOB.log, one for all
# starts, appear in the folder from which it is submitted.
#
# The step under way is finished before the checkpoint, and Slurm looks at time limits only every half minute:
# hence the warning of 5 minutes. A run that is still placing its particles has nothing to write: it ends with
# status 85, too, and begins anew. A job that never gets as far as its first step would be queued for ever: so a
# start must be longer than the warning and the minute by which Slurm may send it early.
set -euo pipefail
# shellcheck source=jobs/batch.sh
source "$(dirname "${BASH_SOURCE[0]}")/batch.sh"

usage() {
    cat <<'HELP'
usage: jobs/slurm.sh INPUT.yaml RANKS [options] [options of sbatch] [-- options of `ricochet run`]
  e.g. jobs/slurm.sh inputs/ecoli_cell.yaml 64 --time=04:00:00 --partition=long -- --set run.seed=2
  --time=LIMIT       of one start; the run takes as many starts as it needs (Slurm's default)
  --warning=SECONDS  how long before the limit to write a checkpoint and stop (300)
HELP
    exit "$1"
}

read_arguments() {
    case ${1:-} in -h | --help) usage 0 ;; esac
    [ $# -ge 2 ] || usage 2
    input=$1 ranks=$2
    shift 2
    warning=300 sbatch_options=() run_options=()
    while [ $# -gt 0 ]; do
        case $1 in
        --warning=*) warning=${1#*=} ;;
        --) run_options=("${@:2}") && break ;;
        *) sbatch_options+=("$1") ;;
        esac
        shift
    done
}

check_arguments() {
    ricochet_check_input "$input"
    ricochet_check_ranks "$ranks"
    ricochet_check_warning "$warning" "$ricochet_slurm_early" "${sbatch_options[@]}"
    ricochet_require_slurm jobs/local.sh
}

read_arguments "$@"
check_arguments
ricochet_find_program
input=$(ricochet_absolute "$input")
ricochet_check_plan "$program" "$input" "$ranks" "${run_options[@]}"

# shellcheck disable=SC2016  # the job knows its number, not this script
requeue='scontrol requeue "$SLURM_JOB_ID"'
job=$(ricochet_job_text ricochet_job "$(ricochet_quoted "$ranks" "$requeue" \
    "$program" run "$input" --continue "${run_options[@]}")")
say "Submitting $input on $ranks ranks; it stops $warning s before the time limit and is queued again until done"
sbatch --job-name=ricochet --ntasks="$ranks" --output=ricochet-%j.log --open-mode=append --requeue \
    --signal="B:USR1@$warning" "${sbatch_options[@]}" <<<"$job"
