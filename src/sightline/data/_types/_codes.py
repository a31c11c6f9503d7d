"""Codes: texts of digits that name something, and that nobody adds up; as numbers they would lose their form."""

import re
from collections.abc import Iterable

__all__ = ["are_codes"]

# What headings call codes, in the languages of the open data; whole words, since a telephoto lens is no telephone.
_NAMES = re.compile(
    r"\b(?:zip|zip[ -]?code|post(?:al)?[ -]?code|postcode|plz|postleitzahl|code postal|c\.?p\.?|codigo postal|cap|"
    r"(?:tele)?phones?|(?:tele)?phone (?:number|no\.?)|tel\.?|telefono?|téléphone|teléfono|fax|mobile|handy(?:nummer)?|"
    r"isbn(?:[ -]?1[03])?|issn|ean(?:[ -]?13)?|gtin|upc|asin|sku|mpn|iban|bic|swift|vin|doi|oclc|"
    r"(?:article|item|part|product|serial|model|order|artikel|bestell|serien)[ -]?(?:no\.?|nr\.?|number|code|nummer)"
    r")(?!\w)",
    re.IGNORECASE,
)
_DIGITS = re.compile(r"[0-9]+\Z")
# From so many digits on, numbers of one length are codes: populations and sums of money of that size differ in length
# or are grouped. Nine, since dates without marks have eight. By judgement; `bench typing` counts what it gets wrong.
_LONG = 9
_FEWEST = 2


def are_codes(name: str, texts: Iterable[str | None]) -> bool:
    """Whether a column holds codes: it is called so, or all its texts are long rows of digits of one length.

    >>> are_codes("ZIP code", ["90210"]), are_codes("", ["9783161484100", "9780306406157"]), are_codes("", ["5", "10"])
    (True, True, False)
    """
    if _NAMES.search(name):
        return True
    lengths: set[int] = set()
    distinct = set()
    for text in texts:
        if not text:
            continue
        if not _DIGITS.match(text) or len(text) < _LONG:
            return False
        lengths.add(len(text))
        distinct.add(text)
    return len(lengths) == 1 and len(distinct) >= _FEWEST
