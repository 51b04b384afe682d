#!/bin/sh
# arm.sh CACHE: test the golden vectors of the crates, and the golden run of the wheel, on aarch64.
#
# This machine builds both, with zig as the linker. Debian's qemu-user runs them under an aarch64 Python. Everything is
# unpacked into CACHE; nothing is installed, and no root is needed.
set -eu
cd "$(dirname "$0")/.."
mkdir -p "$1"
cache=$(realpath "$1")
target=aarch64-unknown-linux-gnu

. packaging/debian.sh
fetch "$(dpkg --print-architecture)" /dev/null "$cache/qemu" qemu-user-static
fetch arm64 /dev/null "$cache/arm64" python3 libgcc-s1
emulate="$cache/qemu/usr/bin/qemu-aarch64-static -L $cache/arm64"

test -x "$cache/zig/bin/python" || "${PYTHON:-python3}" -m venv "$cache/zig"
"$cache/zig/bin/python" -m pip install --quiet --disable-pip-version-check cargo-zigbuild ziglang 'maturin>=1.10,<2'
PATH=$cache/zig/bin:$PATH
export PATH
rustup target add $target

CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_RUNNER=$emulate \
    cargo-zigbuild test --release --quiet --target $target -p neardup-text -p neardup-core golden

rm -rf "$cache/dist" "$cache/package"
maturin build --release --zig --target $target --out "$cache/dist"
"$cache/zig/bin/python" -m pip install --quiet --disable-pip-version-check --target "$cache/package" \
    --platform manylinux_2_17_aarch64 --only-binary :all: "$cache"/dist/*.whl
PYTHONPATH=$cache/package $emulate "$cache/arm64/usr/bin/python3" packaging/smoke.py
