#!/bin/sh
# iceberg.sh CACHE: print a Python whose pyspark has the jar of Iceberg, for the test of its tables.
#
# The pyspark of development may be newer than every Iceberg. So an environment in CACHE has an older one, with the jar that
# Maven fetches among its own. No root is needed.
set -eu
spark=4.0.1 iceberg=1.10.1
command -v mvn > /dev/null || { echo "$0: Maven fetches the jar; there is no mvn here" >&2; exit 1; }
mkdir -p "$1"
cache=$(realpath "$1")
folder=$cache/iceberg-$iceberg-spark-$spark
# Several processes may run this at once.
exec 9> "$cache/lock"
flock 9
if test ! -e "$folder.done"; then
    rm -rf "$folder"
    "${PYTHON:-python3}" -m venv "$folder"
    "$folder/bin/python" -m pip install --quiet --disable-pip-version-check \
        "pyspark==$spark" 'pandas>=2.2,<3' 'pyarrow>=17' 'click>=8.1' 'rich>=13' >&2
    jars=$("$folder/bin/python" -c 'import pathlib, pyspark; print(pathlib.Path(pyspark.__file__).parent / "jars")')
    mvn -q -B dependency:copy "-Dartifact=org.apache.iceberg:iceberg-spark-runtime-${spark%.*}_2.13:$iceberg" \
        "-DoutputDirectory=$jars" >&2
    touch "$folder.done"
fi
echo "$folder/bin/python"
