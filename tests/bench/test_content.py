"""The score of main texts, on pages small enough to count by hand, and the task around it."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from bench.content import ways
from bench.content.pages import FOLDS, PageTruth, fold_of, read_articles, read_truth
from bench.content.scores import agrees, groups, score, summary
from bench.content.ways import Answer, read_by_peers
from bench.frame import Options
from bench.pages import static

from bench import content, peers
from sightline.page import Page

TEXT = "One two three four five. Six!"
LINE = {
    "id": "a-1",
    "file": "pages/a.html",
    "url": "https://example.org/",
    "type": "article",
    "css": True,
    "text": TEXT,
    "with": ["three four", "six"],
    "without": ["seven"],
    "title": "The Title",
    "author": "Ann Lee",
    "date": "2025-09-04",
}


def _truth(**more: Any) -> PageTruth:
    return PageTruth.from_json(LINE | more)


def test_everything_right() -> None:
    """The same words are full marks, however they are written and broken into lines."""
    page = score(_truth(), "ONE two\nthree, four – five six")
    assert (page.precision, page.recall, page.f1) == (1, 1, 1)
    assert (page.present, page.absent) == (2, 1)


def test_shingles_of_four_words_are_counted() -> None:
    """Six words have three shingles; a word too many at the end adds one, one in the middle breaks three."""
    longer = score(_truth(), f"{TEXT} Seven")
    assert (longer.precision, longer.recall, longer.absent) == (3 / 4, 1, 0)
    broken = score(_truth(), "one two three and four five six")
    assert (broken.precision, broken.recall, broken.present) == (0, 0, 1)


def test_a_shingle_said_twice_counts_once_where_it_is_true_once() -> None:
    """Shingles are counted: repeating a text costs precision."""
    page = score(_truth(), f"{TEXT} {TEXT}")
    assert (page.precision, page.recall) == (3 / 9, 1)


def test_short_texts_are_one_shingle() -> None:
    """A text of fewer than four words is right as a whole or not at all."""
    assert score(_truth(text="Two words"), "two WORDS").f1 == 1
    assert score(_truth(text="Two words"), "two").f1 == 0


@pytest.mark.parametrize(("true", "found", "f1"), [(None, "", 1), ("", "something", 0), ("something", "", 0)])
def test_an_empty_text_is_right_where_there_is_none(true: str | None, found: str, f1: float) -> None:
    """Nothing found is right on a page without a main text, and wrong on any other."""
    assert score(_truth(text=true), found).f1 == f1


def test_f1_is_that_of_the_means() -> None:
    """Precision and recall are averaged over pages first; the mean of the pages' own F1 stands beside it."""
    pages = [score(_truth(), TEXT), score(_truth(), f"{TEXT} seven"), score(_truth(), "")]
    found = summary(pages)
    assert (found.precision, found.recall) == pytest.approx((7 / 12, 2 / 3))
    assert found.f1 == pytest.approx(2 * (7 / 12) * (2 / 3) / (7 / 12 + 2 / 3))
    assert found.page_f1 == pytest.approx((1 + 6 / 7) / 3)
    assert (found.present, found.absent) == pytest.approx((4 / 6, 2 / 3))


def test_groups_are_types() -> None:
    """Every page counts among all, and by its type."""
    found = groups([score(_truth(), TEXT), score(_truth(type="forum"), "")])
    assert {name: one.pages for name, one in found.items()} == {"all": 2, "article": 1, "forum": 1}
    assert (found["article"].f1, found["forum"].word_f1) == (1, 0)


def test_words_are_counted_one_by_one() -> None:
    """F1 of words: five of six are there, and one is too much."""
    assert score(_truth(), "one two three four five seven").word_f1 == pytest.approx(10 / 12)


def test_snippets_are_scored_as_trafilatura_scores_them() -> None:
    """White space is one blank, letters are as they are; what must not be there and is costs precision."""
    page = score(_truth(type="snippets", text=None), "One two\n three  four seven")
    assert (page.present, page.absent) == (1, 0)
    assert summary([page]).snippet_f1 == pytest.approx(0.5)


def test_pages_of_a_domain_are_in_one_fold() -> None:
    """The fold goes by the domain, not by the host or the page."""
    addresses = ("https://example.co.uk/1", "http://www.example.co.uk/2?a=b", "https://docs.example.co.uk/")
    assert len({fold_of(address) for address in addresses}) == 1
    assert {fold_of(f"https://site{number}.org/") for number in range(40)} == set(range(FOLDS))


