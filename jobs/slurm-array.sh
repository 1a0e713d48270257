#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# An ensemble: an input for every combination of swept values, times seeds, as one job array, collected into
# means over the seeds with their standard errors, in FOLDER/means.{csv,md,png} and courses.{csv,png}. Each member is a
# run like that of jobs/slurm.sh: it stops before its time limit and is queued again until it is done.
#
# FOLDER holds members.csv (what each is), members.txt (its options), job.sh (what each job runs), and a log and
# a result of each. Members that failed are left out of the means and named; `sbatch --array=NUMBERS FOLDER/job.sh`
# lets them go on. All combinations are checked before anything is submitted. jobs/ensemble.py plans, averages
# and draws.
#
# Means over time and last values are in means.csv; means over the seeds as they change with time are in courses.csv.
# Where there are more jobs than an array may have (MaxArraySize), there are several arrays, each with a job-N.sh.
set -euo pipefail
# shellcheck source=jobs/batch.sh
source "$(dirname "${BASH_SOURCE[0]}")/batch.sh"

usage() {
    cat <<'HELP'
usage: jobs/slurm-array.sh INPUT.yaml RANKS [options] [options of sbatch] [-- options of `ricochet run`]
  e.g. jobs/slurm-array.sh inputs/sphere_gas.yaml 4 --sweep "contacts.restitution=1 0.95 0.9" --seeds=8 --time=60
  --sweep "KEY=VALUES..."  a key of the input and its values, separated by blanks; more than once: all combinations
  --seeds=N          run.seed from 1 to N for each (4)
  --from=FRACTION    means over time begin at this fraction of the run (0.5)
  --at-most=N        run at most N jobs at the same time (all)
  --per-job=N        run N members in a job, one after the other (1): for runs shorter than the wait for a job
  --warning=SECONDS  how long before the time limit to write a checkpoint and stop (300)
  --folder=FOLDER    for logs, results, table and plot; must not exist (NAME-ensemble, for NAME.yaml)
  --local            run one after the other on this machine, without Slurm
HELP
    exit "$1"
}

read_arguments() {
    case ${1:-} in -h | --help) usage 0 ;; esac
    [ $# -ge 2 ] || usage 2
    input=$1 ranks=$2
    shift 2
    sweeps=() seeds=4 from=0.5 at_most="" per_job=1 warning=300 folder=$(basename "$input" .yaml)-ensemble is_local=no
    sbatch_options=() run_options=() job_ids=()
    while [ $# -gt 0 ]; do
        case $1 in
        --sweep=*) sweeps+=("${1#*=}") ;;
        --sweep)
            [ $# -gt 1 ] || fail 2 '--sweep needs a key and values, e.g. --sweep "run.timestep=0.1 0.2"'
            sweeps+=("$2")
            shift
            ;;
        --seeds=*) seeds=${1#*=} ;;
        --from=*) from=${1#*=} ;;
        --at-most=*) at_most=${1#*=} ;;
        --per-job=*) per_job=${1#*=} ;;
        --warning=*) warning=${1#*=} ;;
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
    ricochet_check_ranks "$ranks"
    local sweep
    for sweep in "${sweeps[@]}"; do
        [[ $sweep =~ ^[^=[:space:]]+=.*[^[:space:]] ]] ||
            fail 2 "--sweep: got $sweep, expected KEY=VALUE VALUE ..."
    done
    [[ $seeds =~ ^[1-9][0-9]*$ ]] || fail 2 "--seeds: got $seeds, expected a whole number > 0"
    [[ $from =~ ^0?\.[0-9]+$|^0$ ]] || fail 2 "--from: got $from, expected a fraction from 0 to 1, such as 0.5"
    [[ $at_most =~ ^([1-9][0-9]*)?$ ]] || fail 2 "--at-most: got $at_most, expected a whole number > 0"
    [[ $per_job =~ ^[1-9][0-9]*$ ]] || fail 2 "--per-job: got $per_job, expected a whole number > 0"
    ricochet_check_warning "$warning" "$ricochet_slurm_early" "${sbatch_options[@]}"
    ricochet_check_batch "$is_local" "$folder" "${sbatch_options[@]}"
    ricochet_find_python jobs/slurm-array.sh h5py matplotlib yaml
}

# Fills `members`: the options of each as one line. Each combination is checked once, with its first seed.
plan_members() {
    local plan index member
    plan=$(ricochet_python ensemble.py plan "$seeds" "${sweeps[@]}")
    mapfile -t members <<<"$plan"
    for index in "${!members[@]}"; do
        eval "member=(${members[index]})"
        if ((index % seeds == 0)); then
            ricochet_check_plan "$program" "$input" "$ranks" "${run_options[@]}" "${member[@]}"
        fi
    done
}

write_folder() {
    mkdir "$folder"
    printf '%s\n' "${members[@]}" >"$folder/members.txt"
    ricochet_python ensemble.py plan "$seeds" "${sweeps[@]}" --csv >"$folder/members.csv"
}

# write_job FIRST NAME: the script of an array whose members begin with FIRST.
write_job() {
    # Not by SLURM_JOB_ID: that of one member is the number of the array, and would queue all members again.
    # shellcheck disable=SC2016  # the job knows its number, not this script
    local requeue='scontrol requeue "${SLURM_ARRAY_JOB_ID}_$SLURM_ARRAY_TASK_ID"'
    ricochet_job_text ricochet_array_job "$(ricochet_quoted "$folder" "$1" "$per_job" "$ranks" "$requeue" \
        "$program" run "$input" --continue --set output.checkpoint.keep=0 "${run_options[@]}")" >"$folder/$2"
}

run_here() {
    local index num_jobs=$(((${#members[@]} + per_job - 1) / per_job))
    write_job 0 job.sh
    for ((index = 0; index < num_jobs; ++index)); do
        say "from member $((index * per_job)) on: ${members[index * per_job]} (logs: $folder/MEMBER.log)"
        SLURM_ARRAY_TASK_ID=$index bash "$folder/job.sh" || say "a member failed"
    done
}

# How many jobs Slurm allows in an array; its own default where it does not say so.
largest_array() {
    local answer
    answer=$(scontrol show config 2>/dev/null | sed -n 's/^MaxArraySize *= *\([0-9]\+\)$/\1/p')
    printf '%s\n' "${answer:-1001}"
}

submit() {
    local first=0 jobs_left=$(((${#members[@]} + per_job - 1) / per_job)) most num_jobs name=job.sh
    most=$(largest_array)
    while [ $jobs_left -gt 0 ]; do
        num_jobs=$((jobs_left < most ? jobs_left : most))
        write_job "$first" "$name"
        job_ids+=("$(sbatch --parsable --job-name=ricochet --ntasks="$ranks" --requeue --open-mode=append \
            --array="0-$((num_jobs - 1))${at_most:+%$at_most}" --output="$folder/slurm.log" \
            --signal="B:USR1@$warning" "${sbatch_options[@]}" "$folder/$name")")
        jobs_left=$((jobs_left - num_jobs)) first=$((first + num_jobs * per_job)) name=job-${#job_ids[@]}.sh
    done
    say "Submitted ${#members[@]} members as job array ${job_ids[*]}"
}

read_arguments "$@"
check_arguments
ricochet_find_program
input=$(ricochet_absolute "$input")
folder=$(ricochet_absolute "$folder")
plan_members
write_folder
if [ $is_local = yes ]; then run_here; else submit; fi
ricochet_collect "$is_local" "$folder" "means.csv, means.md, means.png, courses.csv and courses.png" \
    "$(ricochet_python_command ensemble.py collect "$folder" --from "$from" --program "$program")"
