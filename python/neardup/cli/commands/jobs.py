"""The commands that run a job over documents: dedup, cluster, pairs, passages and sketch."""

from typing import Any

import click

from neardup.cli.command import Command
from neardup.cli.options import inputs_argument, options_for


@click.command(cls=Command)
@inputs_argument
@options_for("dedup")
def dedup(**options: Any) -> None:
    """Keep one of every group of near-duplicates, and say why.

    INPUT is a file (.jsonl, .json, .csv, .tsv, .parquet, .arrow, .txt, .md, .html, .warc, .arc; most also .gz, .zst,
    .bz2, .xz or .lz4), a folder, a glob, an archive (.tar, .zip), an index, or - for JSON from stdin. A document is
    dropped only when it was compared with one that is kept.

    DIR receives kept/, decisions.parquet, run.json and report.html, and with --index index/.
    """
    from neardup.cli.job import run_job
    from neardup.jobs.dedup import dedup as verb

    run_job(verb, **options)


@click.command(cls=Command)
@inputs_argument
@options_for("cluster")
def cluster(**options: Any) -> None:
    """Group near-duplicates, with the leaders of each group.

    INPUT is read as in dedup; no document is removed. DIR receives clusters.parquet, run.json and report.html, with
    --forest forest.parquet, with --pairs pairs.parquet, and with --index index/.
    """
    from neardup.cli.job import run_job
    from neardup.jobs.cluster import cluster as verb

    run_job(verb, **options)


@click.command(cls=Command)
@inputs_argument
@options_for("pairs")
def pairs(**options: Any) -> None:
    """List every pair of near-duplicates, with exact counts.

    INPUT is read as in dedup. With --against, only pairs of an input with a reference document are listed: which
    training documents also are in a test set, say. DIR receives pairs.parquet, run.json and report.html, and with
    --passages passages.parquet.
    """
    from neardup.cli.job import run_job
    from neardup.jobs.pairs import find_pairs as verb

    run_job(verb, **options)


@click.command(cls=Command)
@inputs_argument
@options_for("passages")
def passages(**options: Any) -> None:
    """Find passages that occur in two places, and cut them.

    INPUT is read as in dedup. Every run of --tokens tokens that also occurs at an earlier place is found. Whole
    sentences or lines inside such a passage are cut; its first place stays in full. JSONL, CSV, Parquet, Arrow and text
    files are written again; for other files, --no-kept finds the passages only.

    DIR receives kept/, passages.parquet, repeated.parquet, removed.parquet, changed.parquet, run.json and report.html.
    """
    from neardup.cli.job import run_job
    from neardup.jobs.passages import find_passages

    run_job(find_passages, **options)


@click.command(cls=Command)
@inputs_argument
@options_for("sketch")
def sketch(**options: Any) -> None:
    """Write what a signature keeps of every document.

    INPUT is read as in dedup. Nothing is compared: of the scheme only tokens, features, the first signature and its
    seed matter here. DIR receives sketches.parquet and run.json. The values enter later runs in place of the texts, by
    --text-field values and schemes that begin with the unit given.
    """
    from neardup.cli.job import run_job
    from neardup.jobs.sketch import sketch as verb

    run_job(verb, **options)
