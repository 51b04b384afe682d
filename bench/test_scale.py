"""The figures and the model of docs/concepts/scale.md are compared with limits, measurements and the program."""

import json
import math
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import tools
import work_file

from scaling import chance, memory
from scaling.growth import predict
from scaling.machines import Fleet, Machine
from scaling.page import CONCEPTS
from scaling.rates import UNITS, Corpus, Rates
from scaling.runs import LIMITS, Run, in_pairs, ratio, read
from scaling.shuffle import Shuffle, read_sent
from scaling.sketches import CRAWL_1997, PRINTED_1997
from scaling.units import write_bytes, write_count, write_time
from scaling.workload import Workload, bitmap

BENCH = Path(__file__).resolve().parent
ROOT = BENCH.parent
GOLDEN = ROOT / "tests" / "golden" / "docs.jsonl"
MEASURED = read(CONCEPTS / "scale.json")
TIME, CANDIDATES = 0.15, 0.01
"""Tolerances of the model for a run that it was not fitted to, as the page states them."""


def dedup(docs: Path, out: Path, *extra: str) -> subprocess.CompletedProcess[str]:
    command = [tools.NEARDUP, "dedup", docs, "-o", out, "--id-field", "id", "--threads", "1", "--quiet", *extra]
    return subprocess.run(list(map(str, command)), capture_output=True, text=True)


