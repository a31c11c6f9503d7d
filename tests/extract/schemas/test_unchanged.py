"""Texts that are the same on all pages and still are data."""

from collections.abc import Callable, Sequence

import pytest

from sightline.extract.wrappers import Wrapper, induce

from .._templates import FOOT, opened

Rows = Sequence[tuple[str, str]]
FORMS: dict[str, Callable[[Rows], str]] = {
    "one text": lambda rows: "<ul>" + "".join(f"<li>{label}: {value}</li>" for label, value in rows) + "</ul>",
    "one line": lambda rows: "<p>" + " | ".join(f"{label}: <em>{value}</em>" for label, value in rows) + "</p>",
    "headings": lambda rows: "".join(
        f"<div class={label.lower()}><h4>{label}</h4><div>{value}</div></div>" for label, value in rows
    ),
}


def _induced(bodies: Sequence[str]) -> Wrapper:
    return induce(opened(*(f"<main>{body}</main>{FOOT}" for body in bodies)))


@pytest.mark.parametrize("form", FORMS)
def test_a_labelled_value_is_read_where_it_differs(form: str) -> None:
    """A language that is the same on all pages that were learned from is another on the next one."""
    rows = [[("Language", "English"), ("Price", f"{5 + number}.00")] for number in range(5)]
    wrapper = _induced([f"<h1>Book {number}</h1>{FORMS[form](own)}" for number, own in enumerate(rows)])
    body = FORMS[form]([("Language", "French"), ("Price", "77.00")])
    (page,) = opened(f"<main><h1>Book 9</h1>{body}</main>{FOOT}")
    (record,) = wrapper.extract(page).to_dicts()
    assert {"Language": "French", "Price": "77.00"}.items() <= record.items()


def test_a_date_and_an_amount_are_data_without_a_label() -> None:
    """No template has a day or a price of its own."""
    pages = [f"<h1>Book {n}</h1><time>3 May 2021</time><b>{'abcde'[n]} {n}</b><i>$25.00</i>" for n in range(5)]
    wrapper = _induced(pages)
    (page,) = opened(f"<main><h1>Book 9</h1><time>7 June 2019</time><b>x 9</b><i>$31.50</i></main>{FOOT}")
    (record,) = wrapper.extract(page).to_dicts()
    assert {"7 June 2019", "$31.50"} <= set(record.values())


def test_texts_of_the_frame_stay_in_the_template() -> None:
    """What is in a footer, a menu or a form says nothing about the thing on the page."""
    frame = "<nav><p>Language: English</p></nav><form><b>Sort by:</b> <i>Price</i></form><footer>Since: 2001</footer>"
    pages = opened(*(f"<main><h1>Book {number}</h1><b>{number} pages of it</b></main>{frame}" for number in range(5)))
    assert not {"Language", "Sort by", "Since"} & set(induce(pages).all_fields().fields)


def test_a_heading_is_no_value_of_the_label_before_it() -> None:
    """Two labels in a row label nothing."""
    pages = [f"<h1>Book {number}</h1><h3>About:</h3><h3>Details</h3><p>{number} pages of it</p>" for number in range(5)]
    assert "About" not in _induced(pages).fields
