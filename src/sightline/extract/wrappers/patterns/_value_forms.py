"""Kinds of values that a condition can ask for, each defined by a regular expression, so that it can be printed."""

import re

__all__ = ["KINDS", "kinds_of"]

LONGEST = 60  # characters; a longer text merely mentions a price or a date

_AMOUNT = r"\d[\d.,'’\s]*"
_SIGN = r"(?:[$€£¥₹₽]|US\$|C\$|A\$|(?:USD|EUR|GBP|CHF|JPY|SEK|NOK|DKK|PLN|CZK|kr|zł|Fr)\.?)"
_MONTH = (
    r"\b(?:jan(?:uar[iy]?)?|feb(?:ruar[iy]?)?|mar(?:ch)?|märz|apr(?:il)?|ma[iy]|june?|juni|july?|juli|aug(?:ust)?"
    r"|sept?(?:ember)?|o[ck]t(?:ober)?|nov(?:ember)?|de[cz](?:ember)?)\b\.?"
)

FORMS = {
    "money": rf"[^\w$€£¥₹₽]*(?:{_SIGN}\s?{_AMOUNT}|{_AMOUNT}\s?{_SIGN})[^\w]*",
    "date": rf".*(?:\d{{4}}-\d\d-\d\d|\d{{1,2}}[./]\d{{1,2}}[./]\d{{2,4}}|{_MONTH}\s+\d|\d{{1,2}}\.?\s+{_MONTH}).*",
    "phone": r"(?:(?:tel|phone|fax)\W*)?\+?(?:\d{1,3}[\s.-]?)?"
    r"\(?\d{2,4}\)?[\s./-]\d{3,4}[\s.-]?\d{2,4}(?:[\s-]\d{2,4})?",
    "email": r"[\w.+-]+@[\w-]+\.[\w.-]+",
    "number": r"[+−-]?\d[\d.,'’\s]*\s?%?",
}
KINDS = {name: re.compile(form, re.IGNORECASE) for name, form in FORMS.items()}


def kinds_of(text: str) -> list[str]:
    """The kinds that a text belongs to.

    >>> kinds_of("$1,200.50"), kinds_of("12 May 1999"), kinds_of("1,200"), kinds_of("Canon")
    (['money'], ['date'], ['number'], [])
    """
    if len(text) > LONGEST:
        return []
    return [name for name, form in KINDS.items() if form.fullmatch(text)]
