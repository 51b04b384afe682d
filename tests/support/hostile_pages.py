"""Pages on which a parser, or a search of the main content, could take time quadratic in their size."""

from collections.abc import Callable


def each(count: int, piece: str) -> str:
    """Repeat a piece `count` times; `@` is replaced by the number of the repetition."""
    return "".join(piece.replace("@", str(number)) for number in range(count))


PIECES = [
    *("<b>", "<a>", "<b a=@>", "<a href=@>", "<font size=@><p>", "<b><p>", "<b a=@><p>", "<b><div></b>", "<nobr>"),
    *("<p><font a=@></p>", "<font a=@><object></font></object>", "<a href=@><div>", "<I\ta=@><U\nb=@>", "<b a=@></i>"),
    *("<div>", "<span>", "<p>", "<li>", "<ul><li>", "<dd><li>", "<li><section>", "<blockquote>", "<DIV/>", "<x-y>"),
    *(
        "<span></zzz>",
        "<span></p>",
        "<div></h1>",
        "<p><span>",
        "<li><ul></li>",
        "<form><div></form>",
        "<span><div></span>",
    ),
    *(
        "<table>",
        "<table><td>",
        "<div><table><td></div>",
        "<table><td><template></td>",
        "<table>x<b>",
        "<table><caption>",
    ),
    *(
        "<form>",
        "<button>",
        "<template>",
        "<optgroup><option>",
        "<option><span>",
        "<ruby><rt>",
        "<marquee>",
        "<applet><b>",
    ),
    *(
        "<svg>",
        "<svg><g>",
        "<svg><foreignObject>",
        "<math><mi>",
        "<svg><title/></svg><div>",
        "<frameset>",
        "<noscript>",
    ),
    *("<td><svg>", "<svg><a>", "<svg><title><b></svg>", "<svg><desc><p></svg>", "<math><mi><b></math>", "<svg><td>"),
    *("<body a@=1>", "<html a@=1>", "<tr>", "<td>", "<col>", "<details><summary>", "<h1>", "</p>", "</br>", "<br>"),
    *("<!-- x -->", "<!", "<?", "</", "<", "&amp;", "&xyz", "<![CDATA[x]]>", "<!-->", "<!--->", "<img>", "<hr>"),
]
"""Tags and other pieces that a page may repeat."""

ATTRIBUTE_PIECES = ["a@=1 ", "a@ ", 'a@=">" ', 'a@="<b a=1>" ', "a@ \n = \t 1 ", "a=1 ", "a@=''"]
"""Attributes that a tag may repeat."""

Page = Callable[[int], str]


def between(head: str, piece: str, tail: str) -> Page:
    return lambda count: f"<p>first</p>{head}{each(count, piece)}{tail}last words"


PAGES: dict[str, Page] = {
    **{piece: between("", piece, "<p>") for piece in PIECES},
    **{piece: between("<p ", piece, ">") for piece in ATTRIBUTE_PIECES},
    "an end with attributes": lambda count: f"<p>first</p {each(count, 'a@=1 ')}><p>last words",
    "formatting behind formatting": lambda count: f"first {each(count, '<font a=@>')}{'<p>x' * count}<p>last words",
    "formatting that is closed": lambda count: f"first {each(count, '<font a=@>')}x{'</font>' * count}<p>last words",
    "ends of other tags": lambda count: f"<p>first</p>{'<span>' * count}{'</i>' * count}{'<div>' * count}last words",
    "in a picture": lambda count: f"<p>first</p><svg>{'<g>' * count}</svg><p>last words",
    "in a style of a picture": lambda count: f"<p>first</p><svg><style>{'<g>' * count}<p>last words",
    "behind a script": lambda count: "<p>first</p><script>'<b \"'</script>" + "<i><p>" * count + "last words",
    "choices": lambda count: f"<p>first</p><select>{'<option>x' * count}</select>last words",
    "choices with ends": lambda count: f"<p>first</p><select>{'<option>x</option>' * count}</select>last words",
}
