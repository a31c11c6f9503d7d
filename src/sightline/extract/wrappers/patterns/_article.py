"""What the main-text extractor says of a page: a witness for fields that are the parts of an article."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, TypeAlias

import numpy as np

from sightline.arrays import BoolArray, FloatArray, LongArray, prefix_sum
from sightline.data import Content, FieldProfile, Value
from sightline.extract.content import find_content
from sightline.extract.wrappers.patterns._view import View, key_of

__all__ = ["Article", "ArticleRole", "article_of", "article_role"]

ArticleRole: TypeAlias = Literal["title", "byline", "date", "body"]

PROSE = 120  # characters of values that are running text
WHOLE_BODY = 1000  # characters of one value that is a whole article
TITLED = 0.5  # of the values of a field that are in the titles of their pages: then it is the title
LONGEST_TITLE = 300
LONGEST_NAME = 80
DATES = ("date", "datetime", "time")
# Names that people give to the fields of articles; values alone do not tell an author from the people written about.
AUTHOR = re.compile(
    r"\b(authors?|bylines?|by|writers?|writtenby|creators?|autor(en|in|es|i)?|verfasser(in)?|aut(eur|rice)s?"
    r"|redact(eur|or)|schrijvers?|förfat\w*|forfatter\w*|yazar\w*|автор\w*|作者|著者)\b",
    re.IGNORECASE,
)
NAMING = ("class", "id", "itemprop", "rel")
MARKED_AUTHOR = re.compile("author|byline", re.IGNORECASE)
PUBLISHED_AUTHORS = ("author", "article:author", "parsely-author", "sailthru.author", "dc.creator", "citation_author")
MOST_AUTHORS = 8


def article_role(profile: FieldProfile) -> ArticleRole | None:
    """Which part of an article a field seems to be, judged by its values and its name; None if it isn't such a part.

    >>> article_role(FieldProfile("headline", longest=60, titled=1.0))
    'title'
    >>> article_role(FieldProfile("paragraphs", most=9, longest=400))
    'body'
    """
    name = re.sub(r"[_\W]+", " ", profile.name.rpartition(".")[2])
    if profile.longest > (PROSE if profile.most > 1 else WHOLE_BODY):
        return "body"
    if profile.type.kind in DATES:
        return "date"
    if profile.longest > LONGEST_TITLE:
        return None
    if profile.titled is not None and profile.titled >= TITLED and profile.most <= 1:
        return "title"
    marked = any(test in NAMING and MARKED_AUTHOR.search(value) for _, test, value in profile.evidence)
    return "byline" if profile.longest <= LONGEST_NAME and (marked or AUTHOR.search(name)) else None


def article_of(view: View) -> "Article":
    """What the main-text extractor finds on a page; found once a page."""
    found = view.searches.get("article")
    if not found:
        view.searches["article"] = found = [Article(view)]
    article: Article = found[0]
    return article


@dataclass(frozen=True, eq=False)
class Article:
    """The parts of an article, as nodes of a view."""

    view: View

    @cached_property
    def content(self) -> Content:
        """The main text."""
        return find_content(self.view.page)

    # ------------------------------------------------------------------ lines

    @cached_property
    def title(self) -> LongArray:
        """The nodes that are the title."""
        return self._nodes_at(self.content.title)

    @cached_property
    def date(self) -> LongArray:
        """The nodes that are the date, or the line that it is in."""
        return self._nodes_at(self.content.date)

    @cached_property
    def authors(self) -> list[str]:
        """The names of the authors that can be read on the page."""
        published = self.view.published
        by_name = {name.lower(): texts for name, texts in published.items()}
        named = [text for name in PUBLISHED_AUTHORS for text in by_name.get(name, ())]
        byline = [self.content.byline.text] if self.content.byline else []
        names = {key_of(name): name for name in (*named, *byline) if key_of(name) and len(name) <= LONGEST_NAME}
        return [name for name in names.values() if self.view.around(name)][:MOST_AUTHORS]

    @cached_property
    def byline(self) -> LongArray:
        """The nodes that are the name of an author, as near to the title as there are any."""
        found = [node for name in self.authors for node in self._nearest(name)]
        return np.array(sorted(set(found)), dtype=np.int64)

    def _nearest(self, name: str) -> list[int]:
        view = self.view
        runs = [run for run in view.places(name) if view.nodes_of(*run)]
        begin = int(view.first[self.title[0]]) if len(self.title) else self._begin
        best = min(runs, key=lambda run: abs(run[0] - begin), default=None)
        return view.nodes_of(*best) if best else []

    @cached_property
    def _begin(self) -> int:
        return int(self.view.first[self.body[0]]) if len(self.body) else 0

    def _nodes_at(self, value: Value | None) -> LongArray:
        """The nodes that have exactly the texts that a value was read from."""
        if value is None or value.origin is None:
            return np.zeros(0, dtype=np.int64)
        return np.array(self._exactly(value), dtype=np.int64)

    def _exactly(self, value: Value) -> list[int]:
        view = self.view
        places = np.isin(view.page.numbers[view.leaves], value.origin.nodes) if value.origin else np.zeros(0)
        leaves = np.flatnonzero(places)
        if not len(leaves):
            return []
        return view.nodes_of(int(leaves[0]), int(leaves[-1]) + 1)

    # ------------------------------------------------------------------ the body

    @cached_property
    def body(self) -> LongArray:
        """The paragraphs: for each the outermost node that is nothing else."""
        nodes = [chain[0] for part in self.content.parts if part.kind == "p" and (chain := self._exactly(part.value))]
        return np.array(sorted(set(nodes)), dtype=np.int64)

    @cached_property
    def _parts(self) -> dict[tuple[int, int], int]:
        """The characters of each part of the body, by its texts."""
        first, last = self.view.first[self.body].tolist(), self.view.last[self.body].tolist()
        return dict(zip(zip(first, last, strict=True), self.view.sizes(self.body).tolist(), strict=True))

    @cached_property
    def size(self) -> int:
        """The characters of the body."""
        return sum(self._parts.values())

    def likeness(self, nodes: LongArray) -> float:
        """How much some nodes are the parts of the body, each of them one: F1 of their characters."""
        first, last = self.view.first[nodes].tolist(), self.view.last[nodes].tolist()
        shared = sum(self._parts.get(place, 0) for place in zip(first, last, strict=True))
        total = int(self.view.sizes(nodes).sum()) + self.size
        return 2 * shared / total if total else 0.0

    def likeness_of_each(self, nodes: LongArray) -> FloatArray:
        """How much each of some nodes is the whole body: F1 of its characters."""
        view = self.view
        sizes = np.zeros(len(view.leaves) + 1, dtype=np.int64)
        for (first, last), size in self._parts.items():
            sizes[first] += size if last > first else 0
        inside = prefix_sum(sizes)
        shared = inside[view.last[nodes]] - inside[view.first[nodes]]
        found: FloatArray = 2 * shared / np.maximum(view.sizes(nodes) + self.size, 1)
        return found

    def contradicts(self, role: ArticleRole, nodes: Sequence[int]) -> bool:
        """Whether the main text has this part, and none of some nodes has to do with it."""
        if role == "body":
            return False
        known = {"title": self.title, "byline": self.byline, "date": self.date}[role]
        texts = {key_of(self.view.text(node)) for node in known.tolist()}
        return bool(texts) and not any(
            key in text or text in key for node in nodes for key in [key_of(self.view.text(node))] for text in texts
        )

    def mask(self, role: ArticleRole) -> BoolArray:
        """Which nodes are this line of the article."""
        found = np.zeros(len(self.view.page), dtype=bool)
        found[{"title": self.title, "byline": self.byline, "date": self.date}[role]] = True
        return found
