"""The model of large runs is held against what is known."""

import pytest
import scale_model


def test_the_run_of_1997() -> None:
    assert scale_model.CRAWL_1997.sketch_bytes == 3_000_000_000
    assert scale_model.CRAWL_1997.list_bytes == 5_400_000_000
    said = scale_model.describe_1997(scale_model.CRAWL_1997)
    assert "sketches 3.0 GB (printed 3)" in said
    assert "sorted list 5.4 GB (printed 5.5)" in said
    assert "1.85 such lists" in said


def test_rates_are_held_against_runs() -> None:
    runs = [
        {"documents": size, "phases": {"sign": size * 1e-6, "write": size * 2e-6}, "bytes": size, "work_bytes": size}
        for size in (10, 30)
    ]
    rates = scale_model.Rates.of(runs[0], threads=2)
    assert scale_model.hold_rates(rates, runs) == [
        (10, pytest.approx(3e-5), pytest.approx(3e-5)),
        (30, pytest.approx(9e-5), pytest.approx(9e-5)),
    ]


def test_a_run_is_split_where_its_numbers_end() -> None:
    rates = scale_model.Rates({"sign": 1e-6, "write": 2e-6}, input_bytes=250.0, work_bytes=200.0, threads=2)
    assert rates.seconds(1_000_000) == pytest.approx(3.0)
    rows = [line.split() for line in scale_model.reckon(rates, 0.5).splitlines()]
    assert [row[1] for row in rows[1:]] == ["1", "1", "1", "1", "1", "3"]
    assert rows[1][0] == "1,000,000"
    assert rows[5][-1] == "0.83"


@pytest.mark.parametrize(("count", "written"), [(5, "5 B"), (250e9, "250 GB"), (2.5e12, "2.5 TB"), (1e18, "1e+03 PB")])
def test_bytes_are_written_short(count: float, written: str) -> None:
    assert scale_model.write_bytes(count) == written


@pytest.mark.parametrize(
    ("seconds", "written"), [(5.25, "5.2 s"), (90, "1.5 min"), (7200, "2.0 h"), (864000, "10.0 d")]
)
def test_times_are_written_short(seconds: float, written: str) -> None:
    assert scale_model.write_time(seconds) == written
