"""Prints records: as rows below the names of their fields, or a single record from top to bottom."""

from rich.text import Text

from sightline.cli._console import output, remark
from sightline.cli._text import GAP, INDENT, clean, print_rows
from sightline.data import Records
from sightline.extract.wrappers import Found, Patterns, Problem, Wrapper

__all__ = ["doubts_of", "print_found", "print_records", "problem_lines", "shares_of"]

ROWS = 20
FIELDS = 40
PROBLEMS = 3  # per page
WIDEST_NAME = 30


def print_found(source: str, found: Found, *, everything: bool) -> None:
    """Print the results of a page: its name, the number of records, the verdict, then the records."""
    count = len(found.records)
    facts = f" · {count:,} record{'s' * (count != 1)} · {found.verdict}"
    output.print(Text.assemble((clean(source), "bold"), (facts, "dim")))
    print_records(found.records, everything=everything)


def print_records(records: Records, *, everything: bool) -> None:
    """Print one record as a line for each field; several as a row each, with as many fields as fit."""
    if len(records) == 1:
        _print_record(records, everything=everything)
        return
    columns = records.columns
    shown = [column for column in columns if everything or any(column.texts[:ROWS])]
    if not shown:
        return
    fitting = print_rows(shown, None if everything else ROWS)
    if not everything and (len(records) > ROWS or fitting < len(columns)):
        rows = f"{min(len(records), ROWS)} of {len(records):,} records"
        remark(f"{rows}, {fitting} of {len(columns)} fields; --all shows all rows and columns.")


def _print_record(records: Records, *, everything: bool) -> None:
    found = [(clean(column.name), text) for column in records.columns if (text := column.texts[0]) is not None]
    shown = found if everything else found[:FIELDS]
    width = max((Text(name).cell_len for name, _ in shown), default=0)
    width = width if everything else min(width, WIDEST_NAME)
    cut = len(found) - len(shown)
    for name, text in shown:
        line = Text(name, style="italic dim")
        line.truncate(width, overflow="ellipsis", pad=True)
        line = Text.assemble(INDENT, line, " " * GAP, clean(text))
        if not everything:
            cut += line.cell_len > output.width
            line.truncate(output.width, overflow="ellipsis")
        output.print(line)
    if cut:
        remark("Only the start of the record is shown; --all shows all fields and texts.")


def doubts_of(wrapper: Wrapper, found: Found, explain: str) -> str:
    """Why the result of a page is suspicious: its first problems, and the command that shows the rest."""
    lines = [line for problem in found.problems[:PROBLEMS] for line in problem_lines(problem)]
    more = len(found.problems) - PROBLEMS
    rest = f"… {more} more; see" if more > 0 else "See"
    return "\n".join([f"suspicious; {shares_of(found, wrapper)}", *lines, f"   {rest} everything with: {explain}"])


def shares_of(found: Found, wrapper: Wrapper) -> str:
    """How well a page fits the wrapper, in words."""
    if isinstance(wrapper.rules, Patterns):
        return (
            f"{found.found:.0%} of the marks around the values are on it, {found.filled:.0%} of the fields were found"
        )
    return f"{found.found:.0%} of the template's texts are on it, {found.known:.0%} of its own are known"


def problem_lines(problem: Problem) -> list[str]:
    """A problem, and below it where it is.

    >>> problem_lines(Problem("/html[1]/p[2]", "the field “price” is missing"))
    ['   the field “price” is missing', '      /html[1]/p[2]']
    """
    where = [INDENT * 2 + clean(problem.xpath)] if problem.xpath else []
    return [INDENT + clean(problem.what), *where]
