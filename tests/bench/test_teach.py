"""The task around taught wrappers, on small sites, with a lesson in its place that knows tags and classes alone."""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from bench.frame import Options
from bench.induce.columns import key
from bench.teach import clicks, peers, run, show, speed, ways
from bench.teach.clicks import Cells, clicked
from bench.teach.evolution import evolved, silent, survival
from bench.teach.lessons import Delivered, Example, Job, corpora, example_order, read_steps, read_taught_sites
from bench.teach.scores import Measured, flat, measured, named_score, rate

import sightline as sl
from bench import peers as all_peers
from sightline.errors import UsageError
from sightline.page import Page

# A lesson as it was before there was one: whatever has the tag and class of an example, without what was rejected.


@dataclass(frozen=True)
class _Match:
    node: int
    text: str


@dataclass(frozen=True)
class _Records:
    rows: list[dict[str, Any]]

    def to_dicts(self) -> list[dict[str, Any]]:
        return self.rows


@dataclass(frozen=True)
class _Found:
    records: _Records
    verdict: str


@dataclass
class _Lesson:
    """Rules are (tag, class, place among its like, or None for all of them)."""

    rules: dict[str, set[tuple[str, str]]] = field(default_factory=dict)
    refused: set[tuple[str, int]] = field(default_factory=set)
    sets: set[str] = field(default_factory=set)

    def want(self, name: str, what: str | int, *, page: Page) -> None:
        node = what if isinstance(what, int) else _node(page, what)
        self.rules.setdefault(name, set()).add(_kind(page, node))

    def reject(self, name: str, what: str | int, *, page: Page) -> None:
        assert isinstance(what, int)
        assert name in self.rules
        self.refused.add((page.id, what))

    def show(
        self, page: Page, fields: Mapping[str, Sequence[str]], records: Sequence[Mapping[str, Sequence[str]]]
    ) -> None:
        for texts in (fields, *records):
            for name, several in texts.items():
                for text in several:
                    self.want(name, text, page=page)
        self.sets |= {name for record in records for name in record}

    def matches(self, name: str, page: Page) -> list[_Match]:
        nodes = [node for node in range(len(page)) if _kind(page, node) in self.rules.get(name, ())]
        return [_Match(node, page.node(node).text) for node in nodes if (page.id, node) not in self.refused]

    @property
    def wrapper(self) -> "_Lesson":
        return self

    def read(self, page: Page) -> _Found:
        found = {name: [match.text for match in self.matches(name, page)] for name in self.rules}
        row: dict[str, Any] = {name: texts for name, texts in found.items() if texts and name not in self.sets}
        columns = {name: texts for name, texts in found.items() if name in self.sets}
        rows = [dict(zip(columns, texts, strict=True)) for texts in zip(*columns.values(), strict=False)]
        record = [row | ({"items": rows} if rows else {})] if row or rows else []
        return _Found(_Records(record), "ok" if record else "failed")

    def repair(self, pages: Sequence[Page]) -> Any:
        if not any("h2" in str(page.node(node).tag) for page in pages for node in range(len(page))):
            raise UsageError("Nothing on these pages is known.")
        mended = {name: {("h2", "")} if ("h1", "") in kinds else kinds for name, kinds in self.rules.items()}
        return type("Proposal", (), {"wrapper": _Lesson(mended)})()


def _kind(page: Page, node: int) -> tuple[str, str]:
    own = page.node(node)
    return str(own.tag), own.attributes.get("class", "")


def _node(page: Page, text: str) -> int:
    for node in reversed(range(len(page))):
        if str(page.node(node).tag).isalnum() and key(page.node(node).text) == key(text):
            return node
    raise UsageError(f"There is no text {text!r} on the page.")


def _write(folder: Path, pages: Mapping[str, str], truth: Mapping[str, Mapping[str, Any]]) -> None:
    folder.mkdir(parents=True)
    for name, html in pages.items():
        (folder / name).write_text(f"<!doctype html><title>t</title>{html}")
    home = folder.parent if folder.name == "pages" else folder
    (home / "truth.jsonl").write_text("\n".join(json.dumps({"file": name, **truth[name]}) for name in pages) + "\n")


