"""Packages of Debian with documentation, and where each generator puts the main content of a page."""

from typing import NamedTuple


class Source(NamedTuple):
    """Pages of one generator in one package."""

    generator: str
    package: str
    language: str
    files: str
    """Pattern of the files of pages, below the package."""
    main: str
    """CSS selector of the elements with the main content."""
    without: str = ""
    """CSS selector of what is no content in these elements, such as links to the next page."""
    pages: int = 3


_DOCBOOK = ".navheader, .navfooter"
_GTK_DOC = "table.navigation, .footer"
_DOXYGEN = ".headertitle, .contents"
_HELP = "usr/share/libreoffice/help/{}/text/swriter/guide/*.html"
_HANDBOOK = "usr/share/doc/debian-handbook/html/{}/sect.*.html"
_APACHE = "usr/share/doc/apache2-doc/manual/{}/*.html"

SOURCES = (
    Source("publican", "debian-handbook", "ko", _HANDBOOK.format("ko-KR"), "body", "#banner, #title, .docnav"),
    Source("publican", "debian-handbook", "ja", _HANDBOOK.format("ja-JP"), "body", "#banner, #title, .docnav"),
    Source("publican", "debian-handbook", "ar", _HANDBOOK.format("ar-MA"), "body", "#banner, #title, .docnav", 4),
    Source("sphinx", "developers-reference-ja", "ja", "usr/share/developers-reference/ja/*.html", "[role=main]"),
    Source("sphinx", "debian-policy", "en", "usr/share/doc/debian-policy/policy.html/ch-*.html", "[role=main]"),
    Source(
        "sphinx", "python-markdown-doc", "en", "usr/share/doc/python-markdown-doc/docs/extensions/*.html", "[role=main]"
    ),
    Source("docbook", "debian-reference-ja", "ja", "usr/share/debian-reference/ch*.ja.html", "body", _DOCBOOK),
    Source("docbook", "maint-guide-ja", "ja", "usr/share/doc/maint-guide-ja/html/*.html", "body", _DOCBOOK, 2),
    Source("docbook", "debian-faq", "en", "usr/share/doc/debian/FAQ/*.en.html", "body", _DOCBOOK, 2),
    Source("docbook", "aptitude-doc-ja", "ja", "usr/share/doc/aptitude/html/ja/ch*.html", "body", _DOCBOOK, 2),
    Source("docbook", "postgresql-doc-15", "en", "usr/share/doc/postgresql-doc-15/html/*.html", "body", _DOCBOOK, 4),
    Source("dsssl", "privoxy", "en", "usr/share/doc/privoxy/user-manual/*.html", "body", ".NAVHEADER, .NAVFOOTER", 2),
    Source(
        "docbook of exim",
        "exim4-doc-html",
        "en",
        "usr/share/doc/exim4-doc-html/spec_html/ch-*.html",
        "#chapter",
        pages=2,
    ),
    Source("gtk-doc", "libglib2.0-doc", "en", "usr/share/gtk-doc/html/gio/*.html", "body", _GTK_DOC),
    Source("gtk-doc", "libcairo2-doc", "en", "usr/share/gtk-doc/html/cairo/cairo-*.html", "body", _GTK_DOC, 2),
    Source("gi-docgen", "libgtk-4-doc", "en", "usr/share/doc/libgtk-4-doc/gtk4/class.*.html", "section#main"),
    Source("doxygen", "libglfw3-doc", "en", "usr/share/doc/libglfw3-dev/html/[a-z]*_guide.html", _DOXYGEN, pages=2),
    Source("doxygen", "libusb-1.0-doc", "en", "usr/share/doc/libusb-1.0-doc/api-1.0/group__*.html", _DOXYGEN),
    Source("doxygen", "xapian-doc", "en", "usr/share/doc/xapian-doc/apidoc/html/class*[a-z].html", _DOXYGEN, pages=2),
    Source("javadoc 11", "junit4-doc", "en", "usr/share/doc/junit4/api/org/junit/*/[A-Z]*.html", "main"),
    Source("javadoc 17", "ant-doc", "en", "usr/share/doc/ant/api/org/apache/tools/ant/[A-Z]*.html", "main", pages=2),
    Source("by hand", "ant-doc", "en", "usr/share/doc/ant/manual/Tasks/*.html", "body", pages=2),
    Source("asciidoc", "git-doc", "en", "usr/share/doc/git-doc/git-*.html", "#header h1, #content", pages=4),
    Source("rdoc", "asciidoctor-doc", "en", "usr/share/doc/asciidoctor-doc/html/Asciidoctor/*.html", "main", pages=2),
    Source("mkdocs", "mkdocs-doc", "en", "usr/share/doc/mkdocs/html/*-guide/*.html", "[role=main]", pages=4),
    Source("texinfo", "r-doc-html", "en", "usr/share/R/doc/manual/R-[dF]*.html", "body", ".header", 2),
    Source("texinfo", "zsh-doc", "en", "usr/share/doc/zsh-common/html/[A-Z]*-*.html", "body", "table.header", 3),
    Source(
        "apache", "apache2-doc", "ko", _APACHE.format("ko"), "#page-content", ".toplang, #quickview, #comments_section"
    ),
    Source(
        "apache", "apache2-doc", "ja", _APACHE.format("ja"), "#page-content", ".toplang, #quickview, #comments_section"
    ),
    Source("help of LibreOffice", "libreoffice-help-ko", "ko", _HELP.format("ko"), "#DisplayArea"),
    Source("help of LibreOffice", "libreoffice-help-ja", "ja", _HELP.format("ja"), "#DisplayArea"),
    Source("docutils", "libvirt-doc", "en", "usr/share/doc/libvirt-doc/html/[a-z]*.html", "main"),
    Source("layout tables", "libxml2-doc", "en", "usr/share/doc/libxml2/html/[a-z]*.html", 'td[width="200"] ~ td'),
    Source("by hand", "sqlite3-doc", "en", "usr/share/doc/sqlite3/*.html", "body", ".nosearch", 4),
    Source("node", "nodejs-doc", "en", "usr/share/doc/nodejs/api/*.html", "#apicontent", pages=2),
    Source("pod2html", "rrdtool", "en", "usr/share/doc/rrdtool/html/*.html", "body", "#index", 3),
    Source("mdbook", "rust-doc", "en", "usr/share/doc/rust-doc/html/book/ch*.html", "main"),
    Source("rustdoc", "rust-doc", "en", "usr/share/doc/rust-doc/html/std/string/*.html", "#main-content", pages=2),
)
