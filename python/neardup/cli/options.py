"""Options that several commands share."""

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import click

from neardup.limits import MOST_THREADS
from neardup.policy import POLICIES

F = TypeVar("F", bound=Callable[..., Any])


def give_options(command: F, options: Sequence[Callable[[F], F]]) -> F:
    """Give a command some options; --help shows them in this order."""
    for option in reversed(options):
        command = option(command)
    return command


def job_options(command: F) -> F:
    """Give a command the options of every job."""
    return give_options(command, _JOB)


def scheme_options(command: F) -> F:
    """Give a command the options that choose a scheme."""
    return give_options(command, _SCHEME)


def sketch_options(command: F) -> F:
    """Give a command the options of signing alone."""
    return give_options(command, _SKETCH)


def passages_options(command: F) -> F:
    """Give a command the options of finding repeated passages."""
    return give_options(command, _PASSAGES)


def lexicon_options(command: F) -> F:
    """Give a command the options of counting terms."""
    return give_options(command, _LEXICON)


threshold_option = click.option(
    "--threshold",
    metavar="NUMBER",
    help="Resemblance from which two documents are near-duplicates: above 0, up to 1; replaces that of a named scheme."
    "  [default: 0.8]",
)
recall_option = click.option(
    "--recall",
    metavar="NUMBER|exact",
    help="Probability of finding a pair exactly at the threshold, or 'exact' to find every pair.  [default: 0.99]",
)
scheme_option = click.option(
    "--scheme",
    metavar="LINE",
    help="A whole scheme line, which states its own threshold, or the name of a profile or a classic.",
)

inputs_argument = click.argument("inputs", nargs=-1, required=True, metavar="INPUT...")
text_field_option = click.option("--text-field", metavar="NAME", help="Field with the text.  [default: text]")
html_field_option = click.option(
    "--html-field", metavar="NAME", help="Field with HTML, from which the text is taken instead."
)
main_content_option = click.option(
    "--main-content", is_flag=True, help="Take the main content of HTML only, without navigation and the like."
)
quoted_tsv_option = click.option(
    "--quoted-tsv", is_flag=True, help="Fields of TSV may be in double quotes, as those of CSV."
)
threads_option = click.option(
    "--threads", type=click.IntRange(1, MOST_THREADS), help="Worker threads.  [default: the cores there are]"
)
memory_option = click.option(
    "--memory", metavar="SIZE", help="Bound for the run, as 512M or 4G.  [default: half of what there is]"
)
id_field_option = click.option(
    "--id-field", metavar="NAME", help="Field with the id.  [default: none; an id is source and row]"
)
url_field_option = click.option("--url-field", metavar="NAME", help="Field with the URL.")
time_field_option = click.option(
    "--time-field", metavar="NAME", help="Field with the time: RFC 3339, YYYY[-MM[-DD]] or integer Unix seconds."
)
overwrite_option = click.option("--overwrite", is_flag=True, help="Replace a result that stands in the output folder.")
json_option = click.option(
    "--json", "as_json", is_flag=True, help="Print the summary as JSON (the content of run.json)."
)
quiet_option = click.option("--quiet", is_flag=True, help="Print nothing but errors and, with --json, the summary.")
index_option = click.option(
    "--index",
    is_flag=True,
    help="Leave all documents as an index, too: DIR/index, for neardup index. For --keep first or earliest.",
)

output_option = click.option(
    "-o",
    "--output",
    metavar="DIR",
    required=True,
    type=click.Path(file_okay=False),
    help="Folder for the results; it appears when all of them are complete.",
)


def on_error_option(record: str = "record", then: str = "list it in rejects.jsonl") -> Callable[[F], F]:
    """Give the option of what happens to a record that cannot be used."""
    return click.option(
        "--on-error",
        type=click.Choice(["stop", "skip"]),
        default="stop",
        show_default=True,
        help=f"At a {record} that cannot be used: stop, or skip it, {then} and end with code 3.",
    )


_TEXT = [text_field_option, html_field_option, main_content_option, quoted_tsv_option]
_RUN = [threads_option, memory_option, on_error_option(), overwrite_option, json_option, quiet_option]

_SCHEME = [threshold_option, recall_option, scheme_option]

_JOB = [
    inputs_argument,
    output_option,
    *_SCHEME,
    click.option(
        "--keep",
        type=click.Choice(POLICIES),
        help="Which of several is the original.  [default: earliest with --time-field, else first]",
    ),
    click.option(
        "--prefer",
        metavar="FIELD=VALUE,...",
        help="Values of a field, best first; a better value is kept before --keep is asked.",
    ),
    click.option(
        "--against",
        metavar="PATH",
        multiple=True,
        help="Reference documents or an index to compare with: never dropped, never written. May be repeated.",
    ),
    *_TEXT,
    id_field_option,
    url_field_option,
    time_field_option,
    click.option(
        "--engine",
        type=click.Choice(["local", "spark"]),
        default="local",
        show_default=True,
        help="What runs the job: this machine, or Spark, whose executors see INPUT and DIR by the same paths.",
    ),
    click.option(
        "--master", metavar="URL", help="Spark's master.  [default: spark-submit's, else the cores of this machine]"
    ),
    *_RUN,
]

_SKETCH = [
    inputs_argument,
    output_option,
    click.option(
        "--scheme",
        metavar="LINE",
        required=True,
        help="A whole scheme line, or the name of a classic: its first signature is kept.",
    ),
    *_TEXT,
    id_field_option,
    *_RUN,
]

_PASSAGES = [inputs_argument, output_option, *_TEXT, id_field_option, *_RUN]

_LEXICON = [
    inputs_argument,
    click.option(
        "-o",
        "--output",
        metavar="FILE",
        required=True,
        type=click.Path(),
        help="The lexicon, a Parquet file; it appears when it is complete.",
    ),
    click.option(
        "--scheme", metavar="LINE", help="The scheme that is to look terms up.  [default: one of all words, by terms]"
    ),
    *_TEXT,
    threads_option,
    memory_option,
    on_error_option(then="count it"),
    click.option("--overwrite", is_flag=True, help="Replace a file that is there already."),
    click.option("--json", "as_json", is_flag=True, help="Print what was counted as JSON."),
    click.option("--quiet", is_flag=True, help="Print nothing but errors and, with --json, what was counted."),
]
