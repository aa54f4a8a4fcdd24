#!/bin/sh
# Accuracy of `ridge bench --quick`: five runs, their raw samples, and whether they meet the targets.
#
#   benchmarks/bench_accuracy/run.sh BUILD_DIR [RUNS [SET]]
#
# Needs a machine without other programs of ours; other guests of a virtual machine's host may work.
# Writes run-1.json.gz ... and summary.json to benchmarks/results/bench_accuracy/set-SET/ (SET: 1, if
# not given) and fails when a target is missed. Several sets, some time apart, show more than one.
set -eu
build=$1
runs=${2:-5}
here=$(cd "$(dirname "$0")" && pwd)
results=$here/../results/bench_accuracy/set-${3:-1}
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
