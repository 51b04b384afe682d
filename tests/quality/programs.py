"""Generated programs and changed copies of them: a labelled set of code.

Programs are drawn from the grammar of a small language with braces, so that all share its keywords and idioms.
"""

import re
from collections.abc import Callable
from random import Random

VERBS = ["load", "store", "merge", "split", "check", "count", "find", "draw", "send", "parse", "trim", "fill", "walk"]
NOUNS = ["page", "node", "list", "frame", "user", "cache", "table", "line", "token", "queue", "index", "field", "state"]
TYPES = ["int", "string", "bool", "double", "Node", "List", "Map"]

NAME = re.compile(rf"\b(?:{'|'.join(NOUNS)})(?:{'|'.join(map(str.title, VERBS))})?\b")
"""Pattern of a variable name."""

LICENCE = """/*
 * This file is part of {project}, made by {owner} in {year}.
 *
 * You may use, copy and change it as long as this notice stays at its top. It comes as it is: whoever runs it does
 * so at their own risk, and nobody who wrote it answers for what it does, breaks or leaves undone. Names of the
 * people who wrote it may not be used to praise what is built with it unless they agreed to that in writing.
 */
"""

Change = Callable[[str, Random], str]


def write_program(random: Random) -> str:
    """Return a file of one to eight functions."""
    return "\n\n".join(write_function(random) for _ in range(random.randrange(1, 9))) + "\n"


def write_function(random: Random) -> str:
    """Return a function with up to three arguments and three to eight statements."""
    names = [make_name(random) for _ in range(random.randrange(2, 6))]
    arguments = ", ".join(f"{random.choice(TYPES)} {name}" for name in names[: random.randrange(4)])
    body = [line for _ in range(random.randrange(3, 9)) for line in write_statement(random, names)]
    note = [f"// {make_name(random)} {random.choice(NOUNS)} to {make_name(random)}"] if random.random() < 0.4 else []
    head = f"{random.choice(TYPES)} {random.choice(VERBS)}{random.choice(NOUNS).title()}({arguments}) {{"
    return "\n".join([*note, head, *(f"    {line}" for line in body), f"    return {random.choice(names)};", "}"])


def write_statement(random: Random, names: list[str]) -> list[str]:
    """Return a statement: one line, or a block of three lines."""
    name, other = random.choice(names), random.choice(names)
    call = f"{random.choice(VERBS)}{random.choice(NOUNS).title()}({other}, {random.randrange(100)})"
    match random.randrange(5):
        case 0:
            return [f"for (int i = 0; i < {name}.size(); i++) {{", f"    {other} += {call};", "}"]
        case 1:
            return [f"if ({name} == null) {{", f'    throw new Error("no {random.choice(NOUNS)}");', "}"]
        case 2:
            return [f"if ({name} {random.choice(['<', '>', '=='])} {random.randrange(50)}) {{", f"    {call};", "}"]
        case 3:
            return [f"{random.choice(TYPES)} {make_name(random)} = {call};"]
        case _:
            return [f"{name} = {other} {random.choice('+-*/')} {call};"]


def make_name(random: Random) -> str:
    """Return a random variable name."""
    return random.choice([random.choice(NOUNS), f"{random.choice(NOUNS)}{random.choice(VERBS).title()}"])


def put_licence(text: str, random: Random) -> str:
    """Return a file with a licence at its top."""
    project, owner = random.choice(NOUNS).title(), random.choice(VERBS).title()
    return LICENCE.format(project=project, owner=owner, year=random.randrange(1990, 2026)) + "\n" + text


def reformat(text: str, _: Random) -> str:
    """Return a file in another format: braces on separate lines, other indents, no comments, spaces elsewhere."""
    lines = []
    for line in text.splitlines():
        code = line.strip()
        indent = "\t" * ((len(line) - len(line.lstrip())) // 4)
        if code.startswith("//"):
            continue
        code = code.replace("(", "( ").replace(")", " )").replace(" += ", "+=").replace(" = ", "=")
        if code.endswith(" {"):
            lines += [indent + code.removesuffix(" {"), indent + "{"]
        else:
            lines.append(indent + code)
    return "\n".join(lines) + "\n"


def rename(text: str, random: Random) -> str:
    """Return a file in which about one variable in five has another name."""
    names = {
        name: f"{name}_{random.randrange(100)}" for name in sorted(set(NAME.findall(text))) if random.random() < 0.2
    }
    return NAME.sub(lambda found: names.get(found[0], found[0]), text)


def edit(text: str, random: Random) -> str:
    """Return a file with one function removed or added, and one line in twelve changed."""
    functions = text.rstrip("\n").split("\n\n")
    at = random.randrange(len(functions))
    if len(functions) == 1 or random.random() < 0.5:
        functions.insert(at, write_function(random))
    else:
        del functions[at]
    lines = "\n\n".join(functions).split("\n")
    for number, line in enumerate(lines):
        if line.endswith(";") and random.random() < 1 / 12:
            lines[number] = line.split("=")[0].rstrip("; ") + f" = {random.randrange(100)};"
    return "\n".join(lines) + "\n"


CHANGES: dict[str, Change] = {"reformatted": reformat, "renamed": rename, "edited": edit, "licensed": put_licence}
"""Changes of a copy by name."""


def write_files(count: int, change: Change) -> dict[str, str]:
    """Return files by id: each original as `7/a` and changed as `7/b`; both of every third pair have a licence."""
    random = Random(23)
    files = {}
    for number in range(count):
        text = write_program(random)
        copy = change(text, random)
        both = number % 3 == 0
        files[f"{number}/a"] = put_licence(text, random) if both else text
        files[f"{number}/b"] = put_licence(copy, random) if both else copy
    return files
