"""Copy the licence, notice and readme texts of installed Python packages, each package into its own folder."""

import re
import shutil
import sys
from importlib.metadata import distributions
from pathlib import Path

WANTED = re.compile(r"(LICEN[CS]E|NOTICE|COPYING|README|AUTHORS|METADATA)[^/]*", re.IGNORECASE)
CODE = {".py", ".pyc", ".pyi", ".so", ".json", ".html"}


def collect(target: Path) -> int:
    """Replace `target` by a new folder of texts and return their number; files that are not UTF-8 are left out."""
    shutil.rmtree(target, ignore_errors=True)
    count = 0
    for package in distributions():
        for entry in package.files or []:
            path = Path(str(entry.locate()))
            if not WANTED.fullmatch(path.name) or path.suffix.lower() in CODE or not path.is_file():
                continue
            try:
                text = path.read_bytes().decode("utf-8")
            except UnicodeDecodeError:
                continue
            copy = target / f"{package.name}-{package.version}" / "-".join(part for part in entry.parts if part != "..")
            if copy.suffix.lower() not in (".txt", ".md"):
                copy = copy.with_name(f"{copy.name}.txt")
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_bytes(text.encode())
            count += 1
    return count


if __name__ == "__main__":
    folder = Path(sys.argv[1])
    print(f"{collect(folder)} texts of installed packages in {folder}")
