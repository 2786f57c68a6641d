#!/usr/bin/env python3
"""Runs the programs of programs.toml alone and under jrace, and prints a table in Markdown: `just sweep-programs [NAME...]`.

Each cell is one run: the same output, files and exit code as alone? how many times the processor time, what peak of memory, which
findings? Cells are kept in target/sweep/cells.json: what is there is not run again, so that a sweep that was cut short goes on
(`--again` forgets them). Jars are downloaded once. A run is killed beyond its processor time, memory or time by the clock. Nothing uses a
network but drivers, on the loopback address: as root, a run has no other.
"""

import argparse
import ctypes
import datetime
import fcntl
import hashlib
import json
import os
import resource
import shutil
import signal
import socket
import struct
import subprocess
import sys
import threading
import time
import tomllib
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
SWEEP = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")) / "sweep"
MODES = ["plain", "run", "focus", "atomicity", "discover"]
# jrace's own exit code for findings.
FINDINGS = 66
PAGE, TICKS = os.sysconf("SC_PAGE_SIZE"), os.sysconf("SC_CLK_TCK")
# A name space of networks, the request that sets flags of an interface, and the flag that it is up; of Linux.
CLONE_NEWNET, SIOCSIFFLAGS, IFF_UP = 0x40000000, 0x8914, 1
LIBC = ctypes.CDLL(None)
# The process groups that run.
GROUPS = set()


def jdks(names):
    """Homes of JDKs by release."""
    homes = {}
    for folder in [Path("/usr/lib/jvm"), ROOT / "target/jdks"]:
        for home in sorted(folder.iterdir()) if folder.is_dir() else []:
            release = home / "release"
            if (home / "bin/javac").exists() and release.exists():
                version = release.read_text().split('JAVA_VERSION="')[1].split(".")[0].split('"')[0]
                homes.setdefault(version, home)
    missing = [name for name in names if name not in homes]
    if missing:
        sys.exit(f"sweep: there is no JDK {', '.join(missing)} with a compiler below /usr/lib/jvm or target/jdks")
    return {name: homes[name] for name in names}


def fetch(name, program):
    """The jars of a program with what they depend on, from Maven Central unless they are here."""
    folder = SWEEP / "jars" / name
    artifacts = program["jars"]
    marker = folder / "artifacts"
    if marker.exists() and marker.read_text() == "\n".join(artifacts):
        return folder
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    parts = ["groupId", "artifactId", "version", "classifier"]
    of = "".join(
        "<dependency>" + "".join(f"<{part}>{word}</{part}>" for part, word in zip(parts, artifact.split(":"))) + "</dependency>"
        for artifact in artifacts
    )
    pom = folder / "pom.xml"
    pom.write_text(
        '<project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion><groupId>jrace.sweep</groupId>'
        f"<artifactId>{name}</artifactId><version>1</version><packaging>pom</packaging><dependencies>{of}</dependencies></project>"
    )
    command = ["mvn", "-q", "-B", "-f", str(pom), "dependency:copy-dependencies", f"-DoutputDirectory={folder}"]
    done = subprocess.run(command, capture_output=True, text=True, env=clean_environment())
    if done.returncode != 0:
        raise RuntimeError(f"the jars cannot be downloaded from Maven Central: {done.stdout}{done.stderr}")
    marker.write_text("\n".join(artifacts))
    return folder


def compile_driver(name, program, jars, home):
    """The folder with the classes of a program's driver, if it has one."""
    if "driver" not in program:
        return None
    classes = SWEEP / "classes" / name
    shutil.rmtree(classes, ignore_errors=True)
    source = HERE / "drivers" / f"{program['driver']}.java"
    command = [home / "bin/javac", "-nowarn", "--release", "17", "-cp", f"{jars}/*", "-d", classes, source]
    subprocess.run(command, check=True, capture_output=True, text=True, env=clean_environment())
    return classes


def clean_environment():
    drop = {"JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS", "JRACE_OPTIONS"}
    return {key: value for key, value in os.environ.items() if key not in drop}


def java(program, home, release, jars, classes):
    """The command of a program."""
    args = program.get(f"args{release}", program.get("args", []))
    class_path = f"{classes}:{jars}/*" if classes else f"{jars}/*"
    options = ["-Xmx512m", *program.get("jvm", [])]
    if "module" in program:
        main = ["-m", f"{program['module']}/{program['main']}"]
    else:
        main = ["-cp", class_path, program.get("driver") or program["main"]]
    command = [*options, *main, *args]
    return [str(home / "bin/java"), *(word.replace("{inputs}", str(HERE / "inputs")).replace("{jars}", str(jars)) for word in command)]


def command_of(mode, program, jrace):
    findings = ["--output", "findings"]
    return {
        "plain": program,
        "run": [jrace, "run", *findings, "--", *program],
        "focus": [jrace, "run", "--focus", *findings, "--", *program],
        "atomicity": [jrace, "run", "--atomicity", *findings, "--", *program],
        "discover": [jrace, "discover", "--output", "findings/types.jsonl", "--", *program],
    }[mode]


