"""The main text of a page as data."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sightline.data import Content, ContentPart, Origin, Value

BOX = (0.0, 10.0, 90.0, 30.0)
BEES = Content(
    (
        ContentPart(Value("Bees", origin=Origin("p", (4,), BOX)), "h1"),
        ContentPart(Value("They dance.", origin=Origin("p", (7, 9), BOX))),
        ContentPart(Value("left"), "li"),
        ContentPart(Value("right"), "li"),
        ContentPart(Value("for bee in hive:\n    dance(bee)"), "pre"),
        ContentPart(Value("So they say."), "blockquote"),
    ),
    title=Value("Bees", origin=Origin("p", (4,), BOX)),
    date=Value("2021-05-05"),
    score=0.9,
    language="en",
    evidence=(("words", 0.5),),
)
MARKDOWN = """\
# Bees

They dance.

- left
- right

```
for bee in hive:
    dance(bee)
```

> So they say."""


def test_content_is_its_parts() -> None:
    """It can be counted, walked and asked for a part; its text has a line for each."""
    assert (len(BEES), BEES[1].text, [part.kind for part in BEES][:2]) == (6, "They dance.", ["h1", "p"])
    assert BEES.text.startswith("Bees\nThey dance.\nleft\nright\n")
    assert BEES.nodes == (4, 7, 9)


def test_content_as_markdown() -> None:
    """Headings, items, code and quotations are marked; items stand close together, all else apart."""
    assert BEES.to_markdown() == MARKDOWN


def test_content_knows_what_it_is() -> None:
    """The facts have every name, known or not."""
    facts = {"title": "Bees", "author": None, "date": "2021-05-05", "address": None, "language": "en"}
    assert BEES.facts() == facts


def test_content_shows_itself() -> None:
    """Its title, size and score are seen at once, also where there is no title."""
    assert repr(BEES) == "<Content 'Bees', 6 parts, 13 words, score 0.90>"
    assert repr(Content()) == "<Content 0 parts, 0 words, score 1.00>"


def test_content_as_json() -> None:
    """Text, parts with their kinds, and what is known of it; nothing is left out because it is missing."""
    document = BEES.to_json()
    assert document["text"] == BEES.text
    assert document["nodes"][0] == {"text": "Bees", "kind": "h1", "xpath": None, "box": list(BOX)}
    assert document["nodes"][2] == {"text": "left", "kind": "li", "xpath": None, "box": None}
    assert (document["title"], document["byline"], document["date"], document["score"]) == (
        "Bees",
        None,
        "2021-05-05",
        0.9,
    )
    assert "evidence" not in document
    assert json.loads(json.dumps(document)) == document


def test_content_as_json_with_places_and_evidence() -> None:
    """With `origins` the title says where it stands, too; with `evidence` what the score is made of is told."""
    document = BEES.to_json(origins=True, xpath=lambda origin: f"/p[{origin.nodes[0]}]", evidence=True)
    assert document["nodes"][0]["xpath"] == "/p[4]"
    assert document["title"]["text"] == "Bees"
    assert document["title"]["box"] == list(BOX)
    assert document["byline"] is None
    assert document["evidence"] == {"words": 0.5}


def test_content_as_records() -> None:
    """The parts are rows of every export."""
    assert BEES.records().to_dicts()[:2] == [{"kind": "h1", "words": "Bees"}, {"kind": "p", "words": "They dance."}]
    assert [column.name for column in BEES.columns] == ["kind", "words"]
    assert BEES.to_csv().splitlines()[:2] == ["kind,words", "h1,Bees"]


@pytest.mark.parametrize("other", [{"evidence": ()}, {"evidence": (("x", 1.0),)}])
def test_content_is_equal_by_what_it_says(other: dict[str, Any]) -> None:
    """Why it was taken for the main text makes no difference."""
    assert Content(BEES.parts, BEES.title, None, BEES.date, 0.9, "en", **other) == BEES


KINDS = st.sampled_from(["p", "h1", "h6", "li", "td", "pre", "blockquote", "figcaption"])


@given(st.lists(st.tuples(st.text(st.characters(codec="utf-8")), KINDS)))
def test_content_can_always_be_written(parts: list[tuple[str, str]]) -> None:
    """Any text in any parts has a Markdown, a JSON and a representation."""
    found = Content(tuple(ContentPart(Value(text), kind) for text, kind in parts))
    assert bool(found.to_markdown()) >= any(text.strip() for text, _ in parts)
    assert [node["text"] for node in json.loads(json.dumps(found.to_json()))["nodes"]] == [text for text, _ in parts]
    assert repr(found)
