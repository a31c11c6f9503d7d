"""The score of page-level extraction, on pages small enough to count by hand, and the task around it."""

import itertools
import json
import random
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from bench.frame import Options
from bench.induce import (
    _quality,
    _refusals,
    ablate,
    generated,
    naming,
    peers,
    report,
    run,
    show,
    sites,
    speed,
    ways,
    worth,
)
from bench.induce.attributes import Attribute, agreement, assign, attribute_scores, column_score
from bench.induce.clutter import HELD_OUT, JUDGED, Judged, clutter_figures, judged
from bench.induce.columns import columns_of, key, record_sets
from bench.induce.names import labelled, named
from bench.induce.records import record_score
from bench.induce.scores import Summary, score, summary
from bench.induce.sites import PageTruth, Site, read_sites
from bench.induce.speed import Large, Needed, Reading, speed_figures
from bench.induce.ways import Foreign
from bench.induce.words import WORDS, has_word, words_for

import sightline as sl
from bench import induce

A, B, C = ("a",), ("b",), ("c",)


def _columns(*pages: dict[str, object]) -> list[dict[tuple[str, ...], list[str]]]:
    return [columns_of([page]) for page in pages]


def _attribute(truth: list[dict[str, list[str]]], *pages: dict[str, object], any_of: tuple[str, ...] = ()) -> Attribute:
    [found] = attribute_scores(agreement(truth, _columns(*pages), any_of))
    return found


# Texts and columns.


def test_texts_are_compared_without_case_and_blanks() -> None:
    """Tools differ in the blank where an inline element ends; signs that nobody sees are none."""
    assert key("filter() ed") == key("Filter()ed\u200b")
    assert key("Ａ\u00a0½") == "a1/2"
    assert key("a-b") != key("ab")


def test_lists_add_nothing_to_a_column() -> None:
    """Nested values are columns by the names that lead to them; empty ones are none."""
    found = columns_of([{"a": "X", "b": [{"c": "1"}, {"c": ["2", None]}], "d": " ", "e": 5}])
    assert found == {A: ["x"], ("b", "c"): ["1", "2"], ("e",): ["5"]}


def test_values_with_origins_count_by_their_text() -> None:
    """As the contract hands them out; a record with a field called text is a record."""
    assert columns_of([{"a": {"text": "X", "xpath": "/p"}}]) == {A: ["x"]}
    assert columns_of([{"text": "X", "name": "Y"}]) == {("text",): ["x"], ("name",): ["y"]}


def test_every_list_may_be_the_records() -> None:
    """That of the page, and those nested in its records, joined over all of them."""
    found = record_sets([{"a": [{"b": "1"}]}, {"a": [{"b": "2"}, {"b": "3"}]}])
    assert [(trail, len(records)) for trail, records in found.items()] == [((), 2), (A, 3)]


def test_the_map_is_the_best_of_all() -> None:
    """Compared with trying every map, on weights by chance; nothing of no weight is mapped."""
    chance = random.Random(1)
    for _ in range(50):
        weights = {
            (name, (column,)): chance.choice([0.0, 0.25, 0.5, 0.75, 1.0])
            for name in "abc"
            for column in "wxyz"
            if chance.random() < 0.8
        }
        found = assign(weights)
        best = max(
            sum(weights.get((name, (column,)), 0.0) for name, column in zip("abc", order, strict=True))
            for order in itertools.permutations("wxyz", 3)
        )
        assert sum(weights[name, column] for name, column in found.items()) == pytest.approx(best)
        assert len(set(found.values())) == len(found)
        assert all(weights[pair] for pair in found.items())
    assert assign({}) == {}


# Attributes of pages.


def test_a_page_is_right_when_its_values_are() -> None:
    """All values and no others: of three pages one is right, one has a value too many, one has none."""
    truth = [{"n": ["1", "2"]}, {"n": ["3"]}, {"n": ["4"]}]
    found = _attribute(truth, {"a": ["2", "1"]}, {"a": ["3", "x"]}, {})
    assert (found.column, found.page_f1, found.cells, found.found) == (A, pytest.approx(0.4), 4, 3)
    assert not found.correct