def made(documents: int, rates: dict[str, float], candidates: int = 0) -> Run:
    """Return a run whose phases take the microseconds of `rates` for each document."""
    phases = {phase: documents * rate * 1e-6 for phase, rate in rates.items() if phase != "rest"}
    seconds = documents * sum(rates.values()) * 1e-6
    counts = {"candidates": candidates or documents // 4, "copies": 0}
    return Run("made", documents, 200 * documents, [seconds], 0, phases, counts)


@pytest.mark.parametrize("what", LIMITS)
def test_measured_ratios_are_within_their_limits(what: str) -> None:
    assert ratio(what, getattr(MEASURED, what).runs) <= LIMITS[what]


def test_ratios() -> None:
    runs = [made(10, {"sign": 2.0}), made(30, {"sign": 3.0})]
    assert ratio("growth", runs) == pytest.approx(1.5)
    assert ratio("family", [*runs, runs[0], runs[0]]) == pytest.approx((90 - 20) / 20)
    assert ratio("copies", runs) == pytest.approx(20 / 90)


def test_measured_runs_have_the_required_sizes_and_verbs() -> None:
    assert [run.documents for run in MEASURED.growth.runs] == [1_000_000, 10_000_000, 30_000_000]
    assert all(
        run.bytes / run.documents <= 300 + len('{"id": "d000000000", "text": ""}\n') for run in MEASURED.growth.runs
    )
    verbs = in_pairs(MEASURED.family.runs)
    assert [alone.name for alone, _ in verbs] == ["dedup", "cluster", "cluster --forest", "pairs"]
    assert {(alone.documents, beside.documents) for alone, beside in verbs} == {(1_000_000, 2_000_000)}
    # `dedup` and `cluster` cap no key
    assert [run.counts["capped"] for one in verbs[:2] for run in one] == [0, 0, 0, 0]


def test_the_model_predicts_runs_that_it_has_not_seen() -> None:
    rows = list(predict(MEASURED))
    assert [(run.documents, [one.documents for one in seen]) for run, seen, _ in rows] == [
        (10_000_000, [1_000_000, 30_000_000]),
        (30_000_000, [1_000_000, 10_000_000]),
    ]
    for run, seen, seconds in rows:
        assert seconds == pytest.approx(run.wall, rel=TIME)
        assert Corpus.of(seen[0]).candidates(run.documents) == pytest.approx(run.counts["candidates"], rel=CANDIDATES)


def test_the_page_states_the_tolerances_of_the_model() -> None:
    page = (CONCEPTS / "scale.md").read_text(encoding="utf-8")
    assert f"allows {100 * TIME:.0f} % of the time and {100 * CANDIDATES:.0f} % of the candidates" in page


def test_rates_that_grow_by_every_tenfold_are_found() -> None:
    at = {phase: 1.0 + number for number, phase in enumerate(UNITS)}
    small, large, beyond = (
        made(size, {phase: rate + 0.5 * tens for phase, rate in at.items()})
        for tens, size in enumerate((1000, 10_000, 100_000))
    )
    rates = Rates.of(small, large, threads=2)
    # There are too few documents for candidates by chance.
    assert rates.phases(beyond.documents) == pytest.approx(beyond.parts, rel=2e-3)
    cheaper = Rates.of(made(1000, dict.fromkeys(UNITS, 2.0)), made(10_000, dict.fromkeys(UNITS, 1.0)), threads=2)
    assert cheaper.seconds(1e6) == pytest.approx(len(UNITS), rel=0.01)


def test_chance_against_drawing() -> None:
    documents, bits = 3000, 14
    pairs = met = 0
    for seed in range(20):
        draw = random.Random(seed)
        shared = set()
        for _ in range(chance.TABLES):
            holders: dict[int, list[int]] = {}
            for document in range(documents):
                holders.setdefault(draw.getrandbits(bits), []).append(document)
            pairs += sum(math.comb(len(some), 2) for some in holders.values())
            shared |= {document for some in holders.values() if len(some) > 1 for document in some}
        met += len(shared)
    assert pairs / 20 / chance.TABLES == pytest.approx(chance.equal_pairs(documents, bits), rel=0.01)
    assert met / 20 / documents == pytest.approx(chance.collision_share(documents, bits), rel=0.01)
    assert chance.equal_pairs(documents, bits) * 2 * chance.TABLES / documents == pytest.approx(
        chance.partners(documents, bits)
    )


def test_estimated_memory_is_what_the_program_requires(tmp_path: Path) -> None:
    """There are enough documents that one byte more for each changes the message."""
    documents, docs = 1_100_000, tmp_path / "docs.jsonl"
    with docs.open("w") as file:
        file.writelines(f'{{"id":"{number:07}","text":"a"}}\n' for number in range(documents))
    done = dedup(docs, tmp_path / "out", "--memory", "60M", "--no-kept")
    assert done.returncode == 2
    assert f"the numbers and ids of {documents} documents" in done.stderr
    megabytes = int(done.stderr.partition("; give ")[2].partition("M or more")[0])
    assert megabytes == math.ceil(memory.needed(documents, 7, 1) / (1 << 20))
    page = (CONCEPTS / "scale.md").read_text(encoding="utf-8")
    assert f"| its bytes and {memory.PER_ID} | memory |" in page
    assert f"| {memory.PER_DOCUMENT} in all | memory |" in page


def test_columns_add_up_to_the_whole_work_file(tmp_path: Path) -> None:
    command = [str(tools.NEARDUP), "dedup", str(GOLDEN), "-o", str(tmp_path / "out"), "--id-field", "id", "--quiet"]
    work_file.keep(command, tmp_path / "out", tmp_path / "work")
    stages = work_file.measure(tmp_path / "work")
    summary = json.loads((tmp_path / "out" / "run.json").read_text())
    assert not (tmp_path / "out" / "work").exists()
    assert sum(sum(columns.values()) for columns in stages.values()) == summary["work_bytes"]
    assert list(stages) == list(MEASURED.disk["stages"])
    documents = summary["counts"]["documents"]
    assert f"bands:{chance.TABLES}x" in summary["scheme"]
    assert stages["signed"]["keys"] == 4 * chance.TABLES * documents
    assert {"ids", "lexical", "bitmaps"} <= stages["signed"].keys()


def test_columns_are_found_in_an_entry() -> None:
    entry = {
        "names": ["a"],
        "parts": [[{"ids": [16, 5, True], "urls": [0, 0, False]}, {"keys": [{"keys": [32, 9, False]}]}]],
        "sum": [1],
    }
    assert list(work_file.columns(entry)) == [(16, "ids"), (32, "keys")]


@pytest.mark.parametrize("words", [20, 500, 5000])
def test_bitmaps_are_as_long_as_estimated(words: int, tmp_path: Path) -> None:
    text = " ".join(f"w{number:04}" for number in range(words))
    (tmp_path / "docs.jsonl").write_text(json.dumps({"id": "a", "text": text}) + "\n")
    assert dedup(tmp_path / "docs.jsonl", tmp_path / "out").returncode == 0
    sketch = json.loads((tmp_path / "out" / "run.json").read_text())["sketch_bytes"]
    assert sketch == 4 * chance.TABLES + 4 + bitmap(len(text))


def test_a_small_measurement_is_stored_and_read(tmp_path: Path) -> None:
    for what in ("growth", "family", "disk"):
        command: list[str | Path] = [
            sys.executable,
            BENCH / "scale.py",
            what,
            "--documents",
            "200,400",
            "--rounds",
            "2",
            "--work",
            tmp_path,
        ]
        done = subprocess.run([*command, "--json", tmp_path / "scale.json"], capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        assert what == "disk" or f"(limit: {LIMITS[what]:g})" in done.stdout
    kept: dict[str, Any] = json.loads((tmp_path / "scale.json").read_text())
    (tmp_path / "scale.json").write_text(json.dumps(kept | {"copies": kept["growth"]}))
    measured = read(tmp_path / "scale.json")
    assert [run.documents for run in measured.growth.runs] == [200, 400]
    assert all(len(run.seconds) == 2 and run.parts["rest"] > 0 for run in measured.growth.runs)
    alone, beside = in_pairs(measured.family.runs)[0]
    assert beside.counts["dropped"] > alone.counts["dropped"] + 100
    assert Workload.of(measured).id_bytes == pytest.approx(10, rel=0.1)
    for run in (*measured.growth.runs, alone, beside):
        assert 0 < run.counts["candidates"] <= run.documents
        assert run.counts.keys() == MEASURED.growth.runs[0].counts.keys()


def test_the_run_of_1997() -> None:
    assert CRAWL_1997.sketch_bytes == 3_000_000_000
    assert CRAWL_1997.list_bytes == 5_400_000_000
    page = (CONCEPTS / "scale.md").read_text(encoding="utf-8")
    assert "| sketches | 3.0 GB | 3 GB |" in page
    assert "| list of shingles and documents | 5.4 GB | 5.5 GB |" in page
    assert PRINTED_1997["peak"] * 1e9 / CRAWL_1997.list_bytes == pytest.approx(1.85, abs=0.005)
    assert "10 GB, 1.85 lists" in page


def test_what_is_shuffled() -> None:
    corpus = Corpus(document_bytes=100, different=0.5, alike=0.25)
    steps = Shuffle(corpus, pairs=2, verified=0.5, signature=60).steps()
    assert steps == {
        "digests": 16 + 8,
        "keys": 0.5 * 16 * (8 + 8),
        "pairs": 2 * 16,
        "signatures": 2 * (16 + 16 + 60) + 2 * 0.25 * (8 + 60),
        "texts": 0.5 * 2 * (8 + 100),
        "verdicts": 16,
    }


def test_spark_sends_what_is_estimated() -> None:
    sent = read_sent(CONCEPTS / "shuffle.json")
    run = next(run for run in MEASURED.growth.runs if run.documents == sent.documents)
    estimated = Shuffle.of(run).phases()
    each = {phase: count / sent.documents for phase, count in sent.bytes.items()}
    assert each["compare"] <= estimated["compare"], "texts are sent that no task needs"
    # with a class of copies for every key, and ids
    assert each["sign"] <= 2 * estimated["sign"]
    assert sum(each.values()) <= sum(estimated.values())
    assert sum(sent.compressed.values()) < sum(sent.bytes.values())


def test_machines_share_the_work() -> None:
    workload = Workload.of(MEASURED)
    slow, quick = Machine(disk=1e6, network=1e15), Machine(disk=1e15, network=1e15)
    assert {step.bound for phase, step in Fleet(quick, 4).steps(1e9, workload).items()} == {"processors"}
    bound = {phase: step.bound for phase, step in Fleet(slow, 4).steps(1e9, workload).items()}
    assert [phase for phase in bound if bound[phase] == "disk"] == ["sign", "arrange", "lead", "write"]
    crawling = Fleet(Machine(disk=1e15, network=1e6), 4).steps(1e9, workload)
    assert [phase for phase in UNITS if crawling[phase].bound == "network"] == ["arrange", "lead", "write"]
    # A machine equal to the measured one takes as long as the measured run.
    same = Fleet(Machine(threads=workload.rates.threads, disk=1e15), 1).steps(3e7, workload)
    assert {phase: step.seconds for phase, step in same.items()} == pytest.approx(workload.rates.phases(3e7))
    # The same number of documents on each machine takes the same time, except for the shuffle.
    one, ten = (Fleet(quick, number).steps(number * 1e8, workload) for number in (2, 20))
    assert {phase: step.seconds for phase, step in ten.items()} == pytest.approx(
        {phase: step.seconds for phase, step in one.items()}
    )
    assert Fleet(Machine(price=0.5), 10).cost(7200) == 10.0
    assert Fleet(quick, 4).memory(4e8, workload) == memory.needed(1e8, workload.id_bytes, quick.threads)


def test_other_workloads() -> None:
    workload = Workload.of(MEASURED)
    assert workload.of_bytes(workload.traffic.input).traffic == workload.traffic
    long = workload.of_bytes(5000)
    assert long.traffic.input == long.rates.corpus.document_bytes == long.shuffle.corpus.document_bytes == 5000
    assert bitmap(5000) - 64 == 192
    assert long.traffic.signed - workload.traffic.signed == pytest.approx(192)
    half = workload.of_candidates(workload.rates.corpus.alike / 2)
    assert half.shuffle.pairs == workload.shuffle.pairs / 2
    assert half.rates.corpus.candidates(1e6) < workload.rates.corpus.candidates(1e6)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--documents", "1e10"], "--machines must be 3 or more"),
        (["--candidates", "1.5"], "1.5 is above 1"),
        (["--machines", "0"], "0 is below 1"),
        (["--price", "-1"], "-1 is not above 0"),
    ],
)
def test_impossible_machines_are_refused(arguments: list[str], message: str) -> None:
    command = [tools.NEARDUP.with_name("python"), ROOT / "tools" / "docs" / "scale.py", *arguments]
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True)
    assert done.returncode == 2
    assert message in done.stderr


