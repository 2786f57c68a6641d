#!/usr/bin/env python3
"""A repository of many small targets: what each `jrace summarize` and the last `jrace races --link` take of a processor, and how long a
build of all would take on 1 to 64 machines, if these did nothing else.

    tests/targets.py [--targets 1000] [--jrace target/debug/jrace] [--seed 1] [--keep DIR]

Each target has three classes, and needs up to four others of the layers below it. Some extend a class of one of them, so that they
override what others call. One run over all classes at once must give the same bytes.
"""

import argparse
import heapq
import os
import pathlib
import random
import statistics
import subprocess
import sys
import tempfile

LAYERS = 10
WORKERS = [1, 2, 4, 8, 16, 32, 64]


def needs(number, size, chance):
    """The targets that a target needs: some of the layer below it, of the same corner, and one that everybody needs."""
    layer, place = divmod(number, size)
    if layer == 0:
        return []
    near = [(layer - 1) * size + (place + chance.randint(-2, 2)) % size for _ in range(chance.randint(1, 3))]
    return sorted({*near, chance.randrange(min(3, size))})


def source(number, below, chance):
    name = f"t{number:04}"
    fields = "".join(f"    private final t{n:04}.Service of{n} = new t{n:04}.Service();\n" for n in below)
    calls = "".join(f"        n = of{n}.step(n);\n" for n in below)
    above = f" extends t{chance.choice(below):04}.Service" if below and chance.random() < 0.3 else ""
    lock = "synchronized " if chance.random() < 0.5 else ""
    told = f"t{chance.choice(below):04}.Service" if below else "Service"
    return name, {
        "Service": f"package {name};\npublic class Service{above} {{\n{fields}    private int calls;\n"
        f"    public {lock}int step(int n) {{\n        calls++;\n{calls}        return Util.twice(n);\n    }}\n}}\n",
        "Worker": f"package {name};\npublic class Worker implements Runnable {{\n    private final {told} service;\n    private int last;\n"
        f"    public Worker({told} service) {{ this.service = service; }}\n"
        "    @Override public void run() { last = service.step(last); }\n}\n",
        "Util": f"package {name};\npublic final class Util {{\n    static int used;\n"
        "    static int twice(int n) { used = n; return 2 * n; }\n}\n",
    }


def main_source(told):
    starts = "".join(f"        start(new t{n:04}.Worker(new {service}()));\n" for n, service in told)
    return (
        f"package app;\npublic class Main {{\n    static void start(Runnable task) {{ new Thread(task).start(); }}\n"
        f"    public static void main(String[] args) {{\n{starts}    }}\n}}\n"
    )


def write(folder, n_targets, chance):
    """Writes and compiles all sources; the targets, each with those that it needs, and these with what they need."""
    size = max(1, n_targets // LAYERS)
    direct = {f"t{n:04}": needs(n, size, chance) for n in range(n_targets)}
    classes = []
    for n in range(n_targets):
        name, sources = source(n, direct[f"t{n:04}"], chance)
        classes += [(name, of, text) for of, text in sources.items()]
    last = range(n_targets - size, n_targets)
    told = [(n, next(t for _, of, t in classes[3 * n:3 * n + 3] if of == "Worker").split("(")[1].split()[0]) for n in last]
    told = [(n, service if "." in service else f"t{n:04}.Service") for n, service in told]
    classes.append(("app", "Main", main_source(told)))
    files = []
    for package, of, text in classes:
        path = folder / "src" / package / f"{of}.java"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        files.append(path)
    (folder / "files").write_text("\n".join(map(str, files)))
    javac = pathlib.Path(os.environ["JAVA_HOME"]) / "bin/javac"
    subprocess.run([javac, "-g", "-d", folder / "all", f"@{folder / 'files'}"], check=True)
    for package in [*direct, "app"]:
        (folder / package).mkdir(exist_ok=True)
        (folder / "all" / package).rename(folder / package / package)
    closure = {}
    for name, below in direct.items():
        closure[name] = sorted({f"t{n:04}" for n in below}.union(*(closure[f"t{n:04}"] for n in below)))
    closure["app"] = sorted({f"t{n:04}" for n in last}.union(*(closure[f"t{n:04}"] for n in last)))
    return closure


def cost(command, folder, codes=(0,)):
    """What a command takes of a processor, in seconds, and what it printed."""
    before = os.times()
    ended = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    after = os.times()
    if ended.returncode not in codes:
        sys.exit(f"{command} ended with {ended.returncode}: {ended.stderr}")
    return sum(after[2:4]) - sum(before[2:4]), ended


def makespan(costs, closure, last, n_workers):
    """How long all takes, if a worker that is free takes the target from which the longest path leads."""
    ahead = {}
    for name in reversed(costs):
        ahead[name] = costs[name] + max((ahead[of] for of in costs if name in closure[of] and of in ahead), default=0.0)
    waits = {name: len(closure[name]) for name in costs}
    users = {name: [of for of in costs if name in closure[of]] for name in costs}
    ready = [(-ahead[name], name) for name in costs if waits[name] == 0]
    heapq.heapify(ready)
    running, now, free = [], 0.0, n_workers
    while ready or running:
        while ready and free:
            name = heapq.heappop(ready)[1]
            heapq.heappush(running, (now + costs[name], name))
            free -= 1
        now, name = heapq.heappop(running)
        free += 1
        for of in users[name]:
            waits[of] -= 1
            if waits[of] == 0:
                heapq.heappush(ready, (-ahead[of], of))
    return now + last, max(ahead.values()) + last


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--targets", type=int, default=1000)
    parser.add_argument("--jrace", default="target/debug/jrace")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", type=pathlib.Path)
    args = parser.parse_args()
    jrace = str(pathlib.Path(args.jrace).resolve())
    with tempfile.TemporaryDirectory() as temporary:
        folder = (args.keep or pathlib.Path(temporary)).resolve()
        folder.mkdir(exist_ok=True)
        closure = write(folder, args.targets, random.Random(args.seed))
        costs = {}
        for name, below in closure.items():
            links = [f"{of}.sum" for of in below]
            command = [jrace, "summarize", "--out", f"{name}.sum", name, *(["--link", *links] if links else [])]
            costs[name], _ = cost(command, folder)
        names = ["app", *(name for name in closure if name != "app")]
        link = [jrace, "races", "--modular", "--json", "--link", *(f"{name}.sum" for name in names)]
        last, linked = cost(link, folder, (0, 66))
        whole, at_once = cost([jrace, "races", "--modular", "--json", *names], folder, (0, 66))
        if linked.stdout != at_once.stdout:
            sys.exit("linking gives other bytes than one run")
    print(linked.stderr.strip())
    print(f"targets linked with: median {statistics.median(map(len, closure.values()))}, most {max(map(len, closure.values()))}")
    values = list(costs.values())
    print(f"summarize: median {statistics.median(values):.3f} s, most {max(values):.3f} s, sum {sum(values):.1f} s")
    print(f"races --link {last:.2f} s; one run over all {whole:.2f} s, {len(at_once.stdout)} bytes")
    for n_workers in WORKERS:
        time, path = makespan(costs, closure, last, n_workers)
        print(f"{n_workers:3} workers {time:8.1f} s   (longest path {path:.1f} s, work {(sum(values) + last) / time:.1f} at once)")


if __name__ == "__main__":
    main()
