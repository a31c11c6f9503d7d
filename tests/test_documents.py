"""Documents of strangers: limits, forms, and errors that say where."""

from typing import TypedDict

import pytest

from sightline.documents import check_document, decoded_document, encoded_document
from sightline.errors import UsageError


class Part(TypedDict):
    """A form for these tests."""

    name: str
    sizes: list[int]
    inner: "Part | None"


GOOD = {"name": "a", "sizes": [1], "inner": None}


@pytest.mark.parametrize(
    ("document", "told"),
    [
        (5, "it must be an object, not a whole number"),
        ({**GOOD, "name": None}, "name must be a text, not null"),
        ({**GOOD, "sizes": [1, 2.5]}, "sizes[1] must be a whole number, not a number"),
        ({**GOOD, "inner": {**GOOD, "sizes": 3}}, "inner.sizes must be a list, not a whole number"),
        ({**GOOD, "inner": {"name": "x"}}, "inner.sizes is missing"),
        ({"sizes": []}, "name is missing"),
    ],
)
def test_what_is_wrong_is_told_with_its_place(document: object, told: str) -> None:
    """People look for it in the file."""
    with pytest.raises(UsageError) as caught:
        check_document(document, Part)
    assert str(caught.value) == told


def test_a_document_of_the_form_may_have_more() -> None:
    """Notes that somebody has written beside it do no harm."""
    check_document({**GOOD, "note": object}, Part)


def test_a_document_has_a_size() -> None:
    """Larger ones are not decoded."""
    assert decoded_document(b"[1, 2]", most=6) == [1, 2]
    with pytest.raises(UsageError, match="7 bytes, and 6 are the most"):
        decoded_document(b"[1, 23]", most=6)


def test_what_is_encoded_is_decoded() -> None:
    """Through JSON and back."""
    assert decoded_document(encoded_document(GOOD)) == GOOD
