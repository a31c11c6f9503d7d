"""Find values again on redesigned pages: by what they were, what was around them, and how they looked.

Every node that could be a value gets a score for every field; nothing is taken unless it clearly wins, and nothing is
taken twice.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from sightline.arrays import BoolArray, FloatArray, LongArray, prefix_sum
from sightline.checks import is_far, number_of
from sightline.data import Content, FieldProfile, Value, infer
from sightline.extract.content import find_content
from sightline.extract.wrappers.patterns._conditions import Condition, mask_of
from sightline.extract.wrappers.patterns._pattern import Pattern, SearchSpan, found_by
from sightline.extract.wrappers.patterns._propose import cost_of, is_called, is_labelling
from sightline.extract.wrappers.patterns._split import MARKS, split_text, text_with
from sightline.extract.wrappers.patterns._view import View, key_of, label_key

# -- what the main-text extractor says of a page: a witness for fields that are the parts of an article -------------

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


# -- find values again on redesigned pages: by what they were, what was around them, and how they looked ------------

REMEMBERED = 4.0  # the text is one that the field had
LABELLED = 1.2  # a label of the field is beside or above it
CALLED = 0.8  # a class, id or attribute has the name of the field
RULED = 1.0  # the old rules still match it
EVIDENCE = 2.5  # everything that held for the old values holds for it
WRONG_SIZE = -1.5  # for each factor of SPREAD by which a text is longer or shorter than any before, but at most
MOST_WRONG = -6.0
WRONG_KIND = -6.0
OTHER_LABEL = -6.0  # the label beside it is another one: a shipping fee is not a price
LOOK = 0.5
WITNESSED = 2.0  # the main-text extractor considers it this part of the article
SEVERAL = 0.1  # for all authors of an article rather than one of them
BODY = 3.0  # for each character by which values are the main text, and nothing but it
BY_CHANCE = 0.25  # the weight of a remembered text on a page about something else, or in another record
SHORTEST = 3  # characters of a text that is remembered for itself; "5" is the value of many things
LEAST = 1.4  # of a score; found on the redesigns of the benchmark, where right values have 1.6 or more
MARGIN = 0.35  # to the next best with a different text
SURE = 3.5  # of a score from which on a value needs no confirmation
SPREAD = 3  # times longer or shorter than ever before is another kind of text
WEIGHTLESS = frozenset(("place", "last", "text"))
KNOWN = "its text is known"
WITNESS = {role: f"it is the {role} of the main text" for role in ("title", "byline", "date")}
WITNESSES = tuple(WITNESS.values())
# From 0.15 to 0.5, no family of the redesigns is read differently (`python -m bench.teach.fit_redesigns`).
LEAST_EVIDENCE = 0.3  # of what held for the old values, from which on a known text is also in its place
# The confidence in running text of which nothing is known. On articles of other sites, a fifth of what is found that
# way is wrong where the main-text extractor agrees on nine tenths of the characters, so its word is not enough.
BY_KIND = 0.7
RIVALS = 20  # nodes that are compared with the best


class RelocationCandidate(NamedTuple):
    """Nodes that may be the values of a field, and their score."""

    nodes: tuple[int, ...]
    score: float
    remembered: int
    texts: tuple[str, ...] = ()  # the values, if they are parts of the text of one node
    reshaped: bool = False  # they were one text and are several now, or the other way round


@dataclass(frozen=True, slots=True)
class Relocated:
    """What was found of a field on a page, how certain it is, and why."""

    nodes: tuple[int, ...]
    confidence: float
    why: str
    remembered: int = 0
    certain: bool = False  # its text is known, or the main-text extractor says so
    structured: bool = True  # something besides its text says so
    texts: tuple[str, ...] = ()
    reshaped: bool = False


def relocate_field(
    view: View,
    pattern: Pattern,
    profile: FieldProfile,
    span: SearchSpan,
    taken: frozenset[int] = frozenset(),
    *,
    memory: float = 1.0,
) -> Relocated | None:
    """The values of a field in a span of a page; None if nothing clearly is one.

    `memory` is how much a remembered text counts: little if nothing else on the page is remembered.
    """
    role = article_role(profile)
    article = article_of(view) if role else None
    scores, reasons, evidence = _scores(view, pattern, profile, span, memory)
    if article and role:
        _add_article(article, role, profile, scores, reasons)
    if taken:
        scores[np.isin(view.first, view.first[list(taken)]) & ~_remembered(view, profile)] = -np.inf
    body = article if role == "body" else None
    groups = list(_groups(view, profile, scores, body) if pattern.many else _single(scores))
    if article and role == "byline" and not pattern.cut:
        groups += _authors(article, scores)
    if memory == 1:
        groups += _reshaped(view, pattern, profile, scores)
    groups.sort(key=lambda group: -group.score)
    if not groups or groups[0].score < LEAST:
        return None
    best = groups[0]
    rival = next((group for group in groups[1:] if not _are_equivalent(view, group, best)), None)
    margin = best.score - rival.score if rival else best.score
    if margin < MARGIN and not best.remembered:
        return None
    confidence = min(1.0, best.score / SURE) * min(1.0, 0.5 + margin)
    why = ", ".join(name for name, mask in reasons.items() if mask[best.nodes[0]]) or "its place"
    known = bool(best.remembered) or any(reasons[name][best.nodes[0]] for name in WITNESSES if name in reasons)
    structured = _has_structure(reasons, best, evidence=evidence)
    if body and not best.remembered:
        confidence = min(confidence, BY_KIND)
    return Relocated(
        best.nodes,
        round(float(confidence), 2),
        why,
        best.remembered,
        known,
        structured,
        best.texts,
        best.reshaped,
    )


def only_of_kind(view: View, profile: FieldProfile, span: SearchSpan, taken: frozenset[int]) -> int | None:
    """The only text of a span that is of a field's kind, unless that is any text; None if there are several."""
    if profile.type.kind == "text":
        return None
    nodes = view.candidates
    nodes = nodes[np.searchsorted(nodes, span.start) : np.searchsorted(nodes, span.stop)]
    nodes = nodes[~np.isin(view.first[nodes], view.first[list(taken)])] if taken else nodes
    fitting = [
        node for node, text in zip(nodes.tolist(), view.all_texts(nodes), strict=True) if _is_kind(text, profile)
    ]
    places = {int(view.first[node]) for node in fitting}
    return fitting[0] if len(places) == 1 else None


