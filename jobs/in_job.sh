# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash
#
# Sourced by batch jobs: what runs on the nodes. mpirun runs in the background, because a shell that waits for a
# command in the foreground runs its traps only after the command has ended.
#
# USR1, sent by the batch system some minutes before the time limit and to this shell only, is passed on to
# mpirun, which passes it on to every rank: the program writes a checkpoint and ends with status 85, and the job
# is queued again. TERM means that the job is being ended for good (scancel, the time limit); batch systems send
# it to all processes of a job, so it is not passed on, but the ranks get time for a checkpoint, and nothing is
# queued again. The same job script goes on from the newest checkpoint each time (`ricochet run --continue`), also
# after a node has failed.
# shellcheck source=jobs/setup.sh
source "$(dirname "${BASH_SOURCE[0]}")/setup.sh"

readonly ricochet_stopped=85 # exit status of a run that has stopped at a checkpoint
readonly ricochet_died_by_usr1=138

# ricochet_job RANKS REQUEUE PROGRAM ARGUMENTS...: runs the program on so many ranks and exits with its status.
# REQUEUE is a shell command that queues this job again.
ricochet_job() {
    local status
    ricochet_listen
    ricochet_run "$1" "${@:3}"
    ricochet_after_run "$status" "$2"
    exit "$status"
}

# Until ricochet_run has started the launcher, a signal is kept.
ricochet_listen() {
    # Time for a checkpoint between TERM and KILL: Open MPI allows 1 second, schedulers usually 30. Open MPI
    # waits this long, twice, at the end of each run that ends with a status other than 0.
    export OMPI_MCA_odls_base_sigkill_timeout=${OMPI_MCA_odls_base_sigkill_timeout:-10}
    is_interrupted=no is_stopping=no is_ending=no launcher=""
    trap 'is_interrupted=yes is_stopping=yes
        [ -z "$launcher" ] || kill -USR1 "$launcher" 2>/dev/null || true' USR1
    trap 'is_interrupted=yes is_ending=yes' TERM
}

# ricochet_run RANKS PROGRAM ARGUMENTS...: runs the program to its end and sets `status`.
ricochet_run() {
    local ranks=$1
    shift
    ricochet_mpi_environment "$ranks"
    say "$(date): job ${SLURM_JOB_ID:-${PBS_JOBID:-${LSB_JOBID:-without a number}}}," \
        "start $((${SLURM_RESTART_COUNT:-0} + 1)): mpirun -n $ranks $(ricochet_quoted "$@")"
    mpirun -n "$ranks" "$@" &
    launcher=$!
    [ "$is_stopping" = no ] || kill -USR1 "$launcher" # USR1 came before there was anyone to pass it on to
    # A trap interrupts `wait`, which then has the status of the signal instead of the launcher's.
    while
        is_interrupted=no status=0
        wait "$launcher" || status=$?
        [ "$is_interrupted" = yes ]
    do :; done
    launcher=""
}

# ricochet_timed_job SECONDS RANKS REQUEUE PROGRAM ARGUMENTS...: ricochet_job for batch systems that send no signal
# before the time limit: the run stops by itself after so many seconds.
ricochet_timed_job() {
    RICOCHET_STOP_AT=$(($(date +%s) + $1))
    export RICOCHET_STOP_AT
    ricochet_job "${@:2}"
}

# ricochet_array_job FOLDER FIRST COUNT RANKS REQUEUE PROGRAM ARGUMENTS...: the runs of COUNT members of an ensemble, one
# after the other, each with the options in its line of FOLDER/members.txt and with a log of its own. Task 0 of this
# array has the members from FIRST on. Members that have ended are there at once when the job is queued again. Exits
# with the status of the latest that failed.
ricochet_array_job() {
    local folder=$1 count=$3 requeue=$5 num_members index end worst=0 status
    index=$(($2 + SLURM_ARRAY_TASK_ID * count))
    num_members=$(wc -l <"$folder/members.txt")
    [ "$index" -lt "$num_members" ] || fail 2 "$folder/members.txt has no member $index"
    end=$((index + count < num_members ? index + count : num_members))
    ricochet_listen
    while
        ricochet_member_job "$folder" "$index" "${@:4}" >>"$folder/$index.log" 2>&1
        [ "$status" -eq 0 ] || worst=$status
        index=$((index + 1))
        [ "$index" -lt "$end" ] && [ "$status" -ne $ricochet_stopped ] && [ "$is_stopping$is_ending" = nono ]
    do :; done
    # The signal came as a member ended by itself: the others are left.
    if [ "$index" -lt "$end" ] && [ "$is_stopping" = yes ] && [ "$status" -ne $ricochet_stopped ]; then
        eval "$requeue" || fail 1 "This job could not be queued again; submit it again to go on"
    fi
    exit "$worst"
}

# Sets `status`. Not in a subshell: signals come to this shell.
ricochet_member_job() {
    local folder=$1 index=$2 ranks=$3 requeue=$4 member
    eval "member=($(sed -n "$((index + 1))p" "$folder/members.txt"))"
    ricochet_run "$ranks" "${@:5}" "${member[@]}" --output "$folder/$index.h5md"
    ricochet_after_run "$status" "$requeue"
}

# ricochet_after_run STATUS REQUEUE: says how a run has ended, and queues the job again where it has stopped at a
# checkpoint. Sets `status`.
ricochet_after_run() {
    local requeue=$2
    status=$1
    if [ "$is_stopping" = yes ] && [ "$status" -eq $ricochet_died_by_usr1 ]; then
        say "$(date): stopped before the program was ready for it"
        status=$ricochet_stopped
    fi
    if [ "$is_ending" = yes ] && [ "$status" -ne 0 ]; then
        say "$(date): ended by the batch system, status $status; submit again to go on from the newest checkpoint"
    elif [ "$status" -eq $ricochet_stopped ]; then
        say "$(date): stopped with status 85; queueing this job again"
        eval "$requeue" || fail 1 "This job could not be queued again; submit it again to go on"
    else
        say "$(date): ended with status $status"
    fi
}

# ricochet_measure RANKS RESULT PROGRAM ARGUMENTS...: a run whose times count and whose result does not; of the
# result only its description stays, in the log.
ricochet_measure() {
    local ranks=$1 result=$2 program=$3
    ricochet_mpi_environment "$ranks"
    mpirun -n "$ranks" "${@:3}" --output "$result" --force </dev/null
    "$program" info "$result"
    rm -f "$result" "$result".checkpoint-* "${result%.h5md}.xdmf"
}
