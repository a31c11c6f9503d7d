"""Labels in the texts of a field become its name and leave its values; nothing else does."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sightline.extract.schemas._labels import cut_lead, is_label, lead_of

from .._templates import FOOT, learned, opened


@pytest.mark.parametrize(
    ("texts", "lead", "name"),
    [
        (["Company: Acme Ltd", "Company: Bolt & Co"], "Company:", "Company"),
        (["Company : Acme Ltd", "Company : Bolt & Co"], "Company :", "Company"),
        ([": Formal", ": Casual"], ":", ""),
        ([", #3", ", #7"], ",", ""),
        (["- Consumer Guide", "- AutoWeek"], "-", ""),
        (["Published on May 12, 2024", "Published on June 3, 2024"], "Published on", "Published"),
        (["Veröffentlicht am 12. Mai 2024", "Veröffentlicht am 3. Juni 2024"], "Veröffentlicht am", "Veröffentlicht"),
    ],
)
def test_what_texts_begin_with_gives_the_name(texts: list[str], lead: str, name: str) -> None:
    """A label with its colon, a mark that was left over, and words before a date."""
    assert lead_of(texts) == (lead, name)


@pytest.mark.parametrize(
    "texts",
    [
        ["City: 16 Highway: 22", "City: 28 Highway: 37"],
        ["Dune: Part Two", "Alien: Romulus", "Heat"],
        ["-5", "-7"],
        ["from $2.04", "from $4.19"],
        ["since 2004", "until 2008"],
        ["May 12, 2024", "June 3, 2024"],
        ["Player News (last updated: May 4)", "Player News (last updated: May 5)"],
        ["10:30", "11:45"],
        [],
    ],
)
def test_what_is_no_label_stays(texts: list[str]) -> None:
    """Two labels in a text, titles with a colon, signs, limits, bare dates, halves of a bracket and times."""
    assert lead_of(texts) == ("", "")


@pytest.mark.parametrize(
    "text", ["© 2011 Acme, LLC", "of", "Thank you for your interest…", "2011", "www.example.org", ""]
)
def test_notices_and_fragments_are_no_labels(text: str) -> None:
    """A name is neither a notice nor an address, a number or half a sentence."""
    assert not is_label(text)


@given(st.lists(st.text(max_size=30), max_size=6), st.text(max_size=12))
def test_a_cut_text_is_the_end_of_what_it_was(texts: list[str], lead: str) -> None:
    """Whatever is cut is cut from the front, and no text becomes empty."""
    found = lead_of(texts)
    for text in texts:
        for cut in (found.cut(text), cut_lead(text, lead)):
            assert text.rstrip().endswith(cut.rstrip()) and (cut or not text)


def test_values_lose_their_label_and_origins_keep_it() -> None:
    """The value is what the label is about, and its origin has the whole text; a text without it stays whole."""
    pages = [
        f"<h1>Job {n}</h1><p>Company: {name} Ltd</p>{FOOT}" for n, name in enumerate(("Acme", "Bolt", "Cog", "Dyn"))
    ]
    wrapper = learned(pages)
    value = wrapper.read(opened(pages[1])[0]).records[0]["Company"]
    assert (value.text, value.origin.original) == ("Bolt Ltd", "Company: Bolt Ltd")  # type: ignore[union-attr]
    odd = wrapper.read(opened(pages[1].replace("Company: Bolt", "Bolt"))[0]).records[0]["Company"]
    assert (odd.text, odd.origin.original) == ("Bolt Ltd", "")  # type: ignore[union-attr]


def test_types_are_those_of_the_values() -> None:
    """A date with words before it is a date, and a price with a label is money."""
    pages = [f"<h1>Item {n}</h1><p>Published on May {n + 2}, 2024</p><i>Fee: {n}5 €</i>{FOOT}" for n in range(5)]
    assert str(learned(pages).schema) == "(title: text, Published: date, Fee: money EUR)"
