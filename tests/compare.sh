#!/bin/sh
# Prints the table of BENCHMARKS.md, what checks cost each demo without and with a focus: tests/compare.sh [RUNS [DEMO...]]
#
# Demos that are benchmarks (`bench_args` in demo-apps/demos.toml) run with those arguments, the others as always: they take
# milliseconds, so that their times are those of a JVM that starts. ARGS=trace_args has others run for long, too. Needs a JDK with
# javac and python3 (3.11 or later).
# JAVA_HOME chooses the JDK, JRACE is the command to use instead of a release build.
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
find "$root/demo-apps" -name '*.java' | sort > "$work/sources"
"${JAVA_HOME:+$JAVA_HOME/bin/}javac" -g -nowarn --release 17 -d "$work/classes" "@$work/sources"
cd "$work"

python3 - "$root/demo-apps/demos.toml" "$runs" "$@" <<'EOF'
import json, math, os, subprocess, sys, tomllib

index, runs, *names = sys.argv[1:]
java = os.path.join(os.environ["JAVA_HOME"], "bin/java") if os.environ.get("JAVA_HOME") else "java"
longer = os.environ.get("ARGS", "bench_args")
with open(index, "rb") as file:
    demos = [demo for demo in tomllib.load(file)["demo"] if not names or demo["name"] in names]

# Fractional overheads with the combined focus in Table 1 of paper 004: `crawler` stands for hedc, `webserver` for Jigsaw.
PAPER = {"crawler": 0.13, "elevator": 0.46, "moldyn": 0.01, "montecarlo": 0.03, "raytracer": 0.47, "tsp": 0.60, "webserver": 0.35}
print("| demo | base | full | field | method | combined | overhead of full | of field | of method | of combined | paper 004 "
      "| race-unsafe fields | untyped methods | races in full, field, method, combined |")
print("|---" * 14 + "|", flush=True)
ratios = {True: [], False: []}
for demo in demos:
    heavy = longer in demo
    arguments = [java, "-cp", "classes", demo["main"], *demo.get(longer, demo["args"])]
    jrace = [os.environ["JRACE"], "compare", "-n", runs, "--output", demo["name"], "--json", "--", *arguments]
    told = subprocess.run(jrace, stdout=subprocess.PIPE, check=True).stdout
    told = json.loads(told)
    modes = told["modes"]
    medians = [mode["time"]["median"] for mode in modes]
    seconds = " | ".join(f"{median:.2f} s" for median in medians)
    overheads = [median / medians[0] - 1 for median in medians[1:]]
    fractions = " | ".join(f"{overhead:.2f}" for overhead in overheads)
    found = ", ".join(str(mode["findings"]) for mode in modes[1:])
    lost = sorted(finding["variable"] for finding in told["findings"] if finding["lost"])
    fields, methods = told["fields"], told["methods"]
    types = f"{fields['race_unsafe']} of {fields['total']} | {methods['untyped']} of {methods['total']}"
    more = sorted(finding["variable"] for finding in told["findings"] if finding["runs"]["full"] == 0)
    name = f"**{demo['name']}**" if heavy else demo["name"]
    notes = "".join(f" {what}: {', '.join(which)}" for what, which in (("lost", lost), ("more", more)) if which)
    print(f"| {name} | {seconds} | {fractions} | {PAPER.get(demo['name'], '')} | {types} | {found}{notes} |", flush=True)
    ratios[heavy].append([1 + overhead for overhead in overheads])
for heavy, what in ((True, "**geometric mean of benchmarks**"), (False, "of the others")):
    if ratios[heavy]:
        means = [math.exp(sum(map(math.log, column)) / len(column)) - 1 for column in zip(*ratios[heavy])]
        print(f"| {what} | | | | | | {' | '.join(f'{mean:.2f}' for mean in means)} | | | | |")
EOF
