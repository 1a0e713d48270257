# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash
#
# Sourced by the other scripts of jobs/, tests/run.sh and .ci/run: installs what is missing, configures,
# builds, and sets what Open MPI needs on this machine. Functions print one line per stage; the details go to
# a log in the build folder and are shown when something fails.

unset CDPATH # with it, cd may go elsewhere, and prints where
ricochet_root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
# shellcheck disable=SC2034  # for the scripts that source this one
ricochet_preset=${RICOCHET_PRESET:-release} # of CMakePresets.json

# Debian's names. The test packages are only needed by the test suite.
# shellcheck disable=SC2034
ricochet_build_packages=(build-essential cmake ninja-build git libopenmpi-dev openmpi-bin libboost-mpi-dev
    libboost-serialization-dev libhdf5-openmpi-dev libyaml-cpp-dev libcli11-dev libfmt-dev
    libhwy-dev libgtest-dev libgmock-dev libbenchmark-dev voro++-dev)
# shellcheck disable=SC2034
ricochet_test_packages=(clang-format clang-tidy python3 python3-h5py python3-matplotlib python3-mdanalysis
    python3-yaml shellcheck slurm-wlm slurm-wlm-basic-plugins chromium ffmpeg tcl)

say() { printf '%s\n' "$*"; }
# fail STATUS MESSAGE: 1 for a failure here, 2 for bad input or usage, as the program's own statuses.
fail() {
    printf '%s\n' "${*:2}" >&2
    exit "$1"
}

# The names among the arguments that are not installed, one per line.
ricochet_missing_packages() {
    local package
    for package in "$@"; do
        if ! dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q 'ok installed'; then
            printf '%s\n' "$package"
        fi
    done
}

ricochet_what_to_install() {
    cat <<'END'
Needed: a C++20 compiler, CMake 3.25 or later, Ninja, an MPI library (Open MPI), Boost.MPI and
Boost.Serialization 1.74 or later, HDF5 built with MPI, zlib, yaml-cpp, CLI11, fmt, Highway; GoogleTest,
Google Benchmark and voro++; for the test suite also clang-format 14, clang-tidy 14, Python 3 with h5py, matplotlib,
PyYAML and MDAnalysis, shellcheck, Slurm, Chromium, ffmpeg and Tcl. `ricochet report` needs h5py and matplotlib.
END
}

# Installs the missing ones of the named Debian packages. On other systems it does nothing: whether all is
# there shows when CMake looks for it (ricochet_configure).
ricochet_install() {
    if ! command -v apt-get >/dev/null || ! command -v dpkg-query >/dev/null; then
        return 0
    fi
    local missing as_root=()
    mapfile -t missing < <(ricochet_missing_packages "$@")
    if [ ${#missing[@]} -eq 0 ]; then
        return 0
    fi
    if [ "$(id -u)" -ne 0 ]; then
        command -v sudo >/dev/null ||
            fail 1 "Not root, and there is no sudo. Ask for: apt-get install ${missing[*]}"
        as_root=(sudo)
    fi
    say "Installing ${missing[*]}"
    local log
    log=$(mktemp)
    if ! { "${as_root[@]}" apt-get update -q &&
        "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends \
            "${missing[@]}"; } >"$log" 2>&1 </dev/null; then
        tail -n 20 "$log" >&2
        fail 1 "apt-get could not install what is missing (log: $log)"
    fi
    rm -f "$log"
}

# ricochet_logged LOG COMMAND...: runs the command into the log; on failure shows its end and returns 1. The command has
# a process group of its own, which a signal to this shell ends as a whole.
ricochet_logged() {
    local log=$1 group status=0
    shift
    set -m
    "$@" >"$log" 2>&1 </dev/null &
    group=$!
    set +m
    trap 'kill -TERM -- "-$group" 2>/dev/null; trap - TERM; kill -TERM $$' TERM INT HUP
    wait "$group" || status=$?
    trap - TERM INT HUP
    if [ "$status" -ne 0 ]; then
        tail -n 60 "$log" >&2
        return 1
    fi
}

# ricochet_configure PRESET [cmake options]
ricochet_configure() {
    local preset=$1 build="$ricochet_root/build/$1"
    shift
    command -v cmake >/dev/null || fail 1 "CMake is missing. $(ricochet_what_to_install)"
    mkdir -p "$build"
    say "Configuring ($preset)"
    ricochet_logged "$build/configure.log" cmake -S "$ricochet_root" --preset "$preset" "$@" ||
        fail 1 "Configuring failed (log: $build/configure.log). $(ricochet_what_to_install)"
}

# ricochet_build PRESET [targets]: everything, or the named targets.
ricochet_build() {
    local preset=$1 build="$ricochet_root/build/$1" targets=()
    shift
    if [ $# -gt 0 ]; then
        targets=(--target "$@")
    fi
    local first=""
    [ -f "$build/build.log" ] || first="; this takes some minutes the first time"
    say "Building ($preset)$first"
    ricochet_logged "$build/build.log" cmake --build "$build" --parallel "$(ricochet_cores)" "${targets[@]}" ||
        fail 1 "Building failed (log: $build/build.log)"
}

ricochet_cores() { nproc 2>/dev/null || getconf _NPROCESSORS_ONLN; }

# Open MPI counts cores, not the hardware threads that nproc counts.
ricochet_physical_cores() {
    local num_cores=0
    num_cores=$(lscpu -p=CORE,SOCKET 2>/dev/null | grep -v '^#' | sort -u | wc -l) || num_cores=0
    printf '%d' "$num_cores"
}

# ricochet_mpi_environment RANKS: lets Open MPI run as root, and on fewer cores than ranks, where that is so.
# Inside a batch job the scheduler has the say on cores.
ricochet_mpi_environment() {
    if [ "$(id -u)" -eq 0 ]; then
        export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
    fi
    if [ -z "${SLURM_JOB_ID:-}${PBS_JOBID:-}${LSB_JOBID:-}" ] && [ "$1" -gt "$(ricochet_physical_cores)" ]; then
        export OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_hwloc_base_binding_policy=none
        if [ "$1" -gt "$(ricochet_cores)" ]; then
            export OMPI_MCA_mpi_yield_when_idle=1
        fi
    fi
}

ricochet_check_input() {
    [ -f "$1" ] || fail 2 "There is no input file $1"
    [ -r "$1" ] || fail 2 "The input file $1 cannot be read"
}

ricochet_check_ranks() {
    [[ $1 =~ ^[1-9][0-9]{0,7}$ ]] || fail 2 "RANKS: got $1, expected a whole number > 0 of at most 8 digits"
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

ricochet_absolute() { printf '%s/%s\n' "$(cd "$(dirname "$1")" && pwd)" "$(basename "$1")"; }

# ricochet_quoted WORDS...: one line that a shell reads as these words.
ricochet_quoted() {
    local line
    printf -v line '%q ' "$@"
    printf '%s\n' "${line% }"
}
