"""Results in a remote folder, which has its name while it is made: run.json is written last."""

from pathlib import Path
from tempfile import TemporaryDirectory

from neardup._core import __version__
from neardup.errors import UsageError
from neardup.output.folders import RESULT, RUN
from neardup.remote.place import Place

MARKER, IDENTITY = ".neardup", "identity"
"""Files of the owner of a folder, and of what two runs are equal by."""
PARTIAL, STEPS = ".partial", "steps"
"""Suffix of the folder beside the results, and its folder of kept steps."""
TABLES = ("clusters.parquet/", "decisions.parquet/", "frame*", "lexicon*", "pairs.parquet/")
CLAIMS = (*TABLES, "kept/", "rejects.jsonl/", RUN)
"""What runs write, as in the markers of other results (docs/reference/outputs.md)."""
MARK = "\n".join([f"neardup {__version__} {RESULT}", *CLAIMS, ""])


class RemoteOutput:
    """A remote folder of results while it is made. Files that only the run needs are in a folder beside it.

    Two runs must not write to one folder at once: a storage has no locks.
    """

    def __init__(self, place: Place, *, overwrite: bool) -> None:
        self.place = Place(place.storage, place.address.rstrip("/"))
        """The folder to which tasks send their files."""
        self._beside = Place(place.storage, self.place.address + PARTIAL)
        refuse(self.place, overwrite=overwrite)
        self._refuse_others()
        self._here = TemporaryDirectory(prefix="neardup-")
        self._is_unfinished = False

    def _refuse_others(self) -> None:
        """Refuse a folder beside the results that neardup did not make."""
        files = self._beside.all()
        if files and not is_marked(self._beside):
            why = "the output is made there, and neardup did not make what is there now (it has no marker)"
            raise UsageError(f"{self._beside}: {why}; move it away, or give another folder")

    @property
    def folder(self) -> Path:
        """The folder of this machine in which the driver writes files of the results."""
        return Path(self._here.name)

    def begin(self, identity: str) -> Place:
        """Return the folder of the steps; what another run left is removed first."""
        mark, summary, self._is_unfinished = self._beside / IDENTITY, self.place / RUN, True
        if summary.exists() or not is_marked(self.place) or not mark.exists() or mark.read() != identity.encode():
            # In this order, so that an interruption leaves neither a result nor steps without their files.
            for place in (summary, self._beside, self.place):
                place.remove()
            for folder in (self.place, self._beside):
                (folder / MARKER).write(MARK.encode())
            mark.write(identity.encode())
        return self._beside / STEPS

    def finish(self, summary: str, spent: str) -> None:
        """Write what the driver wrote, except the folder `spent`, and then the summary."""
        self.place.send_all(self.folder, spent)
        (self.place / RUN).write(summary.encode())
        self._is_unfinished = False
        self._beside.remove()

    def leave(self) -> None:
        """Leave the folder for a run that resumes."""
        self._here.cleanup()

    def give_up(self) -> None:
        """Remove what the run made, unless it is finished."""
        self.leave()
        if self._is_unfinished:
            self._beside.remove()
            self.place.remove()


def is_marked(folder: Place) -> bool:
    """Return whether neardup made a folder of results."""
    mark = folder / MARKER
    return mark.exists() and mark.read().partition(b"\n")[0].endswith(f" {RESULT}".encode())


def refuse(folder: Place, *, overwrite: bool) -> None:
    """Raise `UsageError` for a folder that must not be replaced: a finished result, or files of others."""
    files = [place.address.removeprefix(f"{folder}/") for place, _ in folder.all()]
    if not files:
        return
    if not is_marked(folder):
        raise UsageError(f"{folder}: neardup did not make it (it has no marker); remove it, or give another folder")
    if RUN in files and not overwrite:
        raise UsageError(f"{folder}: the output is there already; give another folder, or --overwrite")
    own = tuple(claim.rstrip("*") for claim in CLAIMS)
    others = [name for name in files if name != MARKER and not name.startswith(own)]
    if others:
        raise UsageError(f"{folder}: {others[0]} is not of this result; move it away, or give another folder")
