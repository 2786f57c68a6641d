#!/usr/bin/env python3
"""Takes the tables of BENCHMARKS.md again: tests/tables.py [WORD...]

A table that a command prints stands between `<!-- measured: COMMAND -->` and `<!-- end -->`, below a line with the day, the commit, the JDK, the
machine and its load. The commands that have one of the words in them are run and their tables written anew; without a word they are listed.
JAVA_HOME chooses the JDK, and JRACE the command, where the table is of such a script. Each takes minutes, on a machine that has nothing else to do.
"""
import datetime, os, pathlib, re, subprocess, sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
DOCUMENT = ROOT / "BENCHMARKS.md"
BLOCK = re.compile(r"(<!-- measured: (.+?) -->\n).*?(?=<!-- end -->)", re.S)


def said(*command):
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout.strip()


def machine():
    models = re.findall(r"^model name\s*: (.+)$", pathlib.Path("/proc/cpuinfo").read_text(), re.M)
    return f"{len(os.sched_getaffinity(0))} cores" + (f" of {models[0]}" if models else "")


def jdk():
    home = os.environ.get("JAVA_HOME")
    java = subprocess.run([f"{home}/bin/java" if home else "java", "-version"], capture_output=True, text=True, check=True).stderr
    return "JDK " + re.search(r'version "(.+?)"', java).group(1)


def commit():
    if "JRACE" in os.environ:
        return "commit " + re.search(r"\((\w+)", said(os.environ["JRACE"], "--version")).group(1)
    changed = subprocess.run(["git", "diff", "--quiet", "HEAD"], cwd=ROOT).returncode
    return "commit " + said("git", "rev-parse", "--short=8", "HEAD") + (" with changes" if changed else "")


def table(text):
    """The one table in what a command prints."""
    # Maven writes codes of colours even where it is to say nothing.
    lines = [line for line in re.sub(r"\x1b\[[0-9;]*m", "", text).splitlines() if line.startswith("|")]
    if len(lines) < 3 or not re.fullmatch(r"[|\-: ]+", lines[1]) or len({line.count("|") for line in lines}) > 1:
        sys.exit(f"this is no table:\n{text}")
    return "\n".join(lines) + "\n"


def measured(command):
    before = os.getloadavg()[0]
    run = subprocess.run(command, shell=True, cwd=ROOT, stdout=subprocess.PIPE, text=True)
    if run.returncode != 0:
        sys.exit(f"`{command}` ends with {run.returncode}")
    load = sorted([before, os.getloadavg()[0]])
    head = f"{datetime.date.today()}, {commit()}, {jdk()}, {machine()}, load {load[0]:.1f} to {load[1]:.1f}"
    return f"`{command}`; {head}:\n\n{table(run.stdout)}"


def main():
    commands = [command for _, command in BLOCK.findall(DOCUMENT.read_text())]
    chosen = [command for command in commands if any(word in command for word in sys.argv[1:])]
    if not chosen:
        print(*commands, sep="\n")
    for command in chosen:
        text = measured(command)
        # Read again: a measurement takes long.
        anew = lambda block: block.group(1) + text if block.group(2) == command else block.group(0)
        DOCUMENT.write_text(BLOCK.sub(anew, DOCUMENT.read_text()))


main()
