"""Prints facts: one line each, with the consensus, how many sites say so, and what others say."""

from rich.text import Text

from sightline.cli._rows import print_lines
from sightline.cli._text import clean, print_rest
from sightline.crawl.facts import Fact, Facts

__all__ = ["print_facts"]

ROWS = 40
NAMES = ("subject", "attribute", "consensus", "support", "conflicts")


def print_facts(facts: Facts, *, everything: bool) -> None:
    """Print the facts, or the first of them; the subject only where it changes."""
    shown = facts.facts if everything else facts.facts[:ROWS]
    if not shown:
        return
    lines = [[Text(name, style="italic dim") for name in NAMES]]
    last = ""
    for fact in shown:
        lines.append(_line(fact, "" if fact.subject == last else fact.subject))
        last = fact.subject
    print_lines(lines, everything=everything)
    print_rest(len(facts) - len(shown), "fact")


def _line(fact: Fact, subject: str) -> list[Text]:
    style = "yellow" if fact.verdict == "suspicious" else ""
    consensus = fact.consensus
    others = "; ".join(f"{value.text} ({len(value.sites)})" for value in fact.conflicts)
    return [
        Text(clean(subject), style="bold"),
        Text(clean(fact.attribute)),
        Text(clean(consensus.text) if consensus else "no consensus", style=style),
        Text(f"{fact.sites} of {fact.of} site{'s' * (fact.of != 1)}", style=style),
        Text(clean(others), style="dim"),
    ]
