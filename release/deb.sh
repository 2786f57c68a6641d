#!/usr/bin/env bash
# Makes a Debian package of the folder of a tarball, beside it: release/deb.sh FOLDER VERSION MACHINE GLIBC. Its maintainer is who made the
# last commit, or DEBFULLNAME and DEBEMAIL.
set -euo pipefail
folder=$1 version=$2 machine=$3 glibc=$4
case $machine in
    x86_64) architecture=amd64 ;;
    aarch64) architecture=arm64 ;;
    *) echo "release/deb.sh: no Debian architecture is known for $machine" >&2; exit 1 ;;
esac
maintainer="${DEBFULLNAME:-$(git log -1 --format=%cn)} <${DEBEMAIL:-$(git log -1 --format=%ce)}>"
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
chmod 755 "$root"

put() { install -D -m "$1" "$2" "$root/usr/$3"; }
put 755 "$folder/bin/jrace" bin/jrace
put 644 "$folder/lib/libjrace.so" lib/jrace/libjrace.so
put 644 "$folder/share/completions/jrace.bash" share/bash-completion/completions/jrace
put 644 "$folder/share/completions/jrace.zsh" share/zsh/vendor-completions/_jrace
put 644 "$folder/share/completions/jrace.fish" share/fish/vendor_completions.d/jrace.fish
for page in "$folder"/share/man/man1/*; do
    put 644 "$page" "share/man/man1/$(basename "$page")"
done
gzip -9n "$root"/usr/share/man/man1/*
doc=$root/usr/share/doc/jrace
for page in README.md ACCURACY.md; do
    put 644 "$folder/$page" "share/doc/jrace/$page"
done
cp -r "$folder/book/src" "$doc/manual"
gzip -9nc "$folder/CHANGELOG.md" >"$doc/changelog.gz"
gzip -9nc >"$doc/changelog.Debian.gz" <<CHANGES
jrace ($version-1) unstable; urgency=medium

  * What is new stands in changelog.gz.

 -- $maintainer  $(git log -1 --format=%cD)
CHANGES
{
    printf 'Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/\n\n'
    printf 'Files: *\nCopyright: the authors of jrace\nLicense: Expat or Apache-2.0\n\nLicense: Expat\n'
    sed 's/^$/./; s/^/ /' "$folder/LICENSE-MIT"
    printf '\nLicense: Apache-2.0\n On Debian systems the text is in /usr/share/common-licenses/Apache-2.0.\n'
} >"$doc/copyright"
chmod -R u=rwX,go=rX "$root"

mkdir "$root/DEBIAN"
cat >"$root/DEBIAN/control" <<CONTROL
Package: jrace
Version: $version-1
Architecture: $architecture
Maintainer: $maintainer
Installed-Size: $(du -sk --exclude=DEBIAN "$root" | cut -f1)
Depends: libc6 (>= $glibc), libgcc-s1
Recommends: default-jdk-headless | java17-sdk-headless
Section: devel
Priority: optional
Description: race and atomicity checker for Java
 Runs a test suite, a service or a batch job on a stock JDK (17 or later) and
 tells which fields, arrays and collections two threads use with nothing in
 between: no common lock, no join, no queue. No source change, no special
 build: an agent weaves the checks into classes as they load. Static types
 prove what need not be checked; a search over the bytecode finds races
 without a run.
CONTROL
dpkg-deb --root-owner-group --build "$root" "$(dirname "$folder")/jrace_$version-1_$architecture.deb" >/dev/null