def cost_of(group):
    """The resident memory of a process group in bytes, and its processor time in seconds, with that of children that have ended."""
    memory = ticks = 0
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            try:
                fields = Path("/proc", entry, "stat").read_text().rsplit(")", 1)[1].split()
                if int(fields[2]) == group:
                    memory += int(fields[21]) * PAGE
                    ticks += sum(map(int, fields[11:15]))
            except (OSError, IndexError, ValueError):
                pass
    return memory, ticks / TICKS


def end_group(group):
    try:
        os.killpg(group, signal.SIGKILL)
    except ProcessLookupError:
        pass


def end_all(*_):
    """Whoever ends a sweep ends what it runs."""
    for group in list(GROUPS):
        end_group(group)
    os._exit(1)


class Watch(threading.Thread):
    """Keeps a process group within its limits, and notes its peak of memory."""

    def __init__(self, group, limits):
        super().__init__(daemon=True)
        self.group, self.limits, self.end = group, limits, time.monotonic() + limits.timeout
        self.peak, self.killed, self.over = 0, None, threading.Event()

    def run(self):
        GROUPS.add(self.group)
        while self.killed is None and not self.over.wait(0.1):
            memory, processor = cost_of(self.group)
            self.peak = max(self.peak, memory)
            if processor > self.limits.processor or time.monotonic() > self.end:
                self.killed = "time"
            elif memory > self.limits.memory << 20:
                self.killed = "memory"
        # Also what a killed jrace has left.
        end_group(self.group)
        GROUPS.discard(self.group)


def loopback_only():
    """Leaves this process the loopback interface, if it may ask for that."""
    if LIBC.unshare(CLONE_NEWNET) == 0:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
            fcntl.ioctl(any_socket, SIOCSIFFLAGS, struct.pack("16sH22x", b"lo", IFF_UP))


def measured(command, folder, environment, limits):
    """Runs a command in a process group of its own."""
    def begin():
        os.setsid()
        loopback_only()
        os.nice(limits.nice)
        # A trace may grow to a gigabyte.
        resource.setrlimit(resource.RLIMIT_FSIZE, (2 << 30, 2 << 30))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

    # A process begins with the peak of who forked it.
    own = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with open(folder / "stdout", "wb") as out, open(folder / "stderr", "wb") as err:
        process = subprocess.Popen(
            command, cwd=folder / "work", env=environment, stdin=subprocess.DEVNULL, stdout=out, stderr=err, preexec_fn=begin
        )
        started, watch = time.monotonic(), Watch(process.pid, limits)
        watch.start()
        _, status, usage = os.wait4(process.pid, 0)
        clock = time.monotonic() - started
        process.returncode = os.waitstatus_to_exitcode(status)
        watch.over.set()
        watch.join()
    return {
        "code": process.returncode,
        "processor": usage.ru_utime + usage.ru_stime,
        "clock": clock,
        "peak": max(watch.peak, 0 if usage.ru_maxrss <= own else usage.ru_maxrss * 1024) >> 20,
        "killed": watch.killed,
        "output": hashlib.sha256((folder / "stdout").read_bytes()).hexdigest(),
        "said": (folder / "stderr").read_text(errors="replace")[-2000:],
    }


def files_hash(folder):
    """One number for all that a program has written."""
    digest = hashlib.sha256()
    for file in sorted(path for path in folder.rglob("*") if path.is_file()):
        digest.update(str(file.relative_to(folder)).encode() + b"\0" + file.read_bytes())
    return digest.hexdigest()


def findings(folder, jrace):
    """How many races are certain and possible, and how many transactions can be broken."""
    done = subprocess.run(
        [jrace, "report", "--json", "findings"], cwd=folder / "work", capture_output=True, text=True, env=clean_environment()
    )
    try:
        summary = json.loads(done.stdout)["summary"]
    except (ValueError, KeyError):
        return None
    return [summary["variables"], summary["possible_variables"], summary["atomicity"]]


def cell(name, program, mode, release, home, jrace, limits):
    """Runs a program in one mode."""
    jars = SWEEP / "jars" / name
    classes = SWEEP / "classes" / name if "driver" in program else None
    folder = SWEEP / "work" / f"{name}-{mode}-{release}"
    environment = clean_environment() | {"JAVA_HOME": str(home)}
    command = command_of(mode, java(program, home, release, jars, classes), jrace)

    def fresh(keep=()):
        work = folder / "work"
        work.mkdir(parents=True, exist_ok=True)
        for path in work.iterdir():
            if path.name not in keep:
                shutil.rmtree(path) if path.is_dir() else path.unlink()
        (work / "out").mkdir()

    fresh()
    learnt = None
    if mode == "focus":
        # The first run learns the classes; the next may have to prove anew by what that one has found out.
        for _ in range(2):
            run = measured(command, folder, environment, limits)
            learnt = learnt or run
            fresh(keep=["findings"])
            for kept in (folder / "work/findings").glob("run-*"):
                shutil.rmtree(kept)
    result = measured(command, folder, environment, limits) | {"learnt": learnt}
    if program.get("files"):
        result["output"] += files_hash(folder / "work/out")
    if mode in ["run", "focus", "atomicity"] and not result["killed"]:
        result["findings"] = findings(folder, jrace)
    return result


