"""Schemes tried on sets; each trial is stored in a file, so that an interrupted comparison resumes."""

import hashlib
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import neardup
from comparison.sets import Labelled


class Trials(NamedTuple):
    """The folder of the sets, and the folder that stores trials."""

    data: Path
    work: Path

    def evaluate(self, labelled: Labelled, scheme: str) -> dict[str, Any]:
        """Return the output of `neardup evaluate --json` for one scheme on one set, run in its own process."""
        return self.keep(labelled, scheme, lambda: self._evaluate(labelled, scheme))

    def keep(self, labelled: Labelled, what: str, make: Callable[[], dict[str, Any]]) -> dict[str, Any]:
        """Return the result that the same version stored for a set, or make and store it."""
        key = hashlib.sha256(f"{labelled} {what} {neardup.__version__}".encode()).hexdigest()[:16]
        path = self.work / f"{labelled.name}-{key}.json"
        if not path.exists():
            print(f"{labelled.name}: {what}", file=sys.stderr)
            aside = path.with_suffix(".part")
            aside.write_text(json.dumps(make()), encoding="utf-8")
            aside.replace(path)
        kept: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        return kept

    def truth(self, labelled: Labelled) -> Path:
        """Return the file of the labels."""
        return self.data / labelled.name / f"{labelled.truth}.jsonl.zst"

    def documents(self, labelled: Labelled) -> Path:
        """Return the file of the documents."""
        return self.data / labelled.name / "docs.jsonl.zst"

    def _evaluate(self, labelled: Labelled, scheme: str) -> dict[str, Any]:
        command = [sys.executable, "-m", "neardup", "evaluate", self.truth(labelled), self.documents(labelled)]
        command += ["--scheme", scheme, "--json", "--quiet"]
        for name, value in labelled.options.items():
            option = f"--{name.replace('_', '-')}"
            command += [option] if value is True else [option, value]
        done = subprocess.run(list(map(str, command)), capture_output=True, encoding="utf-8", check=False)
        if done.returncode:
            raise SystemExit(f"{labelled.name}, {scheme}\n{done.stderr}")
        evaluation: dict[str, Any] = json.loads(done.stdout)
        return evaluation
