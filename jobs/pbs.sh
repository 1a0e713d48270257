#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# What jobs/slurm.sh is for Slurm, for PBS Pro and OpenPBS. NOT RUN under a real PBS by us: its syntax is
# checked, and a test runs it with a stand-in for qsub.
#
# PBS sends no signal before the time limit, and only operators may requeue (qrerun). So the job sets
# RICOCHET_STOP_AT, at which the run writes a checkpoint and ends with status 85, and then submits itself again;
# qsub must work on compute nodes for that, as it does by default. The job script stays beside the log, as
# ricochet-INPUT.pbs, for submitting it by hand. A node that fails: -r y, the job runs again.
set -euo pipefail
# shellcheck source=jobs/batch.sh
source "$(dirname "${BASH_SOURCE[0]}")/batch.sh"

usage() {
    cat <<'HELP'
usage: jobs/pbs.sh INPUT.yaml RANKS --time=HOURS:MINUTES:SECONDS [options] [options of qsub]
           [-- options of `ricochet run`]
  e.g. jobs/pbs.sh inputs/ecoli_cell.yaml 64 --time=04:00:00 -q long -- --set run.seed=2
  --time=LIMIT       of one start; the run takes as many starts as it needs
  --warning=SECONDS  how long before the limit to write a checkpoint and stop (300)
HELP
    exit "$1"
}

ricochet_read_site_arguments qsub "$@"

job_file=ricochet-$(basename "$input" .yaml).pbs
requeue=$(ricochet_quoted qsub "${site_options[@]}" "$PWD/$job_file")
{
    printf '#!/usr/bin/env bash\n'
    printf '#PBS %s\n' "-N ricochet" "-j oe" "-r y" "-l select=$ranks:ncpus=1:mpiprocs=1" \
        "-l walltime=$hours_minutes_seconds"
    # shellcheck disable=SC2016  # the job knows its folder, not this script
    printf 'cd "$PBS_O_WORKDIR"\n'
    ricochet_job_text ricochet_timed_job "$(ricochet_quoted $((seconds - warning)) "$ranks" "$requeue" \
        "$program" run "$input" --continue "${run_options[@]}")" | tail -n +2
} >"$job_file"
say "Submitting $input on $ranks ranks ($job_file)"
say "It stops $warning s before the time limit and submits itself again until done"
qsub "${site_options[@]}" "$job_file"
