#!/bin/sh
# Prints the table of BENCHMARKS.md, what checks of atomicity cost each demo without and with a focus: tests/transactions.sh
# [RUNS [CHECKER [DEMO...]]], where CHECKER is block or reduction. Slowdowns are the times with recording, and with recording and
# checking, as multiples of the base; the last line has geometric means of them and of the checker's focused by its unfocused time.
#
# Demos with `trace_args` in demo-apps/demos.toml run with those, the others with their usual arguments, which take milliseconds.
# ARGS=bench_args has those run for seconds that are benchmarks, so that neither the start of the agent nor the compilers decide.
# Needs a JDK with javac and python3 (3.11 or later). JAVA_HOME chooses the JDK, JRACE is the command to use instead of a release
# build.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
runs=${1:-3}
checker=${2:-block}
[ $# -lt 2 ] && set -- || shift 2

if [ -z "${JRACE:-}" ]; then
    cargo build --quiet --release --manifest-path "$root/Cargo.toml" -p cli -p runtime-agent
    JRACE=${CARGO_TARGET_DIR:-$root/target}/release/jrace
fi
export JRACE

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
find "$root/demo-apps" -name '*.java' | sort > "$work/sources"
"${JAVA_HOME:+$JAVA_HOME/bin/}javac" -g -nowarn --release 17 -d "$work/classes" "@$work/sources"
cd "$work"

python3 - "$root/demo-apps/demos.toml" "$runs" "$checker" "$@" <<'PYTHON'
import json, math, os, subprocess, sys, tomllib

index, runs, checker, *names = sys.argv[1:]
java = os.path.join(os.environ["JAVA_HOME"], "bin/java") if os.environ.get("JAVA_HOME") else "java"
with open(index, "rb") as file:
    demos = [demo for demo in tomllib.load(file)["demo"] if not names or demo["name"] in names]

longer = os.environ.get("ARGS", "trace_args")
columns = ["demo", "base", "interception", "unfocused checker", "focused interception", "focused checker", "speedup", "fraction"]
columns += ["slowdown by recording, focused", "in all, focused", "transactions"]
print(f"| {' | '.join(columns)} |\n{'|---' * len(columns)}|", flush=True)
percent = lambda part: "-" if part is None else f"{100 * part:.0f}%"
pair = lambda numbers: ", ".join(f"{number:.2f}" for number in numbers)
mean = lambda numbers: math.exp(sum(map(math.log, numbers)) / len(numbers))
# What is less than this was not measured.
tick = 0.005
recordings, wholes, checkers = [], [], []
for demo in demos:
    arguments = [java, "-cp", "classes", demo["main"], *demo.get(longer, demo["args"])]
    jrace = [os.environ["JRACE"], "compare", f"--atomicity={checker}", "-n", runs, "--output", demo["name"], "--json", "--"]
    told = json.loads(subprocess.run(jrace + arguments, stdout=subprocess.PIPE, check=True).stdout)
    base, *modes = told["modes"]
    spread = lambda time: f"{time['median']:.2f} s ({time['min']:.2f} to {time['max']:.2f})"
    cells = [demo["name"], spread(base["time"])]
    for mode in modes:
        cells += [f"{mode['interception']:.2f} s", spread(mode["checker"])]
    alone = max(base["time"]["median"], tick)
    recordings.append([max(alone + mode["interception"], tick) / alone for mode in modes])
    wholes.append([(alone + mode["interception"] + mode["checker"]["median"]) / alone for mode in modes])
    checkers.append([max(mode["checker"]["median"], tick) for mode in modes])
    cells += [percent(modes[1]["speedup"]), percent(modes[1]["fraction"]), pair(recordings[-1]), pair(wholes[-1])]
    lost = sorted(finding["transaction"] for finding in told["findings"] if finding["lost"])
    found = ", ".join(str(mode["findings"]) for mode in modes)
    print(f"| {' | '.join(cells)} | {found}{' lost: ' + ', '.join(lost) if lost else ''} |", flush=True)
speedup = 1 - mean([focused / unfocused for unfocused, focused in checkers])
means = [pair(map(mean, zip(*numbers))) for numbers in (recordings, wholes)]
print(f"| **geometric mean** |  |  |  |  |  | {percent(speedup)} |  | {means[0]} | {means[1]} |  |")
PYTHON
