"""Build the programs whose instructions are counted: from the working tree, and from a commit in its own folder."""

import io
import json
import os
import shutil
import subprocess
import tarfile
from pathlib import Path

from table import say

ROOT = Path(__file__).resolve().parent.parent
CACHE = ROOT / ".cache" / "guard"
EXAMPLE = Path("crates/neardup-engine/examples/guard")
BUILD = ["cargo", "build", "--release", "--locked", "--workspace", "--example", "guard"]


class BuildError(Exception):
    """A program could not be built; the message says why."""


def build(folder: Path, target: Path | None = None) -> Path:
    """Build the example from the sources in a folder, and return the path of the program.

    Raises: BuildError with the last lines of the compiler's output.
    """
    environment = dict(os.environ) if target is None else {**os.environ, "CARGO_TARGET_DIR": str(target)}
    command = [*BUILD, "--message-format=json-render-diagnostics"]
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)
    if done.returncode:
        raise BuildError("\n".join(done.stderr.splitlines()[-40:]))
    messages = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
    programs = [message["executable"] for message in messages if message.get("executable")]
    return Path(programs[-1])


def build_commit(commit: str, program: Path) -> tuple[str, Path]:
    """Build the example at another commit, and return the hash of the commit and the path of the program.

    The example is that of the working tree, so that both programs do the same work. If it does not compile with the
    interfaces of the commit, the commit's own example is built. Third-party crates that were built for `program` are
    not built again.

    Raises: BuildError if there is no such commit, or neither example compiles there.
    """
    revision = resolve(commit)
    folder = CACHE / revision[:12]
    source, target, own = folder / "source", folder / "target", folder / "own-example"
    if not source.exists():
        export(revision, source, own)
    if not target.exists():
        seed(program.resolve().parents[1], target / "release")
    say(f"building {revision[:12]} in {folder.relative_to(ROOT)}")
    mirror(ROOT / EXAMPLE, source / EXAMPLE)
    try:
        return revision, build(source, target)
    except BuildError as error:
        if not own.exists():
            raise BuildError(f"{EXAMPLE} does not compile at {commit}, which has none itself:\n{error}") from None
    say(f"today's {EXAMPLE} does not compile at {commit}: its own is taken")
    mirror(own, source / EXAMPLE)
    try:
        return revision, build(source, target)
    except BuildError as error:
        raise BuildError(f"neither today's {EXAMPLE} nor its own compiles at {commit}:\n{error}") from None


def resolve(commit: str) -> str:
    """Return the hash of a commit.

    Raises: BuildError if there is no such commit.
    """
    command = ["git", "rev-parse", "--verify", "--quiet", "--end-of-options", f"{commit}^{{commit}}"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    if done.returncode:
        raise BuildError(f"no commit `{commit}` is known here")
    return done.stdout.strip()


def export(revision: str, source: Path, own: Path) -> None:
    """Write the files of a commit to `source`, and also its example, if it has one, to `own`."""
    archive = subprocess.run(["git", "archive", "--format=tar", revision], cwd=ROOT, capture_output=True, check=True)
    part = source.with_name("part")
    shutil.rmtree(part, ignore_errors=True)
    with tarfile.open(fileobj=io.BytesIO(archive.stdout)) as files:
        files.extractall(part, filter="data")
    if (part / EXAMPLE).exists():
        mirror(part / EXAMPLE, own)
    # Only a complete export has the final name.
    part.rename(source)


def seed(built: Path, target: Path) -> None:
    """Copy the third-party crates that cargo built, with their times, by which cargo recognises that nothing changed.

    The crates of this project have other sources at this commit. They are not copied: cargo compares only times, and
    would take them for builds of this commit.
    """
    part = target.parent.with_name("part-target")
    shutil.rmtree(part, ignore_errors=True)
    for name in ("build", "deps", ".fingerprint"):
        if (built / name).exists():
            shutil.copytree(
                built / name, part / target.name / name, ignore=shutil.ignore_patterns("*neardup*", "guard*")
            )
    if part.exists():
        part.rename(target.parent)


def mirror(source: Path, target: Path) -> None:
    """Make the files of `target` equal to those of `source`; if they already are, they keep their times, for cargo."""

    def read(folder: Path) -> dict[str, bytes]:
        return {path.name: path.read_bytes() for path in folder.iterdir()} if folder.exists() else {}

    wanted = read(source)
    if wanted == read(target):
        return
    shutil.rmtree(target, ignore_errors=True)
    target.mkdir(parents=True)
    for name, content in wanted.items():
        (target / name).write_bytes(content)
