"""Run the golden run with a wheel in a new environment without Rust: fresh.py WHEEL."""

import os
import shutil
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

SMOKE = Path(__file__).parent / "smoke.py"


def main(wheel: str) -> None:
    """Install the wheel and run it; a step that fails raises."""
    with tempfile.TemporaryDirectory() as folder:
        venv.create(folder, with_pip=True)
        python = Path(folder, "Scripts" if os.name == "nt" else "bin", "python")
        environment = without_rust()
        install = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--only-binary", ":all:"]
        for command in ([*install, Path(wheel).resolve()], [python, SMOKE]):
            subprocess.run(list(map(str, command)), check=True, env=environment, cwd=folder)


def without_rust() -> dict[str, str]:
    """Return the environment variables with a PATH without the folders that contain cargo or rustc."""
    folders = os.environ.get("PATH", "").split(os.pathsep)
    clean = [one for one in folders if one and not any(shutil.which(tool, path=one) for tool in ("cargo", "rustc"))]
    return {**os.environ, "PATH": os.pathsep.join(clean)}


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: fresh.py WHEEL")
    main(sys.argv[1])
