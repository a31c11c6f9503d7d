"""Every step of both searches can be looked at."""

from sightline.extract.lists import ListSettings, find_lists, find_top, trace_lists, trace_top
from sightline.testing import list_page

from ._pages import STARS, WORDS, article, listed, prose, rendered, static

TITLE = "10 Brightest Stars of the Night"
MENU = f"<nav>{listed([f'<a href=/{word}>{word}</a>' for word in WORDS[:8]], 'ul')}</nav>"
CARDS = "".join(f"<div class=c><p>{prose(n)}</p>{listed(['small', 'middle', 'large'])}</div>" for n in range(9))
PAGE = f"{MENU}<h1>Cards</h1><div>{CARDS}</div>"


def test_the_lists_of_the_trace_are_those_that_are_found() -> None:
    """Tracing changes nothing, whatever is asked for."""
    page = static(PAGE)
    for settings in (None, ListSettings(navigation=False), ListSettings(least_score=0, without=("nested",))):
        assert list(trace_lists(page, settings=settings).found) == find_lists(page, settings=settings)


def test_every_region_has_its_decision() -> None:
    """All that was looked at is there, the best first, with what became of it."""
    trace = trace_lists(static(PAGE))
    decisions = [(one.tag, one.records, one.decision) for one in trace.candidates]
    assert ("div", 9, "list") in decisions
    assert ("li", 8, "navigation") in decisions
    assert ("li", 3, "part of a record") in decisions
    assert [one.score for one in trace.candidates] == sorted((one.score for one in trace.candidates), reverse=True)
    without = trace_lists(static(PAGE), settings=ListSettings(navigation=False))
    assert ("li", 8, "menu left out") in [(one.tag, one.records, one.decision) for one in without.candidates]
    strict = trace_lists(static(PAGE), settings=ListSettings(least_score=1.0))
    assert ("div", 9, "scores too little") in [(one.tag, one.records, one.decision) for one in strict.candidates]


def test_candidates_show_their_first_record_and_their_place() -> None:
    """An example of a few words, and a box where there is layout."""
    for page in (static(PAGE), rendered(PAGE)):
        for one in trace_lists(page).candidates:
            assert one.example
            assert "\n" not in one.example
            assert len(one.example) <= 60
            assert (one.box is None) == (page.kind == "static")


def test_evidence_is_told_by_name() -> None:
    """What is left out adds nothing and is not named."""
    (one,) = trace_lists(list_page(STARS)).candidates
    assert {"records", "likeness", "linked"} <= set(one.evidence)
    (other,) = trace_lists(list_page(STARS), settings=ListSettings(without=("measure: linked",))).candidates
    assert "linked" not in other.evidence


def test_the_trace_of_a_promise_has_what_was_chosen_and_what_was_not() -> None:
    """The promise, the choices of ten lines with their titles and scores, and the list."""
    page = rendered(f"<h1>{TITLE}</h1>{article([*STARS, 'Conclusion', 'FAQ'])}", TITLE)
    trace = trace_top(page)
    assert [one.k for one in trace.promises] == [10]
    assert trace.found == find_top(page)
    (chosen,) = [one for one in trace.candidates if one.decision == "the list"]
    assert (chosen.titles, chosen.others, chosen.how) == (STARS, 2, "headings")
    assert {one.decision for one in trace.candidates} == {"the list", "less likely"}
    assert all(len(one.titles) == one.k == 10 for one in trace.candidates)
    assert chosen.score == max(one.score for one in trace.candidates)


def test_the_trace_of_a_broken_promise_has_no_list() -> None:
    """What scored too little is there to be looked at."""
    trace = trace_top(rendered(f"<h1>{TITLE}</h1><p>{'<p>'.join(prose(n, 40) for n in range(10))}", "Stars"))
    assert trace.found is None or trace.found.score >= 0.5
    trace = trace_top(rendered(f"<h1>{TITLE}</h1>", TITLE))
    assert (trace.found, trace.candidates) == (None, ())


def test_a_page_with_nothing_has_empty_traces() -> None:
    """Nothing found is an empty trace, not an error."""
    assert trace_lists(static("")).candidates == ()
    assert trace_top(static(""), k=3).candidates == ()
