"""Records find their partner in a catalogue, with a zone, a chance and reasons; people have the last word."""

from pathlib import Path

import numpy as np
import pytest

from sightline import match
from sightline.errors import UnreadableError, UsageError
from sightline.flow.match import Decision, Decisions, MatchSettings, compared, model_of
from sightline.flow.rows import read_columns

CATALOGUE = [
    {"id": "1", "name": "Sony Cyber-shot DSC-W150 digital camera black", "price": "129.99"},
    {"id": "2", "name": "Sony Cyber-shot DSC-W170 digital camera red", "price": "179.00"},
    {"id": "3", "name": "Panasonic KX-TG9343T cordless phone", "price": "102.12"},
    {"id": "4", "name": "Canon EOS 5D Mark II body", "price": "2499.00"},
    {"id": "5", "name": "Bosch PSB 650 RE drill", "price": "59.90"},
]
SHOP = [
    {"id": "a", "name": "SONY camera DSCW150 (black)", "price": "135.00"},
    {"id": "b", "name": "Panasonic DECT 6.0 phone with answering system KXTG9343T", "price": "99.95"},
    {"id": "c", "name": "Garden hose, 20 m, green", "price": "19.90"},
    {"id": "d", "name": "Canon EOS-5D Mk II", "price": "2399.00"},
]


def _partners(**keywords: object) -> dict[str, str | None]:
    return {pair.left: pair.right for pair in match(SHOP, CATALOGUE, **keywords) if pair.zone == "matched"}  # type: ignore[arg-type]


def test_model_numbers_join_what_is_written_differently() -> None:
    """Marks and blanks within a model number do not matter, and what shares nothing stays new."""
    found = match(SHOP, CATALOGUE)
    assert _partners() == {"a": "1", "b": "3", "d": "4"}
    assert [pair.left for pair in found.of("new")] == ["c"]


def test_reasons_name_what_decided() -> None:
    """A pair says in words what speaks for it."""
    pair = next(pair for pair in match(SHOP, CATALOGUE) if pair.left == "b")
    assert "for: they share a model number" in pair.why


def test_a_catalogue_record_takes_one_record_or_many() -> None:
    """One to one, only the better of two offers is matched; many to one, both are."""
    offers = [
        {"id": "a", "name": "Canon EOS 5D Mark II body"},
        {"id": "b", "name": "Canon EOS 5D Mark II body, new"},
        {"id": "c", "name": "Bosch PSB 650 RE drill"},
    ]
    one = match(offers, CATALOGUE)
    many = match(offers, CATALOGUE, settings=MatchSettings(assignment="many-to-one"))
    assert [pair.left for pair in one.of("matched")] == ["a", "c"]
    assert [(pair.left, pair.right) for pair in many.of("matched")] == [("a", "4"), ("b", "4"), ("c", "5")]


def test_many_to_one_nobody_is_asked_about_a_record_that_has_its_partner() -> None:
    """Each question is about a record without one, however alike the rest of the catalogue is to the others."""
    sizes = (49, 52, 58, 67, 72, 77, 82)
    kinds = ("UV", "ND8", "Star", "Polarising")
    catalogue = [
        {"id": f"{kind} {size}", "name": f"Vireo {kind} filter, {size} mm"} for kind in kinds for size in sizes
    ]
    offers = [
        {"id": f"{kind} {size}", "name": f"VIREO {kind} Filter ({size} mm)"}
        for kind in ("UV", "Star")
        for size in sizes
    ]
    other = {"id": "other", "name": "Vireo ND64 Filter (67 mm)"}
    found = match([*offers, other], catalogue, settings=MatchSettings(assignment="many-to-one"))
    assert {pair.left for pair in found.of("matched")} == {offer["id"] for offer in offers}
    assert {pair.left for pair in found.of("review")} == {"other"}


def test_every_record_is_in_some_zone() -> None:
    """No record is lost, however many are matched, reviewed or new."""
    assert {pair.left for pair in match(SHOP, CATALOGUE)} == {"a", "b", "c", "d"}


