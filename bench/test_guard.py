"""The guard of instruction counts: reading callgrind's output, comparing counts, and errors."""

from pathlib import Path
from typing import Any

import callgrind
import guard
import guard_builds
import pytest
from callgrind import CallgrindError
from guard import Count, Counts
from guard_builds import BuildError

TOOLS = {"compiler": "rustc 1.0", "target": "x86_64", "valgrind": "3.19.0", "libc": "glibc 2.36"}
PROFILE = "version: 1\npositions: line\nevents: Ir\n\nfn=(1) guard::measured\n0 1234\n\ntotals: 1234\n"


def counts(tools: dict[str, str] = TOOLS, **instructions: int) -> Counts:
    return Counts(tools, {name: Count(number, "avx2", "00ff") for name, number in instructions.items()})


def test_totals_are_read() -> None:
    assert callgrind.parse_total(PROFILE) == 1234
    assert callgrind.parse_total(PROFILE.replace("totals", "summary")) == 1234


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (PROFILE.replace("totals: 1234", "totals: 0"), "no instruction inside"),
        (PROFILE.replace("totals", "nothing"), "no instruction inside"),
        (PROFILE.replace("events: Ir", "events: Ir Dr"), "Ir Dr"),
        ("", "nothing"),
    ],
)
def test_a_profile_without_counts_is_refused(text: str, reason: str) -> None:
    with pytest.raises(CallgrindError, match=reason):
        callgrind.parse_total(text)


