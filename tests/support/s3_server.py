"""A server of the S3 protocol in this process, with buckets in memory."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pyarrow import fs

HOST = "127.0.0.1"
BUCKET = "docs"


@dataclass(frozen=True)
class S3Server:
    """A running server with one bucket."""

    endpoint: str
    files: Any
    """Its files, as pyarrow's file system."""

    @property
    def settings(self) -> dict[str, str]:
        """Settings of Hadoop for it."""
        known = {"endpoint": self.endpoint, "access.key": "key", "secret.key": "secret", "path.style.access": "true"}
        return {f"fs.s3a.{name}": value for name, value in known.items()}

    def put(self, folder: Path, below: str) -> str:
        """Copy a folder of this machine into the bucket, and return its address."""
        for path in folder.rglob("*"):
            if path.is_file():
                self.write(f"{below}/{path.relative_to(folder).as_posix()}", path.read_bytes())
        return f"s3a://{BUCKET}/{below}"

    def write(self, name: str, content: bytes) -> str:
        """Write one file, and return its address."""
        with self.files.open_output_stream(f"{BUCKET}/{name}", compression=None) as file:
            file.write(content)
        return f"s3a://{BUCKET}/{name}"

    def read(self, below: str) -> dict[str, bytes]:
        """Return the files below a folder of the bucket, by their paths there."""
        folder = f"{BUCKET}/{below}".rstrip("/")
        found = self.files.get_file_info(fs.FileSelector(folder, recursive=True, allow_not_found=True))
        paths = sorted(one.path for one in found if one.type == fs.FileType.File)
        return {path.removeprefix(f"{folder}/"): self.files.open_input_file(path).read() for path in paths}


@contextmanager
def run_s3() -> Iterator[S3Server]:
    """Run a server on a free port, with one empty bucket."""
    from moto.backends import get_backend
    from moto.server import ThreadedMotoServer

    # It prints each request otherwise.
    logging.getLogger("werkzeug").setLevel(logging.ERROR)
    server = ThreadedMotoServer(HOST, 0, verbose=False)
    server.start()
    try:
        _, port = server.get_host_and_port()
        endpoint = f"http://{HOST}:{port}"
        files = fs.S3FileSystem(
            access_key="key",
            secret_key="secret",
            endpoint_override=endpoint,
            region="us-east-1",
            allow_bucket_creation=True,
        )
        files.create_dir(BUCKET)
        yield S3Server(endpoint, files)
    finally:
        server.stop()
        # All servers of a process share its buckets.
        get_backend("s3").reset()
