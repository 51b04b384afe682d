"""Work folders of benchmarks, marked so that no other folder is filled or emptied."""

import argparse
from pathlib import Path

ROOT = Path(__file__).parents[1]
MARK = ".neardup-bench"


def work_folder(name: str) -> Path:
    """Make a folder for the files of a benchmark, as the type of an option.

    A folder with files that no benchmark wrote is refused, unless it is below `target`, the folder of the build.
    """
    folder = Path(name)
    is_built = (ROOT / "target") in folder.absolute().parents
    if not is_built and folder.exists() and any(folder.iterdir()) and not (folder / MARK).exists():
        raise argparse.ArgumentTypeError(f"{name} has files that no benchmark wrote; name a new or an empty folder")
    folder.mkdir(parents=True, exist_ok=True)
    (folder / MARK).touch()
    return folder
