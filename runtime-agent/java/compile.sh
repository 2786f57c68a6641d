#!/usr/bin/env bash
# Compiles the helper classes with JDK 17 (their class files load on every later JDK). Run it after a change of the sources;
# a test compares the result with what is checked in.
set -euo pipefail
cd "$(dirname "$0")"
out=${1:-compiled}
javac=${JAVA17_HOME:-$(ls -d /usr/lib/jvm/*17* | sed -n 1p)}/bin/javac
compile() {
    "$javac" -g -Xlint:all -Werror -XDstringConcat=inline -implicit:none --patch-module "java.base=$1" -d "$2" "${@:3}"
}
rm -rf "$out"
compile .:stub "$out" java/lang/*.java java/lang/invoke/*.java stub/java/lang/Thread.java
# Constants stand where they are used, and the JVM has a Thread of its own.
rm "$out"/java/lang/JraceLayout*.class "$out"/java/lang/Thread*.class
# Other versions: where the words of threads are for type discovery, and which engine the accesses go to.
for version in locals recording both discovery hybrid; do
    compile "$version:.:stub" "$out/$version" "$version"/java/lang/*.java
done
