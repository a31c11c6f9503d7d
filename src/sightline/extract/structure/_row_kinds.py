"""What a row of lines is that is no row of a table: running text, a list item, contents, equations."""

from collections.abc import Sequence
from itertools import pairwise

from sightline.extract.structure._item_marks import EQUATION_NUMBER, MARK
from sightline.extract.structure._line_rows import LineRow, lines_of
from sightline.extract.structure._pieces import LEADER

__all__ = ["is_contents", "is_equations", "is_item", "is_prose"]

FEWEST_CONTENTS = 5  # rows of a text and a number that goes up, from which on they are a table of contents
LEADERS = 0.5  # share of the rows of contents that have leaders; without them, all rows must look alike
PAGE_NUMBERS = 0.6  # share of the rows of contents with leaders that end in a page number
UPWARDS = 0.9  # share of the page numbers that are no smaller than the one before
LONGEST_PAGE_NUMBER = 4  # digits
FORMULA = 0.35  # share of the characters set in fonts for formulas, from which on rows are equations
FORMULA_IF_NUMBERED = 0.1  # the same where a row ends in the number of an equation


def is_prose(row: LineRow) -> bool:
    """Whether nothing but running text stands in a row; a long text beside a short one is a cell."""
    return all(line.prose for line in row.lines)


def is_item(row: LineRow) -> bool:
    """Whether a row is a mark or number with its text after it."""
    if len(row.lines) != 2:
        return False
    mark, text = row.lines
    return MARK.fullmatch(mark.text) is not None and not text.is_number


def is_contents(rows: Sequence[LineRow]) -> bool:
    """Whether rows are a table of contents: most lead by dots to a page number, and these go up."""
    last = [text for row in rows if (text := row.lines[-1].text).isdecimal() and len(text) <= LONGEST_PAGE_NUMBER]
    numbers = list(map(int, last))
    upwards = sum(after >= before for before, after in pairwise(numbers)) >= UPWARDS * max(len(numbers) - 1, 1)
    if not upwards:
        return False
    leaders = sum(any(LEADER.search(line.text.replace(" ", "")) for line in row.lines) for row in rows)
    if leaders >= LEADERS * len(rows):
        return len(numbers) >= PAGE_NUMBERS * len(rows)
    pairs = sum(len(row.lines) == 2 and not row.lines[0].is_numeric for row in rows)
    return pairs == len(rows) == len(numbers) >= FEWEST_CONTENTS and numbers[-1] - numbers[0] > len(numbers)


def is_equations(rows: Sequence[LineRow]) -> bool:
    """Whether rows are equations below each other, which may have numbers at the right."""
    lines = lines_of(rows)
    formula = sum(line.formula * len(line.text) for line in lines) / sum(len(line.text) for line in lines)
    if formula <= FORMULA_IF_NUMBERED:
        return False
    return formula > FORMULA or any(EQUATION_NUMBER.fullmatch(row.lines[-1].text) for row in rows)