def same(result, plain):
    """Whether a run did what the program does alone; findings have an exit code of their own."""
    code = 0 if result["code"] == FINDINGS and result.get("findings") else result["code"]
    return code == plain["code"] and result["output"] == plain["output"]


def show(result, plain):
    if result is None:
        return "not run"
    if result["killed"]:
        return f"no end within its {result['killed']}"
    if result is plain:
        return f"{plain['processor']:.1f} s, {plain['peak']} MB" + (f", exit {plain['code']}" if plain["code"] else "")
    if plain is None or plain["killed"]:
        return "nothing to compare with"
    verdict = "" if same(result, plain) else f"**differs** (exit {result['code']}), "
    found = result.get("findings")
    found = ", " + "/".join(map(str, found)) if found else ""
    return f"{verdict}{result['processor'] / max(plain['processor'], 0.01):.1f}×, {result['peak']} MB{found}{learning(result.get('learnt'))}"


def learning(result):
    """What the first run with a focus has taken, by the clock, with the run itself."""
    if result is None:
        return ""
    return f" (first run {'no end within its ' + result['killed'] if result['killed'] else '%.0f s' % result['clock']}, {result['peak']} MB)"


def table(names, releases, cells):
    lines = ["| program | JDK | " + " | ".join(MODES) + " |", "|---" * (len(MODES) + 2) + "|"]
    for name in names:
        for release in releases:
            results = [cells.get(f"{name} {mode} {release}") for mode in MODES]
            lines.append(f"| {name} | {release} | " + " | ".join(show(result, results[0]) for result in results) + " |")
    return "\n".join(lines)


def machine():
    lines = Path("/proc/cpuinfo").read_text().splitlines()
    model = next((line.split(":")[1].strip() for line in lines if line.startswith("model name")), "unknown processor")
    return f"{datetime.date.today()}, {os.cpu_count()} × {model}, load {os.getloadavg()[0]:.1f}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", help="programs; all of programs.toml otherwise")
    parser.add_argument("--modes", default=",".join(MODES))
    parser.add_argument("--jdks", default="17,25")
    parser.add_argument("--processor", type=int, default=120, help="seconds of processor time for a run")
    parser.add_argument("--timeout", type=int, default=200, help="seconds for a run")
    parser.add_argument("--memory", type=int, default=3000, help="MB for a run")
    parser.add_argument("--jobs", type=int, default=1, help="programs at a time")
    parser.add_argument("--nice", type=int, default=10, help="how far other jobs go first")
    parser.add_argument("--again", action="store_true", help="run what was run already")
    parser.add_argument("--jrace", type=lambda path: Path(path).resolve(), default=ROOT / "target/release/jrace")
    args = parser.parse_args()
    programs = tomllib.loads((HERE / "programs.toml").read_text())
    unknown = [name for name in args.names if name not in programs]
    if unknown:
        sys.exit(f"sweep: programs.toml has no {', '.join(unknown)}")
    if not args.jrace.exists():
        sys.exit(f"sweep: there is no {args.jrace}: build it with `cargo build --release`, or name another with --jrace")
    names, homes = args.names or list(programs), jdks(args.jdks.split(","))
    for end in [signal.SIGTERM, signal.SIGINT, signal.SIGHUP]:
        signal.signal(end, end_all)
    kept = SWEEP / "cells.json"
    cells = json.loads(kept.read_text()) if kept.exists() else {}
    lock = threading.Lock()

    def sweep(name):
        try:
            compile_driver(name, programs[name], fetch(name, programs[name]), next(iter(homes.values())))
        except (RuntimeError, subprocess.CalledProcessError) as error:
            print(f"sweep: {name}: {error} {getattr(error, 'stderr', '')}", file=sys.stderr)
            return
        for release, home in homes.items():
            for mode in args.modes.split(","):
                key = f"{name} {mode} {release}"
                if args.again or key not in cells:
                    result = cell(name, programs[name], mode, release, home, args.jrace, args)
                    with lock:
                        cells[key] = result
                        kept.write_text(json.dumps(cells, indent=1))
                    print(f"{key}: {show(result, cells.get(f'{name} plain {release}'))}", file=sys.stderr, flush=True)

    with ThreadPoolExecutor(args.jobs) as pool:
        list(pool.map(sweep, names))
    print(f"{machine()}; processor time and peak of memory, variables that race certainly / possibly / broken transactions\n")
    print(table(names, homes, cells))


if __name__ == "__main__":
    main()
