#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# What jobs/slurm.sh is for Slurm, for IBM Spectrum LSF. NOT RUN under a real LSF by us: its syntax is checked,
# and a test runs it with a stand-in for bsub.
#
# The job sets RICOCHET_STOP_AT, at which the run writes a checkpoint and ends with status 85; LSF queues a job
# that ends with this status again (-Q 85). A node that fails: -r, the job runs again.
set -euo pipefail
# shellcheck source=jobs/batch.sh
source "$(dirname "${BASH_SOURCE[0]}")/batch.sh"

usage() {
    cat <<'HELP'
usage: jobs/lsf.sh INPUT.yaml RANKS --time=HOURS:MINUTES:SECONDS [options] [options of bsub]
           [-- options of `ricochet run`]
  e.g. jobs/lsf.sh inputs/ecoli_cell.yaml 64 --time=04:00:00 -q long -- --set run.seed=2
  --time=LIMIT       of one start; the run takes as many starts as it needs
  --warning=SECONDS  how long before the limit to write a checkpoint and stop (300)
HELP
    exit "$1"
}

ricochet_read_site_arguments bsub "$@"

job=$(ricochet_job_text ricochet_timed_job "$(ricochet_quoted $((seconds - warning)) "$ranks" true \
    "$program" run "$input" --continue "${run_options[@]}")")
say "Submitting $input on $ranks ranks; it stops $warning s before the time limit and is queued again until done"
bsub -J ricochet -n "$ranks" -o ricochet-%J.log -r -Q 85 -W $(((seconds + 59) / 60)) "${site_options[@]}" <<<"$job"
