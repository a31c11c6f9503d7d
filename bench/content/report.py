"""What went wrong, to be looked at: the texts of a page that were missed, and those that are none of its main text."""

from collections.abc import Sequence

from bench.content.scores import PageScore, words
from bench.frame import RIGHT, show_texts, show_title

KNOWN = 0.5  # of the words of a line that stand in the other text


def report(pages: Sequence[PageScore], texts: Sequence[str], *, most: int = 10) -> None:
    """Print at most so many pages whose text is not right, worst first."""
    wrong = sorted(((page.f1, place) for place, page in enumerate(pages) if page.f1 < RIGHT))
    show_title(f"{len(wrong)} of {len(pages)} pages that are not right", most)
    for _, place in wrong[:most]:
        page, text = pages[place], texts[place]
        figures = f"P {page.precision:.3f}, R {page.recall:.3f}, F1 {page.f1:.3f}"
        print(f"\n{page.truth.id} [{page.truth.type}] {figures}; {page.truth.fields.get('title', '')}")
        show_texts("missed", _beyond(page.truth.text, text))
        show_texts("too much", _beyond(text, page.truth.text))


def _beyond(text: str, other: str) -> list[str]:
    """The lines of a text most of whose words do not stand in the other, the longest first."""
    known = set(words(other))
    lines = [line for line in text.split("\n") if (own := words(line)) and not _is_known(own, known)]
    return sorted(lines, key=len, reverse=True)


def _is_known(line: Sequence[str], known: set[str]) -> bool:
    return sum(word in known for word in line) > KNOWN * len(line)
