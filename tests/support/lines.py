"""One command line for each command, with every argument and option that takes a file or a folder."""

from collections.abc import Iterator
from pathlib import Path

import click

from command import run_neardup
from neardup import Gate
from neardup.cli import program
from neardup.review import Review
from records import write_records

LINES = [
    "cluster DOCS -o OUT --against DOCS",
    "dedup DOCS -o OUT --against DOCS",
    "evaluate LABELS DOCS -o OUT",
    "evidence RUN DOCS -o OUT --against DOCS",
    "explain TEXT TEXT",
    "explain d0 d1 --in DOCS",
    "fold DOCS",
    "gate admit INDEX DOCS",
    "gate check INDEX DOCS",
    "gate create OUT DOCS",
    "gate expire INDEX",
    "gate rebuild INDEX",
    "gate remove INDEX --from NAMES",
    "gate serve INDEX --tokens TOKENS",
    "gate status INDEX",
    "index add INDEX DOCS",
    "index clusters INDEX -o OUT",
    "index compact INDEX",
    "index create OUT DOCS",
    "index documents INDEX -o OUT",
    "index expire INDEX",
    "index info INDEX",
    "index query INDEX --file TEXT",
    "index remove INDEX --from NAMES",
    "index repair INDEX",
    "index show INDEX d1",
    "index verify INDEX",
    "lexicon DOCS -o OUT",
    "mirrors DOCS -o OUT --url-field url --addresses ADDRESSES",
    "pairs DOCS -o OUT --against DOCS",
    "passages DOCS -o OUT --against DOCS",
    "recluster RUN --threshold 0.9 -o OUT",
    "review draw REVIEW DOCS",
    "review estimate REVIEW",
    "review export REVIEW",
    "review label REVIEW --who kim",
    "review new OUT DOCS --id-field id",
    "schemes",
    "serve INDEX --tokens TOKENS",
    "sketch DOCS -o OUT --scheme SCHEME",
    "sweep add STORE DOCS --date 2024 --url-field url",
    "sweep changes STORE -o PAGE",
    "sweep contacts STORE TEXT",
    "sweep history STORE http://a.example/1",
    "sweep list STORE",
    "sweep locate STORE http://a.example/1",
    "sweep remove STORE 2023",
    "sweep stats STORE -o OUT",
    "urls DOCS -o OUT --url-field url",
]
"""Each command with every argument and option that takes a file or a folder; those are in capitals."""

NO_FILES = {
    *("threshold", "thresholds", "recall", "scheme", "schemes", "parts_scheme", "prefer", "master", "memory", "at"),
    *("text_field", "html_field", "id_field", "url_field", "time_field", "margin", "ids", "id", "clusters", "measures"),
    *("keep", "group_field", *(f"against_{role}_field" for role in ("text", "html", "id", "time"))),
    *("peers", "url", "ttl", "first_pages", "drop_parameter", "keep_parameter", "host", "names", "date", "add_fields"),
    *("csv", "encoding", "include", "exclude"),
    *("floor", "width", "precision", "labels", "who", "store", "schema"),
    *("since", "until", "start", "end", "kinds"),
    # a folder that only runs on Spark read
    "past",
}
"""Arguments and options that name no file."""

TEXT = "a lamp by the quay burns all night long, and nobody knows who lights it, says number"
SCHEME = "words | shingles:5 | minhash:96 | bands:16x6 | equal"


def commands(command: click.Command, name: str = "") -> Iterator[tuple[str, click.Command]]:
    """Yield every command without subcommands, with its name."""
    if not isinstance(command, click.Group):
        yield name, command
        return
    context = click.Context(command)
    for part in command.list_commands(context):
        yield from commands(command.get_command(context, part) or command, f"{name} {part}".strip())


FOLDERS = {"INDEX", "REVIEW", "RUN", "STORE"}
COMMANDS = dict(commands(program))


def make(folder: Path) -> dict[str, str]:
    """Make the files and folders that commands read; return their paths by their names in the lines."""
    folder.mkdir()
    rows = [{"id": f"d{at}", "text": f"{TEXT} {at % 2}", "url": f"http://a.example/{at}"} for at in range(4)]
    docs = write_records(folder / "docs.jsonl", rows)
    gate, run, store = folder / "gate", folder / "run", folder / "store"
    with Gate.open(gate) as opened:
        opened.admit_all([row["text"] for row in rows])
    run_neardup("pairs", docs, "-o", run, "--id-field", "id")
    run_neardup("sweep", "add", store, docs, "--date", 2023, "--url-field", "url")
    # a pair of each stratum, so that more can be drawn
    Review.create(folder / "review", docs, id_field="id", each=1)
    write_records(folder / "labels.jsonl", [{"a": "d0", "b": "d2", "label": 1}])
    (folder / "addresses.csv").write_text("host,address\na.example,127.0.0.1\n", encoding="utf-8")
    (folder / "names.txt").write_text("#1\n", encoding="utf-8")
    (folder / "tokens.txt").write_text("read somebody 0123456789abcdef\n", encoding="utf-8")
    names = {"DOCS": docs, "INDEX": gate, "RUN": run, "STORE": store, "LABELS": folder / "labels.jsonl", "TEXT": docs}
    names |= {"ADDRESSES": folder / "addresses.csv", "NAMES": folder / "names.txt", "TOKENS": folder / "tokens.txt"}
    names |= {"REVIEW": folder / "review", "PAGE": folder / "page.html"}
    return {name: str(path) for name, path in names.items()} | {"OUT": str(folder / "out"), "SCHEME": SCHEME}


def put_in_place(line: str, made: dict[str, str]) -> list[str]:
    return [made.get(word, word) for word in line.split()]
