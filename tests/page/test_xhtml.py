"""A page as clean XHTML: well-formed whatever is on the page, with nothing that is not content."""

from pathlib import Path
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

import sightline as sl
from sightline.page import Builder, Page

SPACE = "{http://www.w3.org/1999/xhtml}"
TAGS = st.sampled_from(["p", "div", "b", "td", "br", "script", "svg", "h1", "x-y", "font:odd", "1x", "a b"])
TREES = st.recursive(st.text(max_size=12), lambda inner: st.tuples(TAGS, st.lists(inner, max_size=3)), max_leaves=12)


def _opened(html: str) -> Page:
    return sl.open(html.encode(), static=True)


def _body(page: Page) -> ElementTree.Element:
    found = ElementTree.fromstring(page.to_xhtml().split("?>\n", 1)[1]).find(f"{SPACE}body")
    assert found is not None
    return found


def _names(element: ElementTree.Element) -> list[str]:
    return [one.tag.removeprefix(SPACE) for one in element.iter()]


def _built(tree: object) -> Page:
    builder = Builder()
    builder.open("html")
    builder.open("body")
    _add(builder, tree)
    builder.close()
    builder.close()
    return builder.page(kind="static", title="T & <i>")


def _add(builder: Builder, tree: object) -> None:
    if isinstance(tree, str):
        builder.text(tree)
        return
    tag, children = tree  # type: ignore[misc]
    builder.open(tag, {"class": "a\x01'\"<&", "onclick": "evil()", "odd name": "x"})
    for child in children:
        _add(builder, child)
    builder.close()


@given(TREES)
def test_xhtml_is_well_formed_whatever_the_page_holds(tree: object) -> None:
    """Any tags, any characters, any attributes: an XML parser reads it, and no script or handler is in it."""
    page = _built(tree)
    body = _body(page)
    assert not {"script", "svg"} & set(_names(body))
    assert {key for one in body.iter() for key in one.keys()} <= {"class"}  # noqa: SIM118 - an Element is no dict


def test_xhtml_says_what_the_page_says() -> None:
    """Title, language, texts, headings, links and spans of cells are kept."""
    page = _opened(
        "<html lang=de><title>Preise & mehr</title><h1>Liste</h1><table><tr><td colspan=2>a &lt; b</table>"
        "<p><a href='/x?a=1&b=2'>hin</a>"
    )
    written = page.to_xhtml()
    assert written.startswith('<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE html>\n')
    assert 'lang="de"' in written
    assert "<title>Preise &amp; mehr</title>" in written
    body = _body(page)
    assert "".join(body.itertext()).split() == ["Liste", "a", "<", "b", "hin"]
    assert [cell.get("colspan") for cell in body.iter(f"{SPACE}td")] == ["2"]
    assert [link.get("href") for link in body.iter(f"{SPACE}a")] == ["/x?a=1&b=2"]


def test_xhtml_leaves_out_what_is_not_content() -> None:
    """Scripts, styles, pictures and attributes of looks and behaviour are gone, and all that is in them."""
    page = _opened(
        "<style>p{color:red}</style><script>alert('secret')</script>"
        "<p style='color:red' onclick='x()' data-k=1 class=note>"
        "text<img src=x.png><svg><text>drawn</text></svg><noscript>none</noscript>"
    )
    written = page.to_xhtml()
    for word in ("secret", "color", "onclick", "data-k", "img", "drawn", "none"):
        assert word not in written
    assert '<p class="note">text</p>' in written


@pytest.mark.parametrize("tag", ["br", "hr", "wbr"])
def test_empty_elements_are_closed(tag: str) -> None:
    """What has no content is written as XML wants it."""
    assert f"<{tag} />" in _opened(f"<p>a<{tag}>b").to_xhtml()


def test_soft_hyphens_are_not_written() -> None:
    """A word that was broken at the end of a line is whole again, in XHTML and in texts."""
    page = _opened("<p>tele\u00adscope")
    assert "<p>telescope</p>" in page.to_xhtml()
    assert page.text_of() == "telescope"


def test_xhtml_reads_again_as_the_same_text() -> None:
    """Opened again, it has the same headings and the same text."""
    page = _opened("<h1>One</h1><p>two <b>three</b></p><ul><li>four<li>five</ul><table><tr><td>6<td>7</table>")
    again = sl.open(page.to_xhtml().encode(), static=True)
    assert again.text_of() == page.text_of()


def test_page_is_saved_as_xhtml_by_its_suffix(tmp_path: Path) -> None:
    """`sl.save` goes by the suffix; what is neither is refused."""
    page = _opened("<p>x")
    for name in ("a.html", "b.XHTML"):
        assert sl.save(page, tmp_path / name).read_text("utf-8") == page.to_xhtml()
    with pytest.raises(sl.errors.UsageError, match=r"\.page"):
        sl.save(page, tmp_path / "c.txt")
