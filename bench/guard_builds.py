"""The programs whose instructions are counted: of the working tree, and of another commit in a folder of its own."""

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
    """Why there is no program."""


def build(folder: Path, target: Path | None = None) -> Path:
    """Build the example of the sources in a folder, and return where the program is.

    Raises: BuildError with the end of what the compiler said.
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
    """Build the example at another commit, and return the hash of the commit and where the program is.

    It is today's example, so that both do the same work. Where the commit has other interfaces, it is the commit's own.
    What was built for `program` of other people's crates is not built again.

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
    lay(ROOT / EXAMPLE, source / EXAMPLE)
    try:
        return revision, build(source, target)
    except BuildError as error:
        if not own.exists():
            raise BuildError(f"{EXAMPLE} does not compile at {commit}, which has none itself:\n{error}") from None
    say(f"today's {EXAMPLE} does not compile at {commit}: its own is taken")
    lay(own, source / EXAMPLE)
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
    """Write the files of a commit to `source`, and its example, if it has one, to `own` as well."""
    archive = subprocess.run(["git", "archive", "--format=tar", revision], cwd=ROOT, capture_output=True, check=True)
    part = source.with_name("part")
    shutil.rmtree(part, ignore_errors=True)
    with tarfile.open(fileobj=io.BytesIO(archive.stdout)) as files:
        files.extractall(part, filter="data")
    if (part / EXAMPLE).exists():
        lay(part / EXAMPLE, own)
    # Only a whole one has the name.
    part.rename(source)


def seed(built: Path, target: Path) -> None:
    """Copy what cargo built of crates that are not ours, with its times, by which cargo knows that nothing changed.

    Ours go by other sources now; cargo looks at their times alone and would take them for those of this commit.
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


def lay(source: Path, target: Path) -> None:
    """Make the files of one folder those of another; what is equal keeps its time, so that it is not built again."""

    def read(folder: Path) -> dict[str, bytes]:
        return {path.name: path.read_bytes() for path in folder.iterdir()} if folder.exists() else {}

    wanted = read(source)
    if wanted == read(target):
        return
    shutil.rmtree(target, ignore_errors=True)
    target.mkdir(parents=True)
    for name, content in wanted.items():
        (target / name).write_bytes(content)
