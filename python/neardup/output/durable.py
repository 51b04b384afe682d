"""What has been written, through to the disk."""

import os
from pathlib import Path


def sync(path: Path) -> None:
    """Write a file, or the names in a folder, through to the disk."""
    opened = os.open(path, os.O_RDONLY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)