def test_decisions_have_the_last_word(tmp_path: Path) -> None:
    """What a person called different is never matched again; what they called the same always is."""
    kept = Decisions(tmp_path / "decisions.jsonl")
    pair = next(pair for pair in match(SHOP, CATALOGUE) if pair.left == "b")
    kept.add(pair.decision(same=False))
    assert "b" not in _partners(decisions=kept.path)
    kept.add(pair.decision(same=True))
    again = next(pair for pair in match(SHOP, CATALOGUE, decisions=kept.path) if pair.left == "b")
    assert (again.zone, again.right, again.score, again.why) == ("matched", "3", 1.0, ("a person decided it",))


def test_decisions_teach() -> None:
    """After people called several pairs the same that share little, such pairs are likelier."""
    settings = MatchSettings()
    evidence = compared(read_columns(SHOP), read_columns(CATALOGUE), settings)[0].evidence
    model = model_of(settings)
    unlikely = int(model.chances(evidence).argmin())
    before = model.chances(evidence)[unlikely]
    taught = model.taught(evidence[[unlikely] * 5], np.ones(5))
    assert taught.chances(evidence)[unlikely] > before


def test_a_decision_is_taken_back(tmp_path: Path) -> None:
    """The last decision is forgotten, the others stay; without any, nothing happens."""
    kept = Decisions(tmp_path / "decisions.jsonl")
    assert kept.take_back() is None
    kept.add(Decision("a", "b", same=True))
    kept.add(Decision("c", "d", same=False))
    assert kept.take_back() == Decision("c", "d", same=False)
    assert [decision.left for decision in kept] == ["a"]


def test_a_damaged_line_of_decisions_is_named(tmp_path: Path) -> None:
    """The error says which line, and what to do."""
    path = tmp_path / "decisions.jsonl"
    path.write_text('{"left": "a", "right": "b", "same": true}\nnonsense\n')
    with pytest.raises(UnreadableError, match=r"decisions\.jsonl, line 2: this isn't a decision .* delete the line"):
        match(SHOP, CATALOGUE, decisions=path)


def test_records_without_ids_are_numbered() -> None:
    """Rows count from 1."""
    rows = [{"name": row["name"]} for row in SHOP]
    assert [pair.left for pair in match(rows, CATALOGUE).of("matched")] == ["1", "2", "4"]


def test_columns_of_other_names_are_compared() -> None:
    """Where no name is shared, names are found by what the columns hold."""
    other = [{"sku": row["id"], "title": row["name"]} for row in CATALOGUE]
    shop = [{"id": row["id"], "name": row["name"]} for row in SHOP]
    assert len(match(shop, other).of("matched")) == 3


@pytest.mark.parametrize("empty", [[], [{"id": "1"}]])
def test_tables_without_names_are_refused(empty: list[dict[str, str]]) -> None:
    """There is nothing to compare, and the error says so."""
    with pytest.raises(UsageError, match="no column of names or codes"):
        match(empty, CATALOGUE)


def test_pairs_are_written_with_four_columns(tmp_path: Path) -> None:
    """The file has left, right, score and zone; new records have no partner."""
    path = match(SHOP, CATALOGUE).to_csv(tmp_path / "pairs.csv")
    lines = path.read_text().splitlines()
    assert lines[0] == "left,right,score,zone"
    assert "c,,,new" in lines


def test_the_other_side_tells_how_prices_are_written() -> None:
    """2.849 € is nearly three thousand where the catalogue says 2899.00, and less than three where it says 2.90."""
    from sightline.flow.match import compared_texts
    from sightline.flow.rows import read_columns

    shop = read_columns([{"name": "a", "price": "2.849 €"}, {"name": "b", "price": "1.749 €"}])
    dear = read_columns([{"name": "a", "price": "2899.00"}, {"name": "b", "price": "1799.00"}])
    cheap = read_columns([{"name": "a", "price": "2.90"}, {"name": "b", "price": "1.80"}])
    assert compared_texts(shop, dear)[0].prices == [2849.0, 1749.0]
    assert compared_texts(shop, cheap)[0].prices == [2.849, 1.749]


def test_a_table_without_rows_matches_nothing(tmp_path: Path) -> None:
    """Records without a catalogue are all new, and a catalogue without records has no pairs."""
    records = [{"id": "a", "name": "Canon EOS 5D"}]
    empty = tmp_path / "empty.csv"
    empty.write_text("id,name\n")
    assert [(pair.left, pair.right, pair.zone) for pair in match(records, empty)] == [("a", None, "new")]
    assert list(match(empty, records)) == []
    assert list(match(empty, empty)) == []


