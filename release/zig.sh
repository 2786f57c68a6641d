#!/usr/bin/env bash
# Puts Zig, which links for other machines and for an old glibc, and the cargo command for it into target/dist-tools, from PyPI.
set -euo pipefail
cd "$(dirname "$0")/.."
tools=target/dist-tools
if [ ! -x $tools/bin/cargo-zigbuild ]; then
    python3 -m venv $tools
    $tools/bin/pip install --quiet cargo-zigbuild==0.24.1 ziglang==0.13.0
fi
