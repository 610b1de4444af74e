#!/usr/bin/env bash
# Gate a change of your own agent.
#
#   gate.sh baseline FOLDER FILE    evaluate the agent in FOLDER and write its scores to FILE
#   gate.sh check FOLDER FILE       evaluate the agent in FOLDER and compare it with FILE
#
# `check` ends with the gate's exit code: 0 no regression found, 1 regression, 7 invalid (2 to 5 are pytest's own).
# FOLDER holds my_agent.py. Reports go to $REPORTS (default: ./reports). Extra arguments go to pytest, e.g. -n 4.
set -euo pipefail

what=${1:?baseline or check}
folder=$(cd "${2:?the folder of my_agent.py}" && pwd)
file=$(realpath -m "${3:?the baseline file}")
shift 3
reports=$(realpath -m "${REPORTS:-reports}")
python=${PYTHON:-python}
read -ra tests <<< "${LONGTRAIL_TESTS:---pyargs longtrail.benchmark_tests}"

# What is measured, and how sharply. A baseline holds for exactly these settings: change them and make a new one.
# Three tasks, three repeats each, behind 25,000 tokens of other work: enough to see a memory that forgets.
settings=(
  --agent my_agent:make
  --task ultimate_guitar_beginner --task mbta_reduced_fares --task steam_dota_dlc
  --lengths 25k --repeats 3 --no-shots
)
cd "$folder"
case $what in
  baseline)
    name=baseline-$(date -u +%Y%m%d-%H%M%S)-$$
    # A case that fails is part of the baseline (exit code 1); anything else is trouble.
    "$python" -m pytest "${tests[@]}" "${settings[@]}" --reports="$reports" --run="$name" "$@" || [ $? -eq 1 ]
    "$python" -m longtrail baseline "$reports/runs/$name" --out "$file"
    ;;
  check)
    exec "$python" -m pytest "${tests[@]}" "${settings[@]}" --reports="$reports" --baseline="$file" --margin 0.25 "$@"
    ;;
  *)
    echo "gate.sh: expected baseline or check, got $what" >&2
    exit 64
    ;;
esac
