"""Requirements of tests on the system: on Linux all run; elsewhere some are skipped, with the reason."""

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
"""Patterns of test files that need Linux, with the reason."""
POSIX_FILES = {
    "test_index_waiting.py": "locks and alarms",
    "test_review*.py": "reviews, which lock the files of their labels",
}
"""Patterns of test files that need POSIX, with the reason."""


def need_linux(what: str) -> None:
    """Skip the test, except on Linux."""
    if not LINUX:
        pytest.skip(f"needs Linux: {what}")


def need_posix(what: str) -> None:
    """Skip the test on Windows."""
    if not POSIX:
        pytest.skip(f"needs POSIX: {what}")


class _Module(pytest.Module):
    """A test file that is not imported if its tests cannot run, because its imports may be missing."""

    def collect(self) -> Iterable[pytest.Item | pytest.Collector]:
        for needed, files in ((need_linux, LINUX_FILES), (need_posix, POSIX_FILES)):
            for pattern, what in files.items():
                if fnmatch(self.path.name, pattern):
                    needed(what)
        return super().collect()


def pytest_pycollect_makemodule(module_path: Path, parent: pytest.Collector) -> pytest.Module | None:
    """Collect test files as `_Module`, except on Linux."""
    if LINUX:
        return None
    module: pytest.Module = _Module.from_parent(parent, path=module_path)
    return module
