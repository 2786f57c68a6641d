#!/bin/sh
# Runs programs from Maven Central through `jrace run` and prints the reports: tests/real.sh [NAME...]
#
# The names are the folders of tests/java/real that have a pom.xml; `surefire` runs `mvn test`. JAVA_HOME chooses the JDK,
# JRACE_REAL=full runs test suites whole, JRACE is the command to use instead of a release build, and JRACE_OPTIONS works
# as always.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
java=${JAVA_HOME:+$JAVA_HOME/bin/}java
javac=${JAVA_HOME:+$JAVA_HOME/bin/}javac

if [ -z "${JRACE:-}" ]; then
    cargo build --quiet --release --manifest-path "$root/Cargo.toml" -p cli -p runtime-agent
    JRACE=${CARGO_TARGET_DIR:-$root/target}/release/jrace
fi

# Copies the jars of an input to target/real/NAME, as tests/src/maven.rs does.
fetch() {
    cmp -s "$folder/pom.xml" "$jars/pom.xml" && return
    rm -rf "$jars"
    mvn -q -B -f "$folder/pom.xml" dependency:copy-dependencies "-DoutputDirectory=$jars" || {
        echo "real.sh: the jars of $name cannot be downloaded from Maven Central" >&2
        exit 2
    }
    cp "$folder/pom.xml" "$jars/pom.xml"
}

# The drivers of pool-1.2 and pool-1.3 lie in pool.
compile() {
    sources=$(find "$root/tests/java/real/${name%%-*}" -name '*.java')
    [ -z "$sources" ] || "$javac" -g -nowarn --release 17 -cp "$jars/*" -d "$work/classes" $sources
}

run() {
    name=$1
    folder=$root/tests/java/real/$name
    jars=$root/target/real/$name
    [ -f "$folder/pom.xml" ] || { echo "real.sh: there is no input $name" >&2; exit 2; }
    work=$(mktemp -d)
    echo "== $name"
    code=0
    if [ -f "$folder/args" ]; then
        fetch
        compile
        arguments=$folder/args
        [ "${JRACE_REAL:-}" = full ] && [ -f "$folder/full.args" ] && arguments=$folder/full.args
        "$JRACE" run --output "$work/findings" -- "$java" -cp "$work/classes:$jars/*" "@$arguments" || code=$?
    else
        "$JRACE" run --output "$work/findings" -- mvn -B -f "$folder/pom.xml" "-Dout=$work/out" test || code=$?
    fi
    echo "== $name: exit code $code, findings in $work/findings"
    # 66 is what findings give.
    [ "$code" = 0 ] || [ "$code" = 66 ] || failed="$failed $name"
}

failed=
if [ $# = 0 ]; then
    for pom in "$root"/tests/java/real/*/pom.xml; do
        set -- "$@" "$(basename "$(dirname "$pom")")"
    done
fi
for name in "$@"; do
    run "$name"
done
[ -z "$failed" ] || { echo "real.sh: failed:$failed" >&2; exit 1; }