def test_one_of_several_spellings_is_enough() -> None:
    """They are one cell; a text that is none of them makes the page wrong."""
    truth = [{"n": ["1", "one"]}, {"n": ["2", "two"]}]
    found = _attribute(truth, {"a": ["one"]}, {"a": ["2", "two"]}, any_of=("n",))
    assert (found.page_f1, found.cells, found.found) == (1.0, 2, 2)
    assert _attribute(truth, {"a": ["one", "x"]}, {"a": "2"}, any_of=("n",)).page_f1 == 0.5


def test_attributes_share_no_column() -> None:
    """Two attributes with equal values need a column each; cells may stand elsewhere."""
    truth = [{"m": ["1"], "n": ["1"]}]
    found = attribute_scores(agreement(truth, _columns({"a": "1"})))
    assert sorted((one.page_f1, one.found, one.anywhere) for one in found) == [(0.0, 0, 1), (1.0, 1, 1)]


def test_of_columns_with_equal_pages_the_one_with_more_values_is_taken() -> None:
    """Neither has a page right; one has half of the values."""
    truth = [{"n": ["1", "2", "3"]}]
    assert _attribute(truth, {"a": ["1"], "b": ["1", "2"]}).column == B


def test_columns_that_repeat_an_attribute_are_not_counted() -> None:
    """Two true columns, one found twice, one not, and one that is nobody's."""
    truth = [{"m": ["1"], "n": ["2"]}]
    found = column_score(agreement(truth, _columns({"a": "1", "b": "1", "c": "x"})))
    assert (found.precision, found.recall, found.right, found.predicted) == (0.5, 0.5, 1, 3)
    assert found.wrong == (C,)


def test_nothing_found_is_nothing_scored() -> None:
    """No division by nothing."""
    [found] = attribute_scores(agreement([{"n": ["1"]}], [{}]))
    assert (found.column, found.page_f1, found.found) == (None, 0.0, 0)
    assert column_score(agreement([{"n": ["1"]}], [{}])).f1 == 0.0


# Records of lists.

RECORDS = [
    {"name": ["Anvil"], "price": ["12 €"], "text": ["heavy"]},
    {"name": ["Bellows"], "price": ["30 €"], "text": ["leather"]},
]


def _record(number: int) -> dict[str, object]:
    return {name: texts[0] for name, texts in RECORDS[number].items()}


def test_records_of_the_best_list() -> None:
    """Those nested in one record of the page are found as well."""
    found = record_score([RECORDS], [[{"title": "Tools", "items": [_record(0), _record(1)]}]])
    assert (found.trail, found.f1, found.cell_f1) == (("items",), 1.0, 1.0)
    assert found.columns == {"name": ("name",), "price": ("price",), "text": ("text",)}


def test_a_record_needs_more_than_half_of_its_cells() -> None:
    """Two of three are enough, one is not; cells may lie in longer texts."""
    found = record_score([RECORDS], [[{"a": "Anvil", "b": "12 €"}, {"a": "Bellows"}]])
    assert (found.matched, found.predicted, found.true) == (1, 2, 2)
    assert found.missed == (("bellows", "30€", "leather"),)
    assert record_score([RECORDS], [[{"a": "Anvil for 12 €"}]]).matched == 1
    assert record_score([RECORDS], [[{"a": "Anvil for 12 € " + "and more " * 20}]]).matched == 0


def test_merged_and_repeated_records_are_wrong() -> None:
    """Two in one are none; a second time is once too often; equal true records need one each."""
    both = {"a": ["Anvil", "12 €", "heavy", "Bellows", "30 €", "leather"]}
    assert record_score([RECORDS], [[both]]).matched == 0
    assert record_score([RECORDS], [[_record(0), _record(0)]]).matched == 1
    equal = [RECORDS[0], RECORDS[0]]
    assert record_score([equal], [[_record(0), _record(0)]]).matched == 2


def test_records_that_share_cells_are_not_merged() -> None:
    """Another with the same price and text is no part of this one."""
    alike = [RECORDS[0], RECORDS[0] | {"name": ["Hammer"]}]
    assert record_score([alike], [[_record(0), _record(0) | {"name": "Hammer"}]]).matched == 2


