#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# Builds, and submits the run that jobs/local.sh would do as a batch job. Results appear in the folder from
# which it is submitted.
#   jobs/slurm.sh INPUT.yaml RANKS [options of sbatch, e.g. --time=01:00:00 --partition=long]
set -euo pipefail
# shellcheck source=jobs/setup.sh
source "$(dirname "${BASH_SOURCE[0]}")/setup.sh"

if [ $# -lt 2 ]; then
    say "usage: jobs/slurm.sh INPUT.yaml RANKS [options of sbatch]"
    exit 2
fi
input=$1 ranks=$2
shift 2
ricochet_check_input "$input"
ricochet_check_ranks "$ranks"
command -v sbatch >/dev/null ||
    fail 1 "There is no sbatch on this machine: submit from a login node of the cluster, or use jobs/local.sh"

ricochet_install "${ricochet_build_packages[@]}"
ricochet_configure "$ricochet_preset"
ricochet_build "$ricochet_preset" ricochet

# The job gets absolute paths, quoted for the shell that will read them.
input=$(cd "$(dirname "$input")" && pwd)/$(basename "$input")
printf -v command 'mpirun -n %d %q run %q' "$ranks" "$ricochet_root/build/$ricochet_preset/ricochet" "$input"
sbatch --job-name=ricochet --ntasks="$ranks" --output=ricochet-%j.log "$@" <<END
#!/usr/bin/env bash
set -euo pipefail
source $(printf %q "$ricochet_root/jobs/setup.sh")
ricochet_mpi_environment "$ranks"
exec $command
END
