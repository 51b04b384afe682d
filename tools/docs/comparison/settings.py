"""Two classics with varied parameters: SimHash by its distance and weights, Tianwang by its rules and N."""

from comparison.sets import VARIED
from comparison.table import write_estimate
from comparison.trials import Trials
from neardup import Scheme
from neardup.classics import simhash, tianwang
from pages import write_table

DISTANCES = [(64, m) for m in range(1, 9)] + [(128, m) for m in (4, 8, 12, 16, 20)]
"""Bits of the fingerprint, and the number of them that may differ."""
WEIGHTS = [(w, weight) for w in (3, 1) for weight in ("1", "tf", "idf:corpus")]
"""Words in a shingle, and its weight."""
COUNTS = (3, 5, 10, 20, 40)
"""Tianwang's N."""
RULES = [(rule, n) for rule in (2, 3, 5, 4) for n in COUNTS]
"""Tianwang's rules that use keywords, and the number of keywords."""

Rows = dict[tuple[str, ...], Scheme]


def write_distances(trials: Trials) -> str:
    """Write SimHash by bits and distance."""
    return _write(trials, ["bits", "m"], {(str(bits), str(m)): simhash(bits, m) for bits, m in DISTANCES})


def write_weights(trials: Trials) -> str:
    """Write SimHash of 128 bits by shingles and weights."""
    return _write(trials, ["w", "weight"], {(str(w), weight): simhash(128, 12, weight, w=w) for w, weight in WEIGHTS})


def write_rules(trials: Trials) -> str:
    """Write Tianwang by rule and N; the abstract of rule 1 has none."""
    rows: Rows = {("1", ""): tianwang(1)}
    return _write(trials, ["rule", "N"], rows | {(str(rule), str(n)): tianwang(rule, n) for rule, n in RULES})


def _write(trials: Trials, names: list[str], rows: Rows) -> str:
    """Write precision and recall of every row on every set in `VARIED`."""
    head = [f"{labelled.short}: {part}" for labelled in VARIED for part in ("precision", "recall")]
    cells = []
    for values, scheme in rows.items():
        pairs = [trials.evaluate(labelled, str(scheme))["schemes"][0]["pairs"] for labelled in VARIED]
        cells.append([*values, *(write_estimate(one[part]) for one in pairs for part in ("precision", "recall"))])
    return write_table([*names, *head], cells)
