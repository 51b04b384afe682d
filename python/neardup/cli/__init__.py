"""The command line: each command parses, calls one verb of the library, and prints."""

import gc
import sys
from typing import NoReturn

import click

from neardup.cli.command import Commands
from neardup.errors import Interrupted, NeardupError
from neardup.output.written import shorten, show_plain


@click.group(
    commands=Commands(
        "neardup.cli.commands",
        jobs="dedup cluster pairs passages sketch",
        lexicon="lexicon",
        finished="recluster evidence",
        texts="explain fold",
        schemes="schemes evaluate",
        urls="urls mirrors",
        sweep="sweep",
        index="index",
        gate="gate",
        review="review",
        serve="serve",
    ),
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="""Exit codes: 0 done; 1 an error in the data, files or environment; 2 a wrong command line, option value or
    scheme; 3 done, but some records were skipped; 4 gate admit and gate check: done, and some documents are duplicates;
    130 interrupted, by ^C or SIGTERM: dedup, cluster, pairs, passages, sketch and evidence over files resume where they
    were when they are given again.""",
)
@click.version_option(package_name="neardup", message="%(prog)s %(version)s")
def program() -> None:
    """Find, group, explain and remove near-duplicate documents."""


def main() -> None:
    """Run the command line and end the process with its exit code."""
    if any(word.startswith("--progress") for word in sys.argv):
        from neardup.cli.shown.events import are_asked_for, only_events

        if are_asked_for(sys.argv[1:]):
            with only_events():
                _run()
    _run()


def _run() -> NoReturn:
    try:
        code = program.main(prog_name="neardup", standalone_mode=False)
    except click.ClickException as error:
        vars(error)["message"] = show_plain(shorten(error.message))
        if _writes_events():
            _print_error(error.format_message())
        else:
            error.show()
        sys.exit(error.exit_code)
    except NeardupError as error:
        # the line break ends the line on which a terminal shows ^C; for the `Abort` below, click prints it
        _print_error(shorten(str(error)), "\ninterrupted" if isinstance(error, Interrupted) else "error")
        sys.exit(error.exit_code)
    except (click.Abort, KeyboardInterrupt):
        _print_error("the same command starts anew", "interrupted")
        sys.exit(Interrupted.exit_code)
    except UnicodeEncodeError as error:
        # Python decodes bytes of an argument that are not UTF-8 to lone surrogates, which the core rejects
        if error.encoding != "utf-8":
            raise
        _print_error(f"{error.object[:60]!r} is not UTF-8")
        sys.exit(2)
    except BrokenPipeError:
        # the reader of the output closed the pipe; the flush at exit must not fail either
        sys.stdout = None
        sys.exit(0)
    except OSError as error:
        # stdout cannot be written, as on a full disk; the files of a job raise errors of their own
        sys.stdout = None
        _print_error(str(error))
        sys.exit(1)
    # the garbage collection at exit would scan all loaded modules, which takes several milliseconds
    gc.freeze()
    sys.exit(code if isinstance(code, int) else 0)


def _writes_events() -> bool:
    # a command without events does not import them
    events = sys.modules.get("neardup.cli.shown.events")
    return events is not None and events.are_written()


def _print_error(message: str, label: str = "error") -> None:
    """Print an error to stderr, as an event if these are asked for."""
    if _writes_events():
        from neardup.cli.shown.events import write_event

        # the name of the event is the label of an error
        write_event("error", message=show_plain(message if label == "error" else f"{label.lstrip()}: {message}"))
    else:
        click.echo(show_plain(f"{label}: {message}"), err=True)
