"""Addresses: paths that begin with a scheme, such as `s3a://bucket/folder`."""

import re
from os import PathLike, fspath

_ADDRESS = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+:/")
_LOCAL = re.compile(r"file:/+")


def is_address(path: object) -> bool:
    """Return whether a path has a scheme; a single letter is a Windows drive."""
    return isinstance(path, str | PathLike) and _ADDRESS.match(str(fspath(path))) is not None


def local_path(path: str) -> str:
    """Return the path on this machine that an address of the scheme `file` has; any other path as it is."""
    return _LOCAL.sub("/", path, count=1) if _LOCAL.match(path) else path
