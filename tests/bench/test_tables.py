"""The tables task around its score: data, ways, report, ablation, and how peers are read."""

import json
from collections.abc import Mapping
from pathlib import Path

import pytest
from bench.ablation import changed
from bench.frame import Figure, Options, thinned
from bench.pages import rendered
from bench.tables import Detection, detection, pages, report
from bench.tables.adjacency import Found, PageTruth, score
from bench.tables.pages import DEFAULT, RENDERING, Truth, found_on, read_truth, settings_without, ways
from bench.tables.peers import _with_headings
from bench.tables.speed import LARGE_COLUMNS, _divs, _large, _markup

import sightline as sl
from bench import pages as all_pages
from sightline.data import Table
from sightline.page import Page
from sightline.testing import list_page

ROWS = [["Name", "Price"], ["Anvil", "12"], ["Bellows", "30"]]


def _line(name: str, part: str = "plain") -> dict[str, object]:
    table = {"rows": ROWS, "header_rows": 1, "kind": "markup"}
    return {"id": f"set/{name}", "set": "set", "part": part, "file": f"{name}.html", "tables": [table]}


def _folder(tmp_path: Path, *lines: Mapping[str, object]) -> Options:
    (tmp_path / "tables").mkdir()
    for line in lines:
        (tmp_path / "tables" / str(line["file"])).write_text(f"<title>{line['id']}</title><p>{line['id']}")
    text = "\n".join(json.dumps(line) for line in lines)
    (tmp_path / "tables" / "truth.jsonl").write_text(text + "\n")
    return Options(data=tmp_path)


def test_truth_is_chosen_by_name_or_part(tmp_path: Path) -> None:
    """`--show` names pages by part of their id or by their part."""
    options = _folder(tmp_path, _line("one"), _line("two", "grid"), _line("three"))
    assert [page.id for page in read_truth(options).pages] == ["set/one", "set/two", "set/three"]
    assert [page.id for page in read_truth(options, ["three", "grid"]).pages] == ["set/two", "set/three"]
    with pytest.raises(SystemExit, match="no page"):
        read_truth(options, ["four"])


def test_missing_truth_is_named(tmp_path: Path) -> None:
    """A folder without truth is refused with a word on how to get it."""
    (tmp_path / "tables").mkdir()
    with pytest.raises(SystemExit, match=r"truth\.jsonl is missing"):
        read_truth(Options(data=tmp_path))


def test_the_hash_covers_the_truth(tmp_path: Path) -> None:
    """Figures on another truth are figures on other data."""
    options = _folder(tmp_path, _line("one"))
    before = read_truth(options).corpus.hash
    path = tmp_path / "tables" / "truth.jsonl"
    path.write_text(path.read_text().replace("Anvil", "Hammer"))
    assert read_truth(options).corpus.hash != before


