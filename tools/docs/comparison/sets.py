"""The labelled sets."""

from typing import Any, NamedTuple


class Labelled(NamedTuple):
    """A labelled set: its folder, the file of its labels, their description, and the options to read them."""

    name: str
    truth: str
    about: str
    options: dict[str, Any]

    @property
    def short(self) -> str:
        """The first word of the name."""
        return self.name.partition("_")[0]


SETS = [
    Labelled("mccormick_articles", "truth", "planted plagiarism, complete", {"complete": True}),
    Labelled("spdx_licenses", "truth", "two texts of one licence; positives only", {}),
    Labelled("react_ko_sweeps", "truth", "Korean pages followed over 8 dates", {}),
    Labelled("win32_sweeps", "truth", "pages followed over 4 dates, sister pages much alike", {}),
    Labelled(
        "nsmc_reviews", "exact_pairs", "short Korean reviews, character Jaccard 0.7", {"at": "0.7", "complete": True}
    ),
    Labelled(
        "law_codes_19c_dev",
        "exact_pairs",
        "19th-century law codes with OCR noise, Jaccard 0.7",
        {"at": "0.7", "complete": True},
    ),
    Labelled("cve_2020_2021", "exact_pairs", "template texts, Jaccard 0.8", {"at": "0.8", "complete": True}),
    Labelled("kafka_html", "truth", "Javadoc over 6 releases, HTML", {"html_field": "html", "url_field": "url"}),
]

VARIED = [labelled for labelled in SETS if labelled.short in ("win32", "react", "cve")]
"""Sets on which parameters are varied: English pages, Korean pages, templates."""
