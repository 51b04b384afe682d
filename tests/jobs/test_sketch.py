"""Stored sketches, compared with their definitions, and used as the larger sample from which smaller ones are drawn."""

from itertools import pairwise
from math import sqrt
from pathlib import Path
from random import Random
from typing import Any

import pyarrow as pa
import pyarrow.parquet
import pytest

import neardup
from command import Cli
from neardup import UsageError
from records import read_rows, write_records

TAIL = "each | resemblance>=0.5"


def make_texts(count: int = 40, seed: int = 1) -> list[str]:
    """Return texts of up to 499 words with words in common, and an empty one, one without words and one of one word."""
    random = Random(seed)
    words = [f"w{number}" for number in range(300)]
    return [*(" ".join(random.choices(words, k=random.randrange(1, 500))) for _ in range(count)), "", " ! ", "one"]


def sketches(texts: list[str], signature: str, tail: str = TAIL, **options: Any) -> list[dict[str, Any]]:
    line = f"words | shingles:2 | {signature} | {tail}"
    rows: list[dict[str, Any]] = pa.table(neardup.sketch(texts, line, **options).sketches).to_pylist()
    return rows


def test_samples_equal_their_definitions() -> None:
    texts = make_texts()
    wholes = [row["values"] for row in sketches(texts, "whole", "lengths:0.5 | resemblance>=0.5")]
    shingles = [{*pairwise(words)} or {(word, "") for word in words} for words in map(str.split, texts)]
    shingles[-2] = set()
    assert [len(whole) for whole in wholes] == [len(one) for one in shingles]
    assert all(whole == sorted({*whole}) for whole in wholes)
    for signature, sample in (
        ("moduli:7", lambda whole: [value for value in whole if value % 7 == 0]),
        ("minima:20", lambda whole: whole[:20]),
    ):
        rows = sketches(texts, signature)
        assert [row["values"] for row in rows] == [sample(whole) for whole in wholes]
        assert [row["features"] for row in rows] == [len(whole) for whole in wholes]
        assert "level" not in rows[0]
    for row, whole in zip(sketches(texts, "levels:20"), wholes, strict=True):
        level = max(0, (len(whole) // 20).bit_length() - 1)
        assert (row["features"], row["level"]) == (len(whole), level)
        assert row["values"] == [value for value in whole if value % (1 << level) == 0]
    assert {row["level"] for row in sketches(texts, "levels:20")} >= {0, 1, 2, 3}


def test_values_of_other_signatures_agree_with_the_measures() -> None:
    texts = make_texts(6) + [" ".join(f"w{number}" for number in range(start, 60)) for start in range(0, 12, 2)]
    for slots in (35, 96):
        line = f"words | shingles:2 | minhash:{slots} | bands:{slots}x1 | ~resemblance>="
        rows = [row["values"] for row in sketches(texts, f"minhash:{slots}", f"bands:{slots}x1 | ~resemblance>=0.5")]
        assert {len(values) for values in rows} == {slots, 0}
        assert all(value < 1 << 32 for values in rows for value in values)
        for left, right in ((-1, -2), (-1, -6), (-3, -5)):
            equal = sum(one == other for one, other in zip(rows[left], rows[right], strict=True))
            assert 0 < equal < slots
            pair = [texts[left], texts[right]]
            found = [neardup.find_pairs(pair, scheme=f"{line}{equal + more}/{slots}") for more in (0, 1)]
            assert [len(pairs.pairs) for pairs in found] == [1, 0]
    bits = [row["values"] for row in sketches(texts, "simhash:64", "blocks:3 | hamming<=3")]
    assert {len(values) for values in bits} == {1, 0}
    differing = (bits[-1][0] ^ bits[-2][0]).bit_count()
    line = "words | shingles:2 | simhash:64 | blocks:{0} | hamming<={0}"
    assert len(neardup.find_pairs(texts[-2:], scheme=line.format(differing)).pairs) == 1
    assert len(neardup.find_pairs(texts[-2:], scheme=line.format(differing - 1)).pairs) == 0
    assert {len(row["values"]) for row in sketches(texts, "digest", "each | equal")} == {2, 0}


def test_the_same_for_any_threads_and_chunks(tmp_path: Path) -> None:
    records = [{"id": f"{number % 7}-{number}", "text": text} for number, text in enumerate(make_texts(300))]
    path, line = write_records(tmp_path / "docs.jsonl", records), f"words | shingles:2 | moduli:3 | {TAIL}"
    whole = neardup.sketch(path, line, id_field="id")
    for threads in (1, 3):
        out = tmp_path / f"out{threads}"
        again = neardup.sketch(path, line, id_field="id", threads=threads, memory="96M", output=out)
        assert again.digest == whole.digest
        assert read_rows(out / "sketches.parquet") == pa.table(whole.sketches).to_pylist()
        assert again.sketches.column("values") == whole.sketches.column("values")
    backwards = write_records(tmp_path / "backwards.jsonl", records[::-1])
    assert neardup.sketch(backwards, line, id_field="id").digest == whole.digest
    assert neardup.sketch(path, line.replace(":3", ":4"), id_field="id").digest != whole.digest


def test_long_sketches_within_little_memory(tmp_path: Path) -> None:
    random = Random(3)
    texts = ({"text": " ".join(f"{random.getrandbits(30):x}" for _ in range(20_000))} for _ in range(250))
    path, out = write_records(tmp_path / "long.jsonl", texts), tmp_path / "out"
    line = "words | shingles:1 | whole | lengths:0.5 | resemblance>=0.5"
    neardup.sketch(path, line, output=out, memory="64M", threads=1)
    file = pyarrow.parquet.ParquetFile(out / "sketches.parquet")
    assert file.metadata.num_rows == 250
    assert file.metadata.num_row_groups > 1


def test_on_the_command_line(cli: Cli, tmp_path: Path) -> None:
    records = [{"id": "a", "text": "one two three"}, {"id": "b", "text": "!"}, {"id": "a", "text": "four"}, {"id": "c"}]
    path, out = write_records(tmp_path / "docs.jsonl", records), tmp_path / "out"
    line = ("--scheme", f"words | shingles:2 | moduli:1 | {TAIL}", "--id-field", "id")
    done = cli("sketch", path, "-o", out, *line, "--on-error", "skip", code=3)
    assert "documents       2\n" in done.stdout
    assert "pairs" not in done.stdout
    assert [(row["id"], row["row"], len(row["values"])) for row in read_rows(out / "sketches.parquet")] == [
        ("a", 1, 2),
        ("b", 2, 0),
    ]
    assert sorted(file.name for file in out.iterdir()) == [".neardup", "rejects.jsonl", "run.json", "sketches.parquet"]
    assert "Missing option '--scheme'" in cli("sketch", path, "-o", out, code=2).stderr
    assert "is there already" in cli("sketch", path, "-o", out, *line, code=2).stderr
    with pytest.raises(UsageError, match="there is no option 'against'; there are command, csv"):
        neardup.sketch(["a"], TAIL, against=["b"])  # type: ignore[call-arg]


def test_values_of_any_size_can_be_read_again(tmp_path: Path) -> None:
    values = [
        [0, (1 << 63) - 1, 1 << 63, (1 << 64) - 1],
        [(1 << 64) - 1, 0, 1 << 63, (1 << 63) - 1, 5],
        [],
        [],
        [1 << 63],
    ]
    for kind in (pa.list_(pa.uint64()), pa.large_list(pa.uint64())):
        table = pa.table({"id": list("abcde"), "values": pa.array(values, kind)})
        pyarrow.parquet.write_table(table, tmp_path / "values.parquet")
        for inputs in (table, tmp_path / "values.parquet"):
            found = neardup.find_pairs(
                inputs,
                scheme="given | terms | whole | prefix:0.8 | resemblance>=0.8",
                id_field="id",
                text_field="values",
            ).pairs
            assert [found.column(name) for name in ("left", "right", "shared")] == [["a"], ["b"], [4]]


def draw(stored: pa.Table, share: int, seed: str) -> list[set[int]]:
    line = f"given | terms | moduli:{share} seed={seed} | each | ~containment>=0.5"
    drawn = neardup.sketch(stored, line, text_field="values", id_field="id").sketches
    return [{*values} for values in drawn.column("values")]


def make_pair(shared: int, left: int, right: int) -> list[str]:
    words = [f"{number}of{shared}" for number in range(shared + left + right)]
    return [" ".join(words[: shared + left]), " ".join(words[:shared] + words[shared + left :])]


def test_every_secret_draws_another_sample(tmp_path: Path) -> None:
    random = Random(11)
    secrets = [tmp_path / f"secret{number}" for number in range(40)]
    for secret in secrets:
        secret.write_bytes(random.randbytes(16))
    texts = make_pair(6000, 2000, 4000)
    line = f"words | shingles:1 | moduli:5 | {TAIL}"
    stored = pa.table(
        neardup.sketch([neardup.Document(text, name) for text, name in zip(texts, "ab", strict=True)], line).sketches
    )
    sets = [{*values} for values in stored.column("values").to_pylist()]
    share, both, smaller = 4, sets[0] & sets[1], min(map(len, sets))
    resemblance, containment = len(both) / len(sets[0] | sets[1]), len(both) / smaller
    # the stored sketch is itself a sample, and differs by its own error from 0.5 and 0.75
    assert abs(resemblance - 0.5) < 4 * sqrt(0.25 / len(sets[0] | sets[1]))
    assert abs(containment - 0.75) < 4 * sqrt(0.1875 / smaller)
    errors: list[float] = []
    draws = [draw(stored, share, f"file:{secret}") for secret in secrets]
    assert draws == [draw(stored, share, f"file:{secret}") for secret in secrets]
    for left, right in draws:
        # a value that is drawn from one text is drawn from the other, whatever else they contain
        union, common = len(left | right), len(left & right)
        assert abs(len(left) - len(sets[0]) / share) < 4.5 * sqrt(len(sets[0]) / share)
        errors += [(common / union - resemblance) / sqrt(resemblance * (1 - resemblance) / union)]
        errors += [(common / len(left) - containment) / sqrt(containment * (1 - containment) / len(left))]
    # in standard errors: of 80 fixed draws about one in 20 is off by more than 2, and none by 4.5 or more
    assert max(map(abs, errors)) < 4.5
    assert sum(abs(error) > 2 for error in errors) <= 10
    assert abs(sum(errors) / len(errors)) < 0.5
    assert 0.5 < sum(error * error for error in errors) / len(errors) < 1.6


def test_which_integers_are_drawn_depends_on_the_secret(tmp_path: Path) -> None:
    random = Random(5)
    singles = pa.array([[random.getrandbits(64)] for _ in range(2000)] * 2, pa.list_(pa.uint64()))
    table = pa.table({"id": [f"{number:04}" for number in range(4000)], "values": singles})
    drawn = []
    for name in ("one", "two", None):
        seed = "3"
        if name:
            (tmp_path / name).write_bytes(random.randbytes(32))
            seed = f"file:{tmp_path / name}"
        line = f"given | terms | moduli:4 seed={seed} | each | ~containment>=0.5"
        values = neardup.sketch(table, line, text_field="values", id_field="id").sketches.column("values")
        assert [len(one) for one in values[:2000]] == [len(one) for one in values[2000:]]
        drawn.append({number for number, one in enumerate(values[:2000]) if one})
    for one, other in zip(drawn, drawn[1:] + drawn[:1], strict=True):
        # expected are 500 of 2,000, and 125 in both samples; the bounds are about five standard errors
        assert abs(len(one) - 500) < 100
        assert abs(len(one & other) - 125) < 60


def test_a_secret_is_never_written(cli: Cli, tmp_path: Path) -> None:
    secret = tmp_path / "the.secret"
    secret.write_bytes(b"a secret of more than sixteen bytes")
    path = write_records(tmp_path / "docs.jsonl", [{"text": text} for text in make_texts()])
    line = f"words | shingles:2 | moduli:2 seed=file:{secret} | {TAIL}"
    done = cli("sketch", path, "-o", tmp_path / "out", "--scheme", line)
    written = [done.stdout.encode(), *(file.read_bytes() for file in (tmp_path / "out").iterdir())]
    number = neardup.sketch(make_texts(), line)
    assert "seed=check:" in number.scheme
    for text in written:
        assert b"a secret of more" not in text
        assert b"the.secret" not in text
    drawn = f"given | terms | moduli:2 seed=file:{secret} | each | ~resemblance>=0.5"
    stored = tmp_path / "out" / "sketches.parquet"
    assert "the.secret" not in neardup.find_pairs(stored, scheme=drawn, text_field="values").json
    assert "the.secret" not in number.json
    public = neardup.sketch(make_texts(), line.replace(f" seed=file:{secret}", ""))
    assert public.digest != number.digest
