#!/bin/sh
# Prints a table of what `jrace races` or `jrace check` costs and finds by the size of the program:
# tests/sizes.sh [races|check [SVG [NAME...]]]
#
# Size is that of the application's unpacked class files; those of the JDK that it reaches come on top. NAME is the first word of a
# program's. With SVG, seconds and megabytes over size are drawn to that file too (`-` for none). Needs a JDK with javac, python3,
# and Maven Central once. JAVA_HOME chooses the JDK, JRACE is the command to use instead of a release build.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
command=${1:-races} svg=${2:--}
case $command in races | check) ;; *) echo "sizes.sh: say races or check, not $command" >&2; exit 2 ;; esac
[ $# -lt 2 ] && set -- || shift 2

if [ -z "${JRACE:-}" ]; then
    cargo build --quiet --release --manifest-path "$root/Cargo.toml" -p cli
    JRACE=${CARGO_TARGET_DIR:-$root/target}/release/jrace
fi
export JRACE

jars=$root/target/real/sizes
if ! cmp -s "$root/tests/java/sizes/pom.xml" "$jars/pom.xml"; then
    rm -rf "$jars"
    mvn -q -B -f "$root/tests/java/sizes/pom.xml" dependency:copy "-DoutputDirectory=$jars"
    cp "$root/tests/java/sizes/pom.xml" "$jars/pom.xml"
fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/tsp" "$work/elevator"
for demo in tsp elevator; do
    "${JAVA_HOME:+$JAVA_HOME/bin/}javac" -g -nowarn --release 17 -d "$work/$demo" $(find "$root/demo-apps/$demo" -name '*.java')
done

python3 - "$command" "$jars" "$work" "$svg" "$@" <<'PYTHON'
import json, math, os, subprocess, sys, time, zipfile

command, jars, work, svg, *names = sys.argv[1:]
jar = lambda name: f"{jars}/{name}.jar"
PROGRAMS = [
    ("elevator (demo)", [f"{work}/elevator"]),
    ("tsp (demo)", [f"{work}/tsp"]),
    ("commons-pool 1.2", [jar("commons-pool-1.2")]),
    ("commons-pool 1.3", [jar("commons-pool-1.3")]),
    ("jdbm 1.0", [jar("jdbm-1.0")]),
    ("jTDS 1.2", ["--api", "net.sourceforge.jtds.*", jar("jtds-1.2")]),
    ("jTDS 1.2.2", ["--api", "net.sourceforge.jtds.*", jar("jtds-1.2.2")]),
    ("hsqldb 1.8.0.10", [jar("hsqldb-1.8.0.10")]),
    ("Derby 10.1.3.1", ["--api", "org.apache.derby.jdbc.*", jar("derby-10.1.3.1")]),
    ("H2 2.3.232", ["--main", "org.h2.tools.Shell", jar("h2-2.3.232")]),
    ("spring-core 6.1.6", [jar("spring-core-6.1.6")]),
    ("kafka-clients 3.7.0", ["--api", "org.apache.kafka.clients.producer.*", jar("kafka-clients-3.7.0")]),
]

STAGES = ["original", "reachable", "aliasing", "escaping", "unlocked"]
PROVED = {"fields": ("fields", "all"), "race-free": ("fields", "race_free"), "methods": ("methods", "all"), "atomic": ("methods", "atomic")}
FOUND = [*PROVED] if command == "check" else [*STAGES, "variables"]


def kilobytes(path):
    """Class files as they are when unpacked."""
    if os.path.isdir(path):
        files = [os.path.join(folder, file) for folder, _, files in os.walk(path) for file in files]
        return sum(os.path.getsize(file) for file in files if file.endswith(".class")) / 1024
    with zipfile.ZipFile(path) as archive:
        return sum(entry.file_size for entry in archive.infolist() if entry.filename.endswith(".class")) / 1024


def measured(arguments):
    """Seconds by the clock and of the processors, megabytes, and the report."""
    begin = time.time()
    process = subprocess.Popen([os.environ["JRACE"], command, "--json", "--exitcode", "0", *arguments], stdout=subprocess.PIPE)
    report = json.load(process.stdout)
    _, status, used = os.wait4(process.pid, 0)
    if status:
        sys.exit(f"sizes.sh: jrace {command} failed for {arguments}")
    return time.time() - begin, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024, report


def found(report):
    """What the command says, as in the columns of FOUND."""
    if command == "check":
        return [f"{report['summary'][what][which]:,}" for what, which in PROVED.values()]
    return [f"{stage['pairs']:,}" for stage in report["stages"]] + [f"{len(report['variables'])}"]


def row(name, arguments):
    size = kilobytes(arguments[-1])
    seconds, processor, megabytes, report = measured(arguments[-1:] if command == "check" else arguments)
    costs = f"{size:,.0f} KB | {seconds:.1f} s | {processor:.1f} s | {megabytes:,.0f} MB"
    print(f"| {name} | {costs} | {' | '.join(found(report))} |", flush=True)
    return name, size, seconds, megabytes


def chart(rows, column, unit, left):
    """Points over size, both logarithmic."""
    sizes, values = [row[1] for row in rows], [row[column] for row in rows]
    place = lambda value, all, length: (math.log(value / min(all)) / (math.log(max(all) / min(all)) or 1)) * length
    text = f'<text x="{left + 200}" y="20" text-anchor="middle">{unit}, {min(values):,.1f} to {max(values):,.1f}</text>'
    text += f'<text x="{left + 200}" y="345" text-anchor="middle">KB of classes, {min(sizes):,.0f} to {max(sizes):,.0f}</text>'
    text += f'<path d="M{left + 40} 30V320H{left + 370}" fill="none" stroke="gray"/>'
    for (name, *_), size, value in zip(rows, sizes, values):
        x, y = left + 50 + place(size, sizes, 220), 310 - place(value, values, 260)
        text += f'<circle cx="{x:.0f}" cy="{y:.0f}" r="3"/><text x="{x + 6:.0f}" y="{y + 4:.0f}">{name}</text>'
    return text


columns = ["program", "classes", "time", "of processors", "memory", *FOUND]
print(f"| {' | '.join(columns)} |\n{'|---' * len(columns)}|", flush=True)
rows = [row(*program) for program in PROGRAMS if not names or program[0].split()[0] in names]
if svg != "-":
    style = 'font-family="sans-serif" font-size="11" fill="black"'
    with open(svg, "w") as file:
        file.write(f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 800 360" {style}>\n')
        file.write('<rect width="800" height="360" fill="white"/>\n')
        file.write(chart(rows, 2, "seconds", 0) + "\n" + chart(rows, 3, "MB", 400) + "\n</svg>\n")
PYTHON
