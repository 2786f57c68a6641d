#!/usr/bin/env bash
# Compiles the helper class with JDK 17 (its class files load on every later JDK). Run it after a change of the sources;
# a test compares the result with what is checked in.
set -euo pipefail
cd "$(dirname "$0")"
out=${1:-compiled}
javac=${JAVA17_HOME:-$(ls -d /usr/lib/jvm/*17* | head -n 1)}/bin/javac
compile() {
    "$javac" -g -Xlint:all -Werror -XDstringConcat=inline -implicit:none --patch-module "java.base=$1" -d "$2" "${@:3}"
}
compile .:stub "$out" java/lang/*.java java/lang/invoke/*.java stub/java/lang/Thread.java
rm "$out/java/lang/Thread.class"
# The version for type discovery of where the words of threads are.
compile locals:.:stub "$out/locals" locals/java/lang/*.java
