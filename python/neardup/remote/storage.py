"""Storage: the file systems of addresses, opened with the settings that Hadoop has for them."""

import os
import re
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import cache
from typing import Any, TypeVar

from pyarrow import fs

from neardup.errors import EnvironmentFault, UsageError

SCHEMES = {"s3a": "fs.s3a.", "s3": "fs.s3a.", "gs": "fs.gs.", "abfss": "fs.azure.", "abfs": "fs.azure.", "hdfs": ""}
"""The schemes of remote files, each with the prefix of its settings."""
DEFAULT = "default"
"""The authority of an address without one: Hadoop's default file system."""
THREADS = 32
"""Number of files that are opened at once: each is a few requests to another machine."""

_PARTS = re.compile(r"([A-Za-z][A-Za-z0-9+.-]+):(//?)([^/]*)/*(.*)", re.DOTALL)
_DENIED = re.compile("ACCESS_DENIED|INVALID_ACCESS_KEY|SIGNATURE_DOES_NOT_MATCH|HTTP status 40[13]|[Cc]redential")

T = TypeVar("T")
R = TypeVar("R")


@dataclass(frozen=True)
class Storage:
    """The file systems of addresses. It can be sent to tasks."""

    settings: tuple[tuple[str, str], ...] = field(default=(), repr=False)
    """Settings of Hadoop, which may be secret."""

    def locate(self, address: str) -> tuple[fs.FileSystem, str]:
        """Return the file system of an address, and its path there."""
        scheme, authority, path = parts_of(address)
        system = file_system(scheme, authority, self.settings)
        if scheme == "hdfs":
            return system, f"/{path}"
        return system, f"{authority.partition('@')[0]}/{path}".rstrip("/")

    @staticmethod
    def has_objects(address: str) -> bool:
        """Return whether files are objects, which appear when they are complete, and no folders have to be made."""
        return parts_of(address)[0] != "hdfs"

    @staticmethod
    def explain(error: Exception) -> str:
        """Return the message of an error, with advice on credentials if these are the cause."""
        advice = "; name the credentials in the session's settings (docs/tutorials/on-spark.md) or in the environment"
        text = " ".join(str(error).split())
        return text + (advice if _DENIED.search(text) else "")


def parts_of(address: str) -> tuple[str, str, str]:
    """Return scheme, authority and path of an address; `UsageError` for another scheme.

    `Path` merges two slashes into one.
    """
    found = _PARTS.fullmatch(address)
    scheme, slashes, authority, path = found.groups() if found else ("", "", "", "")
    if scheme not in SCHEMES:
        raise UsageError(f"{address}: the scheme of a path is one of {', '.join(SCHEMES)} and file")
    if scheme == "hdfs" and slashes == "/":
        authority, path = "", f"{authority}/{path}".strip("/")
    if not authority and scheme != "hdfs":
        raise UsageError(f"{address}: no bucket or container is named, as in {scheme}://NAME/folder")
    return scheme, authority or DEFAULT, path


@cache
def file_system(scheme: str, authority: str, settings: tuple[tuple[str, str], ...]) -> fs.FileSystem:
    """Return the file system of a bucket, a container or a cluster."""
    known = dict(settings)
    try:
        if scheme in ("s3a", "s3"):
            options = options_of_s3(authority, known)
            # Otherwise requests go to the region of the library, and those for buckets elsewhere fail.
            if not options["region"] and not {"AWS_REGION", "AWS_DEFAULT_REGION"} & os.environ.keys():
                options["region"] = "us-east-1" if "endpoint_override" in options else fs.resolve_s3_region(authority)
            return fs.S3FileSystem(**options)
        if scheme == "gs":
            return fs.GcsFileSystem(**options_of_gs(known))
        if scheme in ("abfss", "abfs"):
            return fs.AzureFileSystem(**options_of_azure(authority, known))
        host, _, port = authority.partition(":")
        return fs.HadoopFileSystem(host, int(port or 0))
    except ImportError:
        raise EnvironmentFault(f"{scheme}: this pyarrow has no file system for it; install that of PyPI") from None
    except (OSError, ValueError) as error:
        raise EnvironmentFault(f"{scheme}://{authority}: cannot open: {Storage.explain(error)}") from error


def options_of_s3(bucket: str, settings: dict[str, str]) -> dict[str, Any]:
    """Return the options of pyarrow for a bucket: those for this bucket, else those for all."""

    def value(name: str) -> str:
        return settings.get(f"fs.s3a.bucket.{bucket}.{name}") or settings.get(f"fs.s3a.{name}") or ""

    endpoint = value("endpoint")
    is_plain = endpoint.startswith("http://") or value("connection.ssl.enabled") == "false"
    options: dict[str, Any] = {
        "access_key": value("access.key") or None,
        "secret_key": value("secret.key") or None,
        "session_token": value("session.token") or None,
        "anonymous": "Anonymous" in value("aws.credentials.provider"),
        "region": value("endpoint.region") or None,
    }
    if endpoint:
        options["endpoint_override"] = re.sub("^https?://", "", endpoint)
        options["scheme"] = "http" if is_plain else "https"
        # Hadoop's default is the style of Amazon; other servers mostly know paths only.
        is_amazon = endpoint.endswith("amazonaws.com")
        options["force_virtual_addressing"] = is_amazon and value("path.style.access") != "true"
    return options


def options_of_gs(settings: dict[str, str]) -> dict[str, Any]:
    """Return the options of pyarrow for Google Cloud Storage, whose credentials are those of the environment."""
    root = settings.get("fs.gs.storage.root.url") or ""
    options: dict[str, Any] = {"project_id": settings.get("fs.gs.project.id") or None}
    options["anonymous"] = settings.get("fs.gs.auth.type") == "UNAUTHENTICATED"
    if root:
        options["scheme"], _, options["endpoint_override"] = root.rstrip("/").partition("://")
    return options


def options_of_azure(authority: str, settings: dict[str, str]) -> dict[str, Any]:
    """Return the options of pyarrow for a container of Azure, `CONTAINER@ACCOUNT.dfs.core.windows.net`."""
    _, _, host = authority.partition("@")
    if not host:
        raise UsageError(
            f"abfss://{authority}: name container and account: abfss://CONTAINER@ACCOUNT.dfs.core.windows.net"
        )
    key, token = (f"fs.azure.{name}" for name in ("account.key", "sas.fixed.token"))
    return {
        "account_name": host.partition(".")[0],
        "account_key": settings.get(f"{key}.{host}") or settings.get(key) or None,
        "sas_token": settings.get(f"{token}.{host}") or settings.get(token) or None,
    }


def in_parallel(work: Callable[[T], R], items: Iterable[T]) -> list[R]:
    """Do some work for each item, several at once, and return what it returns."""
    with ThreadPoolExecutor(THREADS) as pool:
        return list(pool.map(work, items))
