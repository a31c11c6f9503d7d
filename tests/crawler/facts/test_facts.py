"""Facts of pages: consensus, support, conflicts, places, verdicts and exports."""

import csv
import json
from pathlib import Path

import pyarrow.parquet
import pytest

import sightline as sl
from sightline.crawler.facts import Fact, Facts, FactSettings, facts_of_pages
from sightline.jobs import Progress

from ._pages import pairs_html, pairs_page, said_by


def _weight(values: dict[str, str], settings: FactSettings | None = None) -> Fact:
    found = facts_of_pages(said_by(values), settings).get("EOS 5D", "Weight")
    assert found
    return found


def test_consensus_is_what_most_sites_say() -> None:
    """Values that mean the same support each other; the others are conflicts, each with its sites."""
    fact = _weight({"a.example": "675 g", "b.example": "0.675 kg", "c.example": "1.49 lb", "d.example": "657 g"})
    assert (fact.value, fact.sites, fact.of, fact.verdict) == ("675 g", 3, 4, "ok")
    assert fact.consensus
    assert (fact.consensus.number, fact.consensus.unit) == (675.0, "g")
    assert fact.consensus.sites == ("a.example", "b.example", "c.example")
    assert [(value.text, value.sites) for value in fact.conflicts] == [("657 g", ("d.example",))]


def test_a_tie_is_not_broken() -> None:
    """Neither value is the consensus; the fact is suspicious and says why."""
    fact = _weight({"a.example": "675 g", "b.example": "657 g"})
    assert (fact.value, fact.consensus, fact.verdict) == (None, None, "suspicious")
    assert fact.reasons == ("no value is ahead: 675 g by 1 site, 657 g by 1 site",)
    assert {value.text for value in fact.conflicts} == {"675 g", "657 g"}


def test_a_narrow_majority_is_suspicious() -> None:
    """Five against four sites have a consensus that deserves a look."""
    said = {f"a{n}.example": "675 g" for n in range(5)} | {f"b{n}.example": "657 g" for n in range(4)}
    fact = _weight(said, FactSettings(weighing="majority"))
    assert (fact.value, fact.verdict) == ("675 g", "suspicious")
    assert fact.reasons == ("disputed: 675 g by 5 sites, 657 g by 4 sites",)
    assert _weight({"a.example": "675 g", "b.example": "675 g", "c.example": "657 g"}).verdict == "ok"


def test_a_text_that_can_be_read_in_two_ways_is_suspicious() -> None:
    """One site alone, whose comma is a decimal or a thousands mark."""
    fact = _weight({"a.example": "1,234 g"})
    assert fact.verdict == "suspicious"
    assert fact.reasons[0].startswith("decimal separator: 1,234")


def test_mirrors_count_once() -> None:
    """The same page on other hosts is the same voice, wherever its address appears in its text."""
    html = pairs_html("EOS 5D", {"Weight": "657 g", "Mount": "EF"})
    copies = [sl.open(f"{html}<p>{host}", url=f"https://{host}/", static=True) for host in ("x.example", "y.example")]
    others = [pairs_page(f"{host}.example", "EOS 5D", {"Weight": "675 g", "Mount": host}) for host in ("b", "c")]
    found = facts_of_pages([*copies, *others])
    fact = found.get("EOS 5D", "Weight")
    assert fact
    assert (fact.value, fact.sites, fact.of, found.mirrors) == ("675 g", 2, 3, 1)


def test_currencies_never_agree() -> None:
    """The same number of dollars and euros are two values."""
    found = facts_of_pages(said_by({"a.example": "$900", "b.example": "900 €"}, attribute="Price"))
    price = found.get("EOS 5D", "Price")
    assert price
    assert len(price.stated) == 2


def test_places_lead_to_the_cells() -> None:
    """Every value has the address, page id and XPath of each page that says so."""
    pages = {page.id: page for page in said_by({"a.example": "675 g", "b.example": "0.675 kg"})}
    fact = facts_of_pages(pages.values()).get("EOS 5D", "Weight")
    assert fact
    assert fact.consensus
    assert [place.address for place in fact.consensus.places] == ["https://a.example/item", "https://b.example/item"]
    for place in fact.consensus.places:
        page = pages[place.page]
        node = page.find(place.xpath or "")
        assert node is not None
        assert page.node(node).text in fact.consensus.spellings


