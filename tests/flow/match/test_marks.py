"""Marks: what two records share and where they differ, as spans of their texts."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sightline.flow.match import TextMark, price_words, record_marks


def _marked(text: str, marks: tuple[TextMark, ...]) -> list[tuple[str, str]]:
    return [(mark.kind, text[mark.start : mark.end]) for mark in marks]


@pytest.mark.parametrize(
    ("left", "right", "on_left", "on_right"),
    [
        pytest.param(
            "Sony DSCW150 64GB",
            "SONY DSC-W150, 32 GB",
            [("shared word", "Sony"), ("shared code", "DSCW150"), ("other number", "64GB")],
            [("shared word", "SONY"), ("shared code", "DSC-W150"), ("other number", "32 GB")],
            id="a model number with other marks, another capacity",
        ),
        pytest.param(
            "D-Link DGS-1008P switch 5 port",
            "D-Link DGS 1008P 8 port",
            [("shared word", "D-Link"), ("shared code", "DGS-1008P"), ("other number", "5"), ("shared word", "port")],
            [("shared word", "D-Link"), ("shared code", "DGS 1008P"), ("other number", "8"), ("shared word", "port")],
            id="a model number in two words is one, and its digits are no number",
        ),
        pytest.param(
            "Canon EOS R5",
            "Canon EOS R6",
            [("shared word", "Canon"), ("shared word", "EOS"), ("other code", "R5")],
            [("shared word", "Canon"), ("shared word", "EOS"), ("other code", "R6")],
            id="short model numbers that differ",
        ),
        pytest.param(
            'Heliox 24" monitor, 1.50 m',
            "Heliox 24 inch monitor 1.5 kg",
            [("shared word", "Heliox"), ("shared number", '24"'), ("shared word", "monitor"), ("other unit", "1.50 m")],
            [
                ("shared word", "Heliox"),
                ("shared number", "24 inch"),
                ("shared word", "monitor"),
                ("other unit", "1.5 kg"),
            ],
            id="the same number in another unit, and the same unit written otherwise",
        ),
        pytest.param(
            "lens RF 18-45mm", "RF 18-45", [("shared word", "RF"), ("shared number", "18-45mm")],
            [("shared word", "RF"), ("shared number", "18-45")], id="a range is one number",
        ),
        pytest.param(
            "card 170MB/s", "card 170 MB/s", [("shared word", "card"), ("shared number", "170MB/s")],
            [("shared word", "card"), ("shared number", "170 MB/s")], id="a pace is a number with a unit",
        ),
        pytest.param(
            "tripod 1.199,00", "stand", [], [], id="a number on one side alone differs from nothing",
        ),
    ],
)  # fmt: skip
def test_what_is_shared_and_what_differs_is_marked(
    left: str, right: str, on_left: list[tuple[str, str]], on_right: list[tuple[str, str]]
) -> None:
    """Each span once, by what says most."""
    found = record_marks({"name": left}, {"name": right})
    assert _marked(left, found.left["name"]) == on_left
    assert _marked(right, found.right["name"]) == on_right


def test_a_code_is_found_in_another_field() -> None:
    """The catalogue may have it in a column of its own."""
    found = record_marks({"name": "Sony DSC-W150 black"}, {"name": "Sony camera", "model": "DSCW150"})
    assert _marked("DSCW150", found.right["model"]) == [("shared code", "DSCW150")]
    assert found.texts("left", "shared code", {"name": "Sony DSC-W150 black"}) == ["DSC-W150"]


WORDS = st.lists(
    st.sampled_from(["Sony", "DSC-W150", "64 GB", "12", "x", "3,5", '24"', "ß", "😀", "(new)", "-"])
    | st.text(max_size=6)
)


@given(left=WORDS.map(" ".join), right=WORDS.map(" ".join))
def test_marks_lie_in_the_text_and_never_overlap(left: str, right: str) -> None:
    """Whatever the texts are."""
    found = record_marks({"a": left}, {"a": right})
    for text, marks in ((left, found.left["a"]), (right, found.right["a"])):
        ends = [0, *(mark.end for mark in marks)]
        assert all(before <= mark.start < mark.end <= len(text) for before, mark in zip(ends, marks, strict=False))


@given(text=WORDS.map(" ".join))
def test_a_record_differs_in_nothing_from_itself(text: str) -> None:
    """All marks say what is shared."""
    found = record_marks({"a": text}, {"a": text})
    assert all(mark.kind.startswith("shared") for mark in found.left["a"])


@pytest.mark.parametrize(
    ("left", "right", "words"),
    [
        (299, 99, "3.0 times as much"),
        (99, 299, "33 % of it"),
        (88, 100, "12 % less"),
        (150, 100, "50 % more"),
        (101, 100, "about the same"),
        (0, 100, None),
    ],
)
def test_prices_are_compared_in_words(left: float, right: float, words: str | None) -> None:
    """As people would say it."""
    assert price_words(left, right) == words
