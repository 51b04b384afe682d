"""A process that runs commands one after another: command_runner.py LINES.json.

It replaces the command lines in the file by their exit codes and error messages.
"""

import json
import sys
from pathlib import Path
from unittest.mock import patch

from command import call_neardup
from neardup import EnvironmentFault, NeardupError
from neardup.review import Review


def run_commands(scratch: Path) -> None:
    """Run the commands listed in the file, and write their results to it."""
    done = []
    # a command that reaches `listen` has refused nothing
    with patch("neardup.service.server.listen", side_effect=EnvironmentFault("it serves")):
        for words in json.loads(scratch.read_text(encoding="utf-8")):
            if words[0] == "open-review":
                done.append(read_review(Path(words[1])))
            else:
                command = call_neardup(*words)
                done.append((command.returncode, command.stderr))
    scratch.write_text(json.dumps(done), encoding="utf-8")


def read_review(folder: Path) -> tuple[int, str]:
    try:
        Review.open(folder).table()
    except NeardupError as error:
        return error.exit_code, str(error)
    return 0, ""


if __name__ == "__main__":
    run_commands(Path(sys.argv[1]))
