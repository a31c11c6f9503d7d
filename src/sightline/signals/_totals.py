"""What rows of totals are called."""

import re

# What a totals row is called, in the languages of the pages seen so far; for more languages, add more words. It must be
# the whole of its first text: “Total Energies” is a company.
TOTAL = re.compile(
    r"(?:(?:grand|sub|overall)[ -]?)?totals?|sum|overall|averages?|mean"
    r"|gesamt|summe|insgesamt|durchschnitt|somme|ensemble|moyenne|suma|promedio|totale|totaal|razem|celkem|összesen"
    r"|итого|всего|المجموع|合計|总计|合计",
    re.IGNORECASE,
)
AROUND_TOTALS = " \t\n:.–—-*†()"


def is_total(text: str) -> bool:
    """Whether a text is what a row of totals is called.

    >>> is_total("Grand total:"), is_total("Total Energies")
    (True, False)
    """
    return TOTAL.fullmatch(text.strip(AROUND_TOTALS)) is not None