def _write_listing(folder: Path) -> None:
    """A set with one page of results, and a list of texts on another."""
    folder.mkdir()
    results = [[f"Tool number {row}", f"{row + 3} €"] for row in range(6)]
    texts = [[f"Take {row} spoons of flour"] for row in range(4)]
    pages = {
        "results.html": "".join(f"<li><h3>{name}</h3><b class=price>{price}</b>" for name, price in results),
        "texts.html": "".join(f"<li>{text}" for [text] in texts),
    }
    for name, body in pages.items():
        (folder / name).write_text(f"<h1>Found</h1><ul>{body}</ul><p>That was all of it.</p>", "utf-8")
    known = [("results.html", results), ("texts.html", texts)]
    lines = [
        {"id": name, "set": "made", "file": name, "records": [{"fields": cells} for cells in records], "complete": True}
        for name, records in known
    ]
    (folder / "truth.jsonl").write_text("\n".join(map(json.dumps, lines)), "utf-8")


@pytest.fixture
def options(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Options:
    """Two sites, one of products and one of lists, and one site that was made anew twice."""
    numbers = range(6)
    products = {f"{n}.html": f"<h1>Anvil {n}</h1><b class=price>{n + 3} €</b><b>Old {n}</b>" for n in numbers}
    known = {f"{n}.html": {"fields": {"title": [f"Anvil {n}"], "price": [f"{n + 3} €"]}} for n in numbers}
    _write(tmp_path / "sites" / "anvil" / "pages", products, known)
    rows = {n: [(f"Tool {n}{row}", f"{n + row} kg") for row in range(3 + n % 2)] for n in numbers}
    lists = {
        f"{n}.html": "".join(f"<p><i class=name>{name}</i><u>{weight}</u>" for name, weight in rows[n]) for n in numbers
    }
    cells = {f"{n}.html": {"records": [{"name": [a], "weight": [b]} for a, b in rows[n]]} for n in numbers}
    _write(tmp_path / "sites" / "tools" / "pages", lists, cells)
    entries = [
        {"site": "anvil", "tasks": ["induce", "teach"], "any": ["title"], "standing": {"title": 1.0, "price": 0.9}},
        {"site": "tools", "tasks": ["teach"], "standing": {"record.name": 1.0}},
        {"site": "other", "tasks": ["induce"]},
    ]
    (tmp_path / "sites" / "sites.json").write_text(json.dumps(entries))
    home = tmp_path / "evolution" / "shop"
    for version, tag in (("1", "h1"), ("2", "h2"), ("3", "h3")):
        page = {"page.html": f"<{tag}>Anvil</{tag}><b class=price>3 €</b>"}
        _write(home / "versions" / version, page, {"page.html": {"fields": {"title": ["Anvil"], "price": ["3 €"]}}})
    (home / "versions.json").write_text(json.dumps([{"version": version} for version in "123"]))
    (tmp_path / "evolution" / "sites.json").write_text(json.dumps([{"site": "shop", "set": "made"}]))
    _write_listing(tmp_path / "lists")
    monkeypatch.setattr(sl, "teach", _Lesson, raising=False)
    monkeypatch.setattr(all_peers, "CACHE", tmp_path / "nowhere")
    return Options(data=tmp_path)


# What is shown and read.


def test_examples_are_the_pages_with_the_most_attributes(options: Options) -> None:
    """Of equal ones the first; test pages are the same for every number of examples, and never shown."""
    anvil, tools = read_taught_sites(options)
    assert (anvil.ks, anvil.test) == ([1, 3, 5], ["5.html"])
    assert [example.path.name for example in anvil.job(3).examples] == ["0.html", "1.html", "2.html"]
    assert tools.job(1).taught == {"name", "weight"}
    assert len(read_taught_sites(options)[1].job(1).examples[0].records) == 3
    truth = dict(anvil.site.truth)
    truth["0.html"] = type(truth["0.html"])("0.html", {"title": ["A"], "price": []})
    assert example_order(truth)[0] == "1.html"


def test_of_spellings_one_is_shown(options: Options, tmp_path: Path) -> None:
    """And of fields without a value nothing."""
    path = tmp_path / "sites" / "anvil" / "truth.jsonl"
    line = json.dumps(
        {"file": "0.html", "fields": {"title": ["Anvil 0", "anvil"], "price": ["3 €", "4 €"], "note": []}}
    )
    path.write_text("\n".join([line, *path.read_text("utf-8").splitlines()[1:]]))
    [example] = read_taught_sites(options)[0].job(1).examples
    assert example.fields == {"title": ["Anvil 0"], "price": ["3 €", "4 €"]}


def test_sites_are_chosen_by_name(options: Options) -> None:
    """Those of the task alone; what is missing is named."""
    assert [own.site.name for own in read_taught_sites(options, ["too"])] == ["tools"]
    with pytest.raises(SystemExit, match="no site is named other"):
        read_taught_sites(options, ["other"])
    with pytest.raises(SystemExit, match=r"sites\.json is missing"):
        read_steps(Options(data=Path("nowhere")))


def test_every_version_is_followed_by_the_next(options: Options) -> None:
    """With one page a version, the basis is the page that was taught."""
    first, second = read_steps(options)
    assert (first.name, second.name, first.basis, first.can_be_induced) == (
        "shop 1>2",
        "shop 2>3",
        ["page.html"],
        False,
    )
    assert [path.parent.name for path in first.job.read] == ["1", "2"]
    both = corpora(read_taught_sites(options), [first, second])
    assert [(one.name, len(one.files)) for one in both] == [("sites", 15), ("evolution", 6)]


# Scores.


def test_columns_are_found_by_the_names_that_were_taught(options: Options) -> None:
    """Whatever case they have, the shallowest first; what was not taught is not asked for."""
    anvil = read_taught_sites(options)[0]
    records = [{"TITLE": "Anvil 5", "deep": [{"title": "wrong"}], "price": "9 €"}]
    score = named_score(anvil.site, [anvil.site.truth["5.html"]], [Delivered(records, "ok")], {"title"})
    assert [(one.name, one.page_f1) for one in score.attributes] == [("title", 1.0)]
    both = named_score(anvil.site, [anvil.site.truth["5.html"]], [Delivered(records, "ok")], {"title", "price"})
    assert (both.page_f1, both.records, both.failed) == (0.5, None, 0)


def test_cells_of_records_count_under_their_names(options: Options) -> None:
    """Records are right by what they hold; cells only in the column of their name."""
    tools = read_taught_sites(options)[1]
    truth = tools.site.truth["0.html"]
    right = [{"name": record["name"][0], "weight": record["weight"][0]} for record in truth.records]
    swapped = [{"weight": record["name"], "name": record["weight"]} for record in right]
    for rows, expected in ((right, (1.0, 1.0)), (swapped, (1.0, 0.0)), ([], (0.0, 0.0))):
        score = named_score(tools.site, [truth], [Delivered([{"items": rows}], "ok")], {"name", "weight"}).records
        assert score is not None
        assert (score.record_f1, score.cell_f1) == expected


def test_what_is_wrong_and_not_said_is_counted() -> None:
    """Under the verdict ok alone; doubts about pages that are right are counted too."""
    truth = [{"a": ["1"]}, {"a": ["2"]}, {"a": ["3"]}, {"a": ["4"]}]
    found = [
        Delivered([{"a": "1"}], "ok"),
        Delivered([{"a": "x"}], "ok"),
        Delivered([{"a": "3"}], "suspicious"),
        Delivered([], "failed"),
    ]
    one = measured(truth, found)
    assert one.value_f1 == pytest.approx(4 / 7)
    assert one.counts == Counter(
        pages=4, true=4, ok=2, ok_delivered=2, ok_wrong=1, ok_missing=1, ok_bad=1, alarm_good=1, alarm_right=1
    )
    assert rate([one, one], "ok_wrong", "ok_delivered") == 0.5
    assert rate([], "ok_wrong", "ok_delivered") == 0.0


def test_of_spellings_one_is_enough() -> None:
    """Several are no error, and none is one value missing."""
    truth, any_of = [{"a": ["1", "one"]}], ("a",)
    for texts, wrong, missing in ((["1"], 0, 0), (["1", "one"], 0, 0), (["1", "2"], 1, 0), ([], 0, 1)):
        counts = measured(truth, [Delivered([{"a": texts}], "ok")], any_of=any_of).counts
        assert (counts["ok_wrong"], counts["ok_missing"]) == (wrong, missing)


def test_attributes_of_records_are_values_of_the_page(options: Options) -> None:
    """Beside its fields; only those that were taught."""
    truth = read_taught_sites(options)[1].site.truth["0.html"]
    assert flat(truth, {"weight"}) == {"weight": ["0 kg", "1 kg", "2 kg"]}


# Clicks.


def _pages(*htmls: str) -> dict[str, Page]:
    return {str(number): sl.open(f"<!doctype html>{html}".encode(), static=True) for number, html in enumerate(htmls)}


@pytest.mark.usefixtures("options")
def test_clicks_are_counted_until_no_page_has_an_error() -> None:
    """A wrong match is rejected by its node, a missing text is wanted; the first page with an error comes first."""
    pages = _pages("<b>1</b><i>x</i>", "<b>2</b>", "<u>3</u>", "<b>4</b><b>no</b>")
    cells = Cells("a", {"0": ["1"], "1": ["2"], "2": ["3"], "3": ["4"]})
    assert clicked(Cells("a", {"0": ["1"], "1": ["2"]}), dict(list(pages.items())[:2]), "0") == (1, "")
    assert clicked(cells, pages, "0") == (3, "")


@pytest.mark.usefixtures("options")
def test_what_cannot_be_clicked_is_not_learned() -> None:
    """A text that is not there, and a value that never comes right, count as one click more than the most."""
    pages = _pages("<b>1</b>")
    count, reason = clicked(Cells("a", {"0": ["gone"]}), pages, "0")
    assert (count, "gone" in reason) == (clicks.MOST + 1, True)
    many = _pages("<b>1</b>" + "<b>no</b>" * 20)
    assert clicked(Cells("a", {"0": ["1"]}), many, "0")[0] == clicks.MOST + 1


@pytest.mark.usefixtures("options")
def test_one_spelling_is_enough_for_clicks() -> None:
    """No other place of the value has to be found."""
    pages = _pages("<b>1</b><i>one</i>")
    assert clicked(Cells("a", {"0": ["1", "one"]}, one_is_enough=True), pages, "0") == (1, "")
    assert clicked(Cells("a", {"0": ["1", "one"]}), pages, "0") == (2, "")


def test_fields_and_attributes_of_records_are_clicked(options: Options) -> None:
    """Those whose values are parts of texts are told apart."""
    anvil, tools = (clicks.click_site(own) for own in read_taught_sites(options))
    assert [(one.name, one.clicks, one.stands) for one in anvil] == [("title", 1, True), ("price", 1, False)]
    assert [(one.name, one.learned) for one in tools] == [("record.name", True), ("record.weight", True)]


@pytest.mark.slow
@pytest.mark.usefixtures("options")
def test_a_long_page_has_the_nodes_that_it_promises() -> None:
    """And clicks on it are timed; where a text is not found, a word is said."""
    page = speed.long_listing(1_000)
    assert 900 <= len(page) <= 1_100
    timed = speed._timed("list", page, "1000 €")
    assert timed is not None
    assert min(timed.want, timed.reject) > 0
    assert speed._timed("list", page, "nothing") is None
    assert speed.click_figures([]) == ()


# Peers.


def _job(tmp_path: Path, shown: Mapping[str, Sequence[str]], *htmls: str, records: Any = ()) -> Job:
    paths = [tmp_path / f"{number}.html" for number in range(len(htmls))]
    for path, html in zip(paths, htmls, strict=True):
        path.write_text(f"<!doctype html>{html}")
    return Job((Example(paths[0], shown, tuple(records)),), tuple(paths[1:]))


def test_contexts_find_what_stands_beside_the_same_label(tmp_path: Path) -> None:
    """Also when a row came before it; a page without such a path has none, and counts as failed."""
    rows = "<table><tr><th>Price<td>3 €<tr><th>Weight<td>5 kg</table>"
    more = "<table><tr><th>Size<td>9 m<tr><th>Price<td>4 €<tr><th>Weight<td>7 kg</table>"
    found = peers.context(_job(tmp_path, {"price": ["3 €"], "weight": ["5 kg"]}, rows, more, "<p>Closed"))
    assert found == [Delivered([{"price": ["4 €"], "weight": ["7 kg"]}], "ok"), Delivered([], "failed")]


def test_contexts_of_several_texts_and_records(tmp_path: Path) -> None:
    """All parts that are as much alike as the examples are; a record begins where a name comes again."""
    shown = [{"name": ["A"], "price": ["1"]}, {"name": ["B"], "price": ["2"]}]
    first = "<ul><li><b>A</b><i>1</i><li><b>B</b><i>2</i><li><b>C</b><i>3</i></ul>"
    second = "<ul><li><b>D</b><i>4</i><li><b>E</b><i>5</i><li><b>F</b><i>6</i><li><b>G</b><i>7</i></ul>"
    [found] = peers.context(_job(tmp_path, {}, first, second, records=shown))
    rows = found.records[0]["records"]
    assert {"name": "E", "price": "5"} in rows
    assert all(len(row) == 2 for row in rows)


@pytest.mark.usefixtures("options")
def test_a_peer_that_is_missing_is_none() -> None:
    """Nothing breaks, and nothing is made up."""
    assert peers.autoscraper([]) is None


# The task.


def test_what_survives_and_what_repair_brings_back(options: Options) -> None:
    """A repair that is refused leaves nothing, and counts as failed."""
    first, second = (evolved(step) for step in read_steps(options))
    assert (first.basis.value_f1, first.before.value_f1, first.survived(first.before)) == (1.0, 0.5, False)
    assert first.after is not None
    assert first.survived(first.after)
    assert second.after is not None
    assert (second.after.value_f1, second.after.counts["ok"]) == (0.0, 0)
    assert (survival([first, second], "before"), survival([first, second], "after")) == (0.0, 0.5)
    assert silent([first, second], "before", "ok_missing", "true") == 0.5


def test_what_cannot_be_taught_is_failed(options: Options, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A word is said, every page counts as failed, and the rest goes on."""
    for path in (tmp_path / "sites" / "anvil" / "pages").iterdir():
        path.write_text("<!doctype html><p>Closed")
    reading = ways.read_site(read_taught_sites(options)[0])[1]
    assert (reading.wrapper, reading.pages) == (None, [Delivered([], "failed")])
    assert "bench: anvil: There is no text" in capsys.readouterr().out


@pytest.mark.slow
def test_the_whole_task(options: Options, monkeypatch: pytest.MonkeyPatch) -> None:
    """All figures are there, with goals for those that were set, and a word of the peer that is not installed."""
    monkeypatch.setattr(speed, "NODES", 500)
    monkeypatch.setattr("bench.teach.readings", lambda _sites, _wrappers: [])
    outcome = run(options)
    found = {figure.name: figure for figure in outcome.figures}
    assert found["clicks until a field is right"].ours == 1.0
    assert (found["page F1, taught on 1"].ours, found["page F1, taught on 3"].ours) == (1.0, 1.0)
    assert found["record F1, taught on 1"].ours == 1.0
    assert found["redesigns survived after repair"].peer is None
    assert found["redesigns survived after repair"].value == 0.5
    assert found["wrong and said ok, taught on 1"].ours == 0.0
    bounds = {name: figure.bound for name, figure in found.items() if figure.bound is not None}
    assert sorted(bounds.values()) == [0.01, 0.01, 0.015, 0.015, 0.6, 0.9, 0.9, 0.92, 0.94, 0.97, 0.98, 2.0, 150.0]
    assert found["listings read, taught by one record"].ours == 1.0
    assert found["listings read, taught by two records"].ours == 1.0
    assert found["listings, a part said ok, taught by one record"].ours == 0.0
    assert outcome.details["listings, static, texts, one record: lists"] == 1.0
    assert any("AutoScraper is not installed" in remark for remark in outcome.remarks)
    assert outcome.details["contexts, taught on 1: page F1"] == 1.0


@pytest.mark.usefixtures("options")
def test_what_is_wrong_is_shown(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Attributes with their pages, and redesigns that were not survived."""
    path = tmp_path / "sites" / "anvil" / "truth.jsonl"
    path.write_text(path.read_text("utf-8").replace(json.dumps("8 €"), json.dumps("9 €")))
    show(Options(data=tmp_path, show=("worst", "1")))
    shown = capsys.readouterr().out
    for text in ("anvil, taught on 3", "price: 0.000 by price", "5.html (ok): 9 € ≠ 8€", "shop 2>3"):
        assert text in shown
    assert "tools" not in shown
    assert "results.html" not in shown


def test_measures_add_up() -> None:
    """Shares are over all pages of all sites, not means of shares."""
    one, other = Measured(1.0, Counter(pages=1, ok=1)), Measured(0.0, Counter(pages=3))
    assert rate([one, other], "ok", "pages") == 0.25
