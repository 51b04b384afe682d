"""The errors neardup raises.

NeardupError
UsageError         a wrong option, value or scheme; the message names what is allowed   exit code 2
DataError          a record or file that cannot be used; the message names the place    exit code 1
DamagedIndex       a DataError: a file of an index that is not as it was written         exit code 1
DamagedStore       a DamagedIndex: a document store that is not as it was written               exit code 1
EnvironmentFault   a disk, file or library that is missing, full or not readable         exit code 1
Interrupted        a job on the command line, stopped by its user; it can resume         exit code 130
"""


class NeardupError(Exception):
    """Base class of the errors of neardup, each with one clear message."""

    exit_code: int = 1
    """Exit code of the command line."""


class UsageError(NeardupError):
    """A wrong command line, option value or scheme."""

    exit_code = 2


class DataError(NeardupError):
    """A document that cannot be used, with its file and its place there."""

    exit_code = 1


class DamagedIndex(DataError):  # noqa: N818 - what is damaged
    """An index with a file that is not as it was written; the message names the file."""


class DamagedStore(DamagedIndex):
    """A document store that is not as it was written, or not what its index says; the message names what differs."""


class EnvironmentFault(NeardupError):  # noqa: N818 - a fault outside neardup
    """A file, folder, disk or optional library that is missing, full or not readable."""

    exit_code = 1


class Interrupted(NeardupError):  # noqa: N818 - no fault at all
    """A job on the command line that its user stopped, and that resumes from there; verbs raise `KeyboardInterrupt`."""

    exit_code = 130
