"""The public verbs."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import sightline as sl
from sightline.checks import CheckSettings, OutlierSettings, Report
from sightline.errors import UsageError
from sightline.extract.content import ContentSettings
from sightline.extract.lists import ListSettings, TopSettings
from sightline.extract.tables import TableSettings

from ._wait import BOUND


def test_open_takes_bytes_and_paths(tmp_path: Path) -> None:
    """The same document gives the same texts from bytes, a path and a string."""
    content = b"<!doctype html><title>One</title><p>Hello"
    path = tmp_path / "one.html"
    path.write_bytes(content)
    pages = [sl.open(source, static=True) for source in (content, path, str(path))]
    assert {page.title for page in pages} == {"One"}
    assert {page.text_of() for page in pages} == {"Hello"}


def test_open_refuses_an_archive_of_several_pages(tmp_path: Path) -> None:
    """Several pages in one source are not reduced to the first in silence."""
    for name in ("a", "b"):
        (tmp_path / f"{name}.html").write_text(f"<p>{name}")
    with pytest.raises(sl.errors.UsageError, match="open_all"):
        sl.open(tmp_path, static=True)


def test_open_all_gives_one_result_each_in_order(tmp_path: Path) -> None:
    """A source that fails has its error in its place and stops no other."""
    good = tmp_path / "good.html"
    good.write_text("<p>good")
    empty = tmp_path / "empty.html"
    empty.touch()
    names = [str(good), str(tmp_path / "missing.html"), str(empty), str(good)]
    results = list(sl.open_all(names, static=True))
    assert [result.source for result in results] == names
    assert [type(result.error).__name__ for result in results] == [
        "NoneType",
        "UnreachableError",
        "UnreadableError",
        "NoneType",
    ]


def test_save_and_open_give_the_same_page(tmp_path: Path) -> None:
    """What was saved comes back with the same id, without a browser."""
    page = sl.open(b"<p>Hello <b>you</b>", static=True)
    path = sl.save(page, tmp_path / "x.page")
    again = sl.open(path)
    assert again.id == page.id
    assert again.text_of() == "Hello you"


def test_save_asks_for_the_suffix(tmp_path: Path) -> None:
    """A page is saved under suffixes that say what it is only, so that nobody takes it for something else."""
    with pytest.raises(sl.errors.UsageError, match=r"\.page files, or as \.html"):
        sl.save(sl.open(b"<p>x", static=True), tmp_path / "x.txt")


@pytest.mark.slow
def test_import_leaves_slow_libraries_for_when_they_are_needed() -> None:
    """Pictures, units, names of months, signs of money and Arrow cost a third of a second; most calls need none."""
    slow = ("PIL", "babel", "dateparser", "nanoarrow", "pint", "price_parser", "pyarrow", "xlsxwriter")
    script = (
        f"import sys, sightline.cli; sightline.cli.program(); print([name for name in {slow} if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, timeout=BOUND)
    assert done.stdout.strip() == "[]"


def test_opening_pages_needs_no_extractor() -> None:
    """An extractor is imported when it is called, and its settings are there for whoever asks."""
    script = "import sys, sightline; print('sightline.extract' in sys.modules, sightline.TableSettings().least_score)"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, timeout=BOUND)
    assert done.stdout.split()[0] == "False"
    with pytest.raises(AttributeError, match="nonsense"):
        sl.nonsense  # type: ignore[attr-defined]  # noqa: B018


def test_tables_of_a_page_are_tables() -> None:
    """One table of a rendered page comes out with its headings, its places and its score."""
    page = sl.open(
        b"<!doctype html><style>td,th{border:1px solid;padding:6px}</style><h1>Shop</h1><table>"
        b"<tr><th>Name<th>Price<th>Weight<tr><td>Arden<td>$42<td>5 kg<tr><td>Norda<td>$7<td>3 kg"
        b"<tr><td>Z7<td>$9<td>4 kg</table><p>Come again."
    )
    (table,) = sl.tables(page)
    assert table.to_dicts()[1] == {"Name": "Norda", "Price": "$7", "Weight": "3 kg"}
    assert table.cells[1][1].origin is not None
    assert table.cells[1][1].origin.page == page.id
    assert 0 < table.score <= 1
    assert sl.tables(page, containing="Norda") == [table]
    assert sl.tables(page, containing="nowhere", settings=TableSettings()) == []


STARS = ("Sirius", "Canopus", "Arcturus", "Vega", "Capella")


def test_the_list_that_a_title_promises_is_a_list_of_items() -> None:
    """Five items of a rendered page come out with their titles, places and score."""
    items = "".join(f"<h2>{place}. {star}</h2><p>It is star {place} here." for place, star in enumerate(STARS, start=1))
    page = sl.open(f"<!doctype html><title>5 bright things</title><h1>5 bright things</h1>{items}".encode())
    found = sl.top_list(page)
    assert found is not None
    assert [(item.rank, item.title.text) for item in found] == list(enumerate(STARS, start=1))
    assert found[0].title.origin is not None
    assert found[0].title.origin.page == page.id
    assert 0 < found.score <= 1
    assert sl.top_list(page, k=77, settings=TopSettings(), following=lambda _: None) is None


def test_lists_of_a_page_are_lists_of_items() -> None:
    """A list comes out with its items and their parts; settings are taken."""
    items = "".join(f"<li><h3>{star}</h3><p>Star number {place}" for place, star in enumerate(STARS))
    page = sl.open(f"<!doctype html><ul>{items}</ul>".encode(), static=True)
    (found,) = sl.lists(page)
    assert found.to_dicts()[1] == {"title": "Canopus", "text": "Star number 1"}
    assert found[1].text.origin is not None
    assert sl.lists(page, settings=ListSettings(least_records=6)) == []


@pytest.mark.parametrize("verb", [sl.lists, sl.top_list, sl.tables, sl.content])
def test_verbs_take_a_page_or_a_source(verb: Callable[..., object], tmp_path: Path) -> None:
    """A page, a path, bytes or HTML give the same; what is none of them is refused with what to give."""
    markup = (
        "<title>3 stars</title><h1>3 stars</h1><ol>" + "".join(f"<li>Star {n}<p>It shines." for n in "abc") + "</ol>"
    )
    path = tmp_path / "x.html"
    path.write_text(markup)
    found = [
        verb(source, static=True) for source in (sl.open(path, static=True), path, str(path), markup, markup.encode())
    ]
    assert len(set(map(repr, found))) == 1
    with pytest.raises(sl.errors.UsageError, match="on a page, a source or HTML, not on 5"):
        verb(5)
    with pytest.raises(sl.errors.UnreachableError, match=r"missing\.html"):
        verb("missing.html", static=True)


def test_open_takes_html_with_its_address() -> None:
    """A text is decoded already, whatever it says of its charset, and its links lead from its address."""
    page = sl.open("<meta charset=latin1><p>Größe <a href=b>b</a>", url="https://example.org/a/", static=True)
    assert page.text_of(0) == "Größe b"
    assert page.url == "https://example.org/a/"
    assert sl.open(b"<p>x", url="https://example.org/a/", static=True).url == "https://example.org/a/"
    with pytest.raises(sl.errors.UsageError, match="address of HTML or bytes"):
        sl.open("x.html", url="https://example.org/")


@pytest.mark.parametrize("before", ["\ufeff", "\n  ", "\ufeff\n"])
def test_open_takes_html_with_a_mark_or_blanks_before_it(before: str) -> None:
    """Texts that were read from files often begin with a byte order mark."""
    page = sl.open(f"{before}<!doctype html><p>Bees", url="https://example.org/", static=True)
    assert page.text_of().strip("\ufeff\n ") == "Bees"


def test_results_are_short_to_look_at() -> None:
    """A list of tables is a line each, however large they are."""
    rows = [[f"a long heading {n}" for n in range(40)], *[["x"] * 40] * 500]
    table = sl.Table.from_rows(rows)
    assert len(repr(table)) < 150
    assert "500 rows of a long heading 0" in repr(table)
    assert len(repr(sl.Records([dict.fromkeys(rows[0], "1")]))) < 150


def test_results_have_rows_and_columns() -> None:
    """Tables, records and lists have a length, rows by number and columns by name; a wrong name gets the right ones."""
    table = sl.Table.from_rows([["Name", "Price (€)"], ["a", "5"], ["b", "7"]])
    assert (len(table), table[1].text("Name"), [row.text("Name") for row in table]) == (2, "b", ["a", "b"])
    assert table["Price"].values == table["Price (€)"].values == table.records()["Price (€)"].values
    assert len(table[:1]) == 1
    with pytest.raises(sl.errors.UsageError, match=r"no column 'Prise'; the columns are 'Name', 'Price \(€\)'"):
        table["Prise"]


def test_settings_of_lists_need_no_extractor_before_they_are_asked_for() -> None:
    """They are imported when they are named, as those of tables."""
    script = (
        "import sys, sightline; before = 'sightline.extract' in sys.modules;"
        "print(before, sightline.ListSettings().least_records, sightline.TopSettings().without)"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, timeout=BOUND)
    assert done.stdout.split() == ["False", "3", "()"]


STORY = "".join(
    f"<p>Sentence {place} is about the bees, and about as long as all the others are." for place in range(9)
)
LOUD = "<p style='font:bold 26px sans-serif;color:#c00;background:#ff0'>Buy honey now and save!"


def test_content_of_a_page_is_its_main_text() -> None:
    """Menus are not in it; another extractor can be asked, and settings are taken."""
    menu = "<nav><a href=/>Home</a> <a href=/n>News</a></nav>"
    page = sl.open(f"<!doctype html>{menu}<article><h1>Bees</h1>{STORY}</article>".encode(), static=True)
    found = sl.content(page, settings=ContentSettings(recall=2))
    assert found.title is not None
    assert found.title.text == "Bees"
    assert "Sentence 8" in found.text
    assert "News" not in found.text
    assert "Sentence 8" in sl.content(page, by="trafilatura").text
    with pytest.raises(sl.errors.UsageError, match="trafilatura"):
        sl.content(page, by="nonsense")


def _shop(numbers: range, price: str = "1{} €") -> list[sl.Page]:
    text = "<h1>Camera {}</h1><p>Price: <b>" + price + "</b></p><p>In our shop"
    return [sl.open(text.format(number, number).encode(), static=True) for number in numbers]


def test_check_holds_records_against_their_wrapper() -> None:
    """Good pages are ok; where the prices are gone that is said, of records as of what was read."""
    wrapper = sl.induce(_shop(range(14, 20)))
    good, bad = _shop(range(20, 40)), _shop(range(20, 40), "on request")
    assert sl.check([wrapper.read(page) for page in good], wrapper, pages=good).verdict == "ok"
    report = sl.check([wrapper.read(page) for page in bad], wrapper, pages=bad)
    assert report.verdict != "ok"
    assert isinstance(report, Report)
    assert "Price" in {issue.field for issue in report.issues}
    assert sl.check([wrapper.read(page).records for page in bad], wrapper).verdict != "ok"
    assert sl.check(wrapper.extract(good[0]), wrapper, pages=good[0]).verdict == "ok"
    assert sl.check(wrapper.read(sl.open(b"<p>x", static=True)), wrapper).verdict == "failed"


def test_check_compares_with_the_last_good_run() -> None:
    """A profile of it shows what changed since; checks can be left out."""
    from sightline.checks import PageRecords, profile_of_run

    wrapper = sl.induce(_shop(range(14, 20)))
    then = [wrapper.extract(page) for page in _shop(range(20, 30))]
    last = profile_of_run([PageRecords(records) for records in then])
    assert {issue.check for issue in sl.check(then, wrapper, last=last).issues} == {"drift"}
    assert sl.check(then, wrapper, last=last, settings=CheckSettings(without=("drift",))).issues == ()


def test_check_sees_what_looks_unlike_the_rest_of_a_text() -> None:
    """A main text needs its page, also where that is a part of one; records may be checked beside it."""
    page = sl.open(f"<!doctype html><article><h1>Bees</h1>{STORY}{LOUD}{STORY}</article>".encode())
    settings = OutlierSettings(method="hbos")
    report = sl.check(sl.content(page), pages=page, settings=settings)
    assert [issue.check for issue in report.issues] == ["outliers"]
    assert "Buy honey" in report.issues[0].reason
    part = page.subtree(int(page.with_tag("article")[0]))
    assert sl.check(sl.content(part), pages=part, settings=settings).issues[0].reason == report.issues[0].reason
    both = sl.check([sl.content(page), sl.lists(page)[0].records()], pages=[page, page], settings=settings)
    assert "outliers" in {issue.check for issue in both.issues}


@pytest.mark.parametrize("given", ["x", 5, None, {}, [None], ["x"], object()])
def test_check_refuses_what_was_not_found(given: object) -> None:
    """Whatever else is wrong is told by the report; this is a mistake of the caller."""
    with pytest.raises(sl.errors.UsageError, match="What can be checked"):
        sl.check(given)  # type: ignore[arg-type]


def test_check_refuses_what_does_not_fit_together() -> None:
    """Pages in step, a wrapper that is one, settings of the right kind, and the page that a text is of."""
    page, other = (sl.open(text, static=True) for text in (b"<h1>Bees</h1><p>They dance in the dark.", b"<p>Ants"))
    found = sl.content(page)
    for mistake, arguments in (
        ("give it with pages=", {}),
        ("is from another page", {"pages": other}),
        (r"different numbers \(1 and 2\)", {"pages": [page, page]}),
        ("open it first", {"pages": "x.html"}),
        ("not by 5", {"wrapper": 5, "pages": page}),
        ("OutlierSettings", {"pages": page, "settings": CheckSettings()}),
    ):
        with pytest.raises(sl.errors.UsageError, match=mistake):
            sl.check(found, **arguments)  # type: ignore[arg-type]


def test_check_of_nothing_has_failed() -> None:
    """An empty run is no good run."""
    assert sl.check([]).verdict == "failed"


@pytest.mark.parametrize("given", [["a.html", "b.html"], 7, None])
def test_facts_refuses_what_is_no_source(given: object) -> None:
    """A list of sources is the commonest slip, so the error says how to give several."""
    with pytest.raises(UsageError, match=r"each an argument of its own, not on .*; write facts\(\*pages\)"):
        sl.facts(given)  # type: ignore[arg-type]
