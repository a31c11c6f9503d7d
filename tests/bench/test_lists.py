"""The score of lists, on lists small enough to count by hand, and the task around it."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from bench.frame import Options
from bench.lists import _top_figures, ablate, pages, published, show, speed
from bench.lists.items import Found, one_to_one, rates
from bench.lists.peers import read, siblings
from bench.lists.records import ListTruth, PageScore, compared, groups, score, summary
from bench.lists.report import report_lists, report_tops
from bench.lists.speed import Split
from bench.lists.topk import Summary, TopTruth
from bench.lists.topk import score as score_top
from bench.pages import rendered
from bench.searches import Timing, cost

from sightline.data import Item, ItemList, Record, Value
from sightline.page import Page
from sightline.testing import list_page

RECORDS = [
    ["Anvil", "heavy block of forged steel", "12 €"],
    ["Bellows", "leather bag that blows air", "30 €"],
    ["Chisel", "long tool that cuts metal", "7 €"],
]


def _truth(**more: Any) -> ListTruth:
    line = {"id": "a", "set": "s", "part": "p", "file": "a.html", "complete": True}
    return ListTruth.from_json(line | {"records": [{"fields": fields} for fields in RECORDS]} | more)


def _item(fields: Sequence[str], *, apart: bool = True) -> Found:
    return Found(fields[0], " ".join(fields), tuple(fields) if apart else ())


FOUND = [_item(fields) for fields in RECORDS]
MENU = [Found(text, text) for text in ("Home", "News", "About")]


def test_everything_right() -> None:
    """All records with all cells: full marks."""
    found = compared(_truth(), FOUND)
    assert (found.records.f1, found.cells.f1, found.size) == (1.0, 1.0, 3)


def test_a_record_needs_80_percent_of_its_words() -> None:
    """Of ten words eight are enough, seven are not; words that are not its own cost nothing here."""
    truth = _truth(records=[{"fields": ["a b c d e", "f g h i j"]}])
    assert compared(truth, [Found("", "a b c d e f g h and quite some other words")]).records.f1 == 1.0
    assert compared(truth, [Found("", "a b c d e f g")]).records.f1 == 0.0


def test_words_count_as_often_as_they_stand_there() -> None:
    """A word that a record has three times is not had by having it once."""
    truth = _truth(records=[{"fields": ["no no no yes"]}])
    assert compared(truth, [Found("", "no yes")]).records.f1 == 0.0
    assert compared(truth, [Found("", "no no no yes")]).records.f1 == 1.0


def test_two_records_in_one_are_none() -> None:
    """More than half of another record makes it merged; half of one does not."""
    both = _item([*RECORDS[0], *RECORDS[1]])
    found = compared(_truth(), [both, FOUND[2]])
    assert (found.records.precision, found.records.recall) == (0.5, pytest.approx(1 / 3))
    truth = _truth(records=[{"fields": ["a b c d"]}, {"fields": ["e f g h"]}])
    assert compared(truth, [Found("", "a b c d e f and more")]).records.recall == 0.5
    assert compared(truth, [Found("", "a b c d e f g")]).records.recall == 0.0


def test_words_of_the_own_record_are_no_other_record() -> None:
    """Records that share most of their words are not merged by that: what is left of an item counts."""
    alike = [{"fields": ["Anvil of steel for smiths", size]} for size in ("small", "large")]
    found = compared(_truth(records=alike), [Found("", "Anvil of steel for smiths small")])
    assert found.records.recall == 0.5


def test_records_are_paired_one_to_one() -> None:
    """Twice the same record is right once; equal records each need an item of their own."""
    assert compared(_truth(), [FOUND[0], FOUND[0]]).records.precision == 0.5
    equal = _truth(records=[{"fields": RECORDS[0]}] * 3)
    assert compared(equal, FOUND[:1]).records.recall == pytest.approx(1 / 3)
    assert compared(equal, FOUND[:1] * 3).records.recall == 1.0


@pytest.mark.slow
def test_pairs_are_as_many_as_possible() -> None:
    """A pair is given up if there is another for both; hundreds of equal ones recurse without trouble."""
    assert one_to_one([[0, 1], [0, 2], [0]]) == {0: 1, 1: 2, 2: 0}
    assert one_to_one([[0], [0], []]) == {0: 0}
    many = [list(range(600))] * 600
    assert len(one_to_one(many)) == 600


def test_items_without_words_are_nobodys() -> None:
    """They are neither right nor wrong."""
    found = compared(_truth(), [*FOUND, Found("–", " ")])
    assert (found.records.precision, found.size) == (1.0, 3)


def test_the_words_of_an_item_are_a_union() -> None:
    """A part that the text has, too, is not counted twice; one that it lacks is counted."""
    assert Found("a b", "a b c", ("c", "d")).bag == {"a": 1, "b": 1, "c": 1, "d": 1}
    assert Found("a", "", ("a", "a")).bag == {"a": 2}


def test_cells_are_the_parts_or_title_and_rest() -> None:
    """Numbers are the same in every spelling; without parts the title is a cell, and so is what is left."""
    assert Found("Anvil", "Anvil 1,000 kg", ("Anvil", "1000 kg")).cells == {"anvil": 1, "1000 kg": 1}
    assert Found("Anvil", "Anvil 1,000 kg").cells == {"anvil": 1, "1000 kg": 1}
    assert Found("", "Anvil 1,000 kg").cells == {"anvil 1000 kg": 1}
    assert Found("Anvil", "Anvil, my Anvil").cells == {"anvil": 1, "my anvil": 1}


def test_cells_count_within_pairs() -> None:
    """Of three records one is found whole, one in two cells, one not at all."""
    halved = Found("Bellows", " ".join(RECORDS[1]))
    found = compared(_truth(), [FOUND[0], halved, Found("x", "x", ("Chisel", "7 €"))])
    assert (found.cells.precision, found.cells.recall) == (pytest.approx(4 / 7), pytest.approx(4 / 9))


def test_the_json_contract_is_read() -> None:
    """Parts may be nested, several or missing."""
    item = {"title": "a", "text": None, "components": {"x": ["b", {"y": "c"}], "z": None}}
    assert Found.from_json(item) == Found("a", "", ("b", "c"))
    assert Found.from_json({}) == Found()


def test_best_is_any_list_and_first_the_one_ranked_first() -> None:
    """What is found and how it is ranked are two figures."""
    page = score(_truth(), [MENU, FOUND])
    assert (page.best.records.f1, page.best.place) == (1.0, 1)
    assert (page.first.records.f1, page.first.place) == (0.0, 0)


def test_first_is_the_better_of_as_many_as_the_page_has() -> None:
    """A page with two known lists has two first places."""
    assert score(_truth(lists_on_page=2), [MENU, FOUND]).first.records.f1 == 1.0
    assert score(_truth(lists_on_page=2), [MENU, MENU, FOUND]).first.records.f1 == 0.0


def test_of_equal_lists_the_one_with_better_cells_is_best() -> None:
    """And nothing found is nothing scored."""
    whole = [Found("", " ".join(fields)) for fields in RECORDS]
    assert score(_truth(), [whole, FOUND]).best.place == 1
    assert score(_truth(), []).best.place is None


def test_a_list_known_in_part_asks_for_recall() -> None:
    """The best list is the shortest that has it, and precision has no say."""
    truth = _truth(complete=False)
    page = score(truth, [[*FOUND, *MENU], FOUND, FOUND[:2]])
    assert (page.best.place, page.best.records.recall) == (1, 1.0)
    found = summary([page])
    assert (found.best_recall, found.best_f1, found.best_precision, found.good) == (1.0, None, None, None)


def _pages() -> list[PageScore]:
    """A list that is found, one that is ranked second in another part, and one of another set where nothing is."""
    return [
        score(_truth(), [FOUND]),
        score(_truth(part="q"), [MENU, FOUND[:2]]),
        score(_truth(set="t"), []),
    ]


def test_summary() -> None:
    """Means are over known lists."""
    found = summary(_pages())
    assert found.lists == 3
    assert (found.best_precision, found.best_recall) == (pytest.approx(2 / 3), pytest.approx(5 / 9))
    assert found.best_f1 == pytest.approx((1 + 0.8) / 3)
    assert found.good == found.first_f1 == found.first_cells == pytest.approx(1 / 3)
    assert found.any == pytest.approx(2 / 3)


def test_groups() -> None:
    """Sets, and the parts of a set that has more than one."""
    found = groups(_pages())
    assert list(found) == ["all", "s", "s / p", "s / q", "t"]
    assert (found["s / p"].best_f1, found["t"].best_f1) == (1.0, 0.0)


def test_rates_of_nothing() -> None:
    """Nothing found, or nothing known: no division, and no marks."""
    assert rates(0, 0, 3).f1 == rates(0, 3, 0).f1 == 0.0


def test_siblings_are_alike_in_tag_and_class(tmp_path: Path) -> None:
    """Three or more make a list, most text first; scripts and empty ones are none."""
    path = tmp_path / "page.html"
    cards = "".join(f"<div class=card><b>{name}</b> {price}</div>" for name, _, price in RECORDS)
    menu = "<nav><a>Home</a><a>News</a><a></a><a>About</a></nav><p>one<p>two"
    path.write_text(f"<!doctype html><title>t</title>{menu}<main><div>other</div>{cards}<script>x</script></main>")
    found = siblings(read(path))
    assert [[item.title for item in items] for items in found] == [
        ["Anvil", "Bellows", "Chisel"],
        ["Home", "News", "About"],
    ]
    assert found[0][0] == Found("Anvil", "Anvil 12 €", ("Anvil", "12 €"))


# The task around the scores.


def _line(name: str, part: str = "plain") -> dict[str, object]:
    records = [{"fields": fields} for fields in RECORDS]
    return {
        "id": f"set/{name}",
        "set": "set",
        "part": part,
        "file": f"{name}.html",
        "records": records,
        "complete": True,
    }


def _folder(tmp_path: Path, *lines: Mapping[str, object]) -> Options:
    for name in ("lists", "topk"):
        (tmp_path / name).mkdir()
    for line in lines:
        (tmp_path / "lists" / str(line["file"])).write_text(f"<title>{line['id']}</title><p>{line['id']}")
    (tmp_path / "lists" / "truth.jsonl").write_text("\n".join(json.dumps(line) for line in lines) + "\n")
    (tmp_path / "topk" / "truth.jsonl").write_text("")
    return Options(data=tmp_path)


@pytest.fixture
def fake(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, tuple[str, ...]]]:
    """An engine that finds the same everywhere, and tells which rules it was asked to leave out."""
    asked: list[tuple[str, tuple[str, ...]]] = []
    found = ItemList(tuple(Item(Value(f[0]), Value(" ".join(f)), components=Record({"p": f[2]})) for f in RECORDS))

    def find_lists(_page: Page, *, settings: Any) -> list[ItemList]:
        asked.append(("lists", settings.without))
        return [found]

    def find_top(_page: Page, *, settings: Any) -> ItemList | None:
        asked.append(("top", settings.without))
        return None

    replaced = {
        "find_lists": find_lists,
        "find_top": find_top,
        "basic_top": lambda _page: found,
        "ListSettings": lambda without: SimpleNamespace(without=without),
        "TopSettings": lambda without: SimpleNamespace(without=without),
        "LIST_RULES": {"grid": "says grid", "both": "says both"},
        "TOP_RULES": {
            "both": "says both",
            **dict.fromkeys(pages.OPTIMISATIONS, "was published"),
            **dict.fromkeys(pages.OURS, "was not"),
        },
    }
    for name, value in replaced.items():
        monkeypatch.setattr(pages.engine, name, value, raising=False)
    return asked


def test_truth_is_chosen_by_name_or_part(tmp_path: Path) -> None:
    """`--show` names pages by part of their id or by their part; a file with two lists is one page."""
    second = _line("one", "grid") | {"id": "set/one#second"}
    options = _folder(tmp_path, _line("one"), second, _line("three"))
    truth = pages.lists_truth(options)
    assert (len(truth.known), truth.names) == (3, ("one.html", "three.html"))
    assert [one.id for one in pages.lists_truth(options, ["three", "grid"]).known] == ["set/one#second", "set/three"]
    with pytest.raises(SystemExit, match="no page of lists or topk is named four"):
        show(Options(data=tmp_path, show=("four",)))


def test_missing_truth_is_named(tmp_path: Path) -> None:
    """A folder without truth is refused with a word on how to get it."""
    with pytest.raises(SystemExit, match=r"truth\.jsonl is missing"):
        pages.top_truth(Options(data=tmp_path))


def test_rules_go_where_they_are_rules(fake: list[tuple[str, tuple[str, ...]]]) -> None:
    """A rule of both is left out of both; a misspelt one would measure the full engine and say otherwise."""
    page = list_page(["one"])
    pages.list_way(("grid", "both"))(page)
    pages.top_way(("grid", "both"))(page)
    assert fake == [("lists", ("grid", "both")), ("top", ("both",))]
    with pytest.raises(SystemExit, match="no rule blah"):
        pages.split(("grid", "blah"))


def test_every_published_optimisation_is_left_out_alone(fake: list[tuple[str, tuple[str, ...]]]) -> None:
    """Beside ours and the method without any of them."""
    by_way = pages.top_ways(("both",))
    assert list(by_way)[:3] == [pages.DEFAULT, pages.BASIC, pages.PATHS]
    for way in by_way.values():
        way(list_page(["one"]))
    paths = ("both", *pages.OURS)
    assert fake == [
        ("top", ("both",)),
        ("top", paths),
        *(("top", ("both", rule)) for rule in pages.OPTIMISATIONS),
        *(("top", (*paths, rule)) for rule in pages.OPTIMISATIONS),
    ]


def test_found_lists_are_those_of_the_contract(tmp_path: Path, fake: list[object]) -> None:
    """What users get is what is scored; no list is no items; an error names its page."""
    truth = pages.lists_truth(_folder(tmp_path, _line("one")))
    page = list_page(["one"])
    found = pages.found_lists(truth, [page], pages.list_way())
    assert found["one.html"][0][0] == Found("Anvil", " ".join(RECORDS[0]), ("12 €",))
    assert pages.score_lists(truth, found)[0].best.records.f1 == 1.0
    assert pages.found_tops(truth, [page], pages.top_way()) == {"one.html": []}  # type: ignore[arg-type]

    def fails(_page: Page) -> list[ItemList]:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError) as problem:
        pages.found_lists(truth, [page], fails)
    assert problem.value.__notes__ == ["on the page one.html"]
    assert fake


def test_pages_are_rendered_once_a_file(tmp_path: Path) -> None:
    """Two lists of one file are two lines of the truth and one page."""
    second = _line("one", "grid") | {"id": "set/one#second"}
    truth = pages.lists_truth(_folder(tmp_path, _line("one"), second))
    assert [page.title for page in rendered(truth.files, keep=False)] == ["set/one#second"]


def test_report_shows_what_is_missed_and_wrong(capsys: pytest.CaptureFixture[str]) -> None:
    """Lists with records missed, items too many and cells that differ; good ones are not shown."""
    lists = [MENU, [FOUND[0], Found("Bellows", " ".join(RECORDS[1])), Found("Stray", "Stray")]]
    report_lists([score(_truth(), lists)], {"a.html": lists})
    shown = capsys.readouterr().out
    for text in ("1 of 1 lists", "number 2 of 2", "missed: 1", "Chisel | long tool", "Stray", "Home", "wrong cells: 1"):
        assert text in shown
    report_lists([score(_truth(), [FOUND])], {"a.html": [FOUND]})
    assert "Chisel" not in capsys.readouterr().out
    report_lists([score(_truth(), [])], {"a.html": []})
    assert "no list was found" in capsys.readouterr().out


def test_report_of_top_lists(capsys: pytest.CaptureFixture[str]) -> None:
    """Titles missed and wrong, and pages that have no list."""
    line = {
        "id": "a",
        "set": "s",
        "part": "read",
        "file": "a.html",
        "k": 2,
        "items": ["Anvil", "Bellows"],
        "title": "2 Tools",
    }
    good, bad = (TopTruth.from_json(line | {"k": k, "items": line["items"] if k else []}) for k in (2, None))
    found = [Found("Anvil", ""), Found("Share this", "")]
    report_tops([score_top(good, found), score_top(bad, found)], {"a.html": found})
    shown = capsys.readouterr().out
    for text in ("2 Tools: k 2, found 2", "missed: 1", "Bellows", "wrong: 1", "Share this", "1 pages without a list"):
        assert text in shown


def test_every_rule_is_left_out_in_turn(tmp_path: Path, fake: list[tuple[str, tuple[str, ...]]]) -> None:
    """Those of lists on pages with lists, those of top-k lists on the others."""
    ablate(Options(data=_folder(tmp_path, _line("one")).data, limit=1))
    assert fake == [("lists", ()), ("lists", ("grid",)), ("lists", ("both",))]


def test_time_is_split() -> None:
    """Load and capture are the input, optimisation is what is beyond the plain method, and shares add up."""
    [split] = speed.parts_rendered([Timing(0.2, 0.1, {"basic": 0.01, "full": 0.03})], "basic", "full")
    assert (split.input, split.parsing, split.algorithm) == (pytest.approx(0.3), None, 0.01)
    assert (split.optimisation, split.total) == (pytest.approx(0.02), pytest.approx(0.33))
    assert published._time([Split(0.1, 0.1, 0.1, 0.1)], "parsing") == ("100.00", "25.0%")
    assert published._time([split], "parsing") == ("–", "–")


def test_cost_is_the_median_of_ratios() -> None:
    """A page that takes long weighs no more than any other."""
    measured = [Timing(1, 0.1, {"a": time}) for time in (0.01, 0.02, 0.9)]
    figure = cost("finding", measured, "a", 0.25)
    assert (figure.value, figure.kept) == (pytest.approx(0.2), True)


def test_figures_are_held_to_their_bounds() -> None:
    """False alarms are better when fewer, all else when more."""
    ours = Summary(9, 5, 0.97, 0.93, 0.9, 0.9, 0.97, 0.9, 0.9, 0.92, 0.9, 0.03)
    figures = _top_figures({"sightline": ours, "headings": ours})
    assert len(figures) == 5
    assert all(figure.kept for figure in figures)
    worse = Summary(9, 5, 0.96, 0.92, 0.9, 0.9, 0.96, 0.9, 0.9, 0.91, 0.9, 0.04)
    assert not any(figure.kept for figure in _top_figures({"sightline": worse, "headings": ours}))


@pytest.mark.parametrize(
    ("make", "row"), [(speed._markup, "<li>"), (speed._cards, "<div><div>"), (speed._article, "<b>Reader")]
)
def test_large_pages_have_the_rows_they_claim(make: Any, row: str) -> None:
    """Ten times the rows, no two the same."""
    assert [make(rows).count(row) for rows in (100, 1_000)] == [100, 1_000]
    assert len({text for _, *texts in speed._offers(1_000) for text in texts[::2]}) == 2_000
