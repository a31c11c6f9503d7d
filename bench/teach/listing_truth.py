"""Where the truth about pages of results is wrong, as anybody sees who opens the page, and what it should say.

The set is used as it was published by all other measurements. Here it decides whether a list that was taught is whole,
so a list must be one list. Every correction says what the page shows; a page that may be read in two ways has none.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from bench.lists.records import ListTruth


@dataclass(frozen=True)
class Correction:
    """What is wrong with the truth about a page; records and cells have their numbers in the published truth."""

    why: str
    gone: frozenset[int] = frozenset()
    cells: Mapping[tuple[int, int], str] = field(default_factory=dict)
    added: tuple[tuple[str, ...], ...] = ()

    def apply(self, records: tuple[tuple[str, ...], ...]) -> tuple[tuple[str, ...], ...]:
        """The records as the page shows them."""
        kept = [
            tuple(self.cells.get((number, place), cell) for place, cell in enumerate(record))
            for number, record in enumerate(records)
            if number not in self.gone
        ]
        return (*kept, *self.added)


CORRECTIONS: Mapping[str, Correction] = {
    "estuka2017_srr/computers__ask.com__1": Correction(
        "Two lists are written down as one: five offers in a row under “Shopping results for pc computers”, with a "
        "picture, a price and a shop, and eight results below them, with an address and a text. An offer is taught.",
        gone=frozenset(range(5, 13)),
    ),
    "estuka2017_srr/health__webmd.com__1": Correction(
        "The page says “1–10 of 7,028 results” above and below a list of ten. The truth has the copy of the first one "
        "that is set apart above the list, in larger type, and lacks the eighth of the ten.",
        gone=frozenset({0}),
        added=(("Public Support for Smokers Paying Higher Insurance Rates « Health Insurance", "WebMD Blogs"),),
    ),
    "estuka2017_srr/news__timesofindia.indiatimes.com__1": Correction(
        "A title is cut off: on the page it goes on.",
        cells={
            (15, 0): "Sachin Tendulkar to inaugurate sports medicine centres of Aster DM healthcare on February 2",
        },
    ),
}


def corrected(truth: ListTruth) -> ListTruth:
    """What is known of a list, with what is plainly wrong put right."""
    correction = CORRECTIONS.get(truth.id)
    return replace(truth, records=correction.apply(truth.records)) if correction else truth


def is_legible(cells: tuple[str, ...]) -> bool:
    """Whether the letters of a record came through its spreadsheet; those without a code there are question marks."""
    return not any(cell and not cell.strip("? ") for cell in cells)