def test_sites_have_a_standing() -> None:
    """A site that is wrong about most weighs less than the others."""
    pages = []
    for number in range(8):
        said = {"a": "675 g", "b": "675 g", "c": "675 g", "d": f"{600 - number} g"}
        pages += [
            pairs_page(f"{host}.example", f"EOS {number}D", {"Weight": text, "Mount": "EF"}, path=str(number))
            for host, text in said.items()
        ]
    standing = {site.site: site for site in facts_of_pages(pages).sites}
    assert standing["d.example"].accuracy < 0.7 < standing["a.example"].accuracy
    assert standing["d.example"].weight < standing["a.example"].weight


def test_facts_can_be_narrowed() -> None:
    """By subject in any spelling, by a word, by disagreement; what was not shown had its say all the same."""
    pages = said_by({"a.example": "675 g", "b.example": "675 g", "c.example": "657 g"})
    found = facts_of_pages([*pages, *said_by({"a.example": "1 kg"}, subject="D70")])
    assert {fact.subject for fact in found.about("eos-5d")} == {"EOS 5D"}
    assert {fact.subject for fact in found.about("5D")} == {"EOS 5D"}
    assert len(found.about("EOS 50D")) == 0
    assert [fact.attribute for fact in found.conflicting] == ["Weight"]
    assert [fact.subject for fact in found.containing("1 KG")] == ["D70"]
    assert found.get("D70", "height") is None
    assert len(found[:1]) == 1
    assert isinstance(found[0], Fact)


@pytest.fixture
def found() -> Facts:
    """Facts with a consensus, a conflict and a tie."""
    weights = said_by({"a.example": "675 g", "b.example": "675 g", "c.example": "657 g"})
    return facts_of_pages([*weights, *said_by({"d.example": "$9", "e.example": "$8"}, attribute="Price")])


def test_facts_are_a_table_in_every_format(found: Facts, tmp_path: Path) -> None:
    """One row a fact; counts are numbers, and where there is no consensus there is no value."""
    rows = list(csv.DictReader(found.to_csv().splitlines()))
    assert [(row["subject"], row["attribute"], row["value"]) for row in rows] == [
        ("EOS 5D", "Mount", "EF"),
        ("EOS 5D", "Price", ""),
        ("EOS 5D", "Weight", "675 g"),
    ]
    assert rows[2]["conflicts"] == "657 g (1 site)"
    assert rows[2]["seen_at"] == "https://a.example/item https://b.example/item"
    table = pyarrow.parquet.read_table(found.to_parquet(tmp_path / "facts.parquet")).to_pylist()
    assert (table[2]["number"], table[2]["unit"], table[2]["sites"], table[2]["of"]) == (675.0, "g", 2, 3)
    assert table[1]["value"] is None
    lines = [json.loads(line) for line in found.to_jsonl(origins=True).splitlines()]
    assert lines[2]["values"][1]["origins"][0]["address"] == "https://c.example/item"
    assert "657 g" in found.to_xml(origins=True)
    assert "657 g" in found.to_html()
    assert found.to_excel()[:2] == b"PK"


def test_facts_say_how_they_stand(found: Facts) -> None:
    """A suspicious fact makes all of them suspicious; no page at all is a failure only if something failed."""
    assert found.verdict == "suspicious"
    assert repr(found) == "<Facts 3 from 5 pages of 5 sites, suspicious>"
    assert Facts(()).verdict == "ok"
    assert len(Facts(())) == 0
    assert found.to_json()["pages"] == 5


def test_sl_facts_takes_folders_files_and_pages(tmp_path: Path) -> None:
    """Sources are read one by one; one that fails is told and stops no other."""
    for host, weight in {"a.example": "675 g", "b.example": "0.675 kg"}.items():
        html = pairs_html("EOS 5D", {"Weight": weight, "Mount": "EF"})
        (tmp_path / f"{host}.html").write_text(f"<link rel=canonical href=https://{host}/5d>{html}")
    events: list[Progress] = []
    page = pairs_page("c.example", "EOS 5D", {"Weight": "675 g", "Mount": "EF"})
    found = sl.facts(tmp_path, page, "gone.html", static=True, on_progress=events.append)
    weight = found.get("EOS 5D", "Weight")
    assert weight
    assert (weight.sites, weight.of, found.pages) == (3, 3, 3)
    assert [source for source, _ in found.failed] == ["gone.html"]
    assert (found.verdict, events[-1].done, events[-1].failed) == ("suspicious", 3, 1)
    assert sl.facts("gone.html", static=True).verdict == "failed"
