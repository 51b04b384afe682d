"""Code that the job commands share: run a verb, show progress, print the summary, choose the exit code."""

import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from os import fspath
from typing import TYPE_CHECKING, Any

import click

from neardup.cli.options import InputName, end_with
from neardup.cli.shown.progress import show_progress
from neardup.errors import Interrupted, UsageError
from neardup.options.values import STDOUT
from neardup.output.written import show_plain

if TYPE_CHECKING:
    from neardup.inputs.sources import Engine
    from neardup.results.finished import Finished


@contextmanager
def stopped_by_term() -> Iterator[None]:
    """Let SIGTERM stop the block as ^C does, so that a shutdown of the machine prints the advice on resuming, too."""
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def run_job(
    verb: Callable[..., "Finished"],
    inputs: tuple[str, ...],
    as_json: bool,
    quiet: bool,
    **options: Any,
) -> None:
    """Run a verb of the library over the inputs and end with code 0, or 3 when records were skipped.

    Unless `quiet`, a notice says beforehand what memory and disk a large run will take.
    """
    if "against" in options:
        options["against"] = [InputName(name) for name in options["against"]] or None
    context = click.get_current_context()
    options["command"] = " ".join([context.info_name or "", *inputs])
    try:
        shown = options.pop("progress")
        with stopped_by_term(), show_progress(quiet=quiet, progress=shown) as progress:
            if not quiet:
                options["notice"] = _print_notice
            with _open_engine(options.pop("engine", "local"), options.pop("master", None), options) as engine:
                if engine is not None:
                    options["engine"] = engine
                outcome = verb([InputName(name) for name in inputs], progress=progress, **options)
    except KeyboardInterrupt:
        # stdin cannot be read again, and no position in an index is stored
        if any(_is_unrepeatable(name) for name in (*inputs, *map(fspath, options.get("against") or ()))):
            raise
        raise Interrupted("the same command resumes from the last finished phase") from None
    streams = options["output"] == STDOUT
    if streams and shown == "json":
        from neardup.cli.shown.events import write_event

        if as_json or not quiet:
            write_event("summary", summary=outcome.summary)
    elif as_json:
        click.echo(outcome.json, err=streams)
    elif not quiet:
        from neardup.cli.shown.summary import print_summary

        print_summary(outcome, err=streams)
    # if bad records stop the job, a finished one has none: its summary need not be parsed
    if options["on_error"] == "skip":
        end_with(outcome.summary["counts"]["rejected"])


@contextmanager
def _open_engine(name: str, master: str | None, options: dict[str, Any]) -> Iterator["Engine | None"]:
    """Start the requested engine; None means this machine."""
    if name != "spark" and master is not None:
        raise UsageError("--master is Spark's: add --engine spark")
    if name == "local":
        yield None
        return
    if name == "ray":
        from neardup.ray import RayEngine
        from neardup.ray.engine import open_ray

        with open_ray(options.pop("threads", None)):
            yield RayEngine()
        return
    from neardup.spark import SparkEngine
    from neardup.spark.session.session import open_session, under_submit

    threads = options.pop("threads", None)
    if threads is not None and (master is not None or under_submit()):
        raise UsageError("--threads: Spark's master says how many cores a job has, as --master 'local[4]'")
    with open_session(master, threads) as session:
        yield SparkEngine(session)


def _print_notice(notice: str) -> None:
    """Print a sentence to stderr, above the progress bars: while they are shown, they replace `sys.stderr`."""
    click.echo(show_plain(notice), file=sys.stderr)


def _is_unrepeatable(name: str) -> bool:
    from neardup._core import Index

    return name == "-" or Index.exists_in(name)
