"""Child processes of a service: they are replaced when they end, and they end with the service."""

import asyncio
import os
import time
from pathlib import Path
from signal import SIGKILL, SIGTERM

import pytest

from command import PATIENCE
from neardup import DataError, UsageError
from neardup.service.work.pool import PROCESSES, ProcessPool
from service_story import Running, make_store, running

PAGE = "<main><p>the ferry leaves</p></main>"
LONG = [" ".join(str(number * step % 99_991) for number in range(250_000)) for step in (7, 11)]
SLOW = {"left": LONG[0], "right": LONG[1], "measures": ["levenshtein"]}


def test_tasks_run_one_after_another_and_concurrently() -> None:
    async def do() -> None:
        children = ProcessPool()
        texts = await asyncio.gather(*(children.do("extract", html=PAGE) for _ in range(3 * PROCESSES)))
        assert {text.strip() for text in texts} == {"the ferry leaves"}
        with pytest.raises(UsageError, match="`2` is not a number between 0 and 1"):
            await children.do("fold", texts=["a"], threshold="2", scheme=None)
        with pytest.raises(DataError, match="body: a document has a text or html, and not both"):
            await children.do("read_json", body="{}", model="SentDocument")
        assert await children.do("fold", texts=["a", "b", "a"], threshold=None, scheme=None) == [[1, 3], [2]]
        await children.close()

    asyncio.run(do())


def test_a_child_that_takes_too_long_is_ended_and_the_next_task_is_done() -> None:
    async def do() -> None:
        children = ProcessPool(1)
        for _ in range(2):
            with pytest.raises(DataError, match="cannot be done in 1 seconds and 2 gigabytes of memory"):
                await children.do("explain", **SLOW)
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.3):
                await children.do("explain", **SLOW)
        assert (await children.do("extract", html=PAGE)).strip() == "the ferry leaves"
        await children.close()

    asyncio.run(do())


def test_a_killed_child_is_replaced(tmp_path: Path) -> None:
    with running(make_store(tmp_path / "store", sweeps=False)) as server:
        child = child_of(server)
        os.kill(child, SIGKILL)
        wait_for_end(child, ends=("",))
        assert server.ask("/api/check", {"html": PAGE})[0] == 200
        assert server.stop(SIGTERM) == (0, "")


@pytest.mark.parametrize("signal", [SIGTERM, SIGKILL])
def test_children_end_with_the_service(tmp_path: Path, signal: int) -> None:
    with running(make_store(tmp_path / "store", sweeps=False)) as server:
        child = child_of(server)
        # a terminal sends Ctrl+C to all processes of a session
        assert os.getsid(child) != os.getsid(server.process.pid)
        server.stop(signal)
        wait_for_end(child)


def child_of(server: Running) -> int:
    """Make the service start a child process, and return its process id."""
    assert server.ask("/api/check", {"html": PAGE})[0] == 200
    pid = server.process.pid
    [child] = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return int(child)


def wait_for_end(pid: int, ends: tuple[str, ...] = ("", "Z")) -> None:
    """Wait until a process is gone or is a zombie, which has ended but whose exit code was not read yet."""
    end = time.monotonic() + PATIENCE
    while state(pid) not in ends:
        assert time.monotonic() < end
        time.sleep(0.02)


def state(pid: int) -> str:
    """Return the letter of the state of a process, or an empty string if the process is gone."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(") ")[2][0]
    except (FileNotFoundError, ProcessLookupError):
        return ""
