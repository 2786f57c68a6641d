#!/bin/sh
# Prints the table of BENCHMARKS.md, what discovery costs on each demo and what it shows: tests/discover.sh [RUNS [DEMO...]]
#
# Time is that of the user and the system; what is shown is after one run with the demo's usual arguments, or with others of the index
# (ARGS=bench_args). JAVA_HOME chooses the JDK, JRACE is the command to use instead of a release build. Needs javac and python3 (3.11 or later).
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
runs=${1:-3}
[ $# = 0 ] || shift

if [ -z "${JRACE:-}" ]; then
    cargo build --quiet --release --manifest-path "$root/Cargo.toml" -p cli -p runtime-agent
    JRACE=${CARGO_TARGET_DIR:-$root/target}/release/jrace
fi
export JRACE

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for demo in "$root"/demo-apps/*/; do
    demo=$(basename "$demo")
    "${JAVA_HOME:+$JAVA_HOME/bin/}javac" -g -nowarn --release 17 -d "$work/$demo" "$root/demo-apps/$demo"/*.java
done
cd "$work"

python3 - "$root/demo-apps/demos.toml" "$runs" "$@" <<'PYTHON'
import os, re, resource, statistics, subprocess, sys, tomllib

index, runs, *names = sys.argv[1:]
java = os.path.join(os.environ["JAVA_HOME"], "bin/java") if os.environ.get("JAVA_HOME") else "java"
jrace = os.environ["JRACE"]
with open(index, "rb") as file:
    demos = [demo for demo in tomllib.load(file)["demo"] if not names or demo["name"] in names]
arguments = os.environ.get("ARGS", "args")
demos = [demo for demo in demos if arguments in demo]

def seconds(command):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime

print("| demo | base | discovered | overhead | same owner | other owner | only proved | only observed |")
print("|---|---|---|---|---|---|---|---|", flush=True)
totals = [0, 0, 0, 0]
for demo in demos:
    name = demo["name"]
    command = [java, "-cp", name, demo["main"], *demo[arguments]]
    times = {"base": [], "discovered": []}
    for run in range(int(runs)):
        times["base"].append(seconds(command))
        times["discovered"].append(seconds([jrace, "discover", "--output", f"{name}-{run}.log", "--", *command]))
    base, discovered = (statistics.median(times[mode]) for mode in times)
    told = subprocess.run([jrace, "check", "--types", f"{name}-0.log", name], stdout=subprocess.PIPE, text=True).stdout
    counts = [int(n) for n in re.search(r"^OBSERVED: .*; (\d+) owners .* (\d+) other .* (\d+) only .* (\d+) only", told, re.M).groups()]
    totals = [a + b for a, b in zip(totals, counts)]
    print(f"| {name} | {base:.2f} s | {discovered:.2f} s | {discovered / base - 1:.2f} | "
          + " | ".join(map(str, counts)) + " |", flush=True)
print("| **all** | | | | " + " | ".join(map(str, totals)) + " |")
PYTHON
