"""Virtual environments of the benchmark: one for each peer, made once by pip and then reused."""

import shutil
import subprocess
import sys
import venv
from pathlib import Path

PACKAGES: dict[str, list[str]] = {
    "tools": ["polars==2.1.0", "zstandard==0.25.0"],
    "datasketch": ["datasketch==2.0.0", "orjson==3.13.0"],
    "rensa": ["rensa==0.5.0", "orjson==3.13.0"],
    "gaoya": ["gaoya==0.2.2", "orjson==3.13.0"],
    "spark": ["numpy==2.4.6", "orjson==3.13.0", "pandas==2.3.3", "pyspark==4.3.0"],
    "daft": ["daft==0.7.26", "numpy==2.4.6", "orjson==3.13.0"],
}
"""The packages of each environment; versions are pinned so that two reports can be compared."""


def interpreter(work: Path, name: str) -> Path:
    """Return the Python of the environment `name` below `work`; the environment is made if needed.

    The list of packages is written last, as a stamp: an environment whose stamp is missing or differs is made again.
    Raises SystemExit with the end of pip's output if pip fails.
    """
    folder = work / "venvs" / name
    python = folder / "bin" / "python"
    stamp = folder / "packages.txt"
    wanted = "\n".join(PACKAGES[name])
    if python.exists() and stamp.exists() and stamp.read_text() == wanted:
        return python
    print(f"making the environment of {name}", file=sys.stderr, flush=True)
    shutil.rmtree(folder, ignore_errors=True)
    venv.create(folder, with_pip=True)
    command = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *PACKAGES[name]]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        raise SystemExit(f"pip could not install {' '.join(PACKAGES[name])}:\n{done.stderr[-2000:]}")
    stamp.write_text(wanted)
    return python
