#!/usr/bin/env bash
# Tries a tarball and the Debian package beside it as somebody would who has no Rust: release/try.sh TARBALL GLIBC MACHINE. What is for
# another machine than this one is looked at, and not run.
set -euo pipefail
tarball=$(realpath "$1")
glibc=$2
machine=$3
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT

fail() {
    echo "release/try.sh: $*" >&2
    exit 1
}

# The files of both: for this machine, no symbol newer than that glibc, the agent small.
look() {
    local file
    for file in "$1" "$2"; do
        [[ $(file -b "$file") == *"${machine/_/-}"* ]] || fail "$file is not for $machine"
        local newest
        newest=$(readelf --dyn-syms --wide "$file" | sed -n 's/.*@GLIBC_\([0-9.]*\).*/\1/p' | sort -uV | tail -1)
        [ "$(printf '%s\n' "$newest" "$glibc" | sort -V | tail -1)" = "$glibc" ] || fail "$file needs glibc $newest"
    done
    [[ $(readelf --dyn-syms --wide "$2") == *" Agent_OnLoad"* ]] || fail "$2 is no agent"
    [ "$(stat -c %s "$2")" -lt 5000000 ] || fail "the agent is larger than 5 MB"
}

java=$(dirname "$(readlink -f "$(command -v javac)")")
mkdir "$root/home"
clean() { (cd "$root/home" && env -i HOME="$root/home" PATH="$java:/usr/bin:/bin" "$@"); }

run() {
    clean "$1" --version
    clean "$1" doctor || fail "jrace doctor"
    local status=0
    clean "$1" demo bank >"$root/out" 2>"$root/err" || status=$?
    [ $status = 66 ] || fail "jrace demo bank: exit $status: $(cat "$root/err")"
    tail -1 "$root/err"
}

# The tarball in a system that has nothing of this one: Debian 11 with a JDK, the oldest that has a JDK 17 (glibc 2.31). It is made once.
in_debian() {
    local system
    system=$(realpath -m "$(dirname "$0")/../target/debian-11")
    if [ ! -e "$system/made" ]; then
        rm -rf "$system"
        debootstrap --variant=minbase --include=openjdk-17-jdk-headless bullseye "$system" http://deb.debian.org/debian >"$root/out" ||
            fail "debootstrap: $(tail -3 "$root/out")"
        touch "$system/made"
    fi
    rm -rf "$system/opt/jrace"
    cp -r "$root/tarball" "$system/opt/jrace"
    # A JVM looks into /proc; the mount goes with the namespace.
    unshare --mount bash -ec "mount -t proc proc '$system/proc'; chroot '$system' env -i HOME=/root PATH=/opt/jrace/bin:/usr/bin:/bin \
        bash -ec '! command -v cargo; cd; jrace --version; jrace doctor; jrace demo bank || exit \$?'" >"$root/out" 2>"$root/err" && fail "no finding"
    [[ $(tail -1 "$root/err") == *", exit 66" ]] || fail "in Debian 11: $(cat "$root/out" "$root/err")"
    cat "$root/out"
    tail -1 "$root/err"
}

mkdir "$root/tarball" "$root/package"
tar -C "$root/tarball" --strip-components=1 -xzf "$tarball"
look "$root/tarball/bin/jrace" "$root/tarball/lib/libjrace.so"
clean bash -n "$root/tarball/share/completions/jrace.bash"
[ -s "$root/tarball/share/man/man1/jrace-run.1" ] || fail "no manual page"
package=$(ls -t "$(dirname "$tarball")"/jrace_*_"$(case $machine in x86_64) echo amd64 ;; *) echo arm64 ;; esac)".deb | head -1)
dpkg-deb -x "$package" "$root/package"
look "$root/package/usr/bin/jrace" "$root/package/usr/lib/jrace/libjrace.so"
if command -v lintian >/dev/null; then
    lintian --fail-on error "$package" || fail "lintian"
fi
if [ "$machine" = "$(uname -m)" ]; then
    run "$root/tarball/bin/jrace"
    run "$root/package/usr/bin/jrace"
    echo "the tarball and the package work"
    if command -v debootstrap >/dev/null && [ "$(id -u)" = 0 ]; then
        in_debian
        echo "the tarball works in Debian 11"
    else
        echo "the tarball was not tried in Debian 11, which takes debootstrap and root"
    fi
else
    echo "the tarball and the package are for $machine, and were not run"
fi
