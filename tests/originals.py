#!/usr/bin/env python3
"""What both static searches say of the originals of paper 003's Table 1: tests/originals.py FOLDER

FOLDER has clones of three projects on GitHub, none of which is part of this one: ksen007/calfuzzer (philo, sor, elevator, tsp and hedc), penguincoder/weblech
and vanzin/jEdit. Each program is compiled from its `main` on. jFreeChart and two libraries come from Maven Central, once. Needs a JDK with javac that knows
Java 8; JAVA_HOME chooses it, and JRACE the command instead of a release build. Takes minutes.
"""
import collections, json, os, pathlib, subprocess, sys, tempfile, urllib.request

ROOT = pathlib.Path(__file__).resolve().parent.parent
CENTRAL = "https://repo.maven.apache.org/maven2"
JARS = {
    "jsr305": "com/google/code/findbugs/jsr305/3.0.2/jsr305-3.0.2.jar",
    "jcommon": "org/jfree/jcommon/1.0.23/jcommon-1.0.23.jar",
    "jfreechart": "org/jfree/jfreechart/1.0.19/jfreechart-1.0.19.jar",
}
# Name, `main`, library, and in the paper: warnings of its tool (of several writers, of two threads) and of Chord.
PROGRAMS = [
    ("philo", "benchmarks.philo.Philo", None, "0 + 2", "0"),
    ("sor", "benchmarks.sor.Sor", None, "0 + 2", "0"),
    ("elevator", "benchmarks.elevator.Elevator", None, "3 + 4", "0"),
    ("tsp", "benchmarks.tsp.Tsp", None, "3 + 8", "4"),
    ("weblech", "weblech.ui.Troll", None, "2 + 3", "2"),
    ("hedc", "benchmarks.hedc.Tester", None, "1 + 6", "4"),
    ("jEdit", "org.gjt.sp.jedit.jEdit", "jsr305", "0 + 0", ""),
    ("jFreeChart", None, "jcommon", "0 + 0", ""),
]


def jar(name):
    path = ROOT / "target/real/originals" / pathlib.Path(JARS[name]).name
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        urllib.request.urlretrieve(f"{CENTRAL}/{JARS[name]}", path)
    return path


def classes(name, main, folder, work):
    """The folder or jar with the classes of a program, and no others."""
    if name == "jFreeChart":
        return jar("jfreechart")
    sources, options = {
        "weblech": (folder / "weblech", []),
        "jEdit": (folder / "jEdit", ["-encoding", "UTF-8", "-cp", jar("jsr305")]),
    }.get(name, (folder / "calfuzzer/src", ["-encoding", "ISO-8859-1", "--release", "8"]))
    home = os.environ.get("JAVA_HOME")
    command = [f"{home}/bin/javac" if home else "javac", "-nowarn", "-d", work / name, *options]
    begin = sources / (main.replace(".", "/") + ".java")
    subprocess.run([*command, "-sourcepath", sources, begin], check=True, capture_output=True)
    return work / name


def searched(arguments):
    """Seconds of the processors, megabytes, and the report."""
    process = subprocess.Popen([os.environ["JRACE"], "races", "--json", "--exitcode", "0", *arguments], stdout=subprocess.PIPE)
    report = json.load(process.stdout)
    _, status, used = os.wait4(process.pid, 0)
    if status:
        sys.exit(f"originals.py: jrace races failed for {arguments}")
    return f"{used.ru_utime + used.ru_stime:.1f} s, {used.ru_maxrss / 1024:,.0f} MB", report


def row(name, main, library, tool, chord, folder, work):
    arguments = [*(["--main", main] if main else []), *(["--library", str(jar(library))] if library else []), "--", str(classes(name, main, folder, work))]
    costs, report = searched(arguments)
    modular_costs, modular = searched(["--modular", *arguments])
    kinds = collections.Counter(kind for variable in modular["variables"] for kind in {race["warning"] for race in variable["races"]})
    warnings = f"{len(modular['variables'])} ({kinds['multiple-write']} + {kinds['conflicting-access']})"
    print(f"| {name} | {tool} | {warnings} | {modular_costs} | {chord} | {len(report['variables'])} | {costs} |", flush=True)


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    if "JRACE" not in os.environ:
        subprocess.run(["cargo", "build", "--quiet", "--release", "-p", "cli"], cwd=ROOT, check=True)
        os.environ["JRACE"] = str(ROOT / "target/release/jrace")
    columns = ["program", "paper 003", "`--modular`: variables", "time and memory", "Chord, in the paper", "`jrace races`: variables", "time and memory"]
    print(f"| {' | '.join(columns)} |\n{'|---' * len(columns)}|", flush=True)
    with tempfile.TemporaryDirectory() as work:
        for program in PROGRAMS:
            row(*program, pathlib.Path(sys.argv[1]), pathlib.Path(work))


main()
