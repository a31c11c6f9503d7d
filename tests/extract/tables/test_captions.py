"""What a table is called."""

import pytest

from sightline.extract.tables import find_tables

from ._pages import STOCK, fixed_width, markup, rendered, static

TABLE = markup(STOCK)
CAPTIONED = TABLE.replace("<tr>", "<caption>  In stock\n now </caption><tr>", 1)

NAMED = {
    "caption": (f"<h2>Shop</h2>{CAPTIONED}", "In stock now"),
    "nearest heading": (f"<h1>Shop</h1><h2>May</h2><p>Some words.</p>{TABLE}<h2>June</h2>", "May"),
    "heading without a tag": (f"<div style='font-size:30px'>May</div><p>Some words.</p>{TABLE}", "May"),
    "bold line": (f"<p><b>May</b></p>{TABLE}<p>{'Words and more words. ' * 20}</p>", "May"),
    "none at all": (f"<p>Some words.</p>{TABLE}", None),
    "far above": (f"<h1>Shop</h1><div style='height:900px'></div>{TABLE}", None),
    "only below": (f"{TABLE}<h2>June</h2>", None),
    "beside": (f"<div style='display:flex'><h2>Left</h2><div><h2>May</h2>{TABLE}</div></div>", "May"),
}


@pytest.mark.parametrize(("body", "name"), NAMED.values(), ids=NAMED.keys())
def test_a_table_has_its_caption_or_the_nearest_heading(body: str, name: str | None) -> None:
    """The caption comes first; else what stands above it and looks like a heading, no more than a screen away."""
    (table,) = find_tables(rendered(body))
    assert (table.rows, table.caption) == (STOCK, name)


def test_each_table_has_its_own_name() -> None:
    """Two tables under two headings are named each by its own."""
    page = rendered(f"<h2>May</h2>{TABLE}<h2>June</h2>{TABLE.replace('Arden', 'Ardea')}")
    assert {table.caption: table.rows[1][0] for table in find_tables(page)} == {"May": "Arden 5", "June": "Ardea 5"}


def test_without_layout_only_a_caption_names() -> None:
    """On a page without layout nothing stands above anything; the caption is in the markup."""
    (table,) = find_tables(static(f"<h2>Shop</h2>{CAPTIONED}"))
    assert table.caption is not None
    assert table.caption.split() == ["In", "stock", "now"]
    (table,) = find_tables(static(f"<h2>Shop</h2>{TABLE}"))
    assert table.caption is None


def test_a_table_of_words_has_no_heading_of_its_own_lines() -> None:
    """A drawn table on a page without headings has no name."""
    lines = ["+-------+-------+", "| Model | Price |", "+-------+-------+", "| Arden | 1,200 |", "| Norda | 2,100 |"]
    (table,) = find_tables(fixed_width([*lines, lines[0]]))
    assert table.caption is None
