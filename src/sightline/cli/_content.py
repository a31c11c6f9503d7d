"""`sightline content`: the main text of pages, as text, Markdown, JSON, files or a picture."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import orjson
import typer
from rich.text import Text

import sightline
from sightline import ContentSettings, Page
from sightline.cli._console import output, remark
from sightline.cli._files import check_suffix, content_of, nothing_to_write
from sightline.cli._flags import takes
from sightline.cli._origins import Origins
from sightline.cli._pictures import draw, prepare_image
from sightline.cli._sources import LOADING, Json, Sources, Suspicious, pages, report
from sightline.cli._text import clean
from sightline.data import Content, ContentPart, Record, Records, Value, join_records
from sightline.errors import UsageError
from sightline.extract.content import EXTRACTORS, content_of_nodes
from sightline.files import write_bytes
from sightline.sources import Loaded

if TYPE_CHECKING:
    from sightline.checks import ExtractedNodes

__all__ = ["OWN", "check_extractor", "content_by", "has_layout", "register", "seen_on"]

OWN = "sightline"  # what our own extractor is called among the others
TXT, MD = ".txt", ".md"
WIDEST_LINE = 100  # longer ones are hard to read, however wide the terminal is
CELLS = ("td", "th")
HEADINGS = tuple(f"h{level}" for level in range(1, 7))
FIRST_LINES = {"li": "• ", "dt": "", "dd": "  ", "blockquote": "│ ", "pre": "  "}
LATER_LINES = FIRST_LINES | {"li": "  "}
CLOSE = ("li", "dt", "dd")  # no blank line between two of them


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(takes(reader=ContentSettings, **LOADING)(content))


def content(  # noqa: PLR0913 - one for each flag
    sources: Sources,
    *,
    by: Annotated[
        str | None,
        typer.Option("--by", metavar="NAME", help=f"Find it by another extractor: {', '.join(EXTRACTORS)}."),
    ] = None,
    markdown: Annotated[
        bool, typer.Option("--markdown", help="Print Markdown: headings, lists, quotations and code are marked.")
    ] = False,
    without_outliers: Annotated[
        bool, typer.Option("--clean", help="Leave out parts that look unlike the rest of the text; needs a layout.")
    ] = False,
    out: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            help="Write into this file: .txt .md .json .jsonl .csv .xml .xlsx .parquet or .html.",
        ),
    ] = None,
    origins: Annotated[
        bool, typer.Option("--origins", help="With box and XPath also of title, byline and date, and in files.")
    ] = False,
    image: Annotated[
        Path | None, typer.Option("--image", help="Draw the page with a frame around every part of the text.")
    ] = None,
    json: Json = False,
    **settings: Any,
) -> None:
    """Find the main text of pages: what a reader came for, without menus, advertisements and footers.

    Title, byline and date come with it where the page has them.

    A page without any text is suspicious: the exit status is 3.

    [bold]Examples[/]

      sightline content https://example.org/news/7

      sightline content saved.page --markdown -o news.md

      sightline content "news/*.html" --clean -o texts.jsonl

      sightline content saved.page --by trafilatura --image text.png
    """
    if out:
        check_suffix(out, TXT, MD)
    check_extractor(by)
    prepare_image(image, sources, settings)
    if without_outliers and settings["reading"].static:
        raise UsageError("--clean compares how parts look, and without a browser nobody sees that; leave out --static.")
    reader = _Reader(by, settings.pop("reader"), without_outliers)
    harvest = _Harvest(reader, origins, image, out)
    report(
        harvest.and_then_write(pages(sources, settings)),
        "content",
        harvest.take,
        json=json,
        show=lambda source, *_: _show(source, harvest.content, markdown=markdown, written=out is not None),
    )


def check_extractor(by: str | None) -> None:
    """Refuse an extractor that does not exist, before any page is opened."""
    known = (OWN, *EXTRACTORS)
    if by is not None and by not in known:
        raise UsageError(f"--by {by}: there is no such extractor; use one of {', '.join(known)}.")


def content_by(page: Page, by: str | None, settings: ContentSettings | None = None) -> Content:
    """The main text of a page by any extractor, of which ours is one."""
    return sightline.content(page, by=None if by == OWN else by, settings=settings)


def has_layout(page: Page) -> bool:
    """Whether it is known where the texts of a page stand."""
    return page.bounds is not None


def seen_on(page: Page, found: Content, source: str) -> "ExtractedNodes":
    """The text of a page as the search for visual outliers takes it."""
    from sightline.checks import ExtractedNodes
    from sightline.extract.content import likelihoods

    return ExtractedNodes(page, found.nodes, source=source, witness=likelihoods(page) if found.by else None)


@dataclass(frozen=True)
class _Reader:
    """How texts are found: by whom, with which settings, and whether what looks unlike the rest goes."""

    by: str | None
    settings: ContentSettings
    clean: bool

    def of(self, page: Page, source: str) -> Content:
        """The main text of a page."""
        found = content_by(page, self.by, self.settings)
        return _cleaned(page, found, source) if self.clean else found


def _cleaned(page: Page, found: Content, source: str) -> Content:
    """A text without the parts that look unlike the rest."""
    if not has_layout(page):
        remark(f"{source}: it has no layout, so --clean can leave out nothing; open it with a browser.")
        return found
    from sightline.checks import find_outliers

    without = _only(page, found, frozenset(find_outliers([seen_on(page, found, source)]).kept(0)))
    gone = len(found) - len(without)
    if gone:
        remark(f"{source}: {gone} part{'s' * (gone > 1)} that look{'s' * (gone == 1)} unlike the rest left out.")
    return without


def _only(page: Page, found: Content, kept: frozenset[int]) -> Content:
    """A text of which only these nodes are left; parts that keep all of theirs stay as they are."""
    parts: list[ContentPart] = []
    for part in found:
        nodes = part.value.origin.nodes if part.value.origin else ()
        own = [node for node in nodes if node in kept]
        if len(own) == len(nodes):
            parts.append(part)
        elif own:
            parts.extend(ContentPart(new.value, part.kind) for new in content_of_nodes(page, own))
    return replace(found, parts=tuple(parts))


@dataclass
class _Harvest:
    """What was found so far, for the file at the end; the pages themselves are not kept."""

    reader: _Reader
    with_origins: bool
    image: Path | None
    out: Path | None
    content: Content = field(default_factory=Content)
    kept: list[tuple[str, Content]] = field(default_factory=list)
    opened: int = 0
    origins: Origins = field(default_factory=Origins)

    def take(self, page: Page, source: str) -> Any:
        """The document of the text of a page; what is wanted of it beyond that is done or kept."""
        self.content = found = self.reader.of(page, source)
        values = [*(part.value for part in found), found.title, found.byline, found.date]
        self.origins.note(page, (value.origin for value in values if value and value.origin))
        if self.out:
            self.kept.append((source, found))
        if self.image:
            from sightline.draw import marks_of_content  # slow to import, and seldom asked for

            draw(page, marks_of_content(found), self.image)
        document = found.to_json(origins=self.with_origins, xpath=self.origins)
        if found.parts and found.score:
            return document
        remark(f"{source}: {_doubt(page, found, self.reader.by)}")
        return Suspicious(document)

    def and_then_write(self, loaded: Iterator[Loaded]) -> Iterator[Loaded]:
        """The pages, and after the last one the file: also when some failed, and before their status is told."""
        for one in loaded:
            self.opened += 1
            yield one
        if self.out:
            self._write(self.out)

    def _write(self, out: Path) -> None:
        texts = [(source, found) for source, found in self.kept if len(found)]
        if not texts:
            nothing_to_write(out)
            return
        write = {TXT: self._as_text, MD: self._as_markdown, ".json": self._as_json}
        written = write.get(out.suffix.lower(), self._as_rows)(texts)
        write_bytes(out, written)
        counts = [(sum(len(found) for _, found in texts), "part"), (len(texts), "page")]
        told = " of ".join(f"{count:,} {what}{'s' * (count != 1)}" for count, what in counts)
        remark(f"Written: {out} ({told})")

    def _as_text(self, texts: Sequence[tuple[str, Content]]) -> bytes:
        return self._joined(texts, "==> {} <==", lambda found: found.text)

    def _as_markdown(self, texts: Sequence[tuple[str, Content]]) -> bytes:
        return self._joined(texts, "# {}", Content.to_markdown)

    def _joined(self, texts: Sequence[tuple[str, Content]], heading: str, written: Callable[[Content], str]) -> bytes:
        """All texts below each other; those of several pages each below the name of its page."""
        heads = [f"{heading.format(source)}\n\n" if self.opened > 1 else "" for source, _ in texts]
        whole = (f"{head}{written(found)}\n" for head, (_, found) in zip(heads, texts, strict=True))
        return "\n".join(whole).encode("utf-8", "replace")

    def _as_json(self, texts: Sequence[tuple[str, Content]]) -> bytes:
        """A list of what the JSON contract has, each with its source."""
        how: dict[str, Any] = {"origins": self.with_origins, "xpath": self.origins}
        documents = [{"source": source, **found.to_json(**how)} for source, found in texts]
        return orjson.dumps(documents, option=orjson.OPT_INDENT_2) + b"\n"

    def _as_rows(self, texts: Sequence[tuple[str, Content]]) -> bytes:
        """A row for every part; those of several pages with their source before them."""
        rows = [
            _with_source(source, found.records()) if self.opened > 1 else found.records() for source, found in texts
        ]
        assert self.out is not None
        return content_of(join_records(rows), self.out, self.origins if self.with_origins else None)


def _with_source(source: str, records: Records) -> Records:
    told = Value(source)
    return Records((Record({"source": told, **record}) for record in records), None, records.language)


def _doubt(page: Page, found: Content, by: str | None) -> str:
    """Why a text is doubtful, and what to try."""
    if found.parts:
        return "it shows no text; this is what it says of itself, and nobody sees that."
    if by not in (None, OWN):
        return f"{by} finds no text on it; leave out --by."
    if page.kind == "static":
        return "there is no text on it; if its scripts write it, open it with a browser (without --static)."
    return "there is no text on it; see what is there by `sightline show`."


def _show(source: str, found: Content, *, markdown: bool, written: bool) -> None:
    if written:
        return
    if markdown:
        # Lines stay as they are: whoever asks for Markdown hands it on.
        output.print(Text("\n".join(map(_harmless, found.to_markdown().split("\n")))))
        return
    output.print(Text(clean(source), style="dim"))
    shown = found.parts[1:] if _print_about(found) else found.parts
    before = ""
    for kind, group in groupby(shown, key=lambda part: "td" if part.kind in CELLS else part.kind):
        for text in _paragraphs(kind, list(group)):
            if before and not (before == kind and kind in CLOSE):
                output.print()
            _print_paragraph(text, kind)
            before = kind


def _harmless(line: str) -> str:
    """A line with its blanks before it, and nothing that a terminal obeys."""
    return line[: len(line) - len(line.lstrip(" "))] + clean(line)


def _print_about(found: Content) -> bool:
    """Title, then byline and date in a quiet line; whether the text begins with the title, which is not said twice."""
    title = clean(found.title.text) if found.title else ""
    facts = [clean(value.text) for value in (found.byline, found.date) if value]
    if title:
        _print_wrapped(Text(title, style="bold"))
    if facts:
        _print_wrapped(Text(" · ".join(facts), style="dim"))
    if (title or facts) and len(found):
        output.print()
    return bool(title and len(found) and clean(found[0].text) == title)


def _paragraphs(kind: str, parts: Sequence[ContentPart]) -> list[str]:
    """What is printed as one piece: each part, but cells of a table in one."""
    if kind in CELLS:
        return [" · ".join(clean(part.text) for part in parts)]
    return [part.text for part in parts]


def _print_paragraph(text: str, kind: str) -> None:
    style = "bold" if kind in HEADINGS else ""
    lines = [_harmless(line) for line in text.split("\n")] if kind == "pre" else [clean(text)]
    for place, line in enumerate(lines):
        first = FIRST_LINES if place == 0 else LATER_LINES
        _print_wrapped(Text(line, style=style), first.get(kind, ""), LATER_LINES.get(kind, ""))


def _print_wrapped(text: Text, first: str = "", later: str = "") -> None:
    width = min(output.width, WIDEST_LINE) - len(first)
    for place, line in enumerate(text.wrap(output, max(width, 1))):
        line.rstrip()
        output.print(Text.assemble(later if place else first, line))
