#!/usr/bin/env bash
# Makes target/tarball/jrace-VERSION-x86_64-linux.tar.gz, for glibc 2.28 and newer (Debian 10, Ubuntu 20.04, RHEL 8), and tries it.
# Zig links against the symbols of that glibc; it comes from PyPI, into target/.
set -euo pipefail
cd "$(dirname "$0")/.."

glibc=2.28
target=x86_64-unknown-linux-gnu
version=$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml)
name=jrace-$version-x86_64-linux
dist=target/tarball
folder=$dist/$name

tools=target/dist-tools
if [ ! -x $tools/bin/cargo-zigbuild ]; then
    python3 -m venv $tools
    $tools/bin/pip install --quiet cargo-zigbuild==0.24.1 ziglang==0.13.0
fi
export PATH="$PWD/$tools/bin:$PATH"
rustup target add $target 2>/dev/null || true

cargo zigbuild --profile dist --target $target.$glibc -p cli -p runtime-agent
built=${CARGO_TARGET_DIR:-target}/$target/dist

rm -rf "$folder"
mkdir -p "$folder"/{bin,lib,share/man/man1,share/completions}
cp "$built/jrace" "$folder/bin/"
cp "$built/libjrace.so" "$folder/lib/"
cp -r README.md ACCURACY.md BENCHMARKS.md CHANGELOG.md LICENSE-* book "$folder/"
"$folder/bin/jrace" man "$folder/share/man/man1"
for shell in bash zsh fish; do
    "$folder/bin/jrace" completions $shell >"$folder/share/completions/jrace.$shell"
done
tar -C $dist --owner=0 --group=0 --sort=name -czf "$dist/$name.tar.gz" "$name"

release/try.sh "$dist/$name.tar.gz" $glibc
ls -l "$dist/$name.tar.gz" "$folder/bin/jrace" "$folder/lib/libjrace.so"
