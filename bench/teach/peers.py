"""What examples teach others: AutoScraper, and value matching in the way of scrapely, written down here.

Scrapely annotates an example page and aligns it with a new one: where the tokens before and after the annotated part
match best, there is the value. Here a token is a tag or a text, and a part an element or a text with its path of tags.
Outwards from a part tokens are compared until tags differ; texts that differ are data, and passed over. Of several
example pages the annotation that matches best decides. A name that had several texts on a page gets every part that is
as much like the first as the others were. It is not scrapely itself.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from selectolax.lexbor import LexborHTMLParser, LexborNode

from bench.induce.columns import key
from bench.peers import answered
from bench.teach.lessons import Delivered, Example, Job

SCRIPT = Path(__file__).with_name("auto.py")
UNSEEN = ["script", "style", "noscript", "template", "svg"]
CONTEXT = 40  # tokens to each side
SAID = 3  # a text that is the same says more than a tag

Answers = list[list[Delivered]]


@dataclass(frozen=True)
class Part:
    """An element or a text of a page: its tags from the root, its tokens, and what it says."""

    path: str
    start: int
    end: int
    text: str


@dataclass(frozen=True)
class Document:
    """A page as tokens, and its parts in order, inner ones before those around them."""

    tokens: list[str]
    parts: list[Part]


@dataclass(frozen=True)
class Annotation:
    """A part of an example page."""

    page: Document
    part: Part

    def score(self, page: Document, part: Part) -> int:
        """How much of what stands around the two is the same."""
        before = zip(self._before(self.page, self.part), self._before(page, part), strict=False)
        after = zip(self._after(self.page, self.part), self._after(page, part), strict=False)
        return _same(before) + _same(after)

    @staticmethod
    def _before(page: Document, part: Part) -> list[str]:
        return page.tokens[max(0, part.start - CONTEXT) : part.start][::-1]

    @staticmethod
    def _after(page: Document, part: Part) -> list[str]:
        return page.tokens[part.end : part.end + CONTEXT]


def autoscraper(jobs: Sequence[Job]) -> tuple[str, Answers] | None:
    """The version of AutoScraper and what it reads; None where it is not installed."""
    answer = answered("peers-teach", SCRIPT, [asdict(job) for job in jobs])
    if answer is None:
        return None
    return answer["version"], [[Delivered.by_peer(page) for page in pages] for pages in answer["jobs"]]


def contexts(jobs: Sequence[Job]) -> Answers:
    """What value matching by contexts reads."""
    return [context(job) for job in jobs]


def context(job: Job) -> list[Delivered]:
    """Annotate the examples of a job, and read its pages."""
    annotations = _annotations(job.examples)
    several = {name for name, pages in annotations.items() if any(len(page) > 1 for page in pages)}
    of_records = {name for example in job.examples for record in example.records for name in record}
    found = []
    for path in job.read:
        page = _document(path)
        values = {
            name: _all(pages, page) if name in several | of_records else _best(pages, page)
            for name, pages in annotations.items()
        }
        record: dict[str, Any] = {
            name: [part.text for part in parts] for name, parts in values.items() if parts and name not in of_records
        }
        if rows := _rows({name: parts for name, parts in values.items() if name in of_records}):
            record["records"] = rows
        found.append(Delivered.by_peer([record] if record else []))
    return found


def _annotations(examples: Iterable[Example]) -> dict[str, list[list[Annotation]]]:
    """For every name, for every page that shows it, the parts that say what was shown."""
    found: dict[str, list[list[Annotation]]] = defaultdict(list)
    for example in examples:
        page = _document(example.path)
        saying: dict[str, Part] = {}
        for part in page.parts:
            saying.setdefault(key(part.text), part)
        shown: dict[str, list[str]] = defaultdict(list)
        for texts in (example.fields, *example.records):
            for name, several in texts.items():
                shown[name] += several
        for name, several in shown.items():
            parts = dict.fromkeys(saying[key(text)] for text in several if key(text) in saying)
            if parts:
                found[name].append([Annotation(page, part) for part in parts])
    return found


def _best(pages: Sequence[Sequence[Annotation]], page: Document) -> list[Part]:
    """The part that stands as one of the examples does."""
    scored = [
        (one.score(page, part) / one.score(one.page, one.part), -part.start, part)
        for annotations in pages
        for one in annotations[:1]
        for part in page.parts
        if part.path == one.part.path
    ]
    return [max(scored, key=lambda own: own[:2])[2]] if scored else []


def _all(pages: Sequence[Sequence[Annotation]], page: Document) -> list[Part]:
    """Every part that is as much like the first example as the other examples of its page are."""
    found = set()
    for first, *others in pages:
        alike = [first.score(own.page, own.part) for own in others] or [first.score(first.page, first.part)]
        paths = {own.part.path for own in (first, *others)}
        found |= {part for part in page.parts if part.path in paths and first.score(page, part) >= min(alike)}
    return sorted(found, key=lambda part: part.start)


def _rows(values: Mapping[str, Sequence[Part]]) -> list[dict[str, str]]:
    """Records in the order of the page; one begins where a name comes again."""
    rows: list[dict[str, str]] = []
    placed = sorted((part.start, name, part.text) for name, parts in values.items() for part in parts)
    for _, name, text in placed:
        if not rows or name in rows[-1]:
            rows.append({})
        rows[-1][name] = text
    return rows


def _same(pairs: Iterable[tuple[str, str]]) -> int:
    score = 0
    for one, other in pairs:
        if one == other:
            score += 1 if one.startswith("<") else SAID
        elif one.startswith("<") or other.startswith("<"):
            break
    return score


def _document(path: Path) -> Document:
    parser = LexborHTMLParser(path.read_text("utf-8-sig", "replace"))
    parser.strip_tags(UNSEEN)
    page = Document([], [])
    if parser.body is not None:
        _read(parser.body, "", page)
    return page


def _read(node: LexborNode, path: str, page: Document) -> str:
    """Add the tokens and parts of an element; gives its text."""
    texts = []
    own = f"{path}/{node.tag}"
    page.tokens.append(f"<{node.tag}>")
    start = len(page.tokens)
    for child in node.iter(include_text=True):
        if not child.is_text_node:
            texts.append(_read(child, own, page))
        elif text := " ".join((child.text_content or "").split()):
            page.tokens.append(text)
            page.parts.append(Part(f"{own}/#", len(page.tokens) - 1, len(page.tokens), text))
            texts.append(text)
    said = " ".join(filter(None, texts))
    if said:
        page.parts.append(Part(own, start, len(page.tokens), said))
    page.tokens.append(f"</{node.tag}>")
    return said
