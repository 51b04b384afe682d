"""Runs over files of an object store have the results of one machine over copies of them."""

import gzip
import json
import pickle
from collections.abc import Iterator
from contextlib import nullcontext
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from test_spark import ALL, DOCS, rows_of

import neardup
from command import Cli
from neardup import DataError, EnvironmentFault, UsageError
from neardup.remote.heads import HEAD
from neardup.remote.place import Place
from neardup.remote.stubs import StubTree
from neardup.spark import SparkEngine
from neardup.spark.session.remote_steps import RemoteSteps
from s3_server import HOST, S3Server, run_s3

pytestmark = pytest.mark.spark

HOME = 150_000
"""Bytes of a task: the large file is read by several."""
LARGE = 2
"""Number of times that the large file has the texts of `ALL`, each time with other words."""
WEIGHTED = "words | terms:0.1,0.9 weight=idf:corpus | lexicons:4 | each | equal & resemblance>=0.7"
"""A pass that counts terms, so that the driver writes a table, too."""
SKIP: dict[str, Any] = {"id_field": "id", "on_error": "skip"}


@pytest.fixture(scope="module")
def server() -> Iterator[S3Server]:
    with run_s3() as server:
        yield server


@pytest.fixture
def engine(spark: Any, server: S3Server, monkeypatch: pytest.MonkeyPatch) -> Iterator[SparkEngine]:
    """The engine of a session that knows the server."""
    monkeypatch.setattr("neardup.spread.run.HOME", HOME)
    for name, value in server.settings.items():
        spark.conf.set(name, value)
    yield SparkEngine(spark)
    for name in server.settings:
        spark.conf.unset(name)


