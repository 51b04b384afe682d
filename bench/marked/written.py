"""Pages of our own: bodies of text in frames of sites."""

import tomllib
from collections.abc import Iterator
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

HERE = Path(__file__).parent
PAIRS = {
    "article.en": ["semantic", "tables", "nested"],
    "article.ko": ["divs", "portal", "nested"],
    "article.ja": ["app", "tables", "nested"],
    "article.ar": ["semantic", "divs", "tables"],
    "blog.en": ["semantic", "app"],
    "thread.en": ["board", "divs"],
    "thread.ko": ["board", "tables"],
    "question.de": ["portal", "app"],
    "teasers.en": ["portal", "semantic"],
    "news.ja": ["divs", "nested"],
    "product.en": ["shop", "app"],
    "product.ko": ["shop", "tables"],
    "recipe.en": ["divs", "portal"],
    "timetable.en": ["nested", "semantic"],
    "statutes.de": ["tables", "divs"],
    "howto.en": ["app", "semantic"],
}
"""The frames in which each body is put; a body is named by its kind and language."""


def write_pages() -> Iterator[tuple[str, str]]:
    """Yield name and HTML of each page; attributes `data-main` and `data-frame` mark its main content."""
    pages = Environment(loader=FileSystemLoader(HERE), undefined=StrictUndefined, autoescape=True)
    words = tomllib.loads((HERE / "words.toml").read_text(encoding="utf-8"))
    for body, skins in PAIRS.items():
        language = body.partition(".")[2]
        for skin in skins:
            content = Markup(pages.get_template(f"bodies/{body}.html").render())
            template = pages.get_template(f"skins/{skin}.html")
            yield f"{body}/{skin}", template.render(words[language], lang=language, body=content)
