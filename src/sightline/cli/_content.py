"""`sightline content`: the main text of pages, as text, Markdown, JSON, files or a picture."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from pathlib import Path
from typing import Any

import orjson
from rich.text import Text

from sightline.cli._console import harmless, output, remark
from sightline.cli._files import check_suffix, content_of, draw, names_in, nothing_to_write, prepare_image
from sightline.cli._flags import flag, origins_of, output_file, switch
from sightline.cli._sources import JsonFlags, ReadingSettings, Reporter, SourceOpening, Sources
from sightline.cli._text import clean, counted
from sightline.data import Content, ContentPart, Record, Records, Value, join_records, json_lines
from sightline.errors import UsageError
from sightline.extract.content import ContentSettings
from sightline.files import write_bytes
from sightline.jobs import OWN_NAME, XPaths, extractor, text_extractors
from sightline.page import Page

TXT, MD = ".txt", ".md"
TAB = 4  # blanks for a tabulator in code, which terminals would draw as they like
WIDEST_LINE = 100  # longer lines are hard to read, however wide the terminal is
CELLS = ("td", "th")
HEADINGS = tuple(f"h{level}" for level in range(1, 7))
FIRST_LINES = {"li": "• ", "dt": "", "dd": "  ", "blockquote": "│ ", "pre": "  "}
LATER_LINES = FIRST_LINES | {"li": "  "}
CLOSE = ("li", "dt", "dd")  # no blank line between two of them


@dataclass(frozen=True, kw_only=True)
class ContentFlags(JsonFlags):
    """What is wanted of a text, and how it is written."""

    by: str | None = flag(None, help=f"use another extractor: {', '.join(text_extractors())}", metavar="NAME")
    markdown: bool = switch(help="print Markdown, with headings, lists, tables, code and links")
    with_images: bool = switch(help="include the images of the text in Markdown")
    front_matter: bool = switch(help="begin Markdown with title, author, date, address and language, as YAML")
    comments: bool = switch(help="also print what readers say below the text; .jsonl files get it, too")
    clean: bool = switch(help="leave out parts that look unlike the rest of the text; needs a browser")
    out: Path | None = output_file(
        "write to this file: .txt .md .json .jsonl .csv .xml .xlsx .parquet .html, or a folder for .md files"
    )
    origins: bool = origins_of("title, byline and date too, and in files")
    image: Path | None = flag(None, help="draw the page with every part of the text framed")

    def check(self, reading: ReadingSettings) -> None:
        """Reject what cannot be done before any page is opened."""
        if self.out:
            check_suffix(self.out, TXT, MD, folder=True)
        check_extractor(self.by)
        self._check_markdown()
        if self.clean and reading.static:
            raise UsageError("--clean compares how parts look, which needs a browser; leave out --static.")

    def _check_markdown(self) -> None:
        """Reject flags for Markdown where none is written."""
        name = "--with-images" if self.with_images else "--front-matter" if self.front_matter else ""
        is_written = self.markdown or (self.out and (self.out.suffix.lower() == MD or self.out.is_dir()))
        if name and not is_written:
            raise UsageError(f"{name} is for Markdown; add --markdown, or write to a {MD} file.")

    def as_markdown(self, found: Content) -> str:
        """A text as Markdown; one that begins with what is known of it needs no other heading."""
        headed = self.front_matter
        return found.to_markdown(images=self.with_images, front_matter=headed, title=not headed)


def content_command(sources: Sources, flags: ContentFlags, reader: ContentSettings, loading: SourceOpening) -> None:
    """Find the main text of pages, without menus, advertisements and footers.

    Title, byline and date are included if the page has them.

    A page without any text is suspicious: the exit status is 3.

    [bold]Examples[/]

      sightline content https://example.org/news/7

      sightline content saved.page --front-matter -o news.md

      sightline content "news/*.html" --markdown -o texts.jsonl

      sightline content saved.page --favor precision --comments

      sightline content saved.page --by trafilatura --image text.png
    """
    flags.check(loading.reading)
    loading = prepare_image(flags.image, sources, loading)
    options = {"by": flags.by, "clean": flags.clean, "settings": reader}
    find = extractor("content")
    reporter, xpaths, kept = Reporter("content", json=flags.json), XPaths(), _Texts(flags)
    with reporter:
        for name, page, found in reporter.over(sources, loading, lambda page, _: find(page, **options)):
            (text,) = (result for result in found if isinstance(result, Content))
            xpaths.add_results(page, [text])
            if flags.out:
                kept.texts.append(_Text(name, text, found.verdict))
            if flags.image:
                draw(page, found.marks(), flags.image)
            for reason in found.reasons if found.verdict == "ok" else (_doubt(page, text, flags.by),):
                remark(reason, source=name)
            reporter.add(name, found.to_json(origins=flags.origins, xpath=xpaths), found.verdict)
            if not flags.json and not flags.out:
                _print(name, text, flags)
    if flags.out:
        kept.write(flags.out, xpaths, named=len(reporter.entries) > 1 or reporter.ended_early)
    reporter.finish()


def check_extractor(by: str | None) -> None:
    """Reject an unknown extractor before any page is opened."""
    names = (OWN_NAME, *text_extractors())
    if by is not None and by not in names:
        raise UsageError(f"--by {by}: there is no such extractor; use one of {', '.join(names)}.")


@dataclass(frozen=True)
class _Text:
    """The text of a source, and whether it can be trusted."""

    source: str
    found: Content
    verdict: str


@dataclass
class _Texts:
    """The texts to write at the end; the pages themselves are not kept in memory."""

    flags: ContentFlags
    texts: list[_Text] = field(default_factory=list)

    def write(self, out: Path, xpaths: XPaths, *, named: bool) -> None:
        """Write the texts to a file; if `named`, each follows the name of its page."""
        texts = [text for text in self.texts if len(text.found)]
        if not texts:
            nothing_to_write(out)
            return
        if out.is_dir():
            names = names_in(out, [text.source for text in texts], MD)
            for text, name in zip(texts, names, strict=True):
                write_bytes(name, self._content(name, [text], xpaths, named=False))
        else:
            write_bytes(out, self._content(out, texts, xpaths, named=named))
        parts = sum(len(text.found) for text in texts)
        remark(f"Written: {out} ({counted(parts, 'part')} of {counted(len(texts), 'page')})")

    def _content(self, out: Path, texts: Sequence[_Text], xpaths: XPaths, *, named: bool) -> bytes:
        suffix = out.suffix.lower()
        if suffix == TXT:
            return _joined(texts, "==> {} <==" * named, _titled)
        if suffix == MD:
            return _joined(texts, "# {}" * (named and not self.flags.front_matter), self.flags.as_markdown)
        how: dict[str, Any] = {"origins": self.flags.origins, "xpath": xpaths}
        if suffix == ".json":
            documents = [{"source": text.source, **text.found.to_json(**how)} for text in texts]
            return orjson.dumps(documents, option=orjson.OPT_INDENT_2) + b"\n"
        if suffix == ".jsonl":
            # Pages without a text have a line as well: its verdict says so, and no source is missing.
            return json_lines(self._document(text, how) for text in self.texts).encode()
        rows = [_with_source(text.source, text.found.records()) if named else text.found.records() for text in texts]
        return content_of(join_records(rows), out, xpaths if self.flags.origins else None)

    def _document(self, text: _Text, how: dict[str, Any]) -> dict[str, Any]:
        """A text with all that is known of it."""
        words = self.flags.as_markdown(text.found) if self.flags.markdown else text.found.text
        places = {"nodes": text.found.to_json(**how)["nodes"]} if self.flags.origins else {}
        said = {"comments": [part.text for part in text.found.comments]} if self.flags.comments else {}
        return {"source": text.source, **text.found.facts(), "text": words, "verdict": text.verdict, **said, **places}


def _joined(texts: Sequence[_Text], heading: str, written: Callable[[Content], str]) -> bytes:
    """All texts one after another, each below the heading of its page, if any."""
    heads = [f"{heading.format(text.source)}\n\n" if heading else "" for text in texts]
    whole = (f"{head}{written(text.found)}\n" for head, text in zip(heads, texts, strict=True))
    return "\n".join(whole).encode("utf-8", "replace")


def _titled(found: Content) -> str:
    """The text below its title, unless it begins with it."""
    title = found.title.text if found.title else ""
    return found.text if not title or found.text.startswith(title) else f"{title}\n{found.text}"


def _with_source(source: str, records: Records) -> Records:
    name = Value(source)
    return Records((Record({"source": name, **record}) for record in records), None, records.language)


def _doubt(page: Page, found: Content, by: str | None) -> str:
    """Why a text is doubtful, and what to try next."""
    if found.doubts:
        return " ".join(found.doubts)
    if found.parts:
        return "the page shows no text; this is its own description, which readers do not see."
    if by not in (None, OWN_NAME):
        return f"{by} found no text; leave out --by."
    if page.kind == "static":
        return "the page has no text; if its scripts create it, use a browser (leave out --static)."
    return "the page has no text; see what it contains with `sightline show`."


def _print(source: str, found: Content, flags: ContentFlags) -> None:
    if flags.markdown:
        # Lines are not wrapped, and keep their blanks: Markdown is usually processed further.
        output.print(Text(harmless(flags.as_markdown(found).expandtabs(TAB))))
    else:
        _print_text(source, found)
    if flags.comments:
        _print_comments(found)


def _print_text(source: str, found: Content) -> None:
    """Print a text for people, wrapped to the width of their terminal."""
    output.print(Text(clean(source), style="dim"))
    shown = found.parts[1:] if _print_about(found) else found.parts
    before = ""
    for kind, group in groupby(shown, key=lambda part: "td" if part.kind in CELLS else part.kind):
        for text in _paragraphs(kind, list(group)):
            if before and not (before == kind and kind in CLOSE):
                output.print()
            _print_paragraph(text, kind)
            before = kind


def _print_comments(found: Content) -> None:
    """Print what readers say, each below a line of its own."""
    number = len(found.comments)
    output.print()
    output.print(Text(f"{number or 'No'} comment{'s' * (number != 1)}", style="bold"))
    for part in found.comments:
        output.print()
        _print_paragraph(part.text, part.kind)


def _harmless(line: str) -> str:
    """A line with its indentation, harmless."""
    return line[: len(line) - len(line.lstrip(" "))] + clean(line)


def _print_about(found: Content) -> bool:
    """Print the title, then byline and date; return whether the text repeats the title, which is then skipped."""
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
    """The paragraphs to print: one for each part, but one for all cells of a table."""
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
