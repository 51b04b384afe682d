"""Features and fingerprints that were computed elsewhere."""

from itertools import combinations
from pathlib import Path
from random import Random

import polars
import pytest

import neardup
from neardup import DataError
from neardup.inputs.sources import Engine
from records import write_records

FINGERPRINTS = "given | bits:{0} | given:{0} | blocks:{1} | hamming<={1}"
SETS = "given | shingles:1 | whole | prefix:0.5 | resemblance>=0.5"


def near(bits: int, count: int) -> list[int]:
    random = Random(bits)
    centres = [random.getrandbits(bits) for _ in range(count // 6)]
    return [
        random.choice(centres) ^ sum(1 << random.randrange(bits) for _ in range(random.randrange(7)))
        for _ in range(count)
    ]


@pytest.mark.on_spark(0)
@pytest.mark.parametrize("distance", [0, 2, 3, 4, 5])
def test_fingerprints_equal_brute_force(distance: int, engine: Engine | None) -> None:
    prints = near(64, 300)
    table = polars.DataFrame(
        {"id": [f"{number:03}" for number in range(300)], "text": polars.Series(prints, dtype=polars.UInt64)}
    )
    scheme = FINGERPRINTS.format(64, distance)
    pairs = neardup.find_pairs(table, scheme=scheme, id_field="id", engine=engine).pairs
    found = set(zip(pairs.column("left"), pairs.column("right"), strict=True))
    expected = {
        (f"{left:03}", f"{right:03}")
        for left, right in combinations(range(300), 2)
        if (prints[left] ^ prints[right]).bit_count() <= distance
    }
    assert found == expected
    assert len(expected) >= 30
    distances = {(prints[int(left)] ^ prints[int(right)]).bit_count() for left, right in found}
    assert {64 - shared for shared in pairs.column("shared")} == distances


def test_fingerprints_of_128_bits_and_hexadecimal(tmp_path: Path) -> None:
    prints = near(128, 60)
    low = (1 << 64) - 1
    records = [{"id": f"{number:02}", "text": [hex(value & low), value >> 64]} for number, value in enumerate(prints)]
    path = write_records(tmp_path / "prints.jsonl", records)
    pairs = neardup.find_pairs(path, scheme=FINGERPRINTS.format(128, 6), id_field="id").pairs
    found = set(zip(pairs.column("left"), pairs.column("right"), strict=True))
    expected = {
        (f"{left:02}", f"{right:02}")
        for left, right in combinations(range(60), 2)
        if (prints[left] ^ prints[right]).bit_count() <= 6
    }
    assert found == expected != set()


@pytest.mark.on_spark(0)
def test_features_of_any_kind(tmp_path: Path, engine: Engine | None) -> None:
    sets: dict[str, list[int | str]] = {
        "chords": [1, 5, 8, 13],
        "more": [1, 5, 8, 13, 14],
        "words": ["two words", "한글", "x"],
        "again": ["x", "한글", "two words", "x"],
        "none": [],
    }
    path = write_records(tmp_path / "sets.jsonl", [{"id": name, "notes": values} for name, values in sets.items()])
    pairs = neardup.find_pairs(path, scheme=SETS, id_field="id", text_field="notes", engine=engine).pairs
    columns = ("left", "right", "rule", "shared", "left_size", "right_size")
    rows = list(zip(*(pairs.column(name) for name in columns), strict=True))
    assert rows == [("again", "words", "shingles", 3, 3, 3), ("chords", "more", "near", 4, 4, 5)]
    frame = polars.DataFrame({"id": ["a", "b", "c"], "text": [["u", "v"], ["v", "u"], ["w"]]})
    assert neardup.find_pairs(frame, scheme=SETS, id_field="id", engine=engine).pairs.column("right") == ["b"]


def test_a_negative_integer_is_one_value_in_every_form(tmp_path: Path) -> None:
    values: list[object] = [-7, [-7], "-7", ["-7"], " -7 ", 7, [8]]
    path = write_records(tmp_path / "values.jsonl", [{"id": str(at), "text": value} for at, value in enumerate(values)])
    table = tmp_path / "values.csv"
    table.write_text("id,text\na,-7\nb,7\n", encoding="utf-8")
    near = [(str(left), str(right)) for left in range(5) for right in range(left + 1, 5)]
    pairs = neardup.find_pairs(path, scheme=SETS, id_field="id").pairs
    assert list(zip(pairs.column("left"), pairs.column("right"), strict=True)) == near
    for column in ([-7, 9], [[-7], [9]]):
        frame = polars.DataFrame({"id": ["x", "y"], "text": column})
        crossed = neardup.find_pairs(frame, against=path, scheme=SETS, id_field="id").pairs
        assert crossed.column("right") == ["0", "1", "2", "3", "4"]
    assert neardup.find_pairs(table, against=path, scheme=SETS, id_field="id").pairs.column("left") == ["a"] * 5 + ["b"]


def test_signed_fingerprints_are_their_bits(tmp_path: Path) -> None:
    prints = near(64, 120)
    signed = [value - (1 << 64) if value >> 63 else value for value in prints]
    assert min(signed) < 0 < max(signed)
    scheme = FINGERPRINTS.format(64, 3)
    rows = [{"id": f"{number:03}", "text": value} for number, value in enumerate(prints)]
    expected = neardup.find_pairs(write_records(tmp_path / "unsigned.jsonl", rows), scheme=scheme, id_field="id").pairs
    assert len(expected) > 0
    for column in (signed, polars.Series(signed, dtype=polars.Int64), [str(value) for value in signed]):
        frame = polars.DataFrame({"id": [row["id"] for row in rows], "text": column})
        found = neardup.find_pairs(frame, scheme=scheme, id_field="id").pairs
        for name in ("left", "right", "shared"):
            assert found.column(name) == expected.column(name)
    wide = FINGERPRINTS.format(128, 3)
    texts = [[value, -1] for value in signed]
    frame = polars.DataFrame({"id": [row["id"] for row in rows], "text": texts})
    assert neardup.find_pairs(frame, scheme=wide, id_field="id").pairs.column("left") == expected.column("left")


@pytest.mark.parametrize(
    ("line", "value", "reason"),
    [
        (FINGERPRINTS.format(64, 3), "abc", r"line 2: .*no fingerprint of 64 bits: write an integer"),
        (FINGERPRINTS.format(64, 3), [1, 2], "no fingerprint of 64 bits"),
        (FINGERPRINTS.format(128, 3), 7, "no fingerprint of 128 bits: write a list of two integers"),
        (FINGERPRINTS.format(64, 3), 1 << 64, "it holds 18446744073709551616"),
        (FINGERPRINTS.format(64, 3), "-9223372036854775809", r"write an integer from -2\^63 to"),
        (SETS, 1.5, "line 2: .*it holds 1.5, which is no string and no integer from -2.63 to 2.64 - 1"),
        (SETS, [1.5], "line 2: .*it holds 1.5, which is no string and no integer from -2.63 to 2.64 - 1"),
        (SETS, 1 << 64, "it holds 18446744073709551616"),
        (SETS, [1 << 64], "it holds 18446744073709551616"),
        (SETS, [1, None], "no list of integers and strings: it holds null"),
        (SETS, {"a": 1}, "is an object, not a string"),
    ],
)
def test_wrong_values(line: str, value: object, reason: str, tmp_path: Path) -> None:
    path = write_records(tmp_path / "values.jsonl", [{"text": [] if line == SETS else ""}, {"text": value}])
    with pytest.raises(DataError, match=reason):
        neardup.find_pairs(path, scheme=line)


@pytest.mark.parametrize("empty", ["", "[]", " [ ] ", []])
def test_a_document_without_values_is_near_nothing(empty: str | list[int], tmp_path: Path) -> None:
    records = [{"id": name, "text": value} for name, value in (("a", empty), ("b", empty), ("c", [7]), ("d", "7"))]
    path = write_records(tmp_path / "given.jsonl", records)
    for line in (SETS, FINGERPRINTS.format(64, 3)):
        found = neardup.find_pairs(path, scheme=line, id_field="id")
        assert list(zip(found.pairs.column("left"), found.pairs.column("right"), strict=True)) == [("c", "d")]
        assert found.summary["counts"]["without_text"] == 2
        assert neardup.explain(str(empty), str(empty), scheme=line).rule is None


def test_a_seed_does_not_change_fingerprints(tmp_path: Path) -> None:
    (tmp_path / "secret").write_bytes(b"sixteen bytes or more")
    records = [{"id": f"{number:03}", "text": value} for number, value in enumerate(near(64, 120))]
    path = write_records(tmp_path / "prints.jsonl", records)
    line = FINGERPRINTS.format(64, 3)
    found = [
        neardup.find_pairs(path, scheme=line.replace("given:64", f"given:64{seed}"), id_field="id")
        for seed in ("", " seed=5", f" seed=file:{tmp_path / 'secret'}")
    ]
    assert len(found[0].pairs) > 10
    assert len({one.digest for one in found}) == 1
