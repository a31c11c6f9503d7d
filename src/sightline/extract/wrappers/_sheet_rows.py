"""Records that are rows of tables in PDFs: what tells them from rows of sums, and from rows of anything else.

On a web page a table has classes and ids. On paper, the rows of all tables are alike, and so is text whose blanks look
like columns. What tells rows apart is the heading that they are below. Sums nearly always follow the items in their
columns, and the page of a lesson may have none.
"""

from collections.abc import Sequence
from dataclasses import replace

from sightline.extract.wrappers._gathered import Gathered
from sightline.extract.wrappers.patterns import HOLDS_COLUMN, Condition, Pattern, Rule, mask_of

ROW = Condition("self", "tag", "tr")
NOT_IN_SUMS = Condition("self", "sum", negated=True)


def rows_of_sheets(gathered: Gathered, rules: Sequence[Rule], fields: Sequence[Pattern]) -> tuple[Rule, ...]:
    """The rules for records, which are left as they are on web pages.

    Rows must be below the heading of one of their fields, and no rule takes sums unless an example is one.
    """
    if not all(view.page.kind == "pdf" for view in gathered.used):
        return tuple(rules)
    first = [rule for field in fields for rule in field.rules[:1]]
    headings = [one for rule in first for one in rule.conditions if _is_heading(one)]
    below = (Condition(*HOLDS_COLUMN, headings[0].value),) if headings else ()
    sums = () if _wants_sums(gathered) else (NOT_IN_SUMS,)
    return tuple(_restricted(rule, below, sums) for rule in rules)


def _restricted(rule: Rule, below: tuple[Condition, ...], sums: tuple[Condition, ...]) -> Rule:
    if ROW in rule.conditions:
        return replace(rule, conditions=(*rule.conditions, *below, *sums))
    if any(map(_is_heading, rule.conditions)):
        return replace(rule, conditions=(*rule.conditions, *sums))
    return rule


def _wants_sums(gathered: Gathered) -> bool:
    """Whether an example is nowhere but in rows of sums."""
    wanted = ((gathered.views[given.page], located) for given, located in gathered.located if given.wanted)
    return any(not mask_of(view, NOT_IN_SUMS)[list(located.nodes)].any() for view, located in wanted)


def _is_heading(condition: Condition) -> bool:
    return (condition.way, condition.test, condition.negated) == ("self", "column", False)
