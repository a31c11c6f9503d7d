"""The main text of a page: its parts in reading order with their origins, title, byline and date."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, ClassVar

from sightline.data._column import Column
from sightline.data._content_parts import ContentImage, ContentPart
from sightline.data._exports import Exportable, jsonable
from sightline.data._markdown import front_matter as front_matter_of
from sightline.data._markdown import markdown_of
from sightline.data._record import Record
from sightline.data._result import MadeLater, Mark, Plain, XPath, late
from sightline.data._table import Evidence, Records
from sightline.data._types import ColumnType
from sightline.data._value import Value

_HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")
# The colour in which each kind of part is drawn, and what the legend calls it.
_LOOKS = {
    **dict.fromkeys(_HEADINGS, ("heading", "heading")),
    **dict.fromkeys(("li", "dt", "dd"), ("series 3", "item")),
    **dict.fromkeys(("td", "th"), ("table", "cell")),
    **dict.fromkeys(("figcaption", "caption", "summary"), ("other", "caption")),
    "blockquote": ("series 4", "quotation"),
    "pre": ("control", "code"),
}
_PLAIN = ("text", "text")


@late("parts", "title", "byline", "authors", "date", "images", "comments")
@dataclass(frozen=True, repr=False)
class Content(MadeLater, Exportable):
    r"""The main text of a page, with title, byline and date if found.

    `score` is the confidence that this is the main text, from 0 to 1; `by` names the extractor if not Sightline's.
    `page_kind` says what the page was judged to be (`article`, `documentation`, `service`, `forum`, `product`,
    `collection` or `listing`), and `comments` is what readers say below the text, which is not part of it.

    >>> found = Content((ContentPart(Value("Bees"), "h2"), ContentPart(Value("They dance."))), title=Value("Bees"))
    >>> found.text
    'Bees\nThey dance.'
    >>> print(found.to_markdown())
    ## Bees
    <BLANKLINE>
    They dance.
    """

    result_kind: ClassVar[str] = "content"

    parts: tuple[ContentPart, ...] = ()
    title: Value | None = None
    byline: Value | None = None
    date: Value | None = None
    score: float = 1.0
    language: str | None = None
    by: str | None = None
    evidence: Evidence = field(default=(), compare=False)
    address: str | None = field(default=None, compare=False)
    images: tuple[ContentImage, ...] = field(default=(), compare=False)
    page_kind: str | None = None
    comments: tuple[ContentPart, ...] = ()
    authors: tuple[Value, ...] = ()
    """Everybody who is named as an author; `byline` is the first of them, or the line that names them."""
    doubts: tuple[str, ...] = ()
    """What is doubtful about the whole, such as how much was left out; a text with doubts is suspicious."""

    def __repr__(self) -> str:
        name = f"{self.title.text!r}, " if self.title else ""
        return f"<Content {name}{len(self)} parts, {len(self.text.split())} words, score {self.score:.2f}>"

    def __len__(self) -> int:
        return len(self._texts)

    def __iter__(self) -> Iterator[ContentPart]:
        return iter(self.parts)

    def __getitem__(self, place: int) -> ContentPart:
        return self.parts[place]

    @property
    def text(self) -> str:
        """The whole text, a line for each part."""
        return "\n".join(self._texts)

    @property
    def _texts(self) -> list[str]:
        """The text of each part; mostly known before the parts are made."""
        known: list[str] | None = getattr(self, "_read", None)
        return [part.text for part in self.parts] if known is None else known

    @property
    def nodes(self) -> tuple[int, ...]:
        """The numbers of the text nodes on the page, for further processing."""
        origins = [part.value.origin for part in self.parts]
        return tuple(node for origin in origins if origin for node in origin.nodes)

    def facts(self) -> dict[str, str | None]:
        """What is known of the text: title, author, date, address and language, each None if it is not."""
        about = {"title": self.title, "author": self.byline, "date": self.date}
        said = {name: value.text if value else None for name, value in about.items()}
        return {**said, "address": self.address, "language": self.language}

    def to_markdown(self, *, images: bool = False, front_matter: bool = False, title: bool = False) -> str:
        r"""The text as Markdown, with headings, lists, quotations, code, tables and links as on its page.

        `images` adds the images of the text, `front_matter` what is known of it, as YAML above it, `title` its title as
        a heading, unless the text has that heading itself.

        >>> found = Content((ContentPart(Value("Bees *dance*")),), title=Value("Bees"), language="en")
        >>> print(found.to_markdown(front_matter=True))
        ---
        title: "Bees"
        language: "en"
        ---
        <BLANKLINE>
        Bees \*dance\*
        """
        parts = self.parts
        if title and self.title and not any(_is_heading(part, self.title.text) for part in parts):
            parts = (ContentPart(Value(self.title.text), "h1"), *parts)
        text = markdown_of(parts, self.images if images else None)
        return f"{front_matter_of(self.facts())}\n\n{text}" if front_matter else text

    @cached_property
    def _records(self) -> Records:
        return Records([Record({"kind": part.kind, "words": part.value}) for part in self.parts], None, self.language)

    def records(self) -> Records:
        """The parts as records: the kind of each, and its words."""
        return self._records

    @cached_property
    def columns(self) -> tuple[Column, ...]:
        """The parts as flat columns, of text: what a sentence could be read as does not matter."""
        text = ColumnType(language=self.language)
        kinds = tuple(Value(part.kind) for part in self.parts)
        words = tuple(part.value for part in self.parts)
        return (Column("kind", kinds, text, self.language), Column("words", words, text, self.language))

    def values(self) -> Iterator[Value]:
        """The value of every part, then title, byline and date, then the comments."""
        yield from (part.value for part in self.parts)
        yield from (value for value in (self.title, self.byline, self.date) if value)
        yield from (part.value for part in self.comments)

    def marks(self, number: int = 1) -> list[Mark]:  # noqa: ARG002 - a page has one main text
        """What to draw: every part in a frame of the colour of its kind."""
        seen = [(part.kind, part.value.origin.box) for part in self.parts if part.value.origin]
        return [Mark(box, *_LOOKS.get(kind, _PLAIN)) for kind, box in seen if box]

    def to_json(self, *, origins: bool = False, xpath: XPath | None = None, evidence: bool = False) -> dict[str, Any]:
        """The content of the JSON contract; with `origins` also where title, byline and date stand."""
        plain = Plain(origins=origins, xpath=xpath)
        nodes, comments = (
            [{"text": part.text, "kind": part.kind, **plain.place(part.value.origin)} for part in parts]
            for parts in (self.parts, self.comments)
        )
        about = {"title": self.title, "byline": self.byline, "date": self.date}
        document = {
            "text": self.text,
            "nodes": nodes,
            **{name: plain.of(value) if origins else (value.text if value else None) for name, value in about.items()},
            "authors": [plain.of(value) if origins else value.text for value in self.authors],
            "score": self.score,
            "page_kind": self.page_kind,
            "comments": comments,
        }
        doubts = {"doubts": list(self.doubts)} if self.doubts else {}
        return dict(jsonable(document | doubts | ({"evidence": dict(self.evidence)} if evidence else {})))


def _is_heading(part: ContentPart, text: str) -> bool:
    """Whether a part is the heading with this text."""
    return part.kind in _HEADINGS and part.text == text
