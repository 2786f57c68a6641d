#!/usr/bin/env bash
# Compiles the helper class with JDK 17 (its class files load on every later JDK). Run it after a change of the sources;
# a test compares the result with what is checked in.
set -euo pipefail
cd "$(dirname "$0")"
out=${1:-compiled}
javac=${JAVA17_HOME:-$(ls -d /usr/lib/jvm/*17* | head -n 1)}/bin/javac
"$javac" -g -Xlint:all -Werror -XDstringConcat=inline --patch-module java.base=.:stub -d "$out" \
    java/lang/*.java java/lang/invoke/*.java stub/java/lang/Thread.java
rm "$out/java/lang/Thread.class"