def test_cells_count_in_the_columns_of_their_attributes() -> None:
    """A cell that another record of the column has is no hit."""
    found = record_score([RECORDS], [[_record(0), _record(1) | {"price": "31 €"}]])
    assert (found.f1, found.cell_f1) == (1.0, pytest.approx(5 / 6))
    assert record_score([RECORDS], [[]]).f1 == 0.0


# Names.


def test_words_are_found_in_names_of_all_styles() -> None:
    """Run together, in camel case, or with marks between; short words stand alone."""
    assert all(has_word(name, ["price"]) for name in ("Price:", "listPrice", "list_price", "price-2", "bookprice"))
    assert not has_word("Public", ["pub"])
    assert has_word("ISBN-13", words_for("isbn_13", "book"))


def test_every_attribute_has_words() -> None:
    """Titles are also named by what the pages are about; what is not listed by its own name."""
    assert "movie" in words_for("title", "movie")
    assert words_for("shoe_size", "shop") == ("shoe", "size")
    assert all(words_for(name, "book") for name in WORDS)


@pytest.mark.parametrize(
    ("html", "told"),
    [
        ("<p>Price:</p><p>12 €</p>", True),
        ("<p>Price:</p><i>was</i><i>is</i><p>12 €</p>", True),
        ("<p>Price:</p><i>1</i><i>2</i><i>3</i><p>12 €</p>", False),
        ("<p>The price of this was so very high once</p><p>12 €</p>", False),
        ("<p class=listPrice><b>12</b> <i>€</i></p>", True),
        ("<div itemprop=price><p>1</p><p>2</p><p>3</p><p>12 €</p></div>", False),
        ("<p>12 €</p><p>Price</p>", False),
    ],
)
def test_labels(html: str, told: bool) -> None:
    """A short text at most three leaves before the value, or an element around it with few others."""
    page = sl.open(f"<!doctype html><title>t</title>{html}".encode(), static=True)
    assert labelled(page, {"12€"}, ["price"]) is told


def test_names_are_asked_for_where_there_are_labels() -> None:
    """Of columns that are right, on at least half of the pages with a value."""
    page = sl.open(b"<!doctype html><title>t</title><p>Price<p>12", static=True)
    bare = sl.open(b"<!doctype html><title>t</title><p>12", static=True)
    truth = [{"price": ["12"]}] * 3

    def asked(column: str, f1: float, *pages: sl.Page) -> list[bool]:
        attribute = Attribute("price", ("offer", column), f1, 3, 3, 3)
        return [one.good for one in named([attribute], pages, truth, "book")]

    assert asked("Our price", 0.95, page, page, bare) == [True]
    assert asked("field 1", 0.95, page, page, bare) == [False]
    assert asked("field 1", 0.95, page, bare, bare) == []
    assert asked("field 1", 0.94, page, page, page) == []


def test_names_are_judged_by_the_file_of_their_site(tmp_path: Path) -> None:
    """Right and wrong names are counted, new ones are told, and those that say nothing are left out."""
    pages = [
        sl.open(f"<!doctype html><h1>Lens {n}</h1><p><b>Weight:</b> {n} kg</p><i>x{n}</i>".encode(), static=True)
        for n in range(10, 14)
    ]
    wrapper = sl.induce(pages)
    assert list(wrapper.fields) == ["title", "Weight", "text 1"]
    path = tmp_path / "judged.json"
    path.write_text(json.dumps({"lenses": {"right": ["title"], "wrong": ["Weight"]}, "others": {}}))
    assert judged({"lenses": wrapper, "unasked": wrapper}, path) == Judged(1, ("lenses: Weight",), ())
    assert judged({"lenses": wrapper}, path).share == 0.5
    path.write_text(json.dumps({"lenses": {"right": ["title"], "wrong": []}}))
    assert judged({"lenses": wrapper}, path) == Judged(1, (), ("lenses: Weight",))


