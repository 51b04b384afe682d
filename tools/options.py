"""Write code from the table of options: parameters and docstrings of verbs, and the job and the stub of the core.

With --check nothing is written, and files that differ are listed. A verb is a function that calls `given("VERB",
locals())`; its overloads have the same parameters.
"""

import ast
import re
import subprocess
import sys
from pathlib import Path
from textwrap import wrap

from neardup.options.option import Option
from neardup.options.table import OPTIONS, options_of

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "python" / "neardup"
WIDTH = 120
OPTIONS_RS = ROOT / "crates" / "neardup-engine" / "src" / "job" / "options.rs"
READ_RS = ROOT / "crates" / "neardup-py" / "src" / "jobs" / "read_options.rs"

_PYTHON_TYPES = {
    "bool": "bool",
    "usize": "int",
    "Option<usize>": "int | None",
    "Option<String>": "str | None",
    "Option<PathBuf>": "str | None",
    "Vec<(String, Vec<String>, bool)>": "list[tuple[str, list[str], bool]]",
    "Vec<u64>": "list[int]",
    "Vec<String>": "Sequence[str]",
}
"""Types of the core and those in its stub; a choice has its type of the table."""
_NAMED = ("Keep", "OnError", "PassageUnit", "TimeUnit")
"""Types of the core that are parsed from their names."""


def write_verbs(path: Path) -> str:
    """Return the source of a module with the parameters and docstrings of its verbs updated from the table."""
    source = path.read_text(encoding="utf-8")
    if "given(" not in source:
        return source
    lines = source.splitlines(keepends=True)
    functions = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.FunctionDef)]
    verbs = {(node.name, node.col_offset): verb for node in functions if (verb := _verb_of(node))}
    for node in sorted(functions, key=lambda node: -node.lineno):
        verb = verbs.get((node.name, node.col_offset))
        if verb is not None and node.args.kwonlyargs:
            _rewrite(lines, node, verb)
    return "".join(lines)


def _verb_of(node: ast.FunctionDef) -> str | None:
    """Return the verb of a function, from its call of `given`; None if it is not a verb."""
    for call in ast.walk(node):
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == "given" and call.args:
            verb = call.args[0]
            if isinstance(verb, ast.Constant):
                return str(verb.value)
    return None


def _rewrite(lines: list[str], node: ast.FunctionDef, verb: str) -> None:
    """Replace the docstring of a function and then its parameters, so that lines above an edit keep their numbers."""
    indent = " " * (node.col_offset + 4)
    own = {argument.arg for argument in (*node.args.posonlyargs, *node.args.args)}
    options = [option for option in options_of(verb) if option.in_python and option.name not in own]
    known = {option.name for option in options} | {"_"}
    if node.end_lineno is not None and ast.get_docstring(node):
        _rewrite_docstring(lines, node, options, known)
    start = next(at for at in range(node.lineno, len(lines)) if lines[at].strip() == "*,") + 1
    end = next(at for at in range(start, len(lines)) if lines[at].startswith(f"{indent[4:]})"))
    kept = [line for line in lines[start:end] if line.split(":")[0].strip() not in known]
    lines[start:end] = [*kept, *(f"{indent}{_parameter(option)}\n" for option in options)]


def _parameter(option: Option) -> str:
    default = '"' + option.default + '"' if isinstance(option.default, str) else repr(option.default)
    return f"{option.name}: {option.type} = {default},"


def _rewrite_docstring(lines: list[str], node: ast.FunctionDef, options: list[Option], known: set[str]) -> None:
    """Write the entries of options in the section Args, after those of the other parameters."""
    entry = " " * (node.col_offset + 8)
    first = node.body[0].lineno - 1
    start = next(at for at in range(first, len(lines)) if lines[at].strip() == "Args:") + 1
    end = next(at for at in range(start, len(lines)) if not lines[at].strip() or not lines[at].startswith(entry))
    kept, keeps = list[str](), True
    for line in lines[start:end]:
        if not line.startswith(f"{entry} "):
            keeps = line.strip().split(":")[0] not in known
        if keeps:
            kept.append(line)
    written = [
        f"{line}\n"
        for option in options
        for line in wrap(
            f"{option.name}: {option.help_for_python()}",
            WIDTH,
            initial_indent=entry,
            subsequent_indent=f"{entry}    ",
            break_long_words=False,
            break_on_hyphens=False,
        )
    ]
    lines[start:end] = [*kept, *written]


def core_options() -> list[Option]:
    """Return the options of a job of the core, without repeated names."""
    named = {option.name: option for option in reversed(OPTIONS) if option.core}
    return [option for option in OPTIONS if named.get(option.name) is option]


