"""Times, as they are written."""

from datetime import UTC, datetime, timedelta

_START = datetime(1970, 1, 1, tzinfo=UTC)


def write_time(time: int | str | None) -> str | None:
    """Write Unix seconds as a date-time by RFC 3339, or as they are where the year has not four digits."""
    if not isinstance(time, int):
        return time
    try:
        return (_START + timedelta(seconds=time)).isoformat().replace("+00:00", "Z")
    except OverflowError:
        return str(time)


def write_now() -> str:
    """Write the present second in UTC, as of RFC 3339."""
    return datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
