#!/bin/sh
# Compares the points-to analysis with that of Tai-e, both on a program and all of the JDK that it reaches: tests/peer.sh [ROUNDS
# [PROGRAM]]
#
# Prints a line a run: who, program, contexts, seconds by the clock and of the processors, megabytes, reachable methods, call edges,
# casts that may fail (all, and those of the application). With contexts only jrace runs, and Tai-e too with JRACE_PEER=full.
# JAVA_HOME must be a JDK 17, which both analyse. Maven Central is needed once.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
rounds=${1:-3} only=${2:-}
java=${JAVA_HOME:?must name a JDK 17}/bin/java
command -v mvn >/dev/null || { echo "peer.sh: Maven is needed" >&2; exit 2; }
peer=$root/target/real/peer
[ -d "$peer" ] || mvn -q -B -f "$root/tests/java/peer/pom.xml" dependency:copy-dependencies "-DoutputDirectory=$peer"
jars=$root/target/real/sizes
[ -d "$jars" ] || mvn -q -B -f "$root/tests/java/sizes/pom.xml" dependency:copy "-DoutputDirectory=$jars"
cargo build --quiet --release --manifest-path "$root/Cargo.toml" -p static-typer --example points_to
ours=${CARGO_TARGET_DIR:-$root/target}/release/examples/points_to
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/tsp" "$work/derby"
"$JAVA_HOME/bin/javac" --release 11 -g -d "$work/tsp" $(find "$root/demo-apps/tsp" -name '*.java')
(cd "$work/derby" && "$JAVA_HOME/bin/jar" xf "$jars"/derby-*.jar)
"$JAVA_HOME/bin/javac" --release 11 -g -cp "$work/derby" -d "$work/derby" "$root/tests/java/peer/Query.java"

# Seconds by the clock and of the processors, and megabytes of a command, which python3 measures.
measured() {
    python3 - "$@" <<'PYTHON'
import resource, subprocess, sys, time
begin = time.time()
with open(sys.argv[1], "w") as log:
    code = subprocess.call(sys.argv[2:], stdout=log, stderr=subprocess.STDOUT)
used = resource.getrusage(resource.RUSAGE_CHILDREN)
seconds = (time.time() - begin, used.ru_utime + used.ru_stime)
print("%.1f s, %.1f s, %d MB%s" % (*seconds, used.ru_maxrss // 1024, "" if code == 0 else ", exit code %d" % code))
PYTHON
}

# What our example says, in a line.
we_found() {
    grep -oE 'of [0-9]+ methods, [0-9]+ calls|.* casts may fail.*' "$work/ours" | tr '\n' ' '
}

# What Tai-e says, in a line.
they_found() {
    grep -E '#reachable methods|#call graph edges|#may-fail-cast' "$work/theirs" |
        sed 's/(insens).*//; s/ reachable relevant Stmts//; s/ \+/ /g' | tr '\n' ' '
}

compare() {
    name=$1 path=$2 main=$3
    [ "${only:-$name}" = "$name" ] || return 0
    for contexts in none object1; do
        cs=ci
        [ $contexts = object1 ] && cs=1-obj
        cost=$(measured "$work/ours" "$ours" $contexts "$path" "$main")
        echo "jrace  $name $cs: $cost, $(we_found)"
        [ $contexts = object1 ] && [ "${JRACE_PEER:-}" != full ] && continue
        cost=$(measured "$work/theirs" "$java" -Xmx14g -cp "$peer/*" pascal.taie.Main -ap -pp -acp "$path" -cp "$path" -m "$(echo "$main" | tr / .)" \
            --output-dir "$work/out" -a may-fail-cast -a "pta=cs:$cs;implicit-entries:true;reflection-inference:null")
        echo "Tai-e  $name $cs: $cost, $(they_found)"
    done
}

for round in $(seq "$rounds"); do
    compare tsp "$work/tsp" tsp/Tsp
    compare hsqldb "$(ls "$jars"/hsqldb-*.jar)" org/hsqldb/Server
    compare derby "$work/derby" Query
    compare h2 "$(ls "$jars"/h2-*.jar)" org/h2/tools/Shell
done
