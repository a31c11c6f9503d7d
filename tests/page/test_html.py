"""A page as HTML again."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import sightline as sl
from sightline.page import INNER, SLOTTED, Page
from sightline.testing import list_page

from ._build import el, page, pages, text

# Trees that every parser builds from their own HTML: no paragraph holds a block, and no link another.
WORDS = st.text(st.characters(codec="utf-8", exclude_characters="\0\r", exclude_categories=("Cs",)), max_size=12)
INLINE = st.recursive(
    WORDS.map(lambda words: el("span", text(words)) if words else el("br")),
    lambda inner: st.builds(
        lambda tag, children: el(tag, *children, class_="x"), st.sampled_from(["b", "i", "em"]), st.lists(inner)
    ),
    max_leaves=5,
)
BLOCKS = st.recursive(
    st.builds(lambda children, name: el("p", *children, title=name), st.lists(INLINE, max_size=4), WORDS),
    lambda inner: st.builds(
        lambda tag, children: el(tag, *children),
        st.sampled_from(["div", "section", "ul", "pre", "svg"]),
        st.lists(inner, max_size=4),
    ).filter(lambda made: made.tag != "svg" or not made.children),
    max_leaves=8,
)


def read(html: str) -> Page:
    """The page of some HTML, whatever encoding it claims."""
    return sl.open(html.encode("utf-8-sig"), static=True)


def nodes(page: Page) -> list[tuple[str, str, dict[str, str]]]:
    """What every node is and says."""
    return [(node.tag, node.raw_text, node.attributes) for node in page.nodes]


@pytest.mark.parametrize(
    "body",
    [
        "<p>a &lt; b &amp; c &nbsp; d</p>",
        "<p title='a \"quoted\" &amp;amp; <tag>' hidden data-x>x</p>",
        "one<!-- a comment -->two<!-- another --> three",
        "<script>if (a < b && c) { x = '<p>' }</script><style>a > b { content: '&' }</style>",
        "<pre>\n\nfirst line is empty</pre><textarea>\n\n x</textarea><pre>plain</pre>",
        "<svg viewBox='0 0 1 1'><clipPath id=a><path d=x /></clipPath><style>a &lt; b</style><title>t</title></svg>",
        "<svg><foreignObject><p>HTML<br><b>again</b><style>a > b</style></foreignObject></svg><math><mi>x</mi></math>",
        "<noscript><img src=x><p>unread</p></noscript><iframe><b>old</b></iframe>",
        "<table><caption>c<tr><td>1<td>2<tr><th>3</table><select><option>a<option selected>b</select>",
        "<p>cr: &#13; end</p><a title='&#13;x'>x</a>",
        "<x-y custom-attr><o:p>odd</o:p></x-y><input disabled><img alt=''><wbr>",
        "",
    ],
)
def test_to_html_gives_the_same_page_again(body: str) -> None:
    """Tags, attributes and texts of a parsed page survive, special characters and raw texts too."""
    page = read(f"<!doctype html><html lang=en><head><title>T &amp; t</title><meta charset=latin1></head><body>{body}")
    assert nodes(read(page.to_html())) == nodes(page)


@pytest.mark.slow
@settings(max_examples=60)
@given(st.lists(BLOCKS, max_size=5))
def test_to_html_gives_random_pages_again(blocks: list[object]) -> None:
    """The same for pages made at random, once they have come from the parser."""
    built = page(el("html", el("head"), el("body", *blocks)), kind="static")  # type: ignore[arg-type]
    parsed = read(built.to_html())
    assert nodes(read(parsed.to_html())) == nodes(parsed)


@settings(max_examples=50)
@given(pages())
def test_to_html_writes_any_page(made: Page) -> None:
    """Pages of all kinds, of any tree, are written without an error, each part as well."""
    assert made.to_html().count("<") >= 1
    for number in range(len(made)):
        assert isinstance(made.to_html(number), str)


def test_to_html_writes_a_part() -> None:
    """One node with all below it; only a whole document has a doctype."""
    made = list_page(["one", "two"])
    assert made.to_html(int(made.with_tag("ul")[0])) == "<ul><li>one</li><li>two</li></ul>"
    assert made.to_html().startswith("<!DOCTYPE html><html ")
    assert made.without([0]).to_html() == ""


def test_to_html_puts_frames_in_their_place() -> None:
    """A frame and its document become elements that HTML allows there; the frame's head is left out, not its words."""
    inner = el("html", el("head", el("style", "p { }")), el("body", el("p", "inside")), edge=INNER)
    made = page(el("html", el("body", el("p", "before"), el("iframe", inner, src="x.html"), el("p", "after"))))
    html = made.to_html()
    assert '<div src="x.html"><div><style>p { }</style><div><p>inside</p></div></div></div><p>after</p>' in html
    assert read(html).text_of().split("\n") == ["before", "inside", "after"]


def test_to_html_shows_shadow_trees() -> None:
    """What a component shows stands in it, as it is seen."""
    slot = el("slot", el("b", "second", edge=SLOTTED))
    made = page(el("html", el("body", el("x-card", el("section", "first ", slot, edge=INNER)))))
    assert "<x-card><section>first <slot><b>second</b></slot></section></x-card>" in made.to_html()


def test_to_html_leaves_out_names_that_are_none() -> None:
    """An attribute that a script named with a blank or a slash would be read as another one."""
    made = page(el("html", el("body", el("p", "x", **{"a b": "1", "c/d": "2", "ok": "3"}))))
    assert '<p ok="3">x</p>' in made.to_html()