def write_stub(path: Path) -> str:
    """Return the stub of the core with the options of a job updated."""
    source = path.read_text(encoding="utf-8")
    head = "class _Options(TypedDict, total=False):\n"
    before, found, rest = source.partition(head)
    body, mark, after = rest.partition("\n@final\n")
    if not (found and mark):
        raise ValueError(f"{path}: there should be a class _Options, and a final class behind it")
    options = core_options()
    names = {option.name for option in options}
    entries = re.split(r"(?m)^(?=    \w+: )", body)
    kept = [entry for entry in entries[1:] if entry.split(":")[0].strip() not in names]
    written = [f'    {option.name}: {_stub_type(option)}\n    """{_for_core(option)}"""\n' for option in options]
    return "".join([before, head, entries[0], *written, *kept, "\n@final\n", after])


def _stub_type(option: Option) -> str:
    return _PYTHON_TYPES.get(option.core) or option.type


def _for_core(option: Option) -> str:
    """Return the help of an option in the words of the core, which has no command line."""
    return option.help_for_python().replace("neardup recluster", "`recluster`").rstrip()


def _formatted(source: str) -> str:
    """Format Rust as `cargo fmt` does."""
    command = ["rustfmt", "--edition", "2024", "--config-path", str(ROOT)]
    return subprocess.run(command, input=source, capture_output=True, text=True, check=True).stdout


def write_options_rs() -> str:
    """Return the Rust source of the options of a job."""
    options = core_options()
    deciding = [option for option in options if option.decides]
    fields = "".join(f"    /// {_for_core(option)}\n    pub {option.name}: {option.core},\n" for option in options)
    defaults = "".join(f"            {option.name}: {_rust_default(option)},\n" for option in options)
    taken = "".join(f"            {option.name}{'' if option in deciding else ': _'},\n" for option in options)
    values = ", ".join(option.name for option in deciding)
    return _formatted(f"""//! The options of a job; `make docs` writes them from the table in python/neardup/options.

use crate::documents::order::Keep;
use crate::job::passage_cuts::PassageUnit;
use neardup_corpus::{{OnError, TimeUnit}};
use std::fmt::Debug;
use std::path::PathBuf;

/// The options of a job.
#[derive(Clone, Debug)]
pub struct JobOptions {{
{fields}}}

impl Default for JobOptions {{
    fn default() -> Self {{
        JobOptions {{
{defaults}        }}
    }}
}}

impl JobOptions {{
    /// The options that results depend on, as text: part of the identity of a run.
    pub(crate) fn identity(&self) -> String {{
        let JobOptions {{
{taken}        }} = self;
        let deciding: [&dyn Debug; {len(deciding)}] = [{values}];
        format!("{{deciding:?}}")
    }}
}}
""")


def _rust_default(option: Option) -> str:
    if option.core.startswith("Option<"):
        return "None"
    if option.core.startswith("Vec<"):
        return "Vec::new()"
    if option.core in _NAMED:
        return f"{option.core}::{str(option.default).capitalize()}"
    return str(option.default).lower() if isinstance(option.default, bool) else f"{option.default:_}"


def write_read_rs() -> str:
    """Return the Rust source that reads the options of a job from the dictionary that Python passes."""
    reads = "".join(f"        {option.name}: {_read(option)},\n" for option in core_options())
    return _formatted(f"""//! Options of a job, read from a dictionary; `make docs` writes this file.

use crate::jobs::dictionary::Dictionary;
use neardup_engine::JobOptions;
use pyo3::PyResult;

/// Reads the options of a job; those that are missing or None have their defaults.
pub fn read_options(given: &Dictionary<'_>) -> PyResult<JobOptions> {{
    let default = JobOptions::default();
    Ok(JobOptions {{
{reads}    }})
}}
""")


def _read(option: Option) -> str:
    is_optional = option.core.startswith("Option<")
    inner = option.core.removeprefix("Option<").removesuffix(">") if is_optional else option.core
    read = "parse" if inner in _NAMED else "get"
    got = f'given.{read}("{option.name}")?'
    return got if is_optional else f"{got}.unwrap_or(default.{option.name})"


def written() -> dict[Path, str]:
    """Return the current text of every generated file."""
    files = {path: write_verbs(path) for path in sorted(PACKAGE.rglob("*.py"))}
    stub = PACKAGE / "_core.pyi"
    return files | {stub: write_stub(stub), OPTIONS_RS: write_options_rs(), READ_RS: write_read_rs()}


def main() -> int:
    """Write the files that differ, or list them."""
    differing = {
        path: text for path, text in written().items() if not path.exists() or path.read_text(encoding="utf-8") != text
    }
    for path, text in differing.items():
        if "--check" in sys.argv[1:]:
            sys.stderr.write(f"{path.relative_to(ROOT)} does not follow from the table of options: run make docs\n")
        else:
            path.write_text(text, encoding="utf-8")
    return int(bool(differing) and "--check" in sys.argv[1:])


if __name__ == "__main__":
    sys.exit(main())
