"""Redesigns of articles: taught on an article of one site, read and repaired on one of another.

Nothing is left of the old page but what the fields are: title, authors, paragraphs. News sites that are made anew are
like that, and the set `evolution` has few of them. Pages and truth are those of the set `content2`, by domain.
"""

import random
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from pathlib import Path
from urllib.parse import urlsplit

from bench.frame import Options, folder_of
from bench.induce.sites import PageTruth, opened
from bench.pages import json_lines
from bench.teach.evolution import Survived, survived
from bench.teach.lessons import Example
from bench.teach.scores import flat
from bench.teach.ways import mended, read_pages, taught
from sightline.extract.wrappers.patterns import View, key_of

SEED = 11
PAIRS = 80
LEAST_PARAGRAPHS = 3
LEAST_SHARE = 0.7  # of the true text that must be whole paragraphs of the page
SHORTEST = 20  # characters of a paragraph that is known by its text alone; shorter ones are between such


@dataclass(frozen=True)
class ArticlePage:
    """An article, with the texts that are on it as whole elements."""

    path: Path
    domain: str
    truth: PageTruth


@dataclass(frozen=True)
class ArticleStep:
    """From an article to one of another site."""

    old: ArticlePage
    new: ArticlePage

    @property
    def name(self) -> str:
        """From where to where."""
        return f"{self.old.domain} > {self.new.domain}"

    @cached_property
    def names(self) -> frozenset[str]:
        """The fields that both have."""
        return frozenset(self.old.truth.fields) & frozenset(self.new.truth.fields)


def article_steps(options: Options, pairs: int = PAIRS) -> list[ArticleStep]:
    """Pairs of articles of different domains, always the same; no domain is in two pairs."""
    chosen = list(islice(_articles(options), 2 * pairs))
    return [ArticleStep(old, new) for old, new in zip(chosen[::2], chosen[1::2], strict=False)]


def evolved_article(step: ArticleStep) -> Survived:
    """Teach the old one, read both, repair, and read the new one again."""
    name, names = step.name, step.names
    shown = {field: texts for field, texts in step.old.truth.fields.items() if field in names}
    wrapper = taught(name, [Example(step.old.path, shown)])
    old, new = opened([step.old.path]), opened([step.new.path])
    after = read_pages(name, mended(name, wrapper, new), new) if wrapper is not None else None
    truth = [flat(step.old.truth, names)], [flat(step.new.truth, names)]
    return survived(step, truth, (read_pages(name, wrapper, old), read_pages(name, wrapper, new), after))


def _articles(options: Options) -> Iterator[ArticlePage]:
    """Articles in a random order, one of each domain."""
    folder = folder_of("content2", options)
    if not (folder / "truth.jsonl").exists():  # the other figures need no such set
        return
    entries = json_lines(folder / "truth.jsonl")
    random.Random(SEED).shuffle(entries)
    for domain, entry in {_domain(entry["url"]): entry for entry in entries if _is_wanted(entry)}.items():
        path = folder / entry["file"]
        if fields := _standing(path, entry):
            yield ArticlePage(path, domain, PageTruth(path.name, fields))


def _domain(url: str) -> str:
    return urlsplit(url).netloc.removeprefix("www.")


def _is_wanted(entry: dict[str, str]) -> bool:
    return entry["type"] == "article" and bool(entry.get("title") and entry.get("url"))


def _standing(path: Path, entry: dict[str, str]) -> dict[str, list[str]] | None:
    """The texts of the truth that are whole elements; None if too little of it is."""
    view = View(opened([path])[0])
    whole = key_of(entry["text"])
    nodes = view.page.with_tag("p")
    texts = [text for text in view.all_texts(nodes) if key_of(text) and key_of(text) in whole]
    long = [place for place, text in enumerate(texts) if len(text) >= SHORTEST] or [0]
    paragraphs = list({key_of(text): text for text in texts[long[0] : long[-1] + 1]}.values())
    share = sum(len(key_of(text)) for text in paragraphs) / max(1, len(whole))
    if len(paragraphs) < LEAST_PARAGRAPHS or share < LEAST_SHARE or not view.places(entry["title"]):
        return None
    author = [entry["author"]] if entry.get("author") and view.places(entry["author"]) else []
    return {"title": [entry["title"]], "paragraphs": paragraphs} | ({"authors": author} if author else {})
