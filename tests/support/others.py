"""What other programs put in the way of a writer: files, folders and links, of which none may be lost."""

import os
from collections.abc import Sequence
from pathlib import Path
from random import Random


class Others:
    """A home that links lead to, and what was put somewhere else; all of it below one folder."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.home = root / "home"
        (self.home / "deep" / "er").mkdir(parents=True)
        self._contents = 0
        for path in (self.home / "letter.txt", self.home / "run.json", self.home / "deep" / "er" / "photo"):
            self._write(path)
        self._is_home = self._look(self.home)
        self._links = dict[Path, str]()
        """Where each leads."""
        self._texts = dict[str, Path]()
        """Where each was put, in a file of its own."""

    def put(self, random: Random, places: Sequence[Path]) -> None:
        """Put something at one of these places, if one is free."""
        parents = {place: place.parent for place in places if not os.path.lexists(place)}
        free = [place for place, parent in parents.items() if parent.is_dir() and not parent.is_symlink()]
        if not free:
            return
        place, kind = random.choice(free), random.choice(("file", "folder", "link to a folder", "link to a file"))
        target = self.home if kind == "link to a folder" else self.home / "letter.txt"
        if kind.startswith("link"):
            place.symlink_to(target)
            self._links[place] = str(target)
            return
        if kind == "folder":
            place.mkdir()
        self._texts[self._write(place / "mine" if kind == "folder" else place)] = place

    def check(self) -> None:
        """See that all is there; a file may have moved with the folder that it was put into."""
        assert self._look(self.home) == self._is_home, "the home has changed"
        there = set(self._small().values())
        lost = {text: place for text, place in self._texts.items() if text not in there}
        assert lost == {}

    def clear(self) -> None:
        """Take away what was put."""
        for place, target in self._links.items():
            if place.is_symlink() and str(place.readlink()) == target:
                place.unlink()
        ours = [path for path, text in self._small().items() if text in self._texts]
        for path in ours:
            path.unlink()
        # One may be in another: the deepest goes first.
        for folder in sorted({path.parent for path in ours if path.name == "mine"}, reverse=True):
            folder.rmdir()
        self._links.clear()
        self._texts.clear()

    def _small(self) -> dict[Path, str]:
        """Read the files that are as small as those that were put."""
        files = [path for path in self.root.rglob("*") if path.is_file() and not path.is_symlink()]
        return {path: path.read_text("latin-1") for path in files if path.stat().st_size < 100}

    def _write(self, path: Path) -> str:
        self._contents += 1
        text = f"written by another program, as its number {self._contents}"
        path.write_text(text)
        return text

    def _look(self, folder: Path) -> dict[str, str]:
        return {str(path.relative_to(folder)): path.read_text() for path in sorted(folder.rglob("*")) if path.is_file()}
