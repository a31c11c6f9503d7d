"""XML, JSON and HTML: well-formed for any text, with the hierarchy kept."""

import json
import re
from html.parser import HTMLParser
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sightline.data import FORMATS, Cell, Origin, Records, Table, Value, export
from sightline.errors import UsageError

NESTED = Records([{"name": "A & <B>", "offers": [{"p": "5 €"}, {"p": None}], "tags": [], "none": None, "empty": ""}])
# What XML 1.0 cannot hold, by its own list.
FORBIDDEN = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def test_xml_keeps_the_hierarchy() -> None:
    """Lists have items, what was not found has no element, an empty text has an empty one."""
    (record,) = ElementTree.fromstring(NESTED.to_xml())
    assert [field.tag for field in record] == ["name", "offers", "tags", "empty"]
    assert [[value.text for value in item] for item in record[1]] == [["5 €"], []]
    assert record[0].text == "A & <B>"


@pytest.mark.parametrize("name", ["a b", "1st", "xml", "ns:a", "<", "Größe €", "-", "日本", "\x00"])
def test_xml_makes_element_names_of_any_names(name: str) -> None:
    """A name that XML does not allow is told in an attribute."""
    ((field,),) = ElementTree.fromstring(Records([{name: "x"}]).to_xml())
    assert field.get("name", field.tag) == FORBIDDEN.sub("\ufffd", name)


@given(st.text(min_size=1, max_size=10), st.text(max_size=20))
def test_xml_is_well_formed_for_any_text(name: str, text: str) -> None:
    """A parser reads back the text, with only the forbidden characters replaced."""
    ((field,),) = ElementTree.fromstring(Records([{name: text}]).to_xml())
    assert (field.text or "") == FORBIDDEN.sub("\ufffd", text)
    assert field.get("name", field.tag) == FORBIDDEN.sub("\ufffd", name)


@given(st.text(max_size=10))
def test_json_lines_give_any_text_back(text: str) -> None:
    """One object a line, whatever the text."""
    lines = Records([{"a": text}, {"a": text}]).to_jsonl().splitlines()
    documents = [json.loads(line) for line in NESTED.to_jsonl().split("\n") if line]
    assert documents[0]["offers"] == [{"p": "5 €"}, {"p": None}]
    assert json.loads(lines[0])["a"] == re.sub("[\ud800-\udfff]", "\ufffd", text)


def test_json_is_the_document_of_the_contract() -> None:
    """A table is its document, several are a list of them."""
    table = Table.from_rows([["a"], ["1"]])
    assert json.loads(export(table, "json")) == table.to_json()
    assert json.loads(export([table, table], ".JSON")) == [table.to_json()] * 2
    assert json.loads(export(NESTED, "json")) == NESTED.to_json()


def test_json_with_origins_has_every_place() -> None:
    """Origins go into JSON lines and XML alike."""
    value = Value("5 €", None, Origin("p", (1,), (0.0, 1.0, 2.0, 3.0)))
    content = export(Records([{"a": value}]), "jsonl", origins=True)
    assert json.loads(content) == {"a": {"text": "5 €", "value": 5.0, "xpath": None, "box": [0.0, 1.0, 2.0, 3.0]}}
    assert "<box><item>0.0</item>" in Records([{"a": value}]).to_xml(origins=True)


@pytest.mark.parametrize("format", ["json", "jsonl", "xml"])
def test_export_with_origins_asks_for_xpaths(format: str) -> None:
    """Whoever has the page gives the function that finds them."""
    table = Table((Cell(0, 0, value=Value("5", origin=Origin("p", (1,)))),))
    assert b"/html[1]/td[1]" in export(table, format, origins=True, xpath=lambda _: "/html[1]/td[1]")


GRID = Table(
    (
        Cell(1, 0, value=Value("5"), role="total"),
        Cell(0, 0, 1, 2, Value("2024", origin=Origin("p", (1,), (1.5, 2.0, 30.25, 4.0))), "column header"),
        Cell(1, 1, role="hole"),
    ),
    header_rows=1,
    caption='Sales\n"new"',
    box=(0.0, 0.0, 100.0, 50.0),
)


