"""Run the golden run with an installed wheel, through the library and through the command."""

import json
import platform
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import neardup
from neardup.cli import program

GOLDEN = Path(__file__).parent.parent / "tests" / "golden"
DOCS = GOLDEN / "docs.jsonl"


def main() -> None:
    """Compare the digests with the expected ones; end with an error if any differs."""
    expected = json.loads((GOLDEN / "expected.json").read_text(encoding="utf-8"))
    verbs: dict[str, Callable[..., Any]]
    verbs = {"dedup": neardup.dedup, "cluster": neardup.cluster, "pairs": neardup.find_pairs}
    by_library = {name: verb(str(DOCS), id_field="id", time_field="created").digest for name, verb in verbs.items()}
    by_command = {name: digest_by_command(name) for name in verbs}
    if not by_library == by_command == expected["digests"]:
        sys.exit(f"digests differ: library {by_library}, command {by_command}, expected {expected['digests']}")
    home = Path(neardup.__file__).parent
    print(f"neardup {neardup.__version__} of {home} on {platform.machine()}: the golden run is as it must be")


def digest_by_command(name: str) -> str:
    """Run a command over the golden documents, and return the digest in its run.json."""
    with tempfile.TemporaryDirectory() as folder:
        # It runs in this process: an emulated machine cannot start another process.
        command = [name, str(DOCS), "--id-field", "id", "--time-field", "created", "-o", folder + "/out", "--quiet"]
        program.main(command, prog_name="neardup", standalone_mode=False)
        return str(json.loads(Path(folder, "out", "run.json").read_text(encoding="utf-8"))["digest"])


if __name__ == "__main__":
    main()