def _has_structure(
    reasons: dict[str, npt.NDArray[np.bool_]], best: RelocationCandidate, *, evidence: FloatArray
) -> bool:
    """Whether anything but the text itself says that a value is the field's; of several, they say so of each other."""
    if len(best.nodes) > 1 and best.remembered > 1:
        return True
    node = best.nodes[0]
    return evidence[node] >= LEAST_EVIDENCE or any(mask[node] for name, mask in reasons.items() if name != KNOWN)


# ---------------------------------------------------------------- scores


def _add_article(
    article: Article,
    role: ArticleRole,
    profile: FieldProfile,
    scores: FloatArray,
    reasons: dict[str, npt.NDArray[np.bool_]],
) -> None:
    """Let the main-text extractor say which nodes are this part of the article."""
    if role == "body":
        if profile.most <= 1:
            nodes = article.view.candidates
            scores[nodes] += BODY * article.likeness_of_each(nodes)
        return
    mask = article.mask(role)
    scores[mask] += WITNESSED
    reasons[WITNESS[role]] = mask


def _scores(
    view: View, pattern: Pattern, profile: FieldProfile, span: SearchSpan, memory: float
) -> tuple[FloatArray, dict[str, npt.NDArray[np.bool_]], FloatArray]:
    """The scores of all nodes, the reasons for them, and how much of the old evidence holds for each."""
    page = view.page
    scores = np.full(len(page), -np.inf)
    nodes = view.candidates
    nodes = nodes[np.searchsorted(nodes, span.start) : np.searchsorted(nodes, span.stop)]
    scores[nodes] = 0.0
    reasons = {
        KNOWN: _remembered(view, profile),
        "its label is the same": _labelled(view, profile),
        "its name is the same": _named_like(view, profile.name.rpartition(".")[2]),
        "an old rule matches it": _matched_by_rules(view, pattern, span),
    }
    for weight, mask in zip((REMEMBERED * memory, LABELLED, CALLED, RULED), reasons.values(), strict=True):
        scores[mask] += weight
    agreement, total = np.zeros(len(page)), 0.0
    for way, test, value in profile.evidence:
        if test in WEIGHTLESS:
            continue
        condition = Condition(way, test, value)
        weight = 1 / (0.5 + max(cost_of(condition), 0))
        total += weight
        agreement += weight * mask_of(view, condition)
    agreement /= max(total, 1e-9)
    scores += EVIDENCE * agreement
    if profile.looks and page.style_names:
        looks = view.look  # first, since computing this column numbers the looks
        scores[np.isin(looks, [view.look_ids.get(look, -1) for look in profile.looks])] += LOOK
    scores[nodes] += _size_scores(view.sizes(nodes), profile)
    doubtful = nodes if memory < 1 else nodes[~reasons[KNOWN][nodes]]
    scores[_labelled_otherwise(view, profile, doubtful)] += OTHER_LABEL
    if profile.type.kind != "text":
        texts = view.all_texts(nodes)
        scores[nodes[[not _is_kind(text, profile) for text in texts]]] += WRONG_KIND
    return scores, reasons, agreement


