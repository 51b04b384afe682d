"""The pipeline over Spark: documents, passes one after another, and the tables of their findings."""

from dataclasses import replace
from functools import reduce
from typing import TYPE_CHECKING

from pyspark.sql import DataFrame
from pyspark.sql import functions as sf

from neardup import _core
from neardup.spark.frames.documents import Names
from neardup.spark.frames.rejects import (
    Others,
    check_records,
    count_others,
    find_repeated,
    note_lacking,
    reject_repeated,
)
from neardup.spark.passes import tasks
from neardup.spark.passes.components import connect
from neardup.spark.passes.one_pass import Pass
from neardup.spark.passes.passes import PassFindings, find, keep_signed, sign_documents
from neardup.spark.request import Request
from neardup.spark.results import tables
from neardup.spark.results.output import Keep, Output, write_kept
from neardup.spark.results.pages import add_pages
from neardup.spark.results.pairs import add_leaders, expand, find_drops, orient
from neardup.spark.results.results import SparkResult
from neardup.spark.results.signs import count_signs_only
from neardup.spark.results.summary import RunFindings, summarise
from neardup.spark.results.tables import Table

if TYPE_CHECKING:
    from neardup.spark.session.operations import SparkOperations


def run(engine: "SparkOperations", request: Request) -> SparkResult:
    """Run a request and return its result."""
    options = request.options
    if not options.get("output"):
        return _run(engine, request, None)
    output = Output(options["output"], overwrite=bool(options.get("overwrite")))
    output.clear()
    try:
        return _run(engine, request, output)
    finally:
        output.give_up()


def _run(engine: "SparkOperations", request: Request, output: Output | None) -> SparkResult:
    documents, passes, all_found = request.documents, request.passes(), list[PassFindings]()
    drops, pairs, rejects, notes = list[DataFrame](), list[DataFrame](), list[str](), list[str]()
    others = Others()
    for number, one in enumerate(passes):
        passes[number], signed = sign_documents(engine, documents, one, all_found[0].signed if all_found else None)
        if number == 0:
            rejects = check_records(engine, documents, signed, skip=request.skips)
            others = count_others(engine, documents, signed)
            notes = note_lacking(engine, documents, signed, request.sources, request.options)
            repeated = find_repeated(engine, documents, signed)
            if repeated is not None:
                rejects = reject_repeated(documents, repeated, rejects, skip=request.skips)
                documents = documents.without(repeated.select("number"))
                signed = keep_signed(engine, signed.join(repeated.select("number"), "number", "left_anti"))
        found = find(engine, documents, signed, passes[number])
        all_found.append(found)
        if request.lists:
            pairs.append(expand(found, documents, request.max_family, one.number))
        drops.append(engine.keep(find_drops(found, one.number)))
        documents = documents.without(drops[-1].select("number"))
    dropped = reduce(DataFrame.unionByName, drops)
    names = Names.of(request.documents, all_found[0].signed)
    with engine.watch.phase("write"):
        made = make_tables(engine, request, passes, all_found, names, dropped, pairs)
        own = next(iter(made))
        settled = {name: engine.settle(table.rows, table.order, table.columns) for name, table in made.items()}
        digest = digest_of(made[own].rows, own)
        result = SparkResult(settled, request)
        if output is not None:
            for name in result.made:
                output.write_table(engine, name, result.table(name))
            if request.writes_kept:
                keep = Keep(str(output.tree("kept")), request.documents.options)
                write_kept(engine, request.files, all_found[0].signed, dropped, rejects, keep)
            if rejects:
                output.write_text("rejects.jsonl", "".join(f"{reject}\n" for reject in rejects))
    with engine.watch.phase("report"):
        listed = engine.count(made["pairs"].rows) if pairs else None
        decides = request.verb != "pairs"
        signs_only = count_signs_only(engine, request.documents, passes, dropped) if decides else None
        times = engine.watch.times
        outcome = RunFindings(
            passes, all_found, names, made, listed, dropped, signs_only, rejects, others, notes, digest, times
        )
        result.summary = summarise(request, outcome)
        request.sources.check()
        if output is not None:
            output.write_text("run.json", result.summary)
            output.finish()
    return result


def make_tables(
    engine: "SparkOperations",
    request: Request,
    passes: list[Pass],
    all_found: list[PassFindings],
    names: Names,
    dropped: DataFrame,
    pairs: list[DataFrame],
) -> dict[str, Table]:
    """Make the tables of a result, the verb's own first."""
    documents, signed = request.documents, all_found[0].signed
    with_leaders = add_leaders(dropped, len(all_found))
    schemes = [_core.Scheme(one.options.core["scheme"]) for one in passes]
    rules = tables.Rules([scheme.verified for scheme in schemes], any(scheme.subjects[0] for scheme in schemes))
    made: dict[str, Table] = {}
    if request.verb == "dedup":
        made["decisions"] = tables.decisions(documents, names, signed, with_leaders, rules)
    if request.verb == "cluster":
        roots = connect(engine, all_links(all_found))
        made["clusters"] = tables.clusters(documents, names, signed, with_leaders, roots, len(passes))
    if pairs:
        made["pairs"] = tables.pairs(orient(reduce(DataFrame.unionByName, pairs), names), names, rules)
    ends = {"pairs": {"left_number": "left_", "right_number": "right_"}}
    made = {name: add_pages(table, ends.get(name, {"number": ""}), documents, signed) for name, table in made.items()}
    return {name: replace(table, rows=engine.keep(table.rows)) for name, table in made.items()}


def all_links(all_found: list[PassFindings]) -> DataFrame:
    """Return the links of documents that belong together: those that tasks found, and those of exact copies."""
    links = []
    for found in all_found:
        links.append(found.rows.where("kind = 'link'").select("left", "right"))
        links.append(found.members.select(sf.col("first.number").alias("left"), sf.col("number").alias("right")))
    return reduce(DataFrame.unionByName, links)


def digested(kind: str) -> list[str]:
    """Return the columns that the digest of a table includes; a rule is digested by its number."""
    columns = _core.result_tables()[kind]
    return ["rule_number" if name == "rule" else name for name, _, is_digested, _ in columns if is_digested]


def digest_of(rows: DataFrame, kind: str) -> str:
    """Return the digest of a table: its partitions are summed where they are, and the sums are merged here."""
    sums = rows.select(*digested(kind)).mapInArrow(tasks.sum_rows, "sum binary")
    return _core.digest_sums(kind, [row["sum"] for row in sums.collect()])