def test_grid_xml_is_the_table_as_seen() -> None:
    """Each cell stands once in its row with place, spans, role and box; a hole has no element."""
    root = ElementTree.fromstring(GRID.to_grid_xml())
    about = {"caption": 'Sales\n"new"', "header-rows": "1", "header-columns": "0"}
    assert (root.tag, root.attrib) == ("table", about | {"x0": "0", "y0": "0", "x1": "100", "y1": "50"})
    assert [[cell.text for cell in row] for row in root] == [["2024"], ["5"]]
    place = {"row": "0", "column": "0", "row-span": "1", "column-span": "2", "role": "column header"}
    assert root[0][0].attrib == place | {"x0": "1.5", "y0": "2", "x1": "30.25", "y1": "4"}
    assert root[1][0].get("role") == "total"
    assert "x0" not in root[1][0].attrib


@given(st.text(max_size=20), st.text(max_size=20))
def test_grid_xml_is_well_formed_for_any_text(caption: str, text: str) -> None:
    """A parser reads back caption and text, with only the forbidden characters replaced."""
    root = ElementTree.fromstring(Table.from_rows([[text]], caption=caption).to_grid_xml())
    assert root.get("caption") == FORBIDDEN.sub("\ufffd", caption)
    assert (root[0][0].text or "") == FORBIDDEN.sub("\ufffd", text)


def test_grid_xml_of_nothing_works() -> None:
    """An empty table is a document, too."""
    assert len(ElementTree.fromstring(Table(()).to_grid_xml())) == 0


class Checker(HTMLParser):
    """Collects the tags that a browser would see."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Remember a tag."""
        self.tags.add(tag)
        assert {name for name, _ in attrs} <= {"rowspan", "colspan", "style", "title", "charset"}


@given(st.lists(st.text(max_size=12) | st.just('<img src=x onerror="alert(1)">'), min_size=2, max_size=2))
def test_html_runs_nothing(texts: list[str]) -> None:
    """No text of a page becomes markup."""
    checker = Checker()
    checker.feed(export(Table.from_rows([texts, texts]), "html").decode())
    checker.feed(Records([{"a": text} for text in texts])._repr_html_())
    assert checker.tags <= {"meta", "title", "table", "tr", "th", "td", "span"}


@pytest.mark.parametrize("format", FORMATS)
def test_export_survives_hostile_texts(format: str) -> None:
    """Surrogates, NULs, controls and direction marks make no export fail."""
    texts = ["\ud800", "\x00\x01\x1b", "\u202e evil", "𝕳𝖎", "a" * 40_000, "\ufffe\uffff", "\r\n", ""]
    table = Table.from_rows([texts, texts])
    assert export(table, format)
    assert export(table.records(), format)


@pytest.mark.parametrize("format", FORMATS)
def test_export_of_nothing_works(format: str) -> None:
    """An empty result has every format."""
    assert isinstance(export(Records([]), format), bytes)
    assert isinstance(export(Table(()), format), bytes)


def test_export_refuses_unknown_formats() -> None:
    """The message lists those that there are."""
    with pytest.raises(UsageError, match=r"csv, jsonl, json, xml, xlsx, parquet, html"):
        export(NESTED, "pdf")


@pytest.mark.parametrize("format", ["csv", "jsonl", "parquet"])
def test_export_refuses_several_tables_in_a_format_for_one(format: str) -> None:
    """What cannot hold two tables says which formats can."""
    with pytest.raises(UsageError, match=r"use \.xlsx, \.json or \.html"):
        export([NESTED, NESTED], format)


def test_export_writes_several_tables_where_it_can() -> None:
    """XML and HTML hold any number of them."""
    assert len(ElementTree.fromstring(export([NESTED, NESTED], "xml"))) == 2
    assert export([NESTED, NESTED], "html").count(b"<table>") == 2