def _size_scores(sizes: npt.NDArray[np.int64], profile: FieldProfile) -> FloatArray:
    longer = np.log((sizes + 1) / (profile.longest + 4)) / np.log(SPREAD)
    shorter = np.log((profile.shortest + 1) / (sizes + 4)) / np.log(SPREAD)
    steps = np.floor(np.maximum(np.maximum(longer, shorter), 0))
    return np.asarray(np.maximum(WRONG_SIZE * steps, MOST_WRONG))


def _is_kind(text: str, profile: FieldProfile) -> bool:
    if len(text) > profile.longest * SPREAD + SPREAD:
        return False
    value = profile.type.parse(text)
    if value is None:
        return infer([text], profile.type.language).kind == profile.type.kind
    return not is_far(number_of(value), profile)


def _remembered(view: View, profile: FieldProfile) -> npt.NDArray[np.bool_]:
    """The nodes with a text that the field had before."""
    return view.nodes_saying(text for text in profile.examples if len(key_of(text)) >= SHORTEST)


def _labelled(view: View, profile: FieldProfile) -> npt.NDArray[np.bool_]:
    found = np.zeros(len(view.page), dtype=bool)
    for label in profile.labels:
        number = view.label_id(label)
        if number > 0:
            found |= (view.before == number) | (view.heading == number)
            found |= mask_of(view, Condition("self", "following", label))
    return found


def _labelled_otherwise(view: View, profile: FieldProfile, nodes: npt.NDArray[np.int64]) -> list[int]:
    """The nodes right after something that looks like a label, but is not the field's and does not share its name."""
    labels, name = set(profile.labels), profile.name.rpartition(".")[2]
    found: dict[int, bool] = {}
    for leaf in np.unique(view.first[nodes]).tolist():
        if leaf > 0 and view.labels[leaf - 1] and is_labelling(view, leaf - 1, heads=False):
            label = label_key(view.texts[leaf - 1])
            found[leaf] = label not in labels and not is_called(Condition("self", "after", label), name)
    return [node for node, leaf in zip(nodes.tolist(), view.first[nodes].tolist(), strict=True) if found.get(leaf)]


def _named_like(view: View, name: str) -> npt.NDArray[np.bool_]:
    """What has the name of the field, in its own attributes or those of the element around it."""
    page = view.page
    named = np.zeros(len(page), dtype=bool)
    for attribute in ("class", "id", "itemprop", "rel", "property", "data-testid"):
        column = view.attribute(attribute)
        fitting = [
            number
            for number in np.unique(column).tolist()
            if number >= 0 and is_called(Condition("self", "class", page.strings[number]), name)
        ]
        named |= np.isin(column, fitting)
    return named | named[page.parent]


def _matched_by_rules(view: View, pattern: Pattern, span: SearchSpan) -> npt.NDArray[np.bool_]:
    found = np.zeros(len(view.page), dtype=bool)
    found[found_by(view, pattern, span)[0]] = True
    return found


# ---------------------------------------------------------------- candidates


def _authors(article: Article, scores: FloatArray) -> Iterator[RelocationCandidate]:
    """All authors of an article that has several, each once."""
    view = article.view
    found: dict[int, int] = {}
    for node in article.byline.tolist():
        if np.isfinite(scores[node]):
            found.setdefault(int(view.first[node]), node)
    nodes = list(found.values())
    if len({key_of(view.text(node)) for node in nodes}) > 1:
        yield RelocationCandidate(tuple(nodes), float(scores[nodes].mean()) + SEVERAL, 0)


