"""Columns by their headings where headings span several of them."""

from sightline.extract.wrappers import Lesson
from sightline.extract.wrappers.patterns import View
from sightline.page import Page

from .._templates import opened

GROUPED = (
    "<table><tr><th rowspan=2>Shop</th><th colspan=2>{0}</th><th colspan=2>{1}</th></tr>"
    "<tr><th>2023</th><th>2024</th><th>2023</th><th>Budget</th></tr>"
    "<tr><td>North</td><td>11</td><td>12</td><td>13</td><td>14</td></tr>"
    "<tr><td rowspan=2>South</td><td>21</td><td>22</td><td>23</td><td>24</td></tr>"
    "<tr><td colspan=2>31</td><td>33</td><td>34</td></tr></table>"
)


def _page(body: str) -> Page:
    (page,) = opened(body)
    return page


def _headings(page: Page) -> dict[str, str]:
    view = View(page)
    cells = page.with_tag("td").tolist()
    return {view.text(cell): view.label_names.get(int(view.column_head[cell]), "") for cell in cells}


def test_a_cell_belongs_to_the_lowest_heading_above_it_and_to_its_group_where_others_are_called_the_same() -> None:
    """Two columns are called 2023."""
    headings = _headings(_page(GROUPED.format("Sales", "Costs")))
    assert headings["North"] == headings["South"] == "shop"
    assert [headings[text] for text in ("11", "12", "13", "14")] == ["sales 2023", "2024", "costs 2023", "budget"]


def test_cells_that_span_rows_and_columns_move_those_beside_and_below_them() -> None:
    """As in any table that people read."""
    headings = _headings(_page(GROUPED.format("Sales", "Costs")))
    assert [headings[text] for text in ("31", "33", "34")] == ["sales 2023", "costs 2023", "budget"]


def test_a_column_that_has_moved_is_found_by_its_heading() -> None:
    """Taught on one table, read on one whose groups have changed places."""
    page = _page(GROUPED.format("Sales", "Costs"))
    lesson = Lesson(page)
    lesson.show(page, records=[{"shop": "North", "budget": "14"}, {"shop": "South", "budget": "24"}])
    moved = (
        "<table><tr><th rowspan=2>Shop</th><th colspan=2>Costs</th><th colspan=2>Sales</th></tr>"
        "<tr><th>2023</th><th>Budget</th><th>2023</th><th>2024</th></tr>"
        "<tr><td>East</td><td>43</td><td>44</td><td>41</td><td>42</td></tr>"
        "<tr><td>West</td><td>53</td><td>54</td><td>51</td><td>52</td></tr></table>"
    )
    rows = lesson.wrapper.read(_page(moved)).records.to_dicts()
    assert [(row["shop"], row["budget"]) for row in rows] == [("East", "44"), ("West", "54")]


def test_absurd_spans_cost_nothing() -> None:
    """Pages may say anything."""
    heads = "<tr><th colspan=999999999>A</th><th rowspan=-3 colspan=x>B</th></tr>"
    body = f"<table>{heads}<tr><td>1</td><td>2</td></tr></table>"
    assert _headings(_page(body)) == {"1": "a", "2": "b"}