def test_kept_pages_are_used_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With `keep` a page is rendered once; without, always."""
    monkeypatch.setattr(all_pages, "CACHE", tmp_path / "cache")
    truth = read_truth(_folder(tmp_path, _line("one")))
    [first] = rendered(truth.files, keep=True)

    def refuse(sources: list[str], **_: object) -> list[object]:
        assert not sources
        return []

    monkeypatch.setattr(all_pages.sl, "open_all", refuse)
    [again] = rendered(truth.files, keep=True)
    assert (again.id, again.title) == (first.id, "set/one")
    with pytest.raises(AssertionError):
        rendered(truth.files, keep=False)


def test_unknown_rules_are_refused() -> None:
    """A misspelt rule would measure the full engine and say otherwise."""
    with pytest.raises(SystemExit, match="no rule blah"):
        settings_without("markup", "blah")


def test_rendering_alone_leaves_the_markup_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """The two ways differ in one rule, besides those that are left out of both."""
    used = []
    monkeypatch.setattr(pages, "find_tables", lambda _page, settings: used.append(settings.without))
    by_way = ways(("words",))
    for name in (DEFAULT, RENDERING):
        by_way[name](list_page(["one"]))
    assert used == [("words",), ("words", "markup")]


def test_an_error_names_its_page(tmp_path: Path) -> None:
    """Whatever a way raises tells on which page."""

    def fails(_page: Page) -> list[Table]:
        raise ZeroDivisionError

    truth = Truth(tmp_path, (PageTruth.from_json(_line("one")),))
    with pytest.raises(ZeroDivisionError) as problem:
        found_on(truth, [list_page(["one"])], fails)
    assert problem.value.__notes__ == ["on the page set/one"]


def test_found_tables_keep_their_cells(tmp_path: Path) -> None:
    """Spanning cells are known as such, so that their words count once."""
    truth = Truth(tmp_path, (PageTruth.from_json(_line("one")),))
    [[found]] = found_on(truth, [list_page(["one"])], lambda _page: [Table.from_rows(ROWS)])
    assert (found.rows, found.header_rows) == (ROWS, 1)
    assert found.texts == ("Name", "Price", "Anvil", "12", "Bellows", "30")


def test_report_shows_truth_beside_what_was_found(capsys: pytest.CaptureFixture[str]) -> None:
    """Bad tables with what is missing, layout, and wrong tables; good ones are not shown."""
    line = _line("one") | {"complete": True, "layout": ["Home News Contact"]}
    truth = PageTruth.from_json(line)
    found = [Found(ROWS[:2], 1), Found([["Home", "News", "Contact"]], 0)]
    report([score(truth, found)], [found])
    shown = capsys.readouterr().out
    for text in ("set/one", "1 tables that are not right", "Bellows", "missing: 3", "1 layout", "Home | News"):
        assert text in shown
    report([score(truth, [Found(ROWS, 1)])], [[Found(ROWS, 1)]])
    assert "Bellows" not in capsys.readouterr().out


def test_detection_is_over_complete_pages() -> None:
    """Precision and recall of tables found; pages whose tables are not all known say nothing."""
    complete, other = (PageTruth.from_json(_line("one") | {"complete": is_it}) for is_it in (True, False))
    wrong = Found([["no", "table"]], 0)
    scored = [score(complete, [Found(ROWS, 1), wrong]), score(complete, []), score(other, [wrong, wrong])]
    assert detection(scored) == Detection(hits=1, handed_out=2, known=2)
    assert (detection(scored).precision, detection(scored).recall, detection(scored).f) == (0.5, 0.5, 0.5)
    assert detection([]).f == 0.0


def test_losses_are_red_in_the_ablation() -> None:
    """Less is a loss, except of layout tables."""
    assert changed(0.9, 0.8) == "0.800 [red]-0.100[/]"
    assert changed(0.9, 0.95) == "0.950 [green]+0.050[/]"
    assert changed(0.02, 0.04, lower_is_better=True) == "0.040 [red]+0.020[/]"
    assert changed(0.9, 0.9) == "0.900"


@pytest.mark.parametrize(
    ("headings", "body", "rows", "header_rows"),
    [
        (["a", "b"], [["1", "2"]], [["a", "b"], ["1", "2"]], 1),
        (["a", "b"], [["a", "b"], ["1", "2"]], [["a", "b"], ["1", "2"]], 1),
        ([], [["1", "2"]], [["1", "2"]], 0),
    ],
)
def test_headings_of_a_peer_join_its_rows(
    headings: list[str], body: list[list[str]], rows: list[list[str]], header_rows: int
) -> None:
    """A heading stands above the rows, once."""
    assert _with_headings({"headers": headings, "rows": body}) == {"rows": rows, "header_rows": header_rows}


@pytest.mark.parametrize(("make", "cell"), [(_markup, "<td>"), (_divs, "<div>")])
def test_large_pages_have_the_cells_they_claim(make: object, cell: str) -> None:
    """Ten times the rows are ten times the cells."""
    assert callable(make)
    assert make(100).count(cell) == 1_000
    assert make(1_000).count(cell) == 10_000


def test_thinning_is_even() -> None:
    """As many as asked for, from all over; all of them where there are fewer."""
    assert thinned(range(10), 5) == [0, 2, 4, 6, 8]
    assert thinned(range(3), 5) == thinned(range(3), None) == [0, 1, 2]


def test_a_figure_without_a_bound_is_kept() -> None:
    """It is shown for comparison only."""
    assert Figure("f", 0.1, 0.9, 0.1, None, "higher").kept
    assert not Figure("f", 0.1, 0.9, 0.1, 0.5, "higher").kept


def test_the_large_page_is_one_full_table() -> None:
    """What is timed without a browser is one table with a heading row, and no cell is missing."""
    (table,) = sl.tables(sl.open(_large(40).encode(), static=True))
    assert (len(table.rows), table.width, table.header_rows) == (40, LARGE_COLUMNS, 1)
    assert all(text for row in table.rows for text in row)