def _single(scores: FloatArray) -> Iterator[RelocationCandidate]:
    best = np.argsort(-scores, kind="stable")[:RIVALS]
    for node in best.tolist():
        if np.isfinite(scores[node]):
            yield RelocationCandidate((node,), float(scores[node]), int(scores[node] >= REMEMBERED))


def _reshaped(view: View, pattern: Pattern, profile: FieldProfile, scores: FloatArray) -> Iterator[RelocationCandidate]:
    """Several known values in one text, and the parts of a known text that are nodes of their own."""
    if pattern.many:
        node = text_with(view, profile.examples)
        if node is not None and np.isfinite(scores[node]):
            texts = tuple(profile.examples)
            yield RelocationCandidate(
                (node,), float(scores[node]) + REMEMBERED, len(texts), texts, reshaped=not pattern.split
            )
        return
    for text in profile.examples:
        parts = split_text(text, MARKS)
        for begin, end in view.places("".join(parts)) if len(parts) > 1 else ():
            nodes = _parts_at(view, parts, begin, end)
            if len(nodes) == len(parts) and np.isfinite(scores[nodes]).all():
                score = float(scores[nodes].mean()) + REMEMBERED
                yield RelocationCandidate(tuple(nodes), score, len(nodes), reshaped=True)


def _parts_at(view: View, parts: Sequence[str], begin: int, end: int) -> list[int]:
    """The nodes of the parts of a text among the texts of a page from one number to another, one after the other."""
    found: list[int] = []
    for part in parts:
        runs = [run for run in view.places(part) if run[0] == begin and run[1] <= end]
        nodes = view.nodes_of(*runs[0]) if runs else []
        if not nodes:
            return []
        found.append(nodes[0])
        begin = runs[0][1]
    return found


def _groups(
    view: View, profile: FieldProfile, scores: FloatArray, body: Article | None
) -> Iterator[RelocationCandidate]:
    """Siblings with one tag, and nodes with one path: what lists are made of; and the paragraphs of an article."""
    page = view.page
    nodes = np.flatnonzero(np.isfinite(scores))
    remembered = _remembered(view, profile)
    size = len(page.strings) + 1
    keys = [
        page.parent[nodes].astype(np.int64) * size + page.tag[nodes],
        -1 - page.path[nodes].astype(np.int64),
    ]
    if body:  # whose paragraphs may be in several places
        keys.append(view.attribute("class")[nodes].astype(np.int64) * size + page.tag[nodes])
    for key in keys:
        order = np.argsort(key, kind="stable")
        bounds = np.flatnonzero(np.concatenate([[True], np.diff(key[order]) != 0]))
        for group in np.split(nodes[order], bounds[1:]) if len(nodes) else ():
            yield _rate_group(profile, scores, remembered, group, body)
    if body:
        for tag in np.unique(page.tag[body.body]).tolist():
            group = body.body[page.tag[body.body] == tag]
            yield _rate_group(profile, scores, remembered, group, body)


def _rate_group(
    profile: FieldProfile,
    scores: FloatArray,
    remembered: npt.NDArray[np.bool_],
    group: npt.NDArray[np.int64],
    body: Article | None,
) -> RelocationCandidate:
    again = int(remembered[group].sum())
    score = float(scores[group].mean())
    if again:
        share = again / max(1, min(len(profile.examples), profile.most))
        score += 2 * min(1.0, share)
    if body:
        score += BODY * body.likeness(group)
    if not again and profile.least > 1 and len(group) == 1:
        score -= 1.0
    return RelocationCandidate(tuple(group.tolist()), score, again)


def _are_near(view: View, node: int, other: int) -> bool:
    """Whether two nodes have the same grandparent."""
    parent = view.page.parent
    return bool(parent[parent[node]] == parent[parent[other]])


def _are_equivalent(view: View, candidate: RelocationCandidate, best: RelocationCandidate) -> bool:
    """Whether two candidates have the same text, one contains the other, or both belong to one list."""
    if view.page.path[candidate.nodes[0]] == view.page.path[best.nodes[0]] and _are_near(
        view, candidate.nodes[0], best.nodes[0]
    ):
        return True
    first = {int(view.first[node]) for node in candidate.nodes}
    other = {int(view.first[node]) for node in best.nodes}
    if first & other:
        return True
    texts = {key_of(view.text(node)) for node in candidate.nodes[:5]}
    return bool(texts & {key_of(view.text(node)) for node in best.nodes[:5]})
