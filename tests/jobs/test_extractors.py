"""The extractors by their names, and the verdict that each gives on what it found."""

import re
from dataclasses import replace

import pytest

from sightline.errors import UsageError
from sightline.extract.content._find import LIBRARIES
from sightline.jobs import extractor, extractors, methods, text_extractors
from sightline.sources import Loader


def test_a_document_of_which_much_is_left_out_is_suspicious() -> None:
    """All of a PDF is its text; where a fifth of it is taken for running headers, that is said with the share."""
    story = "<article><h1>Bees</h1>" + "".join(
        f"<p>Bees dance {number} times to tell the others where flowers are, and how far it is to them.</p>"
        for number in range(12)
    )
    links = "".join(f"<li><a href='/{number}'>Item {number} of the menu</a></li>" for number in range(120))
    whole = Loader().load(f"<title>Bees</title><header><ul>{links}</ul></header>{story}</article>".encode())
    printed = replace(whole, kind="pdf")
    assert extractor("content")(whole).verdict == "ok"
    found = extractor("content")(printed)
    assert found.verdict == "suspicious"
    assert re.search(r"only \d+% of the words of the document .*; the rest stands in running headers", found.reasons[0])
    assert found.to_json()["doubts"] == list(found.reasons)


def test_each_name_is_in_one_place() -> None:
    """What the lab compares and what finds main texts only is not what jobs run; every library has its entry."""
    assert list(text_extractors()) == list(LIBRARIES)
    assert set(methods()) - set(extractors()) == {"basic top-k", "ventrec", "structure"}
    for name in ("ventrec", "trafilatura"):
        with pytest.raises(UsageError, match=f"There is no extractor '{name}'"):
            extractor(name)


def test_an_extractor_of_main_texts_runs_as_any_other() -> None:
    """It gives what the verb gives by its name."""
    text = "".join(f"<p>Bees dance {number} times to tell the others where flowers are.</p>" for number in range(12))
    page = Loader(static=True).load(f"<title>Bees</title><article>{text}</article>".encode())
    found = text_extractors()["boilerpy3"](page)
    assert found.to_json() == extractor("content")(page, by="boilerpy3").to_json()
    assert [content.by for content in found] == ["boilerpy3"]
