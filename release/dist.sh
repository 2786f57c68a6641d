#!/usr/bin/env bash
# Makes what users are given, in target/tarball, and tries it: for each machine (x86_64 and aarch64, or those that are named) a tarball for
# glibc 2.28 and newer (Debian 10, Ubuntu 20.04, RHEL 8) and a Debian package of the same; and SHA256SUMS.
# Zig links against the symbols of that glibc, for other machines too; it comes from PyPI, into target/.
set -euo pipefail
cd "$(dirname "$0")/.."

glibc=2.28
version=$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml)
dist=target/tarball
machines=("$@")
[ $# -gt 0 ] || machines=(x86_64 aarch64)

release/zig.sh
export PATH="$PWD/target/dist-tools/bin:$PATH"

built() { echo "${CARGO_TARGET_DIR:-target}/$1-unknown-linux-gnu/dist"; }

for machine in "${machines[@]}"; do
    target=$machine-unknown-linux-gnu
    rustup target add "$target" 2>/dev/null || true
    cargo zigbuild --profile dist --target "$target.$glibc" -p cli -p runtime-agent
done

# Written by the command itself, which runs on its own machine only.
pages=$dist/pages
rm -rf $pages
mkdir -p $pages/man1 $pages/completions
jrace=$(built "$(uname -m)")/jrace
"$jrace" man $pages/man1
for shell in bash zsh fish; do
    "$jrace" completions $shell >"$pages/completions/jrace.$shell"
done

for machine in "${machines[@]}"; do
    name=jrace-$version-$machine-linux
    folder=$dist/$name
    rm -rf "$folder"
    mkdir -p "$folder"/{bin,lib,share/man}
    cp "$(built "$machine")/jrace" "$folder/bin/"
    cp "$(built "$machine")/libjrace.so" "$folder/lib/"
    cp -r README.md ACCURACY.md BENCHMARKS.md CHANGELOG.md LICENSE-* book release/Containerfile "$folder/"
    cp -r $pages/man1 "$folder/share/man/"
    cp -r $pages/completions "$folder/share/"
    tar -C $dist --owner=0 --group=0 --sort=name -czf "$dist/$name.tar.gz" "$name"
    release/deb.sh "$folder" "$version" "$machine" $glibc
    release/try.sh "$dist/$name.tar.gz" $glibc "$machine"
done

# With its feature `agent` the command alone is enough: `cargo install` installs nothing else.
installed=$(mktemp -d)
trap 'rm -rf "$installed"' EXIT
cargo install --quiet --debug --path cli --features agent --root "$installed"
env -i HOME="$installed" PATH="$(dirname "$(readlink -f "$(command -v javac)")"):/usr/bin:/bin" "$installed/bin/jrace" doctor

(cd $dist && sha256sum ./*.tar.gz ./*.deb >SHA256SUMS)
ls -l $dist/*.tar.gz $dist/*.deb $dist/*/bin/jrace $dist/*/lib/libjrace.so
