"""What Spark does not support is refused by its name. No session is needed for that."""

from typing import Any

import pytest

from neardup.errors import UsageError
from neardup.inputs.document import Document
from neardup.options.values import translate
from neardup.spread.request import refuse_unknown

TEXT = "the pilot boat waited behind the mole until the fog had gone"


@pytest.mark.parametrize(
    "options",
    [
        {"min_tokens": 3},
        {"group_field": ""},
        {"one_per": "component"},
        {"write_dropped": True},
        {"keep_per_duplicate": 0},
        {"add_fields": "group_size"},
        {"against_text_field": "body"},
        {"against_text_field": "text", "text_field": "body"},
        {"against_text_field": "text", "html_field": "page"},
        {"against_id_field": "key", "id_field": "id"},
    ],
)
def test_an_option_of_one_machine_is_named(options: dict[str, Any]) -> None:
    name = next(iter(options))
    with pytest.raises(UsageError, match=f"^{name} is not known on Spark: .*; leave it out, or run there"):
        refuse_unknown(options, "Spark")


def test_stated_defaults_are_allowed() -> None:
    refuse_unknown({"one_per": "leader", "write_dropped": False, "keep_per_duplicate": 1, "add_fields": None}, "Spark")
    refuse_unknown({"against_text_field": "text"}, "Spark")
    refuse_unknown({"against_html_field": "page", "html_field": "page"}, "Spark")


@pytest.mark.parametrize("against", [[TEXT], [Document(TEXT)], [Document(TEXT, "a", time=1)]])
def test_texts_and_documents_are_references(against: list[Any]) -> None:
    refuse_unknown(translate({"against": against}), "Spark")
    refuse_unknown(translate({"against": against, "id_field": "id", "time_field": "time"}), "Spark")
    with pytest.raises(UsageError, match="against_text_field"):
        refuse_unknown(translate({"against": [Document(TEXT)], "text_field": "body"}), "Spark")
