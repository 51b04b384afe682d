"""The parameters of a test that the default tier runs."""

from itertools import product
from types import SimpleNamespace
from typing import Any

import pytest

from tiers import check_reason, cover


def items(**parameters: list[Any]) -> list[Any]:
    """Return one item for each combination of parameters."""
    return [
        SimpleNamespace(
            callspec=SimpleNamespace(params=dict(zip(parameters, values, strict=True))), iter_markers=lambda _: []
        )
        for values in product(*parameters.values())
    ]


def test_every_value_is_shown() -> None:
    several = items(verb=["dedup", "pairs", "cluster"], size=[1, 2], keep=["first", "latest"])
    chosen: list[dict[str, Any]] = [values.callspec.params for values in list[Any](cover(several, None))]
    assert len(chosen) == 3
    for name in ("verb", "size", "keep"):
        assert {one[name] for one in chosen} == {item.callspec.params[name] for item in several}


def test_a_table_of_cases_is_run_completely() -> None:
    cases = [("a", 1), ("a", 2), ("b", 1), ("b", 2)]
    table = pytest.mark.parametrize(("left", "right"), cases).mark
    several: list[Any] = [
        SimpleNamespace(callspec=SimpleNamespace(params={"left": left, "right": right}), iter_markers=lambda _: [table])
        for left, right in cases
    ]
    assert cover(several, None) == several


def test_one_parameter_is_run_with_all_its_values() -> None:
    several = items(size=list(range(7)))
    assert cover(several, None) == several


@pytest.mark.parametrize("count", [0, 1, 4, 9])
def test_a_number_is_kept(count: int) -> None:
    several = items(verb=["dedup", "pairs", "cluster"], size=[1, 2])
    chosen = cover(several, count)
    assert len(chosen) == min(count, len(several))
    assert len({id(item) for item in chosen}) == len(chosen)


def test_a_test_without_parameters_runs() -> None:
    alone: Any = SimpleNamespace()
    assert cover([alone], None) == [alone]


def test_a_deep_test_needs_a_reason() -> None:
    mute: Any = SimpleNamespace(nodeid="test_x", get_closest_marker=lambda _: SimpleNamespace(args=()))
    with pytest.raises(pytest.UsageError, match=r"test_x: .*deep\(reason\)"):
        check_reason(mute)