def test_articles_of_newspapers_that_are_built_alike_share_a_fold(tmp_path: Path) -> None:
    """Publishers are told by their addresses, and by the names of the elements of their pages."""
    (tmp_path / "things").mkdir()
    lines = []
    for number, names in enumerate(("a b c", "x y z", "a b c d", "m n")):
        address = f'<link rel="canonical" href="https://paper{number}.example/story">'
        (tmp_path / "things" / f"{number}.html").write_text(f'{address}<p class="{names}">Text', "utf-8")
        fields = {"title": "T", "publishing_date": "2025-09-04", "body": ["One.", "Two."], "authors": ["Ann", "Bo"]}
        lines.append({"id": f"article/{number}", "kind": "article", "file": f"{number}.html", "fields": fields})
    lines.append({"id": "product/1", "kind": "product"})
    (tmp_path / "things" / "truth.jsonl").write_text("\n".join(map(json.dumps, lines)), "utf-8")
    pages = read_articles(Options(data=tmp_path)).pages
    assert [page.url for page in pages] == [f"https://paper{number}.example/story" for number in range(4)]
    assert [page.group for page in pages] == [pages[number].url for number in (0, 1, 0, 3)]
    assert pages[2].fold == pages[0].fold == fold_of("https://paper0.example/")
    assert (pages[0].text, pages[0].authors, pages[0].type) == ("One.\nTwo.", ("Ann", "Bo"), "article")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "true", "found", "right"),
    [
        ("title", "Five old harbours of the north", "Five Old Harbours of the North | Times", True),
        ("title", "Five old harbours", "Home", False),
        ("author", "Jared Newman and Sam Singleton", "Jared Newman; Sam Singleton", True),
        ("author", "Ann Lee", "Anna Leeds", False),
        ("author", "Ann Lee", "by", False),
        ("date", "2025-09-04", "September 4, 2025", True),
        ("date", "2025-09-04", "no date", False),
        ("date", "2025-09-04", None, False),
        ("title", "Title", "", False),
    ],
)
def test_fields_agree_as_people_would_say(name: str, true: str, found: str | None, right: bool) -> None:
    """Sites' names, conjunctions and ways to write a date make no difference."""
    assert agrees(name, true, found) == right


# ---------------------------------------------------------------------- the task


@dataclass(frozen=True)
class _Content:
    text: str
    title: str
    byline: str | None = None
    date: str | None = None


def _stand_in(page: Page) -> _Content:
    """The text of the first `main`, in the place of what finds it."""
    return _Content("\n".join(page.texts_of(page.with_tag("main"))), page.title, "Ann Lee")