def test_a_machine_of_ones_own() -> None:
    command = [
        tools.NEARDUP.with_name("python"),
        ROOT / "tools" / "docs" / "scale.py",
        "--documents",
        "2e9",
        "--machines",
        "5",
    ]
    done = subprocess.run([*map(str, command), "--bytes", "2000", "--price", "2"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "| 2 * 10^9 on 5 |" in done.stdout
    assert "costs 2.00 an hour" in done.stdout


@pytest.mark.parametrize(("count", "written"), [(5, "5 B"), (250e9, "250 GB"), (999.9e6, "1 GB"), (1e18, "1,000 PB")])
def test_bytes_are_written_short(count: float, written: str) -> None:
    assert write_bytes(count) == written


@pytest.mark.parametrize(
    ("seconds", "written"), [(5.25, "5.2 s"), (90, "1.5 min"), (7200, "2.0 h"), (864000, "10.0 d")]
)
def test_times_are_written_short(seconds: float, written: str) -> None:
    assert write_time(seconds) == written


@pytest.mark.parametrize(
    ("count", "written"), [(0.0037, "0.0037"), (1e6, "1,000,000"), (1e9, "10^9"), (2**32 - 2, "4.29 * 10^9")]
)
def test_counts_are_written_short(count: float, written: str) -> None:
    assert write_count(count) == written
