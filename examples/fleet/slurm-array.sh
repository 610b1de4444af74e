#!/usr/bin/env bash
# A Slurm array on a file system that all nodes share: each task of the array plays one shard.
#
#   export SHARDS=16
#   play=$(sbatch --parsable --array=1-$SHARDS slurm-array.sh)
#   sbatch --dependency=afterany:"$play" slurm-array.sh join
#
# If tasks failed, submit only these again: they go on with what their runs have not recorded.
#
#   sbatch --array=3,7 slurm-array.sh                # with the same SHARDS: the array's size is not their number
#
# Another evaluation needs another name: with the same one, the finished run is continued, and nothing valid is played
# again. `export NAME=...` before both commands.
#
# $MODEL, $REPORTS, $NAME, $TESTS and $PYTHON may be set. Extra arguments go to pytest, or to longtrail merge.
#SBATCH --job-name=longtrail
#SBATCH --cpus-per-task=4
#SBATCH --mem=6G
#SBATCH --time=24:00:00
#SBATCH --output=longtrail-%A-%a.log
set -euo pipefail

shards=${SHARDS:?is not set: the number of all shards, also if only some of them are submitted}
reports=${REPORTS:-$PWD/reports} name=${NAME:-night} python=${PYTHON:-python}
read -ra tests <<<"${TESTS:---pyargs longtrail.benchmark_tests}"

if [ "${1:-}" = join ]; then
  shift
  parts=() # listed, because a pattern would also find those of a run called "$name-..."
  for ((number = 1; number <= shards; number++)); do parts+=("$name-${number}of$shards"); done
  exec "$python" -m longtrail merge "${parts[@]}" --reports="$reports" "$@"
fi
# A task that Slurm or you started again goes on with its run.
run=(--run="$name")
part="$name-${SLURM_ARRAY_TASK_ID}of$shards"
[ -e "$reports/runs/$part/run.json" ] && run=(--resume="$part")
model=()
[ -n "${MODEL:-}" ] && model=(--model "$MODEL")

code=0
"$python" -m pytest "${tests[@]}" -m long_context "${model[@]}" -n "${SLURM_CPUS_PER_TASK:-1}" \
  --shard "$SLURM_ARRAY_TASK_ID/$shards" --reports="$reports" "${run[@]}" "$@" || code=$?
[ "$code" -le 1 ] || exit "$code" # 1: a case failed, which is a result; 7: cases are missing