def test_decisions_that_are_not_utf8_are_refused_with_their_line(tmp_path: Path) -> None:
    """And not by a traceback."""
    path = tmp_path / "decisions.jsonl"
    path.write_bytes(b'{"left": "a", "right": "b", "same": true}\n{"left": "\xff", "right": "b", "same": true}\n')
    with pytest.raises(UnreadableError, match="line 2: this isn't a decision"):
        match(SHOP, CATALOGUE, decisions=path)


PERSONS = [
    {"id": "a", "name": "John Smith", "born": "1956-04-09", "phone": "0171 2345678", "town": "Leeds"},
    {"id": "b", "name": "John Smith", "born": "1971-12-30", "phone": "0171 9876543", "town": "Leeds"},
    {"id": "c", "name": "Mary Miller", "born": "1980-01-02", "phone": "0181 1112223", "town": "York"},
    {"id": "d", "name": "Ann Taylor", "born": "1963-07-21", "phone": "0151 4445556", "town": "York"},
]
REGISTER = [
    {"id": "1", "name": "Jon Smith", "born": "30.12.1971", "phone": "0171/987 6543", "town": "Leeds"},
    {"id": "2", "name": "Jon Smith", "born": "09.04.1956", "phone": "0171/234 5678", "town": "Leeds"},
    {"id": "3", "name": "M. Miller", "born": "02.01.1980", "phone": "0181/111 2223", "town": "Hull"},
    {"id": "4", "name": "Peter Taylor", "born": "14.02.1990", "phone": "0161/777 8889", "town": "York"},
]


def test_what_identifies_counts_more_than_names() -> None:
    """Two persons of one name are told apart by their days of birth and their phones, however those are written."""
    found = match(PERSONS, REGISTER)
    assert {pair.left: pair.right for pair in found.of("matched")} == {"a": "2", "b": "1", "c": "3"}
    assert found.roles[0] == {"name": "name", "born": "date", "phone": "identifier", "town": "group"}


def test_columns_are_chosen_and_left_out() -> None:
    """By their names, those of both sides where they differ; a name that nobody has is an error that says so."""
    renamed = [{"id": row["id"], "name": row["name"], "date of birth": row["born"]} for row in REGISTER]
    on = match(PERSONS, renamed, settings=MatchSettings(on="name, born = date of birth"))
    assert {name for name, role in on.roles[0].items() if role != "left out"} == {"name", "born"}
    without = match(PERSONS, REGISTER, settings=MatchSettings(without="born, phone"))
    assert without.roles[0]["born"] == without.roles[0]["phone"] == "left out"
    with pytest.raises(UsageError, match="The right table has no column 'born'"):
        match(PERSONS, renamed, settings=MatchSettings(on="born"))
    with pytest.raises(UsageError, match="No column is called 'age'"):
        match(PERSONS, REGISTER, settings=MatchSettings(without="age"))


def test_records_of_one_name_have_labels_of_their_own() -> None:
    """A decision is about two texts, so different records need different ones."""
    labels = {pair.left: pair.left_text for pair in match(PERSONS, REGISTER)}
    assert labels["a"] != labels["b"]
    assert labels["a"].startswith("John Smith · ")


def test_a_wanted_precision_leaves_out_what_is_less_sure() -> None:
    """The estimated share of right matches is at least what was asked for."""
    loose = match(SHOP, CATALOGUE, settings=MatchSettings(matched=0.0))
    strict = match(SHOP, CATALOGUE, settings=MatchSettings(precision=0.99))
    assert len(strict.of("matched")) < len(loose.of("matched"))
    assert strict.estimate.precision >= 0.99


def test_missing_values_are_unknown_and_no_difference() -> None:
    """A record without a phone is not less alike to one with it."""
    unknown = [{**row, "phone": None} for row in PERSONS]
    unknown[0] |= {"phone": PERSONS[0]["phone"]}
    pairs = [pair for pair in match(unknown, REGISTER) if pair.right]
    assert {pair.left for pair in pairs} > {"a"}
    assert all(bool((pair.columns or {})["phone"]) == (pair.left == "a") for pair in pairs)
