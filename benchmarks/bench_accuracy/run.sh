#!/bin/sh
# Accuracy of `ridge bench --quick`: five runs, their raw samples, and whether they meet the targets.
#
#   benchmarks/bench_accuracy/run.sh BUILD_DIR [RUNS]
#
# Needs a quiet machine. Writes run-1.json.gz ... and summary.json to benchmarks/results/bench_accuracy/
# and fails when a target is missed.
set -eu
build=$1
runs=${2:-5}
here=$(cd "$(dirname "$0")" && pwd)
results=$here/../results/bench_accuracy
cmake --build "$build" --target bench_raw_samples >&2
mkdir -p "$results"
rm -f "$results"/run-*.json.gz
run=1
while [ "$run" -le "$runs" ]; do
    echo "run $run of $runs" >&2
    "$build/bin/bench_raw_samples" | gzip -9n >"$results/run-$run.json.gz"
    run=$((run + 1))
done
python3 "$here/evaluate.py" "$results"/run-*.json.gz >"$results/summary.json"
