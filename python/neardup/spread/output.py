"""Results as files, in a folder that all executors see; it is put into its place when it is complete."""

from pathlib import Path
from shutil import rmtree

from neardup import _core
from neardup.output.folders import RESULT


class Output:
    """A folder of results while it is made."""

    def __init__(self, folder: str, *, overwrite: bool) -> None:
        self._made = _core.OutputFolder(folder, RESULT, overwrite)

    def clear(self, keeps: str | None = None) -> None:
        """Remove what an earlier run left, except the tree `keeps`."""
        self._made.clear(keeps)

    @property
    def folder(self) -> Path:
        """The folder in which the results are made."""
        return self._made.folder.absolute()

    def remove(self, name: str) -> None:
        """Remove a folder of the output."""
        rmtree(self.tree(name), ignore_errors=True)

    def claim(self, name: str) -> None:
        """Note that the run makes a file of this name."""
        self._made.file(name)

    def write_text(self, name: str, text: str) -> None:
        """Write a file of one text."""
        self._made.file(name).write_text(text, encoding="utf-8")

    def tree(self, name: str) -> Path:
        """Return the path of a folder in which anything may be written."""
        return self._made.tree(name).absolute()

    def finish(self, spent: str | None = None) -> None:
        """Put the folder into its place, without the tree `spent`."""
        self._made.finish(spent)

    def leave(self) -> None:
        """Leave the folder for a run that resumes."""
        self._made.leave()

    def give_up(self) -> None:
        """Remove the folder, unless it is finished."""
        self._made.give_up()
