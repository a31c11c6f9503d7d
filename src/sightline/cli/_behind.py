"""`sightline behind`: which answer or state gives what a page shows, and how to ask for more of it."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from rich.table import Table as Drawn
from rich.text import Text

from sightline.cli._console import harmless, output, remark, working
from sightline.cli._files import nothing_to_write
from sightline.cli._flags import argument, check_address, output_file, switch
from sightline.cli._sources import JsonFlags, Reporter, SourceOpening
from sightline.cli._text import clean, counted
from sightline.errors import SightlineError
from sightline.extract.behind import ArrayMatch
from sightline.navigate.behind import DataBehind, FedList, behind, command_for, python_for


@dataclass(frozen=True, kw_only=True)
class BehindFlags(JsonFlags):
    """Whether the next page is tried."""

    follow: bool = switch(help="also turn the page, compare the two, and ask for the third one without the browser")
    out: Path | None = output_file("write the road to the records of the most important list to this file: .json")


def behind_command(
    address: Annotated[str, argument(metavar="URL", help="The page.")], flags: BehindFlags, loading: SourceOpening
) -> None:
    """Show what feeds a page: which JSON gives which list and value, and how to ask for the next pages.

    Much of what a page shows came as JSON. It is matched with what is seen, by values. Without --follow nothing but the
    page is asked for. Tokens and cookies are used, and never shown.

    [bold]Examples[/]

      sightline behind https://shop.example/cameras

      sightline behind https://shop.example/cameras --follow -o cameras.road.json
    """
    check_address(address)
    reporter = Reporter("behind", json=flags.json)
    with reporter:
        try:
            with loading.loader() as loader, working(f"Opening {clean(address)}"):
                found = behind(address, loader=loader, follow=flags.follow)
        except SightlineError as problem:
            reporter.fail(address, problem)
        else:
            for gap in found.gaps:
                remark(clean(gap))
            file = _write(found, flags.out) if flags.out else ""
            lines = {"command": command_for(found), "python": python_for(found, file) or None}
            reporter.add(address, {**found.to_json(), **lines})
            if not flags.json:
                _print(found, file)
    reporter.finish()


def _write(found: DataBehind, out: Path) -> str:
    """Write the road of the best list; the name of the file, or "" if there is none."""
    if found.best is None or found.best.road is None:
        nothing_to_write(out)
        return ""
    if not found.best.road.portable:
        remark(f"Nothing was written to {out}: the request holds secrets of this visit, which files do not get.")
        return ""
    found.best.road.save(out)
    remark(f"Written: {out}")
    return str(out)


def _print(found: DataBehind, file: str) -> None:
    output.print(Text(clean(found.address), style="dim"))
    documents = ", ".join(dict.fromkeys(harmless(one.told) for one in found.documents)) or "no JSON at all"
    output.print(Text(f"behind it: {clean(documents)}"))
    fed = [one for one in found.lists if one.match]
    for one in fed:
        _print_list(one)
    if rest := len(found.lists) - len(fed):
        output.print()
        output.print(Text(f"{rest} more on the page, for which there is no data behind it", style="dim"))
    if found.values:
        output.print()
        output.print(Text("single values", style="bold"))
        _print_pairs([(name, place.told) for name, place in found.values.items()])
    _print_lines(found, file)


def _print_list(one: FedList) -> None:
    output.print()
    named = f"{one.kind} “{one.name}”" if one.name else one.kind
    output.print(Text(clean(f"{named}, {counted(one.records, 'record')}"), style="bold"))
    match = one.match
    assert match is not None
    _line(f"from {match.told_path} of {match.document.told}, {match.share:.0%} of its values")
    _print_pairs(_fields(match))
    if one.road:
        _line(f"next page: {one.road.turn.told if one.road.turn else 'all is there already'}")
    if one.followed:
        _line(f"asked without the browser: the same records, and {counted(one.followed, 'record')} on the page behind")
    if one.why:
        _line(f"only with the browser: {one.why}", style="yellow")


def _line(text: str, style: str = "") -> None:
    output.print(Text(f"  {clean(text)}", style=style))


def _fields(match: ArrayMatch) -> list[tuple[str, str]]:
    found = [(name, one.told if one.rule else f"{one.told}, written otherwise") for name, one in match.fields.items()]
    return [*found, *((name, "not found") for name in match.missing)]


def _print_pairs(pairs: list[tuple[str, str]]) -> None:
    drawn = Drawn.grid(padding=(0, 2))
    drawn.add_column(style="dim", no_wrap=True)
    drawn.add_column(overflow="fold")
    for name, told in pairs:
        drawn.add_row(f"  {clean(name)}", Text(clean(told)))
    output.print(drawn)


def _print_lines(found: DataBehind, file: str) -> None:
    """What to do with it: a command, and lines for a program."""
    if not any(one.match for one in found.lists):
        return
    output.print()
    output.print(Text("all of its pages:", style="dim"))
    output.print(Text(f"  {clean(command_for(found))}"), soft_wrap=True)
    if lines := python_for(found, file):
        output.print(Text("or in Python:", style="dim"))
        for line in lines.splitlines():
            output.print(Text(f"  {harmless(line)}"), soft_wrap=True)