def test_sites_held_out_are_others() -> None:
    """No site is judged in both files, no name both ways, and both have a figure of their own."""
    first, second = (json.loads(path.read_text("utf-8")) for path in (JUDGED, HELD_OUT))
    assert len(first) == len(second) == 12
    assert not first.keys() & second.keys()
    for names in (*first.values(), *second.values()):
        assert not set(names["right"]) & set(names["wrong"])
    pages = [sl.open(f"<!doctype html><h1>Lens {n}</h1>".encode(), static=True) for n in range(10, 14)]
    figures = clutter_figures([], dict.fromkeys([next(iter(first)), next(iter(second))], sl.induce(pages)))
    assert [one.name for one in figures] == ["wrong names, judged by eye", "wrong names, sites held out"]


def test_thresholds_are_chosen_without_the_site_that_they_are_tried_on() -> None:
    """A value that is best on one site alone is not chosen for it; of equally good ones it is the middle one."""

    def of(*wrong: int) -> dict[str, Judged]:
        return {f"s{site}": Judged(5, ("x",) * count, ()) for site, count in enumerate(wrong)}

    found = {0.2: of(0, 2, 2), 0.5: of(1, 1, 1), 0.8: of(3, 0, 3)}
    chosen = naming.by_folds(found)
    assert [len(chosen[name].wrong) for name in ("s0", "s1", "s2")] == [1, 1, 1]
    assert naming.worth(of(1, 0), ["s0", "s1"]) == 10 - naming.COST
    same = {0.2: of(0, 0), 0.5: of(0, 0), 0.8: of(0, 0)}
    assert naming.by_folds(same) == of(0, 0)


def test_rules_against_names_can_be_left_out() -> None:
    """Each is where the script looks for it."""
    for module, name, _ in naming.RULES.values():
        assert hasattr(module, name)
    for threshold in naming.THRESHOLDS.values():
        assert threshold.used in threshold.values


# The peers.


def _write(folder: Path, *texts: str) -> list[Path]:
    paths = [folder / f"{number}.html" for number in range(len(texts))]
    for path, text in zip(paths, texts, strict=True):
        path.write_text(f"<!doctype html><title>t</title>{text}")
    return paths


def test_tag_paths_are_columns(tmp_path: Path) -> None:
    """What says the same everywhere is dropped, and so are paths that were never seen."""
    paths = _write(tmp_path, "<h1>Shop</h1><p>A<p>B<script>x</script>", "<h1>Shop</h1><p>C<p>D", "<p>E<i>new</i>")
    read = peers.learn(paths[:2], peers.PEERS["tag paths"])
    assert read(paths[0]) == [{"/body/p": ["A", "B"]}]
    assert read(paths[2]) == [{"/body/p": ["E"]}]


def test_paths_with_more_in_them(tmp_path: Path) -> None:
    """Classes, places and labels tell columns apart."""
    paths = _write(tmp_path, "<p class=x>Name<p>A<p>Price<p>1", "<p class=x>Name<p>B<p>Price<p>2")
    found = {name: list(peers.learn(paths, peer)(paths[0])[0].items()) for name, peer in peers.PEERS.items()}
    assert [texts for _, texts in found["tag paths"]] == [["Name", "A", "Price", "1"]]
    assert [texts for _, texts in found["with classes"]] == [["A", "Price", "1"]]
    assert found["with places"] == [("/body[0]/p[1]", ["A"]), ("/body[0]/p[3]", ["1"])]
    assert [(column.split("|")[1:], texts) for column, texts in found["with labels"]] == [
        (["Name", "0"], ["A"]),
        (["Price", "0"], ["1"]),
    ]


# The task around the scores.


def _product(name: str, number: int) -> str:
    title = f"<title>{name}</title><h1 class=title>{name} {number * 37 % 101}</h1>"
    facts = f"<tr><th>Price<td>{number * 7 + 3} €<tr><th>Weight<td>{number * 11 + 5} kg"
    return f"<!doctype html>{title}<table>{facts}</table><p class=note>Sold by smiths of {name}</p>"


def _listing(_name: str, number: int) -> str:
    rows = "".join(
        f"<li><a href=/{number}{row}>Tool {number * 17 + row}</a><b>{number + row * 3} €</b><i>Kind {row * 5}</i>"
        for row in range(3 + number % 2)
    )
    return f"<!doctype html><title>All</title><h2>Tools</h2><p>Choose one of these</p><ul>{rows}</ul>"


