"""Arithmetic on pairs gives what comparing them one by one would."""

import math

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from sightline.flow.match._likely import candidates
from sightline.flow.match._tokens import best_other, cosines, gram_rows, highest_shared, shared_weight, token_rows

WORDS = st.lists(st.lists(st.sampled_from(["a", "b", "c", "d", "e", "f", "g"]), max_size=6), min_size=1, max_size=6)
LINES = st.lists(st.text("ab 4é-", max_size=12), min_size=1, max_size=5)


def _all_pairs(left: int, right: int) -> tuple[np.ndarray, np.ndarray]:
    rows, columns = np.divmod(np.arange(left * right), right)
    return rows, columns


@given(WORDS, WORDS)
def test_shared_weights_are_those_of_the_common_tokens(left: list[list[str]], right: list[list[str]]) -> None:
    """The sum and the highest weight of shared tokens, and the cosine, are those of a plain loop."""
    one, two = token_rows(left, right)
    rows, columns = _all_pairs(len(left), len(right))
    total = len(left) + len(right)
    rarity = {
        word: math.log1p(total / sum(word in tokens for tokens in (*left, *right))) / math.log1p(total)
        for word in "abcdefg"
        if any(word in tokens for tokens in (*left, *right))
    }
    common = [
        [rarity[word] for word in set(left[row]) & set(right[column])]
        for row, column in zip(rows, columns, strict=True)
    ]
    assert np.allclose(shared_weight(one, two, rows, columns), [sum(weights) for weights in common])
    assert np.allclose(highest_shared(one, two, rows, columns), [max(weights, default=0) for weights in common])
    for alike, row, column, weights in zip(cosines(one, two, rows, columns), rows, columns, common, strict=True):
        lengths = [math.sqrt(sum(rarity[word] ** 2 for word in set(words))) for words in (left[row], right[column])]
        expected = sum(weight**2 for weight in weights) / (lengths[0] * lengths[1]) if all(lengths) else 0
        assert math.isclose(alike, expected, abs_tol=1e-9)


@given(LINES, LINES)
def test_grams_are_every_three_characters(left: list[str], right: list[str]) -> None:
    """Fast grams are as many as a plain loop finds, each once, and never run from one text into the next."""
    one, two = gram_rows(left, right)
    for texts, rows in ((left, one), (right, two)):
        for text, count in zip(texts, rows.counts(), strict=True):
            line = f" {' '.join(_words(text))} "
            assert count == len({line[at : at + 3] for at in range(len(line) - 2)})


def _words(text: str) -> list[str]:
    from sightline.flow.match._columns import words_of

    return words_of(text)


@given(WORDS, WORDS)
def test_candidates_include_the_best_partner(left: list[list[str]], right: list[list[str]]) -> None:
    """A record's most similar partner is always among its candidates, which are at most as many as asked for."""
    one, two = token_rows(left, right)
    rows, columns = candidates(one, two, 2)
    every_row, every_column = _all_pairs(len(left), len(right))
    alike = cosines(one, two, every_row, every_column).reshape(len(left), len(right))
    for row in range(len(left)):
        own = columns[rows == row]
        assert len(own) <= 2
        if alike[row].max() > 0:
            assert math.isclose(max(alike[row][own]), alike[row].max())
        else:
            assert not len(own)


@given(st.lists(st.tuples(st.integers(0, 3), st.floats(0, 1)), max_size=12))
def test_the_best_other_is_of_the_same_group(pairs: list[tuple[int, float]]) -> None:
    """For each pair it is the highest value of the others of its group, or 0."""
    groups = np.array([group for group, _ in pairs], np.int64)
    values = np.array([value for _, value in pairs])
    expected = [
        max((other for at, (group, other) in enumerate(pairs) if group == own and at != number), default=0.0)
        for number, (own, _) in enumerate(pairs)
    ]
    assert best_other(groups, values).tolist() == expected
