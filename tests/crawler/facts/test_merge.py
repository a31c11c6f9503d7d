"""What counts as one subject or one attribute, and what stays apart."""

import sightline as sl
from sightline.crawler.facts import Facts, FactSettings, facts_of_pages

from ._pages import pairs_page, table_page

NAMES = ("R5", "R50", "R6", "R5 Mark II", "R6 Mark II", "R7", "R8", "R10")
WEIGHTS = {f"Arden {name}": f"{738 + 31 * place} g" for place, name in enumerate(NAMES)}
SHOTS = {f"Arden {name}": f"{490 - 17 * place} shots" for place, name in enumerate(NAMES)}


def _site(host: str, names: dict[str, str], *, weight: str = "Weight", shots: str = "Battery life") -> sl.Page:
    rows = [["Camera", weight, shots], *([name, WEIGHTS[known], SHOTS[known]] for known, name in names.items())]
    return table_page(host, rows)


def _as_is(*left_out: str) -> dict[str, str]:
    return {name: name for name in WEIGHTS if name not in left_out}


def _subjects(found: Facts) -> list[str]:
    return list(dict.fromkeys(fact.subject for fact in found))


def test_subjects_merge_by_spelling_only_if_all_digits_agree() -> None:
    """Case, order and brackets are spelling; R5, R50 and R5 Mark II are three cameras."""
    other = _as_is() | {"Arden R5": "R5 (Arden)", "Arden R50": "ARDEN R50", "Arden R6": "arden r-6"}
    other |= {"Arden R5 Mark II": "Arden R5 Mk II", "Arden R6 Mark II": "R6 Mark 2 (Arden)"}
    pages = [_site("a.example", _as_is()), _site("b.example", other)]
    found = facts_of_pages(pages, FactSettings(merging="spelling"))
    assert _subjects(found) == sorted(WEIGHTS)
    assert {fact.of for fact in found} == {2}


def test_subjects_merge_without_their_brand_if_values_agree() -> None:
    """A brand that begins several names may be left out; by spelling alone it may not."""
    bare = {name: name.removeprefix("Arden ") for name in WEIGHTS}
    pages = [_site("a.example", _as_is()), _site("b.example", bare)]
    assert _subjects(facts_of_pages(pages)) == sorted(WEIGHTS)
    assert len(_subjects(facts_of_pages(pages, FactSettings(merging="spelling")))) == 2 * len(WEIGHTS)


def test_subjects_of_two_brands_with_one_model_stay_apart() -> None:
    """Where two brands have a model of one name, values say which of them is meant; what fits neither stays alone."""
    two = [["Camera", "Weight", "Battery life"], ["Arden X5", "738 g", "490 shots"], ["Norda X5", "500 g", "300 shots"]]
    two += [["Arden X6", "1 kg", "10 shots"], ["Norda X6", "2 kg", "20 shots"]]
    bare = [
        ["Camera", "Weight", "Battery life"],
        ["X5", "500 g", "300 shots"],
        ["Y7", "77 g", "7 shots"],
        ["Y8", "78 g", "8 shots"],
    ]
    other = [*bare[:1], ["X5", "111 g", "222 shots"], *bare[2:]]
    found = facts_of_pages(
        [table_page("a.example", two), table_page("b.example", bare), table_page("c.example", other)]
    )
    named = {fact.subject: fact.of for fact in found if fact.attribute == "Weight"}
    assert (named["Norda X5"], named["Arden X5"], named["X5"]) == (2, 1, 1)


def test_subjects_with_a_misspelled_word_merge_if_values_agree() -> None:
    """One letter of a long word, the same digits and the same values."""
    wrong = {name: name.replace("Arden", "Aarden") for name in WEIGHTS}
    assert _subjects(facts_of_pages([_site("a.example", _as_is()), _site("b.example", wrong)])) == sorted(WEIGHTS)


def test_subjects_that_one_site_keeps_apart_stay_apart() -> None:
    """A site with both names means two things, whatever their values."""
    both = _as_is() | {"Arden R5": "R5", "Arden R5 Mark II": "Arden R5"}
    found = facts_of_pages([_site("a.example", both), _site("b.example", _as_is("Arden R5 Mark II"))])
    assert "R5" in _subjects(found)


def test_attributes_with_other_names_merge_if_values_agree() -> None:
    """`Mass` is `Weight` where both say the same about enough cameras; `Shots` and `Weight` never are."""
    pages = [_site("a.example", _as_is()), _site("b.example", _as_is(), weight="Mass", shots="Shots")]
    found = facts_of_pages(pages)
    assert len(found) == 2 * len(WEIGHTS)
    assert {fact.of for fact in found} == {2}


def test_attributes_that_one_site_keeps_apart_stay_apart() -> None:
    """Equal values do not make one of two columns of a table."""
    rows = [["Camera", "Width", "Height", "Depth"], *([name, text, text, text] for name, text in WEIGHTS.items())]
    found = facts_of_pages([table_page("a.example", rows), table_page("b.example", rows)])
    assert {fact.attribute for fact in found} == {"Width", "Height", "Depth"}


def test_plain_numbers_take_the_unit_that_fits_other_sites() -> None:
    """A site decides once: most of its numbers agree with what others write in grams, so all are grams."""
    plain = [["Camera", "Weight"], *([name, text.split()[0]] for name, text in WEIGHTS.items())]
    plain[1][1] = "783"  # digits swapped
    found = facts_of_pages([_site("a.example", _as_is()), _site("c.example", _as_is()), table_page("b.example", plain)])
    weight = found.get("Arden R50", "weight")
    assert weight
    assert (weight.sites, weight.of) == (3, 3)
    wrong = found.get("Arden R5", "weight")
    assert wrong
    assert [value.text for value in wrong.stated] == ["738 g", "783 g"]


def test_titles_lose_the_name_of_their_site() -> None:
    """What most titles of a site share is its name, also if it has no heading."""
    pages = [_site("a.example", _as_is())]
    for number, (name, weight) in enumerate(WEIGHTS.items()):
        html = f"<title>{name} – Photo Pit</title><table><tr><th>Weight<td>{weight}<tr><th>Mount<td>EF</table>"
        pages.append(sl.open(html, url=f"https://pit.example/{number}", static=True))
    assert _subjects(facts_of_pages(pages)) == sorted(WEIGHTS)


def test_pages_of_one_site_have_one_vote() -> None:
    """A site that repeats a value on many pages has one vote, and its pages are counted."""
    loud = [pairs_page("a.example", "EOS 5D", {"Weight": "657 g", "Mount": "EF", "No": str(n)}) for n in range(5)]
    calm = [pairs_page(f"{host}.example", "EOS 5D", {"Weight": "675 g", "Mount": "EF"}) for host in ("b", "c")]
    weight = facts_of_pages([*loud, *calm]).get("EOS 5D", "Weight")
    assert weight
    assert (weight.value, weight.sites, weight.of, weight.pages) == ("675 g", 2, 3, 2)
    assert weight.conflicts[0].pages == 5
    assert len(weight.conflicts[0].places) == FactSettings().places
