"""What a wrapper read, as marks on the picture of a page."""

from typing import NamedTuple

from sightline.draw import marks_of_explained
from sightline.draw._picture import COLOURS
from sightline.geometry import Box


class _Text(NamedTuple):
    box: Box | None
    role: str


def test_marks_of_explained_have_a_colour_for_each_role() -> None:
    """What calls for attention is drawn above the rest; what has no place has no mark."""
    roles = ("unknown", "field", "template", "changed", "dropped")
    texts = [_Text((0.0, 0.0, 9.0, 9.0), role) for role in roles]
    marks = marks_of_explained([*texts, _Text(None, "field")])
    assert [mark.kind for mark in marks] == ["template", "field", "dropped", "changed", "unknown"]
    assert len({COLOURS[mark.kind] for mark in marks}) == 5
