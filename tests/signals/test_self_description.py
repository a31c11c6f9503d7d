"""What pages say about themselves."""

import json

import pytest

from sightline.signals import TITLE_MARKS, described_by, published_data
from sightline.sources.html._parse import parse


def _scripts(*documents: object) -> str:
    own = (text if isinstance(text, str) else json.dumps(text) for text in documents)
    return "".join(f'<script type="application/ld+json">{text}</script>' for text in own)


def test_said_is_known_by_its_name() -> None:
    """JSON-LD, meta elements by name and by property, and the title with its parts."""
    head = "<title>Bees | News</title><meta name=author content=Ada><meta property=og:title content=Bees>"
    assert published_data(parse(head + _scripts({"headline": "Bees", "wordCount": 12}))) == {
        "headline": ["Bees"],
        "wordCount": ["12"],
        "author": ["Ada"],
        "og:title": ["Bees"],
        "title": ["Bees | News", "Bees", "News"],
    }


def test_a_thing_is_called_by_what_it_is_to_the_page() -> None:
    """The name of the author is the author, in a graph, in a list and by its value."""
    said = _scripts(
        {"@graph": [{"@type": "Article", "author": [{"@type": "Person", "name": "Ada"}, {"name": "Bob"}]}]},
        {"name": "Bees", "license": {"@value": "free"}},
    )
    assert list(described_by(parse(said))) == [
        ("author", "Ada"),
        ("author", "Bob"),
        ("name", "Bees"),
        ("license", "free"),
    ]


def test_what_is_for_machines_is_left_out() -> None:
    """Types, addresses and switches are nothing that a page says."""
    made = {"@type": "Article", "@id": "x", "url": "https://a/", "image": {"name": "logo"}, "isFree": True, "age": None}
    assert published_data(parse(_scripts(made))) == {}


@pytest.mark.parametrize("text", ["{", "", "[" * 100_000, '"text"', "3"])
def test_broken_data_says_nothing(text: str) -> None:
    """A page's own mistake is no error, and what else it says is heard."""
    assert published_data(parse(_scripts(text, {"headline": "Bees"}))) == {"headline": ["Bees"]}


def test_only_json_ld_is_read() -> None:
    """Scripts of other types are code; the type may be written in any way."""
    page = parse('<script>{"a": "b"}</script><script type=" Application/LD+JSON ">{"headline": "Bees"}</script>')
    assert published_data(page) == {"headline": ["Bees"]}


@pytest.mark.parametrize(
    ("title", "parts"),
    [
        ("Bees | News", ["Bees", "News"]),
        ("Bees – News", ["Bees", "News"]),
        ("Bees: a life", ["Bees", "a life"]),
        ("Well-known bees", ["Well-known bees"]),
        ("12:30", ["12:30"]),
    ],
)
def test_titles_are_parted_at_marks(title: str, parts: list[str]) -> None:
    """Marks with blanks around them part a title, hyphens in words and colons in times do not."""
    assert TITLE_MARKS.split(title) == parts