@pytest.fixture(scope="module")
def docs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of files of several kinds, with records that cannot be used."""
    folder = tmp_path_factory.mktemp("remote") / "in"
    (folder / "year=2024").mkdir(parents=True)
    lines = [
        json.dumps({"id": f"{turn}/{number}", "text": f"{doc.text} {turn} {number // 2}"}, ensure_ascii=False)
        for turn in range(LARGE)
        for number, doc in enumerate(ALL)
    ]
    text = "\n".join([*lines[:50], '{"id": "bad"', *lines[50:], '{"id": "no text"}'])
    (folder / "large.jsonl").write_text(text, encoding="utf-8")
    assert len(text.encode()) > HEAD + 2 * HOME
    packed = "".join(f"{line}\n" for line in lines[5:40]).replace('"id": "0', '"id": "gz')
    (folder / "year=2024" / "packed.jsonl.gz").write_bytes(gzip.compress(packed.encode(), mtime=0))
    table = pa.table({"id": [f"row {at}" for at in range(len(DOCS))], "text": [doc.text for doc in DOCS]})
    pq.write_table(table, folder / "rows.parquet")
    (folder / ".hidden.jsonl").write_text("{}", encoding="utf-8")
    (folder / "other.bin").write_bytes(b"\0")
    return folder


@pytest.fixture(scope="module")
def whole(docs: Path, tmp_path_factory: pytest.TempPathFactory) -> Any:
    """The result of one machine."""
    return neardup.dedup(str(docs), output=tmp_path_factory.mktemp("whole") / "out", **SKIP)


def compare(spread: Any, local: Any, found: dict[str, bytes]) -> None:
    """Check that a result has the digest, the tables and the files of that of one machine."""
    assert spread.digest == local.digest
    assert rows_of(spread.decisions) == rows_of(local.decisions)
    assert spread.summary["counts"] | {"thin_samples": 0} == local.summary["counts"] | {"thin_samples": 0}
    assert spread.summary["inputs"] == local.summary["inputs"]
    assert json.loads(found["run.json"])["digest"] == local.digest
    for path in (local.output / "kept").rglob("*"):
        if path.is_file():
            name = path.relative_to(local.output).as_posix()
            parts = [content for part, content in found.items() if part == name or part.startswith(f"{name}/")]
            if name.endswith("large.jsonl"):
                assert len(parts) > 2
            assert b"".join(parts) == path.read_bytes(), name
    rejects = b"".join(content for name, content in found.items() if name.startswith("rejects.jsonl/"))
    assert rejects == (local.output / "rejects.jsonl").read_bytes()


def test_files_of_all_kinds(
    engine: SparkEngine, server: S3Server, docs: Path, whole: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    address = server.put(docs, "in")
    written, write = list[str](), Place.write

    def write_and_note(place: Place, content: bytes) -> None:
        written.append(str(place))
        write(place, content)

    monkeypatch.setattr(Place, "write", write_and_note)
    spread = neardup.dedup(address, output="s3a://docs/out", engine=engine, **SKIP)
    assert written[-1] == "s3a://docs/out/run.json"
    found = server.read("out")
    compare(spread, whole, found)
    assert {name.partition("/")[0] for name in found} == {
        ".neardup",
        "decisions.parquet",
        "kept",
        "rejects.jsonl",
        "run.json",
    }
    assert server.read("out.partial") == {}
    with pytest.raises(UsageError, match=r"^s3a://docs/out: the output is there already"):
        neardup.dedup(address, output="s3a://docs/out", engine=engine, **SKIP)
    assert server.read("out") == found


@pytest.mark.deep("the run over files of all kinds checks addresses, too; this is one for each way to give them")
@pytest.mark.parametrize("verb", [neardup.dedup, neardup.cluster, neardup.find_pairs])
@pytest.mark.parametrize("output", ["s3a://docs/verbs", None])
def test_every_verb_and_input(
    verb: Any, output: str | None, engine: SparkEngine, server: S3Server, docs: Path, tmp_path: Path
) -> None:
    """Patterns, several inputs, references here and there, and a table whose fields are checked."""
    server.put(docs, "all")
    folder = None if output is None else f"{output}/{verb.__name__}"
    reference = tmp_path / "reference.jsonl"
    reference.write_text(json.dumps({"id": "r", "text": DOCS[3].text}) + "\n", encoding="utf-8")
    here, there = docs, Path("s3a://docs/all")
    names = ["{large.jsonl,*.parquet}", "year=*/*.gz"]
    local = verb([here / name for name in names], against=[reference], **SKIP)
    spread = verb([there / name for name in names], against=[reference], output=folder, engine=engine, **SKIP)
    assert spread.digest == local.digest
    assert rows_of(spread) == rows_of(local)
    local = verb(here / "rows.parquet", against=[here / "large.jsonl"], **SKIP)
    spread = verb(
        there / "rows.parquet", against=[there / "large.jsonl"], output=folder, overwrite=True, engine=engine, **SKIP
    )
    assert spread.digest == local.digest
    assert rows_of(pickle.loads(pickle.dumps(spread))) == rows_of(local)
    if output is not None:
        assert set(server.read(f"verbs/{verb.__name__}")) >= {".neardup", "run.json"}
        assert server.read(f"verbs/{verb.__name__}.partial") == {}


@pytest.mark.deep("the results of files are sent in the same way")
def test_results_of_a_dataframe(engine: SparkEngine, server: S3Server, docs: Path) -> None:
    frame, scheme = engine.session.read.parquet(str(docs / "rows.parquet")), WEIGHTED
    spread = neardup.dedup(frame, id_field="id", output="s3a://docs/frame", scheme=scheme)
    local = neardup.dedup(docs / "rows.parquet", id_field="id", scheme=scheme)
    assert spread.summary["counts"]["kept"] == local.summary["counts"]["kept"] == spread.kept.count()
    found = server.read("frame")
    assert {name.partition("/")[0] for name in found} == {
        ".neardup",
        "decisions.parquet",
        "lexicon.parquet",
        "run.json",
    }
    assert pq.read_table(pa.BufferReader(found["lexicon.parquet"])).num_rows > 10


class LostError(Exception):
    """The driver is lost."""


@pytest.mark.deep(
    "test_spark_resume.py resumes in a folder of this machine; the run over files of all kinds ends with run.json"
)
def test_an_interrupted_run_is_no_result_and_resumes(
    engine: SparkEngine, server: S3Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = [json.dumps({"id": doc.id, "text": doc.text}) + "\n" for doc in DOCS]
    address, out = server.write("lost/docs.jsonl", "".join(lines).encode()), "s3a://docs/lost/out"
    steps, keep = list[str](), RemoteSteps.keep

    def keep_or_end(kept: RemoteSteps, name: str, rows: Any) -> None:
        keep(kept, name, rows)
        steps.append(name)
        if len(steps) == most:
            raise LostError

    monkeypatch.setattr(RemoteSteps, "keep", keep_or_end)
    most = 2
    with pytest.raises(LostError):
        neardup.dedup(address, output=out, id_field="id", engine=engine)
    assert steps == ["sign-1", "compare-1"]
    assert "run.json" not in server.read("lost/out")
    assert server.read("lost/out.partial")
    # The folder of the input has both, and neither is read.
    most, spread = 0, neardup.dedup("s3a://docs/lost", output=out, id_field="id", engine=engine)
    assert steps == ["sign-1", "compare-1", "write"]
    assert spread.digest == neardup.dedup([*map(json.loads, lines)], id_field="id").digest
    assert "run.json" in server.read("lost/out")
    assert server.read("lost/out.partial") == {}


@pytest.mark.deep("test_spark_resume.py has the same for folders of this machine")
def test_another_run_begins_anew(engine: SparkEngine, server: S3Server, monkeypatch: pytest.MonkeyPatch) -> None:
    def write(docs: list[Any]) -> str:
        lines = [json.dumps({"id": doc.id, "text": doc.text}) + "\n" for doc in docs]
        return server.write("anew/docs.jsonl", "".join(lines).encode())

    def end(*_: Any) -> None:
        raise LostError

    address, out = write(DOCS), "s3a://docs/anew/out"
    with monkeypatch.context() as patch:
        patch.setattr("neardup.remote.output.RemoteOutput.finish", end)
        with pytest.raises(LostError):
            neardup.dedup(address, output=out, id_field="id", engine=engine)
    assert "decisions.parquet" in {name.partition("/")[0] for name in server.read("anew/out")}
    write(DOCS[:-4])
    steps, keep = list[str](), RemoteSteps.keep

    def keep_and_note(kept: RemoteSteps, name: str, rows: Any) -> None:
        steps.append(name)
        keep(kept, name, rows)

    monkeypatch.setattr(RemoteSteps, "keep", keep_and_note)
    neardup.dedup(address, output=out, id_field="id", engine=engine)
    assert steps == ["sign-1", "compare-1", "write"]
    monkeypatch.setattr("neardup.remote.stubs.StubTree.check", lambda tree: (write(DOCS[:5]), check(tree)))
    with pytest.raises(EnvironmentFault, match=r"^s3a://docs/anew/docs.jsonl: the file changed"):
        neardup.dedup(address, output=out, id_field="id", overwrite=True, engine=engine)
    assert "run.json" not in server.read("anew/out")


check = StubTree.check


def test_what_others_made_stays(engine: SparkEngine, server: S3Server) -> None:
    address = server.write("own/docs.jsonl", b'{"text": "a"}\n')
    server.write("foreign/file", b"")
    server.write("made.partial/file", b"")
    server.write("mixed/.neardup", b"neardup 1.0.0 result\nkept/\n")
    server.write("mixed/notes.txt", b"")
    before = server.read("")
    for output, message in [
        ("foreign", "neardup did not make it"),
        ("made", "neardup did not make what is there now"),
        ("mixed", "notes.txt is not of this result"),
        ("own/docs.jsonl", "neardup did not make it"),
        ("own", "neardup did not make it"),
    ]:
        with pytest.raises(UsageError, match=rf"^s3a://docs/{output}.*: .*{message}"):
            neardup.dedup(address, output=f"s3a://docs/{output}", overwrite=True, engine=engine)
    assert server.read("") == before


def test_errors_name_the_address(engine: SparkEngine, server: S3Server, tmp_path: Path) -> None:
    address = server.write("errors/docs.jsonl", b'{"text": "a"}\n')
    server.write("errors/bad.jsonl", b"[\n")
    server.write("errors/empty/file.bin", b"")
    cases: list[tuple[Any, type[Exception], str]] = [
        ("s3a://docs/nothing.jsonl", DataError, "s3a://docs/nothing.jsonl: there is no such file or folder"),
        ("s3a://docs/errors/*.csv", DataError, "no file matches"),
        ("s3a://nobody/docs.jsonl", DataError, "s3a://nobody/docs.jsonl: there is no such file or folder"),
        ("s3a://docs/errors/empty", DataError, "s3a://docs/errors/empty: the folder holds no file"),
        ("s3a://docs/errors/empty/file.bin", UsageError, "s3a://docs/errors/empty/file.bin: "),
        ("s3a://docs/errors/bad.jsonl", DataError, "bad.jsonl, line 1"),
        ("ftp://docs/file.jsonl", UsageError, "ftp://docs/file.jsonl: the scheme of a path is one of s3a, s3, gs"),
        ("s3a:///docs.jsonl", UsageError, "s3a:///docs.jsonl: no bucket or container is named"),
        ("abfss://docs/file.jsonl", UsageError, "name container and account"),
        ([Path(address), tmp_path], UsageError, "but not both"),
    ]
    for given, error, message in cases:
        with pytest.raises(error, match=message) as raised:
            neardup.dedup(given, output="s3a://docs/errors/out", engine=engine)
        assert "neardup-" not in str(raised.value), raised.value
    assert set(server.read("errors")) == {"docs.jsonl", "bad.jsonl", "empty/file.bin"}


class Refusing(BaseHTTPRequestHandler):
    """A server that knows nobody."""

    def refuse(self) -> None:
        self.send_response(403)
        self.end_headers()

    do_GET = do_HEAD = refuse  # noqa: N815 - the names that the library calls

    def log_message(self, *_: Any) -> None:
        """Print nothing."""


def test_missing_credentials_are_named(spark: Any) -> None:
    with HTTPServer((HOST, 0), Refusing) as server:
        thread = Thread(target=server.serve_forever)
        thread.start()
        settings = {"endpoint": f"http://{HOST}:{server.server_port}", "access.key": "a", "secret.key": "b"}
        for name, value in settings.items():
            spark.conf.set(f"fs.s3a.bucket.secret.{name}", value)
        try:
            with pytest.raises(EnvironmentFault, match=r"^s3a://secret/docs: cannot read: .*name the credentials"):
                neardup.dedup("s3a://secret/docs", engine=SparkEngine(spark))
        finally:
            server.shutdown()
            thread.join()
            for name in settings:
                spark.conf.unset(f"fs.s3a.bucket.secret.{name}")


@pytest.mark.deep("the command passes paths to the function that other tests call")
def test_the_command_line_takes_addresses(
    engine: SparkEngine, server: S3Server, cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    address = server.write("cli/docs.jsonl", b'{"text": "one"}\n{"text": "one"}\n')
    monkeypatch.setattr("neardup.spark.session.session.open_session", lambda *_: nullcontext(engine.session))
    done = cli("dedup", address, "--engine", "spark", "-o", "s3a://docs/cli/out")
    assert "s3a://docs/cli/out" in done.stdout
    assert server.read("cli/out")["kept/docs.jsonl"] == b'{"text": "one"}\n'