def _fields(name: str, number: int) -> dict[str, object]:
    prices = {"price": [f"{number * 7 + 3} €"], "weight": [f"{number * 11 + 5} kg"]}
    return {"fields": {"title": [f"{name} {number * 37 % 101}"], **prices}}


def _rows(_name: str, number: int) -> dict[str, object]:
    rows = range(3 + number % 2)
    records = [
        {"name": [f"Tool {number * 17 + row}"], "price": [f"{number + row * 3} €"], "kind": [f"Kind {row * 5}"]}
        for row in rows
    ]
    return {"records": records}


@pytest.fixture
def options(tmp_path: Path) -> Options:
    """Two sites of eight pages, one of products and one of lists, and one that is for something else."""
    folder = tmp_path / "sites"
    entries = []
    for name, page, known in (("anvil", _product, _fields), ("tools", _listing, _rows)):
        (folder / name / "pages").mkdir(parents=True)
        lines = []
        for number in range(8):
            (folder / name / "pages" / f"{number}.html").write_text(page(name, number))
            lines.append(json.dumps({"file": f"{number}.html", **known(name, number)}))
        (folder / name / "truth.jsonl").write_text("\n".join(lines) + "\n")
        entries.append({"site": name, "vertical": "shop", "complete": True, "tasks": ["induce"], "any": ["title"]})
    entries.append({"site": "other", "tasks": ["teach"]})
    (folder / "sites.json").write_text(json.dumps(entries))
    shutil.copytree(folder, tmp_path / "sites2")
    return Options(data=tmp_path)


def test_sites_are_chosen_by_name(options: Options) -> None:
    """Those of the task alone; a limit is one of sites; nothing of a name is said."""
    assert [site.name for site in read_sites(options)] == ["anvil", "tools"]
    assert [site.name for site in read_sites(options, ["too"])] == ["tools"]
    assert [site.name for site in read_sites(Options(data=options.data, limit=1))] == ["anvil"]
    with pytest.raises(SystemExit, match="no site is named four"):
        show(Options(data=options.data, show=("four",)))


def test_missing_data_is_named(options: Options, tmp_path: Path) -> None:
    """A folder without listing or truth is refused with a word on how to get it."""
    with pytest.raises(SystemExit, match=r"sites\.json is missing"):
        read_sites(Options(data=tmp_path / "nowhere"))
    (tmp_path / "sites" / "tools" / "truth.jsonl").unlink()
    with pytest.raises(SystemExit, match=r"truth\.jsonl is missing"):
        read_sites(options)


def test_training_pages_are_half_at_most_and_always_the_same(options: Options) -> None:
    """No page is both learned from and tested."""
    site = read_sites(options)[0]
    train, test = site.split
    assert (len(train), sorted([*train, *test])) == (4, sorted(site.truth))
    assert site.split == (train, test)
    many = Site("a", "", False, frozenset(), Path(), {f"{n}.html": PageTruth(f"{n}.html", {}) for n in range(50)})
    assert [len(part) for part in many.split] == [10, 40]


def test_the_hash_covers_the_truth(options: Options, tmp_path: Path) -> None:
    """Figures on another truth are figures on other data."""
    before = sites.corpus_of(read_sites(options)).hash
    path = tmp_path / "sites" / "tools" / "truth.jsonl"
    path.write_text(path.read_text().replace("Tool", "Thing"))
    assert sites.corpus_of(read_sites(options)).hash != before


def test_columns_of_records_are_columns_of_the_page() -> None:
    """Beside its own, with all their texts."""
    page = PageTruth.from_json({"file": "a", "fields": {"t": ["1"]}, "records": [{"n": ["2"]}, {"n": ["3"]}]})
    assert page.all_columns == {"t": ["1"], "record.n": ["2", "3"]}


