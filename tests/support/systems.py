"""What tests need of their system: on Linux all run, elsewhere those that can, and the others say why they do not."""

import os
import sys
from collections.abc import Iterable
from fnmatch import fnmatch
from pathlib import Path

import pytest

LINUX, POSIX = sys.platform == "linux", os.name == "posix"

LINUX_FILES = {
    "test_browser*.py": "the service, and a browser of Debian",
    "test_full_disk.py": "limits of files, and disks of any size",
    "test_service_*.py": "the service, which limits the memory of its children",
    "test_spark*.py": "Spark, whose cluster is tried on Linux",
}
"""Files of tests that need Linux, and for what."""
POSIX_FILES = {
    "test_index_waiting.py": "locks and alarms",
    "test_review*.py": "reviews, which lock the files of their labels",
}
"""Files of tests that need POSIX, and for what."""


def need_linux(what: str) -> None:
    """Skip the test where this is not Linux."""
    if not LINUX:
        pytest.skip(f"needs Linux: {what}")


def need_posix(what: str) -> None:
    """Skip the test on Windows."""
    if not POSIX:
        pytest.skip(f"needs POSIX: {what}")


class _Module(pytest.Module):
    """A file of tests that is not imported where its tests cannot run: already what it imports may not be there."""

    def collect(self) -> Iterable[pytest.Item | pytest.Collector]:
        for needed, files in ((need_linux, LINUX_FILES), (need_posix, POSIX_FILES)):
            for pattern, what in files.items():
                if fnmatch(self.path.name, pattern):
                    needed(what)
        return super().collect()


def pytest_pycollect_makemodule(module_path: Path, parent: pytest.Collector) -> pytest.Module | None:
    """Look, on other systems, at what a file of tests needs."""
    if LINUX:
        return None
    module: pytest.Module = _Module.from_parent(parent, path=module_path)
    return module
