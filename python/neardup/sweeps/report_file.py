"""The file of a page about sweeps."""

from os import PathLike, fspath

from neardup import _core


def write_report(page: str, verb: str, output: str | PathLike[str], *, overwrite: bool = False) -> None:
    """Write the page of a verb, such as `sweep stats`, as one HTML file, which loads nothing else.

    Raises `UsageError` if there is a file already and it is not to be replaced, or is no page of this verb;
    `EnvironmentFault` if it cannot be written.
    """
    mark = f'name="generator" content="neardup {verb}"'
    _core.write_output(fspath(output), [page], f"a page of {verb}", mark, overwrite)
