"""Sketches: what a signature keeps of every document, stored for later."""

from os import fspath
from typing import Any, Unpack, cast

from neardup._core import Scheme
from neardup.allowed import allow, check_options
from neardup.options import SketchOptions
from neardup.pipeline import run_verb
from neardup.results import Sketching
from neardup.sources import Inputs, gather


@allow
def sketch(inputs: Inputs, scheme: str | Scheme, **options: Unpack[SketchOptions]) -> Sketching:
    """Sign documents by the first signature of a scheme, and keep its values; nothing is compared.

    `inputs` as in `dedup`; `scheme` is a scheme, its line, or the name of a classic, of which keys and measure play no
    part here; `options` are those of `neardup.SketchOptions`. Raises `UsageError`, `DataError`, `EnvironmentFault`.
    """
    check_options(options, SketchOptions)
    output = options.get("output")
    result = run_verb("sketch", gather(inputs), cast(dict[str, Any], {**options, "scheme": scheme}))
    return Sketching(result, None if output is None else fspath(output))
