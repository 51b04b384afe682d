"""Files, folders and links that other programs put in the way of a writer; none of them may be lost."""

import os
from collections.abc import Sequence
from pathlib import Path
from random import Random


class Others:
    """A home folder that links point to, and the things put elsewhere; all below one folder."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.home = root / "home"
        (self.home / "deep" / "er").mkdir(parents=True)
        self._contents = 0
        for path in (self.home / "letter.txt", self.home / "run.json", self.home / "deep" / "er" / "photo"):
            self._write(path)
        self._is_home = self._look(self.home)
        self._links = dict[Path, str]()
        """Target of each link."""
        self._texts = dict[str, Path]()
        """Place at which each text was put, in a separate file."""

    def put(self, random: Random, places: Sequence[Path]) -> None:
        """Put something at one of the places, if one is free."""
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
        """Check that nothing is lost; a file may have moved with the folder that it was put into."""
        assert self._look(self.home) == self._is_home, "the home has changed"
        there = set(self._small().values())
        lost = {text: place for text, place in self._texts.items() if text not in there}
        assert lost == {}

    def clear(self) -> None:
        """Remove everything that was put."""
        for place, target in self._links.items():
            if place.is_symlink() and str(place.readlink()) == target:
                place.unlink()
        ours = [path for path, text in self._small().items() if text in self._texts]
        for path in ours:
            path.unlink()
        # One may be inside another: remove the deepest first.
        for folder in sorted({path.parent for path in ours if path.name == "mine"}, reverse=True):
            folder.rmdir()
        self._links.clear()
        self._texts.clear()

    def _small(self) -> dict[Path, str]:
        """Return the texts of all small files by path; the files that were put are small."""
        files = [path for path in self.root.rglob("*") if path.is_file() and not path.is_symlink()]
        return {path: path.read_text("latin-1") for path in files if path.stat().st_size < 100}

    def _write(self, path: Path) -> str:
        self._contents += 1
        text = f"written by another program, as its number {self._contents}"
        path.write_text(text)
        return text

    def _look(self, folder: Path) -> dict[str, str]:
        return {str(path.relative_to(folder)): path.read_text() for path in sorted(folder.rglob("*")) if path.is_file()}