def test_a_site_is_scored_by_what_its_truth_has(options: Options) -> None:
    """Fields, records, and columns where all of them are known; means are over sites that have such a thing."""
    products, tools = read_sites(options)
    first = score(products, [products.truth["1.html"]], [[{"a": "anvil 37", "b": "10 €"}]])
    assert (first.page_f1, first.cell_recall) == (pytest.approx(2 / 3), pytest.approx(2 / 3))
    assert (first.records, first.columns and first.columns.recall) == (None, pytest.approx(2 / 3))
    second = score(tools, [tools.truth["0.html"]], [[]])
    assert (second.attributes, second.page_f1, second.records and second.records.f1) == ((), None, 0.0)
    found = summary([first, second])
    assert (found.page_f1, found.record_f1, found.column_recall) == (pytest.approx(2 / 3), 0.0, pytest.approx(1 / 3))
    assert "record_f1" not in dict(summary([first]).items())


def test_rules_that_do_not_exist_are_refused() -> None:
    """A misspelt one would measure the full engine and say otherwise."""
    with pytest.raises(SystemExit, match="no rule blah"):
        ways.settings_without(("rows", "blah"))
    assert ways.settings_without(("rows",), 5).learn_from == 5


def test_pages_that_teach_nothing_are_read_as_nothing(
    options: Options, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A site whose pages are all the same has no wrapper: it counts as refused, and nothing breaks."""
    for path in (tmp_path / "sites" / "anvil" / "pages").iterdir():
        path.write_text("<!doctype html><title>t</title><p>Closed")
    site = read_sites(options)[0]
    wrapper = ways.wrapper_of(site, ways.settings_without(()))
    reading = ways.read_site(site, wrapper)
    assert (wrapper, len(reading.refused), reading.score.page_f1, reading.named) == (None, 4, 0.0, ())
    assert "bench: " in capsys.readouterr().out


def test_foreign_pages_are_chosen_by_chance_and_always_the_same(options: Options) -> None:
    """One of every other site; of its twin all test pages."""
    products, tools = read_sites(options)
    assert ways._shown("anvil", tools) == ways._shown("anvil", tools)
    assert len(ways._shown("anvil", tools)) == 1
    twin = Site("cgit-log", "", False, frozenset(), Path(), products.truth)
    assert ways._shown("cgit-commit", twin) == twin.split[1]


@pytest.mark.slow
def test_the_whole_task(options: Options, monkeypatch: pytest.MonkeyPatch) -> None:
    """On two small sites all figures are there, and wrappers read what they were learned for."""
    for module in (sites, speed):
        monkeypatch.setattr(module, "LARGE", 8)
    monkeypatch.setattr(speed, "FEW", 2)
    kinds = {name: (generated.KINDS[name][0], (style,)) for name, style in (("typed", "blocks"), ("listing", "dots"))}
    monkeypatch.setattr(generated, "KINDS", kinds)
    outcome = run(options)
    found = {figure.name: figure for figure in outcome.figures}
    assert found["fields: page F1"].ours == found["lists: record F1"].ours == 1.0
    assert found["foreign pages refused"].ours == 1.0
    assert found["own pages refused"].ours == 0.0
    assert found["generated sites: page F1"].ours == found["generated lists: cell F1"].ours == 1.0
    for name in ("learning / reading all pages, ms", "learning from 8 / 2 pages, ms", "pages needed until all comply"):
        assert name in found
    assert outcome.details["with places: page_f1"] == 1.0
    assert len(outcome.corpora[0].files) == 19


@pytest.mark.slow
def test_without_large_sites_some_figures_are_left_out(options: Options) -> None:
    """Growth cannot be had from eight pages."""
    names = [figure.name for figure in run(Options(data=options.data, limit=1)).figures]
    assert "reading a page once / bare parsing, ms" in names
    assert not any("learning" in name or "needed" in name or "foreign" in name for name in names)


def test_what_is_wrong_is_shown(options: Options, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Attributes with their pages, records that were missed, columns too many, names; good sites are not shown."""
    report([ways.read_site(site, None) for site in read_sites(options)], most=2)
    shown = capsys.readouterr().out
    for text in (
        "2 of 2 sites",
        "anvil, 4 pages: page F1 0.000",
        "by no column",
        "anvil 57 ≠ –",
        "refused: 4",
        "missed",
    ):
        assert text in shown
    asked = Options(data=options.data, show=("worst", "1", "anvil"))
    show(asked)
    assert "0 of 1 sites" in capsys.readouterr().out
    path = tmp_path / "sites" / "anvil" / "truth.jsonl"
    path.write_text(path.read_text("utf-8").replace(json.dumps("3 €"), json.dumps("4 €")))
    show(asked)
    shown = capsys.readouterr().out
    for text in ("1 of 1 sites", "price: 0.750 by Price; 3 of 4 cells", "0.html: 4 € ≠ 3€"):
        assert text in shown
    assert "weight" not in shown


def test_every_rule_is_left_out_in_turn(options: Options, monkeypatch: pytest.MonkeyPatch) -> None:
    """Beside those that are left out of all."""
    asked = []

    def noted(_sites: object, without: tuple[str, ...]) -> Mapping[str, float]:
        asked.append(without)
        return {"page_f1": 0.9}

    monkeypatch.setattr(induce, "worth", noted)
    monkeypatch.setattr(induce, "INDUCE_RULES", {"rows": "says rows", "prose": "says prose"})
    ablate(Options(data=options.data, without=("prose",)))
    assert asked == [("prose",), ("prose", "rows")]


def test_worth_has_all_figures(options: Options) -> None:
    """Of what is read, of names, and of what is refused."""
    found = worth(read_sites(options), ())
    assert (found["page_f1"], found["record_f1"], found["refused"]) == (1.0, 1.0, 0.0)


def _summary(value: float) -> Summary:
    return Summary(*([value] * 11))


def test_figures_stand_beside_the_best_peer() -> None:
    """Whichever it is; what no site has is left out."""
    figures = _quality({"sightline": _summary(0.97), "one": _summary(0.5), "two": _summary(0.6)})
    assert [figure.peer for figure in figures] == [0.6] * 7
    assert all(figure.kept for figure in figures)
    assert _quality({"sightline": Summary(*([None] * 11)), "one": _summary(0.5)}) == ()


def test_refusals_are_held_to_their_bounds() -> None:
    """Of all foreign pages, and of those that are of the same site."""
    foreign = [Foreign("a", "b", "1", refused=True)] * 99 + [Foreign("cgit-log", "cgit-commit", "1", refused=False)]
    everything, twins, own = _refusals([], foreign)
    assert (everything.value, everything.kept, twins.value, twins.kept, own.kept) == (0.99, True, 0.0, False, True)


def test_times_are_medians_of_ratios() -> None:
    """A site or page that takes long weighs no more than any other."""
    large: dict[str, Any] = {str(n): Large(time, time / 20, 1.0, 13.0) for n, time in enumerate((1.0, 2.0, 90.0))}
    read = [Reading(0.5, 1.0, time, 0.25, 4.0, 1.0, first=False) for time in (1.0, 2.0, 90.0)]
    read.append(Reading(0.5, 1.0, 0.009, 0.25, 4.0, 1.0, first=True))
    needed = {"a": Needed(2, 100, 100, 0.9), "b": Needed(4, 100, 99, 0.7), "list": Needed(3, 100, 100, None)}
    figures = {figure.name: figure for figure in speed_figures(large, read, needed)}
    assert figures["learning / reading all pages, ms"].value == pytest.approx(20)
    assert figures["learning from 100 / 10 pages, ms"].value == 13.0
    assert figures["opening a page / bare parsing, ms"].value == 2.0
    assert figures["reading a page once / bare parsing, ms"].value == 4.0
    assert figures["bytes to dicts / bare parsing, ms"].value == 6.5
    assert figures["bytes to dicts / parsel, 8 fields, ms"].value == pytest.approx(3.25 / 4)
    assert figures["bytes to dicts / selectolax, 8 fields, ms"].value == 3.25
    assert figures["reading the first page of a wrapper, ms"].value == pytest.approx(9)
    assert figures["pages needed until all comply"].value == pytest.approx(0.03)
    assert figures["page F1 of what was learned from them"].value == pytest.approx(0.8)
    assert all(figure.kept for figure in figures.values())
    assert speed_figures({}, [], {}) == ()
