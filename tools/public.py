"""Write the stubs of the packages with public names from the list of names; with --check, only compare them."""

import subprocess
import sys
from pathlib import Path

from neardup.public import MODULES, PUBLIC, ROOT, TYPED, homes, moved

PACKAGE = Path(__file__).parent.parent / "python" / "neardup"


def write_stub(place: str) -> str:
    """Write the stub of a package."""
    lines = [f"from {ROOT}.{home} import {name} as {name}" for name, home in homes(place).items()]
    names = [*homes(place)]
    if place == ROOT:
        packages = [package.removeprefix(f"{ROOT}.") for package in PUBLIC if package != ROOT]
        lines += [f"from {ROOT} import {module} as {module}" for module in (*MODULES, *packages)]
        names += MODULES
        lines += [f"from {new} import {name} as {name}" for name, new in moved() if new != TYPED]
    quoted = "".join(f"    {name!r},\n" for name in sorted(names)).replace("'", '"')
    head = "# Written by `make docs` from the list in public.py."
    return "\n".join([head, "", *lines, "", f"__all__ = [\n{quoted}]", ""])


def sorted_imports(text: str, path: Path) -> str:
    """Sort the imports of a stub as `make format` does."""
    ruff = Path(sys.executable).with_name("ruff")
    command = [str(ruff), "check", "--select", "I", "--fix", "--quiet", "--stdin-filename", str(path), "-"]
    return subprocess.run(command, input=text, capture_output=True, text=True, check=True).stdout


def main() -> int:
    """Write the stubs that differ, or list them."""
    differing = 0
    for place in PUBLIC:
        path = PACKAGE.joinpath(*place.split(".")[1:], "__init__.pyi")
        text = sorted_imports(write_stub(place), path)
        if path.exists() and path.read_text(encoding="utf-8") == text:
            continue
        if "--check" in sys.argv[1:]:
            differing = 1
            sys.stderr.write(f"{path.relative_to(PACKAGE.parent)} does not follow from public.py: run make docs\n")
        else:
            path.write_text(text, encoding="utf-8")
    return differing


if __name__ == "__main__":
    sys.exit(main())
