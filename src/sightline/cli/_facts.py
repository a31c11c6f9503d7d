"""`sightline facts`: what many pages say together, with consensus, support and conflicts."""

from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path

from rich.text import Text

from sightline.cli._console import output, remark
from sightline.cli._files import ExportSettings, check_suffix, nothing_to_write, write_rows
from sightline.cli._flags import ROW_FILES, flag, output_file, switch
from sightline.cli._sources import JsonFlags, Reporter, SourceOpening, Sources, outcomes
from sightline.cli._text import clean, counted, print_lines, print_rest
from sightline.crawler.facts import Fact, Facts, FactSettings, facts_of, state

SHOWN_SUBJECTS = 3  # where the one that was asked for is not there
SHOWN_GAPS = 5  # pages of which something is missing; the summary counts them all


@dataclass(frozen=True, kw_only=True)
class FactsFlags(JsonFlags):
    """Which facts are wanted."""

    subject: str | None = flag(None, help="only facts about this subject, in any spelling", metavar="NAME")
    containing: str | None = flag(None, help="only facts with this text in subject, attribute or value", metavar="WORD")
    conflicts: bool = switch(help="only facts about which sites disagree")
    out: Path | None = output_file(f"write the facts to this file, one row each: {ROW_FILES}")
    origins: bool = switch(
        help="include every value with its sites and the address, page id, XPath and box of each place, in JSON, "
        "JSON lines and XML"
    )
    everything: bool = switch(help="print all facts, not only the first", names="--all")

    def chosen(self, found: Facts) -> Facts:
        """The facts that were asked for; all pages had their say in them."""
        chosen = found.about(self.subject) if self.subject else found
        chosen = chosen.containing(self.containing) if self.containing else chosen
        return chosen.conflicting if self.conflicts else chosen


def facts_command(
    sources: Sources, flags: FactsFlags, settling: FactSettings, written: ExportSettings, loading: SourceOpening
) -> None:
    """Find what the tables of many pages say together: consensus, support and conflicts of every fact.

    Every cell of a table states something: a subject, an attribute, a value. This command puts the statements of all
    pages and sites together. Values are compared by what they mean, whatever their unit, number format or spelling.
    Each site has one vote, and sites that are often wrong weigh less. Where no value is clearly ahead, the fact is
    suspicious, with the reason.

    SOURCE is usually the folder of a crawl or its WARC files; with [bold]--static[/], pages are read without a browser,
    which is much faster.

    [bold]Examples[/]

      sightline facts crawl-folder/ --static -o facts.parquet

      sightline facts examples/spec-sites --static --conflicts

      sightline facts "pages/*.html" --subject "EOS 5D" --json --origins
    """
    if flags.out:
        check_suffix(flags.out)
    reporter = Reporter("facts", json=flags.json)
    found: Facts | None = None
    with reporter:
        found = facts_of(outcomes(sources, loading, state), settling)
    if found is None:
        remark("Nothing was written: facts are settled only when all pages were read.")
        reporter.finish()
        return
    shown = flags.chosen(found)
    if found.pages:
        reporter.add(" ".join(sources), shown.to_json(origins=flags.origins), shown.verdict)
    for source, error in found.failed:
        reporter.fail(source, error)
    _remark(found)
    if flags.subject and len(found) and not len(found.about(flags.subject)):
        remark(clean(_other_subjects(flags.subject, found.subjects)))
    if flags.out:
        _write(shown, flags.out, written, origins=flags.origins)
    elif not flags.json and found.pages:
        print_facts(shown, everything=flags.everything)
    if not flags.json and found.pages:
        output.print(_summary(found, shown), markup=False)
    reporter.finish()


def _other_subjects(wanted: str, subjects: tuple[str, ...]) -> str:
    """What to ask for instead of a subject that nothing is said about.

    >>> _other_subjects("lumora z8", ("Lumora Z7", "Ostra 12"))
    'No fact is about “lumora z8”; did you mean “Lumora Z7”?'
    >>> _other_subjects("Canon", ("Lumora Z7", "Ostra 12"))
    'No fact is about “Canon”; there are 2 subjects: “Lumora Z7”, “Ostra 12”.'
    """
    by_key = {subject.casefold(): subject for subject in subjects}
    close = get_close_matches(wanted.casefold(), by_key, n=1)
    if close:
        return f"No fact is about “{wanted}”; did you mean “{by_key[close[0]]}”?"
    there = "there is 1 subject" if len(subjects) == 1 else f"there are {len(subjects):,} subjects"
    named = ", ".join(f"“{subject}”" for subject in subjects[:SHOWN_SUBJECTS])
    such = ": " if len(subjects) <= SHOWN_SUBJECTS else ", such as "
    return f"No fact is about “{wanted}”; {there}{such}{named}."


def _remark(found: Facts) -> None:
    for gap in found.gaps[:SHOWN_GAPS]:
        remark(clean(gap))
    if len(found.gaps) > SHOWN_GAPS:
        remark(f"Something is missing from {counted(len(found.gaps) - SHOWN_GAPS, 'more page')}.")
    if found.pages and not len(found):
        remark("no fact found: no page has a table that names subjects and attributes; see `sightline tables`.")
    if found.set_aside:
        remark(f"{counted(found.set_aside, 'cell')} set aside: the table names no clear subject or attribute for them.")
    if found.mirrors:
        remark(f"{counted(found.mirrors, 'page')} repeat a page of another site, and count as that site's.")
    copies = [site for site in found.sites if site.copies]
    if copies:
        named = ", ".join(clean(site.site) for site in copies[:SHOWN_GAPS])
        remark(f"{counted(len(copies), 'site')} share their mistakes and count as one where they agree: {named}.")


def _write(shown: Facts, out: Path, how: ExportSettings, *, origins: bool) -> None:
    if not len(shown):
        nothing_to_write(out)
        return
    write_rows(shown, out, how, counted(len(shown), "fact"), _no_xpath if origins else None)


def _no_xpath(_: object) -> None:
    """Places have their XPath already."""


def _summary(found: Facts, shown: Facts) -> str:
    disputed = len(found.conflicting)
    suspicious = sum(fact.verdict == "suspicious" for fact in found)
    facts = f"{counted(len(found), 'fact')} of {counted(found.pages, 'page')}, {counted(len(found.sites), 'site')}"
    chosen = f" · {len(shown):,} shown" if len(shown) != len(found) else ""
    return f"{facts} · {disputed:,} with conflicts · {suspicious:,} suspicious{chosen} · {shown.verdict}"


# Prints facts: one line each, with the consensus, how many sites say so, and what others say.

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
