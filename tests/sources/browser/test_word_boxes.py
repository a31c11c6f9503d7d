"""Words and their boxes, measured against what the browser itself says of each word."""

import json

import numpy as np
import pytest

from sightline import Page

from ._site import rendered

# The page measures itself: every word's place in its text (UTF-16) and its box, by `Range.getClientRects`.
MEASURE = r"""<script>
addEventListener('load', () => {
  const found = [], walker = document.createTreeWalker(document.querySelector('main'), NodeFilter.SHOW_TEXT)
  let number = 0
  while (walker.nextNode()) {
    const text = walker.currentNode
    for (const word of text.data.matchAll(/[^ \t\n\r\f]+/g)) {
      const range = document.createRange()
      range.setStart(text, word.index); range.setEnd(text, word.index + word[0].length)
      const boxes = [...range.getClientRects()].filter(box => box.width)
      if (boxes.length == 1) found.push([number, word[0], boxes[0].left, boxes[0].top, boxes[0].right, boxes[0].bottom])
    }
    number++
  }
  document.documentElement.dataset.truth = JSON.stringify(found)
})</script>"""

LATIN = "Waves AVAIL themselves of Typography: “kerning”, fi-ligatures, 1,234.50 € and it’s 12 % off — Tomorrow. " * 3
CASES = {
    "plain": f"<p>{LATIN}",
    "narrow": f"<p style='width:200px'>{LATIN}",
    "small": f"<p style='font:9px serif'>{LATIN}",
    "large bold italic": f"<p style='font:italic bold 32px sans-serif'>{LATIN}",
    "monospace": f"<pre>{LATIN}\n\tand   blanks</pre>",
    "justified": f"<p style='text-align:justify;width:400px'>{LATIN}",
    "letter-spacing": f"<p style='letter-spacing:3px'>{LATIN}",
    "word-spacing": f"<p style='word-spacing:10px'>{LATIN}",
    "capitals": f"<p style='text-transform:uppercase'>{LATIN}",
    "mixed": f"<p>{'one <b>two</b> <i>three</i> <code>four</code> five ' * 10}",
    "table": "<table>" + "<tr><td>Canon EOS<td>2,499.00<td>in stock" * 5 + "</table>",
    "right to left": "<p dir=rtl>" + "שלום עולם מה שלומך היום " * 8,
    "both ways": "<p dir=rtl>" + "שלום world מה that היום 123 " * 4,
    "ideographs": "<p lang=ja>" + "日本語のテキスト 漢字 かな交じり文 " * 8,
    "emoji": "<p>" + "before 😀 after 🎉🎉 end " * 5,
    "blanks": "<p>many      blanks\n\n and\t\tlines    between",
}


def _found(page: Page) -> dict[tuple[int, str, int], np.ndarray]:
    """The boxes of the words in `main`, by text node, word and how often it came before."""
    main = int(page.with_tag("main")[0])
    nodes = [node for node in range(main, page.end[main]) if page.is_text[node]]
    boxes: dict[tuple[int, str, int], np.ndarray] = {}
    for node, start, end, box in zip(page.words.node, page.words.start, page.words.end, page.words.box, strict=True):
        if node in nodes:
            word = page.strings[page.text[node]][start:end]
            key = nodes.index(node), word
            boxes[(*key, sum((*key, n) in boxes for n in range(200)))] = box
    return boxes


@pytest.mark.slow
@pytest.mark.parametrize("case", CASES)
def test_words_stand_where_the_browser_shows_them(case: str) -> None:
    """Half of all edges are within 0.2 px of the browser's own, 95 in 100 within 1.5 px, and no word is missing."""
    page = rendered(f"<body style='width:900px'><main>{CASES[case]}</main>{MEASURE}")
    truth = json.loads(page.strings[page.attribute("data-truth")[0]])
    found = _found(page)
    errors, seen = [], dict.fromkeys([], 0)
    for node, word, *box in truth:
        count = seen[node, word] = seen.get((node, word), -1) + 1
        errors.extend(np.abs(found[node, word, count] - np.array(box)))
    assert len(truth) >= 5
    assert np.median(errors) <= 0.2
    assert np.percentile(errors, 95) <= 1.5


def _words(page: Page) -> list[str]:
    rows = zip(page.words.node, page.words.start, page.words.end, strict=True)
    return [page.strings[page.text[node]][start:end] for node, start, end in rows]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("body", "words"),
    [
        ("<style>p::first-letter { font-size: 300% }</style><p>  First letter", ["First", "letter"]),
        ("<style>p::first-letter { color: red }</style><p>“Quoted” words", ["“Quoted”", "words"]),
        ("<style>p::first-letter { float: left; font-size: 50px }</style><p>x", ["x"]),
        ("<p style='text-transform:uppercase'>straße groß ﬁsh ende", ["straße", "groß", "ﬁsh", "ende"]),
        ("<p style='text-transform:uppercase;width:60px'>aß bß cß dß eß", ["aß", "bß", "cß", "dß", "eß"]),
        ("<p>a😀b 👩‍👩‍👧 c", ["a😀b", "👩‍👩‍👧", "c"]),
        ("<p>abcאבג def", ["abcאבג", "def"]),
        ("<style>p::before { content: 'generated ' }</style><p>own<img alt='instead of it' src=none.png>", ["own"]),
        ("<p>1\xa0000,00 zero\u200bwidth", ["1\xa0000,00", "zero\u200bwidth"]),
        ("<p style='width:40px;hyphens:manual'>Donau\xaddampf\xadschiff", ["Donau\xad", "dampf\xad", "schiff"]),
        ("<p>", []),
    ],
)
def test_words_are_cut_from_the_text_as_written(body: str, words: list[str]) -> None:
    """Whatever the browser makes of a text, its words are those that the page says, none out of range."""
    assert _words(rendered(body)) == words


def test_words_follow_the_page_of_their_frame() -> None:
    """Words of several frames on one page keep to their own texts and places."""
    frames = "".join(f"<iframe style='border:0;display:block' srcdoc='<p>frame {n}'></iframe>" for n in range(3))
    page = rendered(f"<p>first{frames}<p>last")
    assert _words(page) == ["first", "frame", "0", "frame", "1", "frame", "2", "last"]
    tops = page.words.box[:, 1]
    assert (np.diff(tops) >= 0).all()
