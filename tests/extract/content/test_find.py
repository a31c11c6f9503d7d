"""The main text of a page."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sightline.data import Content
from sightline.errors import UsageError
from sightline.extract.content import ContentSettings, content_of_nodes, find_content, trace_content
from sightline.extract.content._find import _choose_blocks, _doubts, _first_occurrences
from sightline.extract.content._model import PAGE_KINDS
from sightline.page import dumps, loads
from sightline.sources.html._parse import parse
from sightline.testing import check_extractor, shifted

from ._pages import FOOTER, HEADING, MENU, PARAGRAPHS, RELATED, article

FOLDED = "Under the fold there is one more line about the lens, which the teacher had bought from a maker in Jena."


def test_find_gives_the_paragraphs_and_not_the_menu() -> None:
    """All that was written is there, in order, and nothing of what is around it."""
    lines = find_content(article()).text.split("\n")
    assert [line for line in lines if line in PARAGRAPHS] == list(PARAGRAPHS)
    assert not {*MENU, *RELATED, *FOOTER} & set(lines)


def test_find_gives_the_same_without_layout() -> None:
    """A page that was only parsed has the same paragraphs, and no menu either."""
    lines = find_content(parse(article().to_html())).text.split("\n")
    assert set(PARAGRAPHS) <= set(lines)
    assert not {*MENU, *RELATED, *FOOTER} & set(lines)


def test_find_tells_where_each_part_stands_and_what_it_is() -> None:
    """Every part has the node of its text, its box and its kind; the score is that of a page without doubt."""
    page = article()
    found = find_content(page)
    part = next(part for part in found if part.text == PARAGRAPHS[0])
    assert part.value.origin is not None
    assert [page.node(node).raw_text for node in part.value.origin.nodes] == [PARAGRAPHS[0]]
    assert part.value.origin.box == pytest.approx(page.box[part.value.origin.nodes[0]].tolist())
    assert next(part for part in found if part.text == HEADING).kind == "h1"
    assert part.kind == "p"
    assert 0.8 < found.score <= 1


def test_find_keeps_the_contract_of_extractors() -> None:
    """The same page gives the same, unchanged and after saving; origins lie on it and move with it."""
    check_extractor(lambda page: list(find_content(page)), [article()])
    assert find_content(loads(dumps(article()))) == find_content(article())
    assert find_content(shifted(article(), 30, 0)).text == find_content(article()).text


def test_hidden_text_is_taken_unless_it_is_not_wanted() -> None:
    """A folded part of the article is the article; with `hidden` off only what is seen is."""
    page = article(hidden=(FOLDED,))
    assert FOLDED in find_content(page).text
    seen = find_content(page, settings=ContentSettings(hidden=False)).text
    assert FOLDED not in seen
    assert PARAGRAPHS[-1] in seen


def test_repeated_text_is_left_out_unless_it_is_wanted() -> None:
    """A copy of a long paragraph is dropped; with `repeated` on it is kept."""
    page = article((*PARAGRAPHS, PARAGRAPHS[0]))
    assert find_content(page).text.count(PARAGRAPHS[0]) == 1
    assert find_content(page, settings=ContentSettings(repeated=True)).text.count(PARAGRAPHS[0]) == 2


def test_short_lines_may_recur() -> None:
    """Only what is long enough to be a copy is dropped, and only behind one that was kept."""
    texts = ["one", "one", "a b c d e f g h", "a b c d e f g h"]
    words = np.array([len(text.split()) for text in texts], dtype=np.float64)
    kept = np.array([True, True, False, True])
    assert _first_occurrences(texts, words, kept).tolist() == [True] * 4
    assert _first_occurrences(texts, words, np.ones(4, dtype=bool)).tolist() == [True, True, True, False]


@given(st.lists(st.tuples(st.floats(0, 1), st.integers(1, 200)), min_size=1, max_size=12))
def test_more_recall_never_takes_less(blocks: list[tuple[float, int]]) -> None:
    """The likeliest blocks are taken, at least one, and with a larger weight of missing words as many or more."""
    likely = np.array([one for one, _ in blocks])
    words = np.array([two for _, two in blocks], dtype=np.float64)
    taken = [_choose_blocks(likely, words, recall) for recall in (0.5, 1.0, 3.0)]
    assert taken[0].any()
    assert all((one <= two).all() for one, two in pairwise(taken))
    for chosen in taken:
        assert likely[chosen].min() >= likely[~chosen].max(initial=0.0)


def test_chosen_has_the_largest_expected_f1() -> None:
    """Sure blocks are taken and unlikely ones left, and a doubtful page gives what is best of it."""
    words = np.full(4, 10.0)
    assert _choose_blocks(np.array([0.99, 0.01, 0.98, 0.02]), words, 1.0).tolist() == [True, False, True, False]
    assert _choose_blocks(np.array([0.2, 0.01, 0.2, 0.01]), words, 1.0).tolist() == [True, False, True, False]
    assert _choose_blocks(np.array([0.99, 0.3, 0.98, 0.3]), words, 1.0).tolist() == [True, False, True, False]
    assert _choose_blocks(np.array([0.99, 0.3, 0.98, 0.3]), words, 5.0).all()


SAID = ("I have seen the lens myself when I was a child.", "My aunt knew her. She would have laughed at all of this.")
COMMENTS = "".join(
    "<li class=comment><div class=comment-meta><a href=#>Reader</a> 5 May 2021</div>"
    f"<div class=comment-content><p>{own}</p></div><div><a href=#respond>Reply</a></div></li>"
    for own in SAID
)
COMMENTED = f"""<title>{HEADING}</title><nav><a href=/>Home</a> <a href=/news>News</a></nav>
<article><h1>{HEADING}</h1>{"".join(f"<p>{own}</p>" for own in PARAGRAPHS)}</article>
<section id=comments><h2>2 Comments</h2><ol class=comment-list>{COMMENTS}</ol>
<form id=respond><label>Leave a comment</label><textarea></textarea></form></section><footer>© The Gazette</footer>"""


def test_comments_stand_apart_from_the_text() -> None:
    """What readers say is in `comments`, each with its place, without their names and buttons, and not in the text."""
    page = parse(COMMENTED)
    found = find_content(page)
    assert [part.text for part in found.comments] == list(SAID)
    assert not set(SAID) & {part.text for part in found}
    assert set(PARAGRAPHS) <= {part.text for part in found}
    origin = found.comments[0].value.origin
    assert origin is not None
    assert [page.node(node).raw_text for node in origin.nodes] == [SAID[0]]
    assert [own["text"] for own in found.to_json()["comments"]] == list(SAID)


def test_precision_keeps_less_and_recall_more() -> None:
    """Whoever favours precision gets no more than others, and whoever favours recall no less."""
    page = article()
    less, same, more = (
        {part.text for part in find_content(page, settings=ContentSettings(favor=favor))}
        for favor in ("precision", "balance", "recall")
    )
    assert less <= same <= more
    assert set(PARAGRAPHS) <= less
    assert less < more


def test_articles_are_told_from_threads() -> None:
    """An article is judged to be one, and a thread of posts in a forum is not."""
    posts = "".join(
        f"<div class='post message'><div class=author>user{row}</div><div class=content><p>{own}</p></div></div>"
        for row, own in enumerate(PARAGRAPHS)
    )
    thread = parse(
        f"<link rel=canonical href=https://forum.example.org/threads/lens.77/><title>Lens | Forum</title>"
        f"<h1>Lens</h1><div class=thread>{posts}</div><a href=#>Reply</a>"
    )
    assert find_content(article()).page_kind == "article"
    assert find_content(thread).page_kind == "forum"
    assert find_content(thread).comments == ()


def test_trace_keeps_every_step() -> None:
    """A trace has every block with its likelihood, and what was kept is what comes out."""
    trace = trace_content(article())
    assert trace.found == find_content(article())
    assert len(trace.found) == trace.kept.sum()
    kinds, step = trace.steps()
    assert {row["kind"] for row in kinds.rows} == set(PAGE_KINDS)
    assert trace.found.page_kind == max(kinds.rows, key=lambda row: row["likely"])["kind"]
    assert [row["text"] for row in step.rows] == trace.blocks.texts
    assert all(0 <= row["likely"] <= 1 and (row["chosen"] or not row["kept"]) for row in step.rows)


@pytest.mark.parametrize("markup", ["", "<p> </p>", "<script>let x</script>"])
def test_page_without_text_gives_empty_content(markup: str) -> None:
    """Nothing found is not a failure, and no trust is put in it."""
    found = find_content(parse(markup))
    assert (len(found), found.text, found.score, found.title) == (0, "", 0.0, None)


def test_page_that_shows_nothing_says_what_it_is() -> None:
    """A shell of scripts still has a description, a title and a date in its data; its score is 0."""
    page = parse(
        "<html lang=en><title>Bees | Farm</title><meta property=og:description content='All about  bees.'>"
        "<meta property=article:published_time content=2024-06-20T18:50:31+00:00><div id=app></div>"
    )
    found = find_content(page)
    assert found.title is not None
    assert found.date is not None
    assert (found.text, found.title.text, found.date.text, found.score) == (
        "All about bees.",
        "Bees",
        "2024-06-20",
        0.0,
    )
    assert found.language == "en"


def test_code_keeps_its_lines() -> None:
    """The parts of a text are read as they are seen."""
    code = "for star in stars:\n    count(star)"
    page = parse(f"<article><h1>Stars</h1>{''.join(f'<p>{own}</p>' for own in PARAGRAPHS)}<pre>{code}</pre></article>")
    assert [part.text for part in find_content(page) if part.kind == "pre"] == [code]


def test_content_of_nodes_is_what_was_chosen() -> None:
    """Nodes of any extractor become parts with their kinds and places; a block is cut to what was chosen of it."""
    page = parse("<h2>One</h2><ul><li>two <b>three</b> four<li>five</ul>")
    wanted = [int(node) for node in np.flatnonzero(page.is_text) if page.strings[page.text[node]] in ("One", "three")]
    found = content_of_nodes(page, wanted)
    assert [(part.text, part.kind) for part in found] == [("One", "h2"), ("three", "li")]
    assert found.nodes == tuple(wanted)
    assert found.score == 1.0


def test_content_of_no_nodes_is_empty() -> None:
    """An extractor that found nothing gives no parts and no trust."""
    found = content_of_nodes(article(), [])
    assert (len(found), found.score, found.title) == (0, 0.0, None)
    assert content_of_nodes(parse(""), []).text == ""


def test_find_by_another_says_whose_it_is() -> None:
    """The text of another extractor has its name, places and kinds; ours has no name."""
    found = find_content(article(), by="readability")
    assert found.by == "readability"
    assert {part.text for part in found} >= set(PARAGRAPHS)
    assert all(part.value.origin for part in found)
    assert find_content(article()).by is None


def test_find_refuses_what_is_no_page_and_who_is_no_extractor() -> None:
    """The message says what to do instead."""
    with pytest.raises(UsageError, match="open it first"):
        find_content("<p>text")  # type: ignore[arg-type]
    with pytest.raises(UsageError, match=r"no extractor 'nobody'.*trafilatura"):
        find_content(article(), by="nobody")


@given(
    st.lists(
        st.tuples(st.sampled_from(["p", "div", "li", "td", "h1", "a", "pre", "time", "noscript", "table"]), st.text()),
        max_size=10,
    )
)
def test_find_never_fails(pieces: list[tuple[str, str]]) -> None:
    """Any text in any elements has a main text, whose parts are on the page and whose score is a share."""
    page = parse("".join(f"<{tag} class='{text[:3]}'>{text}</{tag}>" for tag, text in pieces))
    found = find_content(page)
    assert isinstance(found, Content)
    assert 0 <= found.score <= 1
    assert all(page.text[node] >= 0 for node in found.nodes)


@pytest.mark.parametrize(
    ("source_kind", "page_kind", "share", "doubted"),
    [
        ("html", "article", 0.29, "29% of the words that read like text on the page"),
        ("html", "article", 0.31, ""),
        ("html", "documentation", 0.79, "79% of the words that read like text on the page"),
        ("html", "documentation", 0.81, ""),
        ("html", "product", 0.1, ""),
        ("pdf", "product", 0.79, "79% of the words of the document"),
    ],
)
def test_text_that_leaves_out_much_is_doubted(source_kind: str, page_kind: str, share: float, doubted: str) -> None:
    """A page of the web is around its text, a document is its text; what is left out is said with its share."""
    words, kept = np.array([share * 1000, (1 - share) * 1000]), np.array([True, False])
    doubts = _doubts(source_kind, page_kind, words, kept)
    assert [doubt.split(";")[0] for doubt in doubts] == ([f"only {doubted} are in this text"] if doubted else [])
    assert _doubts(source_kind, page_kind, words / 11, kept) == ()  # too few to tell
