#!/usr/bin/env bash
# Tries a tarball as somebody would who has no Rust: release/try.sh TARBALL GLIBC.
set -euo pipefail
tarball=$(realpath "$1")
glibc=$2
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
tar -C "$root" --strip-components=1 -xzf "$tarball"

fail() {
    echo "release/try.sh: $*" >&2
    exit 1
}

# No symbol is newer than that glibc.
for file in bin/jrace lib/libjrace.so; do
    newest=$(objdump -T "$root/$file" | sed -n 's/.*GLIBC_\([0-9.]*\).*/\1/p' | sort -uV | tail -1)
    [ "$(printf '%s\n' "$newest" "$glibc" | sort -V | tail -1)" = "$glibc" ] || fail "$file needs glibc $newest"
done
[ "$(stat -c %s "$root/lib/libjrace.so")" -lt 5000000 ] || fail "the agent is larger than 5 MB"

java=$(dirname "$(readlink -f "$(command -v javac)")")
clean() { env -i HOME="$root/home" PATH="$java:/usr/bin:/bin" "$@"; }
mkdir "$root/home"
cd "$root/home"
clean "$root/bin/jrace" --version
clean "$root/bin/jrace" doctor || fail "jrace doctor"
status=0
clean "$root/bin/jrace" demo bank >out 2>err || status=$?
[ $status = 66 ] || fail "jrace demo bank: exit $status: $(cat err)"
tail -1 err
clean bash -n "$root/share/completions/jrace.bash"
[ -s "$root/share/man/man1/jrace-run.1" ] || fail "no manual page"
echo "the tarball works"