def test_a_missing_valgrind_names_its_package(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PATH", "")
    assert guard.main([]) == 1
    assert "the package `valgrind`" in capsys.readouterr().err


def test_changes_are_shown_beside_the_counts() -> None:
    now = counts(sign=1_010_000, lead=99, query=999_999, admit=5)
    found = guard.compare(now, counts(sign=1_000_000, lead=100, query=1_000_000), 1)
    assert [line.split() for line in found.table.splitlines()] == [
        ["case", "instructions", "before", "change"],
        ["sign", "1,010,000", "1,000,000", "+1.00", "%"],
        ["lead", "99", "100", "-1.00", "%"],
        ["query", "999,999", "1,000,000", "+0.00", "%"],
        ["admit", "5", "-", "new"],
    ]
    assert found.notes == []
    assert found.errors == []


def test_a_case_above_the_limit_is_named() -> None:
    now, before = counts(sign=103, lead=101, read=50), counts(sign=100, lead=100, read=100)
    assert guard.compare(now, before, None).errors == []
    assert guard.compare(now, before, 2).errors == ["sign: +3.00 % instructions, more than 2 % are not allowed"]


def test_a_different_result_is_an_error_and_not_a_change() -> None:
    other = Counts(TOOLS, {"sign": Count(100, "avx2", "0001")})
    found = guard.compare(counts(sign=100), other, None)
    assert found.errors == ["sign: the result is 00ff, before 0001, so the work is not the same"]
    assert found.table.endswith("other result")


def test_another_instruction_set_is_reported_and_no_limit_applied() -> None:
    found = guard.compare(counts(sign=300), Counts(TOOLS, {"sign": Count(100, "portable", "00ff")}), 2)
    assert found.errors == []
    assert found.notes == ["sign: the instruction set is avx2, before portable"]


def test_another_compiler_is_reported_and_no_limit_applied() -> None:
    before = counts({**TOOLS, "compiler": "rustc 0.9"}, sign=100)
    found = guard.compare(counts(sign=300), before, 2)
    assert found.errors == []
    assert found.notes[0] == "other compiler: rustc 1.0; before rustc 0.9"
    assert "the limit of 2 % is not applied" in found.notes[1]


def test_counts_are_stored_and_read_again(tmp_path: Path) -> None:
    path = tmp_path / "guard.json"
    guard.store(counts(sign=1, lead=2), path)
    assert guard.load(path) == counts(sign=1, lead=2)
    assert '    "lead": {"instructions": 2, "level": "avx2", "digest": "00ff"}\n' in path.read_text()


@pytest.mark.parametrize("text", ["{", "[]", '{"tools": {}, "cases": {"sign": {"instructions": 1}}}', '{"cases": {}}'])
def test_a_damaged_file_is_named(tmp_path: Path, text: str) -> None:
    path = tmp_path / "guard.json"
    path.write_text(text)
    with pytest.raises(CallgrindError, match=r"guard\.json: these are no counts"):
        guard.load(path)


def test_the_error_of_a_missing_file_names_the_option_write(tmp_path: Path) -> None:
    with pytest.raises(CallgrindError, match="--write makes it"):
        guard.load(tmp_path / "guard.json")


def test_every_case_has_stored_counts() -> None:
    stored = guard.load(guard.STORED)
    assert set(stored.tools) == set(TOOLS)
    source = (guard_builds.ROOT / guard_builds.EXAMPLE / "main.rs").read_text()
    assert all(f'("{name}", ' in source for name in stored.cases)
    assert f"; {len(stored.cases)}] = [" in source


@pytest.mark.parametrize(
    "line",
    [
        ["abc", "--write"],
        ["--write", "--within", "2"],
        ["--within", "-1"],
        ["--jobs", "0"],
        ["--within", "two"],
        ["a", "b"],
    ],
)
def test_a_wrong_command_line_is_refused(line: list[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        guard.parse(line)
    assert ended.value.code == 2


def test_an_unknown_commit_is_named() -> None:
    with pytest.raises(BuildError, match="no commit `no-such-commit` is known here"):
        guard_builds.resolve("no-such-commit")


def test_equal_files_are_not_written_again(tmp_path: Path) -> None:
    source, target = tmp_path / "source", tmp_path / "target"
    source.mkdir()
    (source / "main.rs").write_text("one")
    guard_builds.mirror(source, target)
    before = (target / "main.rs").stat()
    guard_builds.mirror(source, target)
    assert (target / "main.rs").stat() == before
    (target / "old.rs").write_text("gone")
    guard_builds.mirror(source, target)
    assert [path.name for path in target.iterdir()] == ["main.rs"]


def test_third_party_crates_are_not_built_again(tmp_path: Path) -> None:
    built, target = tmp_path / "release", tmp_path / "commit" / "target" / "release"
    (tmp_path / "commit").mkdir()
    for name in (
        "build/zstd-1/output",
        "deps/libzstd-1.rlib",
        "deps/libneardup_core-2.rlib",
        ".fingerprint/neardup-core-2/lib",
    ):
        (built / name).parent.mkdir(parents=True, exist_ok=True)
        (built / name).write_text("built")
    guard_builds.seed(built, target)
    found = {str(path.relative_to(target)) for path in target.rglob("*") if path.is_file()}
    assert found == {"build/zstd-1/output", "deps/libzstd-1.rlib"}
    assert (target / "deps/libzstd-1.rlib").stat().st_mtime_ns == (built / "deps/libzstd-1.rlib").stat().st_mtime_ns


def test_if_neither_example_compiles_the_reason_is_shown(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def fail(*_: Any) -> Path:
        raise BuildError("error[E0425]: it moved")

    monkeypatch.setattr(guard_builds, "CACHE", tmp_path)
    monkeypatch.setattr(guard_builds, "ROOT", tmp_path)
    monkeypatch.setattr(guard_builds, "resolve", lambda _: "0123456789abcdef")
    monkeypatch.setattr(guard_builds, "build", fail)
    folder = tmp_path / "0123456789ab"
    (folder / "source").mkdir(parents=True)
    with pytest.raises(BuildError, match=r"which has none itself:\nerror.E0425.: it moved"):
        guard_builds.build_commit("0123", tmp_path / "release" / "examples" / "guard")
    (folder / "own-example").mkdir()
    with pytest.raises(BuildError, match=r"neither today's .* nor its own compiles at 0123"):
        guard_builds.build_commit("0123", tmp_path / "release" / "examples" / "guard")


def test_the_error_of_a_failed_program_is_its_output(tmp_path: Path) -> None:
    valgrind = tmp_path / "valgrind"
    valgrind.write_text("#!/bin/sh\necho '==1== of valgrind' >&2\necho 'no case `x`' >&2\nexit 1\n")
    valgrind.chmod(0o755)
    with pytest.raises(CallgrindError, match=r"^no case `x`$"):
        callgrind.count(str(valgrind), tmp_path / "guard", ["x"])


def test_a_case_that_is_not_counted_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def fail(*_: Any) -> tuple[int, str]:
        raise CallgrindError("it stopped")

    monkeypatch.setattr(callgrind, "count", fail)
    with pytest.raises(CallgrindError, match=r"^sign: it stopped$"):
        guard.count_cases("valgrind", tmp_path, ["sign"], 1)


def test_a_program_runs_in_an_empty_folder_and_its_total_is_read(tmp_path: Path) -> None:
    (tmp_path / "profile").write_text(PROFILE)
    valgrind = tmp_path / "valgrind"
    valgrind.write_text(
        "#!/bin/sh\n"
        "for it; do case $it in --callgrind-out-file=*) out=${it#*=};; esac; done\n"
        f'cp {tmp_path}/profile "$out"; ls; echo "$HOME" avx2 00ff\n'
    )
    valgrind.chmod(0o755)
    assert callgrind.count(str(valgrind), tmp_path / "guard", ["sign"]) == (1234, "avx2 00ff")
