"""The folder of the steps of a run: which of them an earlier run of the same identity finished."""

from pathlib import Path
from shutil import rmtree

MARK, DONE = "identity", "_SUCCESS"
"""Files: what runs are equal by, and that a step is finished, by the name that Spark gives it."""


class KeptFolder:
    """A folder with a folder for each step. The steps of another run are removed."""

    def __init__(self, folder: Path, identity: str) -> None:
        self._folder = folder
        mark = folder / MARK
        if not mark.exists() or mark.read_text(encoding="utf-8") != identity:
            rmtree(folder, ignore_errors=True)
            folder.mkdir(parents=True)
            mark.write_text(identity, encoding="utf-8")

    def step(self, name: str) -> Path:
        """Return the folder of a step."""
        return self._folder / name

    def has(self, name: str) -> bool:
        """Return whether a step is finished."""
        return (self.step(name) / DONE).exists()

    def begin(self, name: str) -> Path:
        """Return the folder of a step, without what an unfinished one left."""
        rmtree(self.step(name), ignore_errors=True)
        self.step(name).mkdir()
        return self.step(name)

    def finish(self, name: str) -> None:
        """Note that a step is finished."""
        (self.step(name) / DONE).touch()

    def files(self, name: str) -> list[Path]:
        """Return the files of a step, in order."""
        return sorted(self.step(name).glob("part-*.parquet"))
