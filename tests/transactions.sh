#!/bin/sh
# Prints the table of BENCHMARKS.md, what checks of atomicity cost each demo without and with a focus: tests/transactions.sh
# [RUNS [CHECKER [DEMO...]]], where CHECKER is block or reduction.
#
# Demos with `trace_args` in demo-apps/demos.toml run with those, the others with their usual arguments, which take milliseconds.
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
import json, os, subprocess, sys, tomllib

index, runs, checker, *names = sys.argv[1:]
java = os.path.join(os.environ["JAVA_HOME"], "bin/java") if os.environ.get("JAVA_HOME") else "java"
with open(index, "rb") as file:
    demos = [demo for demo in tomllib.load(file)["demo"] if not names or demo["name"] in names]

print("| demo | base | interception | unfocused checker | focused interception | focused checker | speedup | fraction | transactions |")
print("|---|---|---|---|---|---|---|---|---|", flush=True)
percent = lambda part: "-" if part is None else f"{100 * part:.0f}%"
for demo in demos:
    arguments = [java, "-cp", "classes", demo["main"], *demo.get("trace_args", demo["args"])]
    jrace = [os.environ["JRACE"], "compare", f"--atomicity={checker}", "-n", runs, "--output", demo["name"], "--json", "--"]
    told = json.loads(subprocess.run(jrace + arguments, stdout=subprocess.PIPE, check=True).stdout)
    base, unfocused, focused = told["modes"]
    spread = lambda time: f"{time['median']:.2f} s ({time['min']:.2f} to {time['max']:.2f})"
    cells = [demo["name"], spread(base["time"])]
    for mode in (unfocused, focused):
        cells += [f"{mode['interception']:.2f} s", spread(mode["checker"])]
    cells += [percent(focused["speedup"]), percent(focused["fraction"])]
    lost = sorted(finding["transaction"] for finding in told["findings"] if finding["lost"])
    found = f"{unfocused['findings']}, {focused['findings']}"
    print(f"| {' | '.join(cells)} | {found}{' lost: ' + ', '.join(lost) if lost else ''} |", flush=True)
PYTHON
