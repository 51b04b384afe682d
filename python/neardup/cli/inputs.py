"""Inputs as the command line names them."""


class InputName:
    """A path as it was typed, for the verbs, to which a list of `str` is a list of texts.

    A `pathlib.Path` would change it ("./docs.jsonl"), and takes several milliseconds to import.
    """

    def __init__(self, name: str) -> None:
        self._name = name

    def __fspath__(self) -> str:
        return self._name
