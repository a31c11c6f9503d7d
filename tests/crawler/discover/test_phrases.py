"""The phrases of a domain: their file, and where they occur."""

from pathlib import Path

import pytest

from sightline.crawler.discover import read_phrases
from sightline.crawler.discover._sample import DomainPhrases, quoted, rarity_weights, weighted_share
from sightline.errors import UsageError


def test_file_has_one_phrase_a_line(tmp_path: Path) -> None:
    """Comments, empty lines, a byte order mark and repetitions are no phrases."""
    path = tmp_path / "cameras.txt"
    path.write_bytes("\ufeff# cameras\n\noptical  zoom\r\n  ISO \nOptical Zoom\nC#\n".encode())
    assert read_phrases(path) == ("optical zoom", "ISO", "C#")


@pytest.mark.parametrize(
    ("content", "said"),
    [(b"# nothing\nISO\n", "1 cannot be joined"), (b"\xff\xfe\xfa", "not UTF-8"), (b"", "0 cannot be joined")],
)
def test_file_without_phrases_is_refused(tmp_path: Path, content: bytes, said: str) -> None:
    """The error names the file and what to do."""
    path = tmp_path / "x.txt"
    path.write_bytes(content)
    with pytest.raises(UsageError, match=f"x.txt: .*{said}"):
        read_phrases(path)


def test_missing_file_is_named() -> None:
    """So that nobody searches for long."""
    with pytest.raises(UsageError, match=r"gone\.txt: there is no such file; give a text file"):
        read_phrases("gone.txt")


def test_text_instead_of_a_list_is_refused() -> None:
    """Its letters would be phrases."""
    with pytest.raises(UsageError, match="not one text"):
        DomainPhrases.of("zoom")


def test_phrases_are_found_as_whole_words_in_any_case() -> None:
    """Plurals and hyphens count, parts of other words do not."""
    phrases = DomainPhrases.of(["burst rate", "ISO", "lens"])
    assert phrases.found_in("The Burst-Rates of an ISO 100 film; isolated, lensing") == {0, 1}
    assert phrases.count_in("iso ISO burst rate, lenses") == 4


def test_rare_phrases_weigh_more() -> None:
    """And all weights together are one."""
    weights = rarity_weights([0.5, 0.01, 0.2])
    assert weights[1] > weights[2] > weights[0] > 0
    assert weighted_share([0, 1, 2], weights) == pytest.approx(1.0)


def test_quotation_marks_in_a_phrase_do_no_harm() -> None:
    """They would end the phrase for the search engine."""
    assert quoted(['24" screen', "ISO"]) == '"24  screen" ISO'
