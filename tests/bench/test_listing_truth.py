"""Corrections of what is known about pages of results, and the examples that are taken from it."""

from bench.lists.records import ListTruth
from bench.teach.listing_truth import CORRECTIONS, Correction, corrected, is_legible
from bench.teach.listings import examples_on

from ..extract._templates import opened


def _truth(*records: tuple[str, ...], known_as: str = "page") -> ListTruth:
    return ListTruth(known_as, "made", "", "page.html", records)


def test_a_correction_drops_changes_and_adds_records() -> None:
    """Records and cells are named by their numbers in the published truth."""
    correction = Correction("…", gone=frozenset({0}), cells={(1, 0): "whole"}, added=(("new", "c"),))
    assert correction.apply((("copy", "a"), ("who", "b"))) == (("whole", "b"), ("new", "c"))


def test_only_the_pages_that_are_named_are_corrected() -> None:
    """Each has a reason; all others stay as they were published."""
    truth = _truth(("one", "two"))
    assert corrected(truth) is truth
    assert all(correction.why.endswith(".") for correction in CORRECTIONS.values())
    known_as = "estuka2017_srr/computers__ask.com__1"
    many = _truth(*[(str(number), "x") for number in range(13)], known_as=known_as)
    assert len(corrected(many).records) == 5


def test_a_record_whose_letters_were_lost_is_not_legible() -> None:
    """A cell of question marks alone was in letters that a spreadsheet did not know."""
    assert is_legible(("Why?", "", "3 KB"))
    assert not is_legible(("?????? ??", "3 KB"))


def test_the_next_examples_have_their_titles_where_the_first_has_it() -> None:
    """The title of a record is not taken for an author of several words."""
    records = [("Moby Dick", "Read", "Herman Melville"), ("Iliad", "Buy", "Homer of Chios"), ("Emma", "Rent", "Jane")]
    html = "".join(f"<li><a>{title}</a> <b>{what}</b> <a>{author}</a>" for title, what, author in records)
    [page] = opened(f"<ul>{html}</ul>")
    assert examples_on(_truth(*records), page) == [
        {"title": "Moby Dick", "cell": "Read"},
        {"title": "Iliad", "cell": "Buy"},
        {"title": "Emma", "cell": "Rent"},
    ]
