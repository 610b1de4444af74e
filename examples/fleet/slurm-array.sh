#!/usr/bin/env bash
# A Slurm array on a file system that all nodes share: each task of the array plays one shard.
#
#   play=$(sbatch --parsable --array=1-16 slurm-array.sh)
#   sbatch --dependency=afterany:"$play" slurm-array.sh join
#
# $MODEL, $REPORTS, $NAME, $TESTS and $PYTHON may be set. Extra arguments go to pytest, or to longtrail merge.
#SBATCH --job-name=longtrail
#SBATCH --cpus-per-task=4
#SBATCH --mem=6G
#SBATCH --time=24:00:00
#SBATCH --output=longtrail-%A-%a.log
set -euo pipefail

reports=${REPORTS:-$PWD/reports} name=${NAME:-night} python=${PYTHON:-python}
read -ra tests <<<"${TESTS:---pyargs longtrail.benchmark_tests}"

if [ "${1:-}" = join ]; then
  shift
  exec "$python" -m longtrail merge "$reports/runs/$name"-*of* --reports="$reports" "$@"
fi
# A task that Slurm started again (preempted, requeued) goes on with what its run has not recorded.
run=(--run="$name")
part="$name-${SLURM_ARRAY_TASK_ID}of${SLURM_ARRAY_TASK_COUNT}"
[ -e "$reports/runs/$part/run.json" ] && run=(--resume="$part")
model=()
[ -n "${MODEL:-}" ] && model=(--model "$MODEL")

code=0
"$python" -m pytest "${tests[@]}" -m long_context "${model[@]}" -n "${SLURM_CPUS_PER_TASK:-1}" \
  --shard "$SLURM_ARRAY_TASK_ID/$SLURM_ARRAY_TASK_COUNT" --reports="$reports" "${run[@]}" "$@" || code=$?
[ "$code" -le 1 ] || exit "$code" # 1: a case failed, which is a result