@pytest.fixture
def options(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Options:
    """A set of two pages, a finder to stand in for ours, and no browser."""
    pages = tmp_path / "content2" / "pages"
    pages.mkdir(parents=True)
    body = f"<title>The Title</title><nav>Seven</nav><main>{TEXT}</main>"
    for name in ("a", "b"):
        (pages / f"{name}.html").write_text(f"<!doctype html>{body}", "utf-8")
    lines = [LINE, LINE | {"id": "b-2", "file": "pages/b.html", "type": "forum", "css": False, "author": None}]
    (tmp_path / "content2" / "truth.jsonl").write_text("\n".join(map(json.dumps, lines)), "utf-8")
    told = {name: LINE[name] for name in ("id", "file", "url", "with", "without")} | {"with": ["three four", "Six"]}
    (tmp_path / "content2" / "snippets.jsonl").write_text(json.dumps(told), "utf-8")
    (tmp_path / "things").mkdir()
    (tmp_path / "things" / "a.html").write_text(f"<!doctype html>{body}", "utf-8")
    fields = {"title": "The Title", "publishing_date": "2025-09-04", "body": [TEXT, "Eight."]}
    article = {"id": "article/a", "kind": "article", "file": "a.html", "fields": fields}
    (tmp_path / "things" / "truth.jsonl").write_text(json.dumps(article), "utf-8")
    monkeypatch.setattr(ways, "trace_content", lambda page, **_: SimpleNamespace(found=_stand_in(page)))
    monkeypatch.setattr(content, "rendered", _without_a_browser)
    return Options(data=tmp_path)


def _without_a_browser(files: Sequence[Path], *, keep: bool) -> list[Page]:
    assert not keep
    return static(files)


def _peers(files: Sequence[Path]) -> dict[str, Answer]:
    said = {"title": "The Title", "author": "Ann Lee", "date": "2025-09-04"}
    worse = Answer(["one two three four"] * len(files), [0.001] * len(files), version="2")
    texts = [TEXT, ""][: len(files)]
    return {"trafilatura": Answer(texts, [1e9] * len(files), [said, said], "1"), "other": worse}


@pytest.mark.slow
def test_run_gives_the_figures_of_the_issue(options: Options, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ours beside the best peer, articles no worse than it, fields where they are known, and time."""
    monkeypatch.setattr(content, "read_by_peers", _peers)
    outcome = content.run(options)
    figures = {figure.name: figure for figure in outcome.figures}
    assert (figures["word F1, all pages"].value, figures["word F1, all pages"].bound) == (1, 0.9)
    assert (figures["word F1, forum"].value, figures["word F1, forum"].bound) == (1, 0.85)
    assert (figures["F1 of shingles, articles"].peer, figures["F1 of shingles, articles"].bound) == (1, 1)
    assert figures["word F1, static"].value == 1
    assert (figures["snippets, F1"].value, figures["snippets, F1"].bound) == (1, 0.94)
    papers = figures["word F1, newspapers, static"]
    assert (papers.value, papers.peer, papers.bound) == (pytest.approx(12 / 13), pytest.approx(12 / 13), 0.97)
    assert figures["recall, all pages"].peer == 0.5
    assert [figures[f"{name} right"].value for name in ("title", "author", "date")] == [1, 1, 0]
    assert figures["processor time a page / trafilatura, ms"].kept
    assert outcome.details["other, forum: recall"] == pytest.approx(1 / 3, abs=1e-6)
    assert [len(one.files) for one in outcome.corpora] == [3, 2, 2]


@pytest.mark.slow
def test_run_without_peers_says_so(options: Options, monkeypatch: pytest.MonkeyPatch) -> None:
    """Figures that need a peer have no bound, or are left out."""
    monkeypatch.setattr(content, "read_by_peers", lambda _: {})
    outcome = content.run(options)
    assert "No peer is installed; see docs/benchmarks.md." in outcome.remarks
    assert next(figure for figure in outcome.figures if figure.name == "F1 of shingles, articles").bound is None
    assert not any("trafilatura" in figure.name for figure in outcome.figures)


def test_show_prints_what_is_wrong(
    options: Options, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Lines that were missed, and lines that are too much, of the pages asked for."""
    monkeypatch.setattr(ways, "trace_content", lambda *_, **__: SimpleNamespace(found=_Content("Buy now", "T")))
    content.show(Options(data=options.data, show=("worst", "5", "forum")))
    shown = capsys.readouterr().out
    assert "1 of 1 pages" in shown
    assert "b-2 [forum]" in shown
    assert f"missed: 1\n    {TEXT}" in shown
    assert "too much: 1\n    Buy now" in shown


def test_read_truth_takes_pages_by_name(options: Options) -> None:
    """Parts of ids and types choose pages; a name that none has is an error."""
    assert [page.id for page in read_truth(options, ["a-"]).pages] == ["a-1"]
    assert [page.id for page in read_truth(options, ["forum"]).pages] == ["b-2"]
    with pytest.raises(SystemExit, match="no page of content2 is named x"):
        read_truth(options, ["x"])
    with pytest.raises(SystemExit, match=r"truth\.jsonl is missing"):
        read_truth(Options(data=Path("nowhere")))


@pytest.mark.slow
def test_peers_read_the_files(options: Options, monkeypatch: pytest.MonkeyPatch) -> None:
    """Those that are installed answer with a text, a time and their version for every page; the others do not."""
    monkeypatch.setattr(peers, "CACHE", Path("nowhere"))
    truth = read_truth(options)
    found = read_by_peers(truth.files)
    assert {"trafilatura", "readability-lxml", "boilerpy3"} <= found.keys()
    for answer in found.values():
        assert len(answer.texts) == len(answer.seconds) == 2
        assert answer.version
    assert [said["title"] for said in found["trafilatura"].fields] == ["The Title"] * 2
