"""Folders that benchmarks fill and empty: those they made, and no others."""

import argparse
from pathlib import Path

ROOT = Path(__file__).parents[1]
MARK = ".neardup-bench"


def work_folder(name: str) -> Path:
    """Make a folder for the files of a benchmark; refuse one with files that no benchmark wrote.

    It is the type of an option. Folders of the build are no work folders.
    """
    folder = Path(name)
    is_built = (ROOT / "target") in folder.absolute().parents
    if not is_built and folder.exists() and any(folder.iterdir()) and not (folder / MARK).exists():
        raise argparse.ArgumentTypeError(f"{name} has files that no benchmark wrote; name a new or an empty folder")
    folder.mkdir(parents=True, exist_ok=True)
    (folder / MARK).touch()
    return folder
