"""Clusters: components of the pairs that match, and the leader groups in each."""

from collections.abc import Sequence
from os import PathLike
from typing import Literal

from neardup._core import Scheme
from neardup.allowed import allow
from neardup.inputs.sources import Engine, Inputs, gather
from neardup.jobs.run import run_verb
from neardup.options.values import NoticeCallback, ProgressCallback, References, given, output_of
from neardup.results.outcomes import Clustering
from neardup.schemes.number import Number


@allow
def cluster(
    inputs: Inputs,
    *,
    output: str | PathLike[str] | None = None,
    threshold: Number | None = None,
    recall: Number | None = None,
    scheme: str | Scheme | None = None,
    keep: Literal["earliest", "first", "latest", "longest", "shortest"] | str | None = None,
    prefer: Sequence[str | tuple[str, list[str]]] | str | tuple[str, list[str]] | None = None,
    against: References | None = None,
    against_text_field: str | None = None,
    against_html_field: str | None = None,
    against_id_field: str | None = None,
    against_time_field: str | None = None,
    only_against: bool = False,
    group_field: str | None = None,
    groups: Literal["within", "across"] | None = None,
    min_tokens: int | None = None,
    text_field: str | None = None,
    html_field: str | None = None,
    main_content: bool = False,
    extractor: Literal["auto", "resiliparse", "trafilatura"] | None = None,
    quoted_tsv: bool = False,
    csv: str | None = None,
    encoding: str | None = None,
    include: Sequence[str] = (),
    exclude: Sequence[str] = (),
    id_field: str | None = None,
    url_field: str | None = None,
    time_field: str | None = None,
    time_unit: Literal["s", "ms", "us", "ns"] = "s",
    on_error: Literal["stop", "skip"] = "stop",
    max_family: int = 10000,
    forest: bool = False,
    pairs: bool = False,
    index: bool = False,
    threads: int | None = None,
    memory: int | str | None = None,
    engine: Engine | None = None,
    overwrite: bool = False,
    progress: ProgressCallback | None = None,
    notice: NoticeCallback | None = None,
    command: str | None = None,
) -> Clustering:
    """Group documents into components of the pairs that meet the measure, each with its leader groups.

    Args:
        inputs: As for `dedup`.
        output: Folder for the results; it appears when all of them are complete. For dedup also -, which writes the
            kept records, and nothing else, to the standard output. By default results stay in memory.
        threshold: Resemblance from which two documents are near-duplicates: above 0, up to 1; replaces that of a named
            scheme. At 1, signs are compared too, if no scheme is named. By default 0.8.
        recall: Probability of finding a pair exactly at the threshold, or 'exact' to find every pair. By default 0.99.
        scheme: A whole scheme line, which states its own threshold, or the name of a profile or a classic.
        keep: Which document of a group is the original: earliest, first, latest, longest, shortest, or the one with the
            greatest or least number in a field, highest:FIELD or lowest:FIELD. By default earliest with `time_field`,
            else first.
        prefer: Values of a field, best first; a better value decides before `keep`. FIELD^=VALUE is a value by its
            beginning; of several fields the first decides first.
        against: Reference documents or an index to compare with: never dropped, never written.
        against_text_field: Field with the text of a reference. By default that of the input, `text_field`.
        against_html_field: Field with the HTML of a reference. By default that of the input, `html_field`.
        against_id_field: Field with the id of a reference. By default that of the input, `id_field`.
        against_time_field: Field with the time of a reference. By default that of the input, `time_field`.
        only_against: Only what meets the reference counts: repeats inside the input are left alone.
        group_field: Field with the group of a document, as its user or its site; the summary counts every group.
        groups: Which pairs count by `group_field`: within one group, or across groups. By default all pairs.
        min_tokens: Documents of fewer tokens are kept, compared with nothing, and counted. By default none.
        text_field: Field with the text. By default text.
        html_field: Field with HTML, from which the text is taken instead.
        main_content: Take the main content of HTML only, without navigation and the like.
        extractor: What takes the main content: auto, by the structure of the page; resiliparse; or trafilatura. By
            default auto; in an index or a store the one that it was made with.
        quoted_tsv: Fields of TSV may be in double quotes, as those of CSV.
        csv: How CSV and TSV are written: delimiter=CHARACTER (or tab), quotes=yes|no, or both with a space between. By
            default found out: , ; tab or |.
        encoding: Encoding of text files without a byte order mark, such as windows-1251 or shift_jis; detect guesses
            it. By default utf-8.
        include: Read only files that match a pattern, by name or by path below the folder: '*.jsonl', 'a/**'.
        exclude: Do not read files that match a pattern, by name or by path below the folder.
        id_field: Field with the id. By default none; an id is source and row.
        url_field: Field with the URL.
        time_field: Field with the time: a date-time, a date or a number of Unix seconds.
        time_unit: Unit of times that are numbers, counted from 1970.
        on_error: At a record that cannot be used: stop, or skip it and list it in rejects.jsonl.
        max_family: Largest group of equal documents, or of one key, whose pairs are all listed or compared.
        forest: Write what neardup recluster needs for every higher threshold, too: forest.parquet, and thresholds to
            choose in report.html.
        pairs: List every pair, too: pairs.parquet.
        index: Write an index of all documents, too, in the folder index of the output.
        threads: Worker threads; results do not depend on them. By default the cores there are.
        memory: Memory of a run, in bytes or as 512M or 4G; results do not depend on it. By default half of what there
            is.
        engine: What runs the job: a `SparkEngine` or a `RayEngine`. By default this machine, or the session of a Spark
            DataFrame.
        overwrite: Replace a result that is already in the output folder.
        progress: A function `progress(phase, done, total, documents)`, called about ten times a second and at the end.
        notice: A function, called with a sentence on the memory and disk that a run of more than 32 MB will take.
        command: How the run was started, as run.json and the report show it.

    Returns:
        The clusters, and the forest and the pairs if they were requested.

    Raises:
        UsageError: An option or its value is not allowed.
        DataError: A record cannot be used.
        EnvironmentFault: A file cannot be read or written.

    Example:
        >>> text = "the quay was empty when the last ferry left for the islands that night"
        >>> neardup.cluster([text, "another text", text.upper()]).clusters.column("cluster")
        ['1:1', '1:2', '1:1']
    """
    options = given("cluster", locals())
    return Clustering(run_verb("cluster", gather(inputs, options, is_read_once=True), options), output_of(options))
