"""The command line: each command parses, calls one verb of the library, and prints."""

import gc
import sys

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
        serve="serve",
    ),
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="""Exit codes: 0 done; 1 an error in the data, files or environment; 2 a wrong command line, option value or
    scheme; 3 done, but some records were skipped; 130 interrupted, by ^C or SIGTERM: dedup, cluster, pairs, passages,
    sketch and evidence over files resume where they were when they are given again.""",
)
@click.version_option(package_name="neardup", message="%(prog)s %(version)s")
def program() -> None:
    """Find, group, explain and remove near-duplicate documents."""


def main() -> None:
    """Run the command line and end the process with its exit code."""
    try:
        code = program.main(prog_name="neardup", standalone_mode=False)
    except click.ClickException as error:
        vars(error)["message"] = show_plain(shorten(error.message))
        error.show()
        sys.exit(error.exit_code)
    except NeardupError as error:
        # the line break ends the line on which a terminal shows ^C; for the `Abort` below, click prints it
        label = "\ninterrupted" if isinstance(error, Interrupted) else "error"
        click.echo(show_plain(f"{label}: {shorten(str(error))}"), err=True)
        sys.exit(error.exit_code)
    except (click.Abort, KeyboardInterrupt):
        click.echo("interrupted: the same command starts anew", err=True)
        sys.exit(Interrupted.exit_code)
    except UnicodeEncodeError as error:
        # Python decodes bytes of an argument that are not UTF-8 to lone surrogates, which the core rejects
        if error.encoding != "utf-8":
            raise
        click.echo(f"error: {error.object[:60]!r} is not UTF-8", err=True)
        sys.exit(2)
    except BrokenPipeError:
        # the reader of the output closed the pipe; the flush at exit must not fail either
        sys.stdout = None
        sys.exit(0)
    except OSError as error:
        # stdout cannot be written, as on a full disk; the files of a job raise errors of their own
        sys.stdout = None
        click.echo(show_plain(f"error: {error}"), err=True)
        sys.exit(1)
    # the garbage collection at exit would scan all loaded modules, which takes several milliseconds
    gc.freeze()
    sys.exit(code if isinstance(code, int) else 0)
