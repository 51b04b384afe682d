"""Damage to an index, and to the store of a gate beside it: what is restored, reported and refused."""

import json
import re
import shutil
import sqlite3
import tarfile
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any
from unittest.mock import patch

import pytest

from command import run_neardup
from neardup import Document, EnvironmentFault, Gate, Index, UsageError, _core
from neardup.gate import DamagedStore
from neardup.index import DamagedIndex
from neardup.index.restoration import Repaired, repair
from neardup.stores.sqlite import SqliteStore

OLD = Path(__file__).parents[1] / "data" / "gate-0.1.0.tar.gz"
SCHEME = "words | shingles:2 | whole | prefix:0.6 | resemblance>=0.6"
Documents = dict[str, tuple[Document, str]]


def make_text(number: int) -> str:
    family, copy = divmod(number, 3)
    words = [f"w{Random(family * 40 + at).randrange(1000)}" for at in range(20)]
    return " ".join([*words, f"부두{copy}", f"사과{copy}"])


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Make a gate whose documents are in a segment and in the log; some of them are removed."""
    with Gate.open(tmp_path / "gate", scheme=SCHEME) as gate:
        urls = [f"http://h/{at}" if at % 2 else None for at in range(12)]
        gate.admit_all(Document(make_text(at), f"d{at}", url, at) for at, url in enumerate(urls))
        gate.remove(["d3", "d7"])
        gate.index.compact()
        gate.admit_all([Document(make_text(at), f"d{at}" if at % 3 else None) for at in range(12, 18)])
        gate.remove("d13")
    return tmp_path / "gate"


def look(folder: Path) -> Documents:
    index = Index.open(folder)
    index.verify()
    return {str(one.id): (one, index.verdict(str(one.id)).original) for one in index}


def stored(folder: Path) -> Documents:
    with closing(SqliteStore(folder / "documents.sqlite")) as store:
        return {one.id: (Document(one.text, one.id, one.url, one.time), one.original) for one in store.documents()}


def damage(folder: Path, kind: str, find: bytes = b"", mask: int = 0xFF, count: int = 1) -> Path:
    """Change `count` bytes in the first file of a kind: from the first place of `find` on, or from the middle on."""
    [path] = sorted((folder / "index").glob(f"{kind}*"))[:1]
    data = bytearray(path.read_bytes())
    at = data.index(find) if find else len(data) // 2
    for place in range(at, at + count):
        data[place] ^= mask
    path.write_bytes(data)
    return path


def check(folder: Path, whole: Documents) -> Repaired:
    done = repair(folder)
    assert look(folder) == whole
    assert {name: original for name, (_, original) in stored(folder).items()} == {
        name: original for name, (_, original) in whole.items()
    }
    assert repair(folder).is_whole
    return done


def test_an_index_without_damage_stays_as_it_is(folder: Path) -> None:
    before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file() and "sqlite" not in path.name}
    done = repair(folder)
    assert done.is_whole
    assert (done.documents, done.lost, done.restored, done.kept_aside) == (15, [], [], [])
    assert {path: path.read_bytes() for path in before} == before


@pytest.mark.parametrize("kind", ["segment", "texts", "state", "roll", "log", "manifest.json"])
def test_a_damaged_file_loses_nothing(folder: Path, kind: str) -> None:
    whole = look(folder)
    path = damage(folder, kind)
    with pytest.raises(DamagedIndex, match=path.name):
        Index.open(folder)
    done = check(folder, whole)
    assert [Path(one.file).name for one in done.damages] == [path.name]
    assert done.lost == []


def test_lost_texts_are_restored_from_the_store_of_the_gate(folder: Path) -> None:
    whole = look(folder)
    damage(folder, "texts", make_text(0).encode()[:20], count=400)
    done = check(folder, whole)
    assert len(done.restored) > 2
    assert (done.lost, done.kept_aside) == ([], [])


def test_lost_steps_are_restored_from_the_store_of_the_gate(folder: Path) -> None:
    whole = look(folder)
    damage(folder, "log", make_text(15).encode()[:20], count=30)
    done = check(folder, whole)
    # the document was added by step 17, which gives it its id
    assert done.restored == ["#17"]
    assert len(done.doubts) == 1


@pytest.mark.parametrize("left", [None, 0, 150, 9000])
def test_a_lost_log_is_restored_from_the_store_of_the_gate(folder: Path, left: int | None) -> None:
    before = look(folder)
    [log] = (folder / "index").glob("log*")
    if left is None:
        log.unlink()
    else:
        log.write_bytes(log.read_bytes()[:left])
    done = repair(folder)
    assert any("is not known" in doubt for doubt in done.doubts)
    assert sorted(done.restored) == ["#14", "#17", "d14", "d16", "d17"]
    texts = {one.text for one, _ in before.values()}
    assert {one.text for one, _ in look(folder).values()} == texts
    assert {one.text for one, _ in stored(folder).values()} == texts
    repaired = repair(folder)
    assert repaired.is_whole


def test_a_lost_log_is_reported(folder: Path) -> None:
    (folder / "documents.sqlite").unlink()
    [log] = (folder / "index").glob("log*")
    log.unlink()
    done = run_neardup("index", "repair", folder, code=3)
    assert "which documents came or went since the last segment is not known" in done.stdout + done.stderr


def test_an_older_index_is_brought_up_to_date_from_the_store(folder: Path, tmp_path: Path) -> None:
    shutil.copytree(folder / "index", tmp_path / "old")
    with Gate.open(folder) as gate:
        gate.admit(Document(make_text(40), "late"))
        gate.remove("d1")
    before = look(folder)
    shutil.rmtree(folder / "index")
    shutil.copytree(tmp_path / "old", folder / "index")
    done = repair(folder)
    assert "has heard of step" in done.damages[0].what
    assert done.restored == ["late"]
    assert {one.text for one, _ in look(folder).values()} == {one.text for one, _ in before.values()}
    with Gate.open(folder) as gate:
        gate.index.verify()


def test_lost_documents_are_named(folder: Path) -> None:
    whole = look(folder)
    (folder / "documents.sqlite").unlink()
    path = damage(folder, "texts", make_text(4).encode()[:20], count=30)
    done = repair(folder)
    assert [lost.id for lost in done.lost] == ["d4"]
    assert done.lost[0].file == str(path)
    assert done.kept_aside == [f"{path}.damaged"]
    assert Path(done.kept_aside[0]).exists()
    left = look(folder)
    assert {name: one for name, (one, _) in left.items()} == {
        name: one for name, (one, _) in whole.items() if name != "d4"
    }
    # if the lost document was an original, the next of its duplicates becomes the original
    assert left["d5"][1] == whole["d5"][1] if whole["d5"][1] != "d4" else left["d5"][1] == "d5"


def test_a_store_in_another_place_follows_the_repaired_index(folder: Path) -> None:
    aside = folder / "elsewhere.sqlite"
    (folder / "documents.sqlite").rename(aside)
    damage(folder, "texts", make_text(4).encode()[:20], count=30)
    assert [lost.id for lost in repair(folder).lost] == ["d4"]
    with Gate.open(folder, store=SqliteStore(aside)) as gate:
        assert len(gate.store) == len(gate.index)
        assert gate.store.get("d4") is None


@pytest.mark.parametrize(
    ("statement", "message"),
    [
        ("UPDATE documents SET text = 'edited' WHERE id = 'd2'", "document 'd2' is not as it was written"),
        ("UPDATE documents SET original = 'd0' WHERE id = 'd6'", "document 'd6' is not as it was written"),
        ("DELETE FROM documents WHERE id = 'd2'", "14 documents are there, and not 15"),
        ("DELETE FROM documents", "0 documents are there, and not 15"),
    ],
)
def test_an_edited_store_is_noticed_when_it_is_opened(folder: Path, statement: str, message: str) -> None:
    whole = look(folder)
    with closing(sqlite3.connect(folder / "documents.sqlite")) as connection, connection:
        connection.execute(statement)
    with pytest.raises(DamagedStore, match=message):
        Gate.open(folder)
    done = check(folder, whole)
    assert [one.what for one in done.damages] == [message]
    assert done.kept_aside == [str(folder / "documents.sqlite.damaged")]


@pytest.mark.parametrize(
    "statement",
    [
        "INSERT INTO search (search) VALUES ('delete-all')",
        "INSERT INTO search (search, rowid, words, parts) VALUES ('delete', 1, 'w1 w2', '')",
        "INSERT INTO search (rowid, words, parts) VALUES (2, 'ferry', '')",
    ],
)
def test_an_edited_search_index_is_noticed_by_verify(folder: Path, statement: str) -> None:
    whole = look(folder)
    with closing(sqlite3.connect(folder / "documents.sqlite")) as connection, connection:
        connection.execute(statement)
    run_neardup("index", "verify", folder / "index", code=1)
    assert "not searched as it is stored" in run_neardup("index", "verify", folder, code=1).stderr
    check(folder, whole)
    with Gate.open(folder) as gate:
        assert [found.id for found in gate.store.search("부두2")] == [  # type: ignore[attr-defined]
            name for name, (one, original) in sorted(whole.items()) if name == original and "부두2" in one.text
        ]


def test_a_store_that_disagrees_with_the_index(folder: Path) -> None:
    whole = look(folder)
    with closing(SqliteStore(folder / "documents.sqlite")) as store, store._writing() as execute:
        execute("UPDATE documents SET original = 'd0', rule = 'near' WHERE id = 'd6'")
        [(number,)] = execute("SELECT number FROM documents WHERE id = 'd6'")
        store._seal(execute, number)
        row = execute("SELECT text FROM documents WHERE id = 'd6'").fetchone()
        assert row is not None
        store._leave(execute, number, row[0])
    done = check(folder, whole)
    assert [one.what for one in done.damages] == ["document 'd6' is not what the index says"]


def test_a_store_that_is_not_a_database(folder: Path) -> None:
    whole = look(folder)
    (folder / "documents.sqlite").write_bytes(b"no database " * 500)
    check(folder, whole)


def test_a_store_of_another_index_is_refused(folder: Path, tmp_path: Path) -> None:
    with Gate.open(tmp_path / "other", scheme=SCHEME):
        pass
    (tmp_path / "other" / "documents.sqlite").replace(folder / "documents.sqlite")
    with pytest.raises(UsageError, match="the store of another index"):
        repair(folder)


def test_an_undamaged_part_is_read(folder: Path) -> None:
    whole = look(folder)
    damage(folder, "texts", make_text(4).encode()[:20], count=30)
    index = Index.open(folder, read_only=True)
    assert {str(one.id) for one in index} == whole.keys() - {"d4"}
    assert index.query(make_text(9))[0].id == "d9"
    with pytest.raises(UsageError, match="opened to be read only"):
        index.add("more")
    with pytest.raises(DamagedIndex):
        index.verify()
    with pytest.raises(DamagedIndex):
        Index.open(folder)


def test_an_index_that_is_read_only_follows_its_writer(folder: Path) -> None:
    index = Index.open(folder, read_only=True)
    with Gate.open(folder) as gate:
        gate.admit(Document("quite another text", "new"))
    index.refresh()
    assert "new" in index
    with pytest.raises(UsageError, match="opened to be read only"):
        index.remove("new")


def test_repair_on_the_command_line(folder: Path) -> None:
    assert "damage     none" in run_neardup("index", "repair", folder).stdout
    (folder / "documents.sqlite").unlink()
    path = damage(folder, "texts", make_text(4).encode()[:20], count=30)
    assert path.name in run_neardup("index", "show", folder, "d5", code=1).stderr
    assert "d5" in run_neardup("index", "show", folder, "d5", "--read-only").stdout
    assert "14" in run_neardup("index", "info", folder, "--read-only").stdout
    assert "d9" in run_neardup("index", "query", folder, make_text(9), "--read-only").stdout
    done = run_neardup("index", "repair", folder, code=3).stdout
    assert f"d4: was in {path}" in done
    run_neardup("index", "verify", folder)
    report = json.loads(run_neardup("index", "repair", folder, "--json").stdout)
    assert (report["documents"], report["damages"], report["lost"]) == (14, [], [])
    assert "no index here" in run_neardup("index", "repair", folder.parent, code=1).stderr


def test_an_index_of_the_first_version_names_the_command_that_upgrades_it(tmp_path: Path) -> None:
    with tarfile.open(OLD) as archive:
        archive.extractall(tmp_path / "gate", filter="data")
    folder = tmp_path / "gate"
    first, second = (
        f"tokens version 1 (Unicode {_core.unicode_version})",
        f"tokens version 2 (Unicode {_core.unicode_version})",
    )
    with pytest.raises(UsageError, match=re.escape(f"run neardup index repair {folder / 'index'}")):
        Gate.open(folder)
    told = run_neardup("index", "info", folder, code=2).stderr
    assert first in told
    assert second in told
    done = repair(folder)
    assert done.outdated == [
        f"its texts were cut by {first}, and are cut by {second} now",
        "it is of format 1, and 2 can be repaired better",
    ]
    assert (done.damages, done.lost) == ([], [])
    assert (folder / "index" / ".neardup").exists()
    assert repair(folder).is_whole
    assert json.loads((folder / "index" / "manifest.json").read_text())["manifest"]["settings"]["tokens_version"] == 2
    with Gate.open(folder) as gate:
        assert [one.id for one in gate.index] == ["d0", "d2", "d3", "d5", "d6", "d7", "k"]
        gate.admit(Document("quite another text", "new"))
        gate.index.compact()
        assert [found.id for found in gate.store.search("사과")] == ["k"]  # type: ignore[attr-defined]
    whole = look(folder)
    assert repair(folder).lost == []
    assert look(folder) == whole


def texts_by_originals(documents: Documents) -> set[tuple[str, str]]:
    return {(one.text, documents[original][0].text) for one, original in documents.values()}


def lose(folder: Path) -> None:
    shutil.rmtree(folder / "index")


def test_a_gate_without_its_index_does_not_create_another(folder: Path, tmp_path: Path) -> None:
    lose(folder)
    for ask in (
        lambda: Gate.open(folder),
        lambda: Gate.open(folder, policy="earliest"),
        lambda: Index.open(folder),
        lambda: Index.open(folder / "index"),
    ):
        with pytest.raises(DamagedIndex, match=f"`neardup index repair {folder}` makes it anew"):
            ask()
    assert "index repair" in run_neardup("index", "query", folder, "a text", code=1).stderr
    assert [path.name for path in folder.iterdir()] == ["documents.sqlite"]
    # neither does a gate whose store is in another place
    with closing(SqliteStore(folder / "documents.sqlite")) as store:
        with pytest.raises(DamagedIndex, match="the store is that of one"):
            Gate.open(tmp_path / "other", store=store)
        assert not (tmp_path / "other").exists()


@pytest.mark.parametrize("empty", [False, True])
def test_a_lost_index_is_made_from_the_store(folder: Path, *, empty: bool) -> None:
    whole = look(folder)
    lose(folder)
    if empty:
        # earlier versions created an empty index here
        Index.create(folder / "index")
    done = repair(folder)
    assert done.damages[0].file == str(folder / "index")
    assert (done.documents, len(done.restored), done.lost) == (15, 15, [])
    # documents without an id are named by the number of their step, and some documents were removed before they were
    # added, so their ids change; the store that is kept aside has the old ids
    assert done.kept_aside == [str(folder / "documents.sqlite.damaged")]
    names = {name for name in whole if name.startswith("#")}
    assert done.doubts == [f"{len(names)} documents without an id: now named #NUMBER"]
    repaired = look(folder)
    assert repaired.keys() - names >= whole.keys() - names
    assert texts_by_originals(repaired) == texts_by_originals(whole)
    assert {name: original for name, (_, original) in stored(folder).items()} == {
        name: original for name, (_, original) in repaired.items()
    }
    assert repair(folder).is_whole
    with Gate.open(folder, scheme=SCHEME) as gate:
        assert gate.admit(Document(make_text(0), "again")).verdict.rule is not None


def test_a_lost_index_is_made_with_its_options(tmp_path: Path) -> None:
    options: dict[str, Any] = {"scheme": SCHEME, "policy": "earliest", "most": 9, "ttl": "30d", "folders": 2}
    with Gate.open(tmp_path, **options) as gate:
        gate.admit_all([Document(make_text(at), None if at % 2 else f"d{at}", None, 9 - at) for at in range(9)])
        roles = list(gate.store.roles())
    lose(tmp_path)
    done = json.loads(run_neardup("index", "repair", tmp_path, "--json", code=3).stdout)
    assert done["doubts"] == ["when the documents came is not known any more: for `ttl` they came now"]
    assert not done["kept_aside"]
    with Gate.open(tmp_path, **options) as gate:
        assert list(gate.store.roles()) == roles


def test_a_store_without_notes_gets_the_given_scheme(folder: Path) -> None:
    lose(folder)
    with closing(sqlite3.connect(folder / "documents.sqlite")) as store:
        store.execute("DROP TABLE note")
    done = repair(folder, scheme=SCHEME)
    assert done.doubts[0] == "its policy is not known any more: those of a new index were taken"
    assert Index.open(folder).scheme == SCHEME


def test_a_stopped_repair_resumes(folder: Path) -> None:
    whole = look(folder)
    lose(folder)
    Index.create(folder / "index.new").add("left by one that was killed")
    full = patch.object(Path, "rename", side_effect=OSError(28, "No space left on device"))
    with full, pytest.raises(EnvironmentFault, match="No space left"):
        repair(folder)
    assert not (folder / "index").exists()
    with pytest.raises(DamagedIndex):
        Gate.open(folder)
    assert repair(folder).documents == len(whole)
    assert sorted(path.name for path in folder.iterdir() if path.suffix == ".new") == []


def test_foreign_files_in_the_place_of_an_index_are_kept(folder: Path) -> None:
    for file in (folder / "index").iterdir():
        # the name alone does not show that a file belongs to an index
        file.unlink() if file.name.startswith("manifest") else file.write_bytes(b"mine")
    before = sorted(path.name for path in (folder / "index").iterdir())
    with pytest.raises(EnvironmentFault, match="move them elsewhere"):
        repair(folder)
    assert sorted(path.name for path in (folder / "index").iterdir()) == before


@pytest.mark.parametrize(
    "edit",
    [
        "position = 'x'",
        "position = x'00'",
        "position = -1",
        "position = 9223372036854775807",
        "position = 281474976710655",
        "documents = NULL",
        "documents = 'x'",
        "documents = x'00'",
        "owner = x'00'",
        "format = 'x'",
        "terms = x'00'",
    ],
)
def test_an_edited_state_of_a_store(folder: Path, edit: str) -> None:
    whole = look(folder)
    with closing(sqlite3.connect(folder / "documents.sqlite")) as connection, connection:
        connection.execute(f"UPDATE state SET {edit}")
    if not edit.startswith(("format", "terms", "position = 281")):
        with pytest.raises(DamagedStore, match=r"documents.sqlite: damaged: .*`neardup index repair`"):
            Gate.open(folder)
        assert "`neardup index repair`" in run_neardup("index", "verify", folder, code=1).stderr
    check(folder, whole)
    with Gate.open(folder) as gate:
        gate.admit("a document that comes afterwards")
    run_neardup("index", "verify", folder)


def test_a_store_without_its_state(folder: Path) -> None:
    whole = look(folder)
    with closing(sqlite3.connect(folder / "documents.sqlite")) as connection, connection:
        connection.execute("DELETE FROM state")
    with pytest.raises(DamagedStore, match="its table `state` is empty: `neardup index repair`"):
        Gate.open(folder)
    check(folder, whole)


def test_an_edited_note_of_a_store_without_its_index(folder: Path) -> None:
    lose(folder)
    with closing(sqlite3.connect(folder / "documents.sqlite")) as connection, connection:
        connection.execute("UPDATE note SET told = '{'")
        connection.execute("UPDATE documents SET time = 'x' WHERE id = 'd2'")
        connection.execute("UPDATE documents SET id = CAST(x'ff' AS TEXT) WHERE id = 'd4'")
    done = repair(folder, scheme=SCHEME)
    assert done.doubts[0] == "its policy is not known any more: those of a new index were taken"
    assert len(done.restored) == 14


def test_a_repair_keeps_the_files_of_other_programs(folder: Path) -> None:
    whole = look(folder)
    place = folder / "documents.sqlite"
    with closing(sqlite3.connect(place)) as connection, connection:
        connection.execute("DELETE FROM documents WHERE id = 'd2'")
    suffixes = [f"{new}{end}" for new in (".new", ".damaged") for end in ("", "-wal", "-shm")][:-3]
    suffixes += [".new.2-wal", ".damaged-shm"]
    for end in suffixes:
        place.with_name(f"{place.name}{end}").write_text(f"of others {end}")
    done = check(folder, whole)
    assert done.kept_aside == [str(folder / "documents.sqlite.damaged.2")]
    for end in suffixes:
        assert place.with_name(f"{place.name}{end}").read_text() == f"of others {end}"


def test_a_stopped_repair_leaves_no_store_behind(folder: Path) -> None:
    whole = look(folder)
    with closing(sqlite3.connect(folder / "documents.sqlite")) as connection, connection:
        connection.execute("DELETE FROM documents WHERE id = 'd2'")
    with (
        patch.object(Path, "rename", side_effect=OSError(28, "No space left on device")),
        pytest.raises(EnvironmentFault),
    ):
        repair(folder)
    check(folder, whole)
    assert [path.name for path in folder.iterdir() if ".new" in path.name] == []
    lose(folder)
    assert [doubt for doubt in repair(folder).doubts if "not known any more" in doubt] == []
    assert Index.open(folder).scheme == SCHEME


def test_a_repair_refuses_the_database_of_another_program(folder: Path) -> None:
    place = folder / "documents.sqlite"
    place.unlink()
    with closing(sqlite3.connect(place)) as connection:
        connection.execute("CREATE TABLE state (owner)")
    before = place.read_bytes()
    for where in (folder, folder / "index"):
        with pytest.raises(UsageError, match="a database of another program, with the tables state"):
            repair(where)
    assert place.read_bytes() == before


@pytest.mark.parametrize("folders", [None, 3])
@pytest.mark.parametrize("kind", ["gate", "index"])
def test_an_index_without_its_manifests_is_repaired(kind: str, folders: int | None, tmp_path: Path) -> None:
    """The store of a gate records how its index was made; for an index alone the caller must pass the scheme."""
    place, documents = tmp_path / kind, [Document(make_text(at), f"d{at}") for at in range(30)]
    made: Gate | Index
    if kind == "gate":
        made = Gate.open(place, scheme=SCHEME, policy="earliest", folders=folders)
        made.admit_all(documents[:20])
    else:
        made = Index.create(place, scheme=SCHEME, folders=folders)
        made.add(documents[:20])
    index = made.index if isinstance(made, Gate) else made
    made.remove("d7")
    index.compact()
    index.add(documents[20:])
    if isinstance(made, Gate):
        made.close()
    del made, index
    whole = look(place)
    for manifest in place.rglob("manifest.json*"):
        manifest.unlink()
    with pytest.raises(DamagedIndex, match="run neardup index repair"):
        Index.open(place)
    if kind == "index":
        with pytest.raises(DamagedIndex, match="give its scheme"):
            repair(place)
    done = repair(place, scheme=None if kind == "gate" else SCHEME)
    assert (done.documents, done.lost, len(done.damages)) == (29, [], folders or 1)
    assert bool(done.doubts) == (kind == "index")
    assert look(place) == whole
    assert repair(place).is_whole


def test_a_shard_without_its_manifests_is_repaired(tmp_path: Path) -> None:
    index = Index.create(tmp_path / "split", scheme=SCHEME, policy="earliest", folders=3)
    index.add([Document(make_text(at), f"d{at}", time=-at) for at in range(30)])
    del index
    whole = look(tmp_path / "split")
    for manifest in (tmp_path / "split" / "shard-1").glob("manifest.json*"):
        manifest.unlink()
    done = repair(tmp_path / "split")
    assert (done.documents, done.lost, done.doubts) == (30, [], [])
    assert look(tmp_path / "split") == whole
