"""The figures of docs/guides/cluster.md are compared with their limits, and simulated keys with drawn ones."""

import random
from collections import Counter
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import long_texts
import numpy as np
import pytest
import simulate_keys
import spark_cost

from planning.costs import BETWEEN, Costs, Run
from planning.division import Division
from planning.fleet import MACHINE, PEER, Plan
from planning.keys import BANDS, Keys
from planning.page import BITS, GUIDES
from planning.stored import read, store

STORED = read(GUIDES / "cluster.json")
RUNS = [Run(**run) for run in STORED["runs"]]
KEYS = [Keys(**one) for one in STORED["keys"]]
GROWTH = 1.15
"""How many times n log n the work of a phase may grow from 10^6 to 10^9 documents."""
ROOT = Path(__file__).resolve().parents[1]
DRIVER = ROOT / "crates" / "neardup-engine" / "src" / "distributed" / "driver" / "division.rs"


def draw(mix: simulate_keys.Mix, bits: int, seed: int) -> Keys:
    """Draw every key of every text of some families, connect by a forest, and count."""
    chance = random.Random(seed)
    texts: list[tuple[int, float]] = []
    classes: set[int] = set()
    sizes = np.append(np.repeat(mix.copies, mix.families), np.zeros(mix.alone, dtype=np.int64))
    for family, copies in enumerate(sizes.tolist()):
        original = len(texts)
        texts.append((family, 0.0))
        for _ in range(copies):
            if chance.random() < long_texts.EXACT:
                classes.add(original)
            else:
                texts.append((family, chance.random() * long_texts.EDITED))
    parents = list(range(len(texts)))

    def find(node: int) -> int:
        while parents[node] != node:
            parents[node] = node = parents[parents[node]]
        return node

    links = by_chance = 0
    linked: set[int] = set(classes)
    for _ in range(BANDS):
        keys: dict[int, list[int]] = {}
        of_family: dict[int, int] = {}
        families_of_key: dict[int, set[tuple[int, bool]]] = {}
        for node, (of, edited) in enumerate(texts):
            same = (1 - edited) ** simulate_keys.WIDTH
            shares = chance.random() < (same / (2 - same)) ** simulate_keys.ROWS
            key = of_family.setdefault(of, chance.getrandbits(bits)) if shares else chance.getrandbits(bits)
            keys.setdefault(key, []).append(node)
            families_of_key.setdefault(key, set()).add((of if shares else node, shares))
        for some in keys.values():
            links += len(some) - 1
            linked.update(some if len(some) > 1 else ())
            for one, other in pairwise(some):
                parents[find(max(one, other))] = find(min(one, other))
        by_chance += sum(len(some) * (len(some) - 1) // 2 for some in families_of_key.values())
    largest = Counter(find(node) for node in range(len(texts))).most_common(1)[0][1]
    family = max(Counter(of for of, _ in texts).values())
    return Keys(
        mix.documents, bits, BANDS * mix.documents, by_chance, links, 0, len(linked), 0.0, largest, family, 1, 1
    )


@pytest.mark.parametrize("bits", [14, 18, 32])
def test_simulated_keys_are_those_that_are_drawn(bits: int) -> None:
    """With 14 bits nearly all documents are one component, with 32 there is no chance."""
    documents = 20_000
    mix = simulate_keys.draw_mix(documents, np.random.default_rng(1))
    assert mix.documents == pytest.approx(documents, rel=0.03)
    drawn = [draw(mix, bits, seed) for seed in range(2)]
    found = simulate_keys.simulate(documents, bits, 4000, 2, np.random.default_rng(1))

    def mean(name: str) -> float:
        return float(np.mean([getattr(one, name) for one in drawn]))

    assert found.rows == mean("rows")
    assert found.links == pytest.approx(mean("links"), rel=0.02)
    assert found.texts == pytest.approx(mean("texts"), rel=0.02)
    assert found.by_chance == pytest.approx(mean("by_chance"), rel=0.03, abs=5)
    assert found.largest_family == pytest.approx(mean("largest_family"), rel=0.1)
    if bits != 18:
        assert found.largest == pytest.approx(mean("largest"), rel=0.02 if bits == 14 else 0.1)


@pytest.mark.parametrize("bits", [32, BITS])
def test_stored_keys_are_those_of_the_command(bits: int) -> None:
    stored = next(one for one in KEYS if one.bits == bits)
    found = simulate_keys.simulate(1e6, bits, 4000, 2016, np.random.default_rng(41))
    for name, value in vars(found).items():
        assert value == pytest.approx(getattr(stored, name), rel=0.01), name


def test_rounds_connect_what_a_forest_connects() -> None:
    chance = np.random.default_rng(5)
    for nodes, count in [(1, 0), (50, 20), (50, 60), (400, 500), (1000, 900)]:
        links = chance.integers(0, nodes, (count, 2))
        parents = list(range(nodes))
        for one, other in links.tolist():
            while parents[one] != one:
                one = parents[one]
            while parents[other] != other:
                other = parents[other]
            parents[max(one, other)] = min(one, other)

        def root(node: int, parents: list[int] = parents) -> int:
            return node if parents[node] == node else root(parents[node], parents)

        expected = {(node, root(node)) for node in range(nodes) if root(node) != node}
        tied, rounds = simulate_keys.connect(links)
        assert set(map(tuple, tied.tolist())) == expected
        assert rounds <= 2 + 2 * np.log2(max(2, nodes))


def test_no_phase_grows_faster_than_n_log_n() -> None:
    """With keys of 32 bits chance makes three of them grow faster, as the page says."""
    for bits, fast in [(32, {"connect", "fetch", "compare"}), (BITS, set())]:
        of = [one for one in KEYS if one.bits == bits and one.documents < 2e9]
        assert [round(np.log10(one.documents)) for one in of] == [6, 7, 8, 9]
        first, last = of[0].growth(), of[-1].growth()
        assert {phase for phase in first if last[phase] > GROWTH * first[phase]} == fast
        for one in of:
            assert all(work <= GROWTH * first[phase] for phase, work in one.growth().items() if phase not in fast)


def test_chance_connects_all_with_32_bits_and_hardly_any_with_more() -> None:
    few, many = ({round(np.log10(one.documents)): one for one in KEYS if one.bits == bits} for bits in (32, BITS))
    assert few[9].largest > 0.5 * few[9].texts
    assert many[9].largest < 1.1 * many[9].largest_family
    assert all(few[power].largest >= many[power].largest for power in few)


def test_division_is_that_of_the_driver() -> None:
    source = DRIVER.read_text(encoding="utf-8")
    assert "const HOMES: u64 = 100_000;" in source
    assert "const TURNS: u64 = 4;" in source
    assert "const PARTS: u64 = 10_000;" in source
    assert "home: [2 << 20, 32 << 20]," in source
    assert "part: 32 << 20," in source
    assert Division.of(64 << 20, 2) == Division(8, 4)
    assert Division.of(4e12, 2000) == Division(100_000, 10_000)


def test_stages_of_spark_are_those_of_the_run() -> None:
    """The first stage of a job only brings rows to the first tasks; a job of one stage is the driver's."""
    jobs = [
        {"jobId": 1, "stageIds": [5, 3, 4], "description": "neardup: sign, pass 1"},
        {"jobId": 2, "stageIds": [6], "description": "neardup: sign, pass 1"},
        {"jobId": 3, "stageIds": [7, 8, 9, 10], "description": "neardup: compare, pass 1"},
    ]
    stages = [{"stageId": number, "status": "COMPLETE"} for number in range(3, 11)]
    found = {stage["stageId"]: (name, taker) for name, taker, stage in spark_cost.stages_of(jobs, stages)}
    assert found == {
        3: ("sign", "sign"),
        4: ("sign", "link"),
        5: ("link", "link"),
        6: ("driver", "driver"),
        7: ("gather", "gather"),
        8: ("gather", "fetch"),
        9: ("fetch", "compare"),
        10: ("compare", "compare"),
    }


def test_processor_time_between_two_moments() -> None:
    sampler = spark_cost.Sampler()
    sampler.times = [10.0, 11.0, 12.0]
    sampler.cpu = [{"java": 1.0}, {"java": 2.0}, {"java": 6.0}]
    assert sampler.between(10.5, 11.5) == {"java": 2.5}
    assert sampler.between(0.0, 99.0) == {"java": 5.0}
    assert spark_cost.moment("2026-01-01T00:00:01.500GMT") - spark_cost.moment("2026-01-01T00:00:00.000GMT") == 1.5


def test_costs_are_those_of_further_documents() -> None:
    stage = {"sent": 100.0, "read": 0.0, "kept": 10.0, "java": 1.0, "workers": 2.0}
    cpu = {"java": 5.0, "workers": 2.5, "driver": 1.0}
    small = Run(100, 4000, 10, 2, 9.0, 3.0, cpu, {}, 2, {"sign": stage}, "a")
    more = {name: 3 * value for name, value in stage.items()}
    longer = {"java": 9.0, "workers": 7.0, "driver": 1.5}
    large = replace(small, documents=300, bytes=12_000, dropped=50, stages={"sign": more}, cpu=longer)
    costs = Costs.of([small, large])
    assert costs.document_bytes == 40
    assert costs.kept == 1 - 40 / 200
    assert costs.stages["sign"] == {"sent": 1.0, "read": 0.0, "kept": 0.1, "java": 0.01, "workers": 0.02}
    assert costs.stages[BETWEEN]["java"] == pytest.approx((9.0 - 3 + 1.5 - (5.0 - 1 + 1.0)) / 200)
    assert costs.total("workers") == pytest.approx((7.0 - 2.5) / 200)


def test_a_plan_is_as_long_as_its_slowest_resource() -> None:
    costs, keys = Costs.of(RUNS), next(one for one in KEYS if one.bits == BITS and one.documents > 5e8)
    plan = Plan(costs, keys, 4000, 10)
    assert plan.hours == pytest.approx(sum(step.seconds for step in plan.steps().values()) / 3600)
    assert Plan(costs, keys, 4000, 20).hours == pytest.approx(plan.hours / 2, rel=0.06)
    slow = Plan(costs, keys, 4000, 10, replace(MACHINE, network=1e5))
    assert {step.bound for name, step in slow.steps().items() if costs.stages[name]["sent"] > 1} == {"network"}
    quick = Plan(costs, keys, 4000, 10, replace(MACHINE, network=1e15, disk=1e15))
    assert {step.bound for step in quick.steps().values()} == {"processors"}
    assert plan.cost == pytest.approx(plan.hours * 10 * MACHINE.price)


def test_the_peer_is_quoted_consistently() -> None:
    assert round(PEER.each) == 77


def test_documents_have_about_4_kb_and_the_stated_families() -> None:
    texts = list(long_texts.texts(1000, 3))
    assert texts == list(long_texts.texts(1000, 3))
    assert 3800 < sum(map(len, texts)) / len(texts) < 4200
    families = long_texts.families(50_000, 3)
    assert 0.65 < len(set(families)) / len(families) < 0.76


def test_parts_are_stored_side_by_side(tmp_path: Path) -> None:
    path = tmp_path / "cluster.json"
    store(path, "runs", [RUNS[0]])
    store(path, "keys", KEYS)
    assert read(path) == {"runs": STORED["runs"][:1], "keys": STORED["keys"]}
