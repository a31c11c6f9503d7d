"""Files of strangers, mutated: a sample of what `bench.hostile` tries in full."""

from collections.abc import Callable

import pytest
from bench.hostile.wrappers import (
    MutationCounts,
    mutate_examples,
    mutate_histories,
    mutate_wrappers,
    mutations,
    wrappers_to_mutate,
)


@pytest.mark.slow
@pytest.mark.parametrize(("mutate", "every"), [(mutate_wrappers, 151), (mutate_examples, 7), (mutate_histories, 17)])
def test_no_mutation_breaks_anything(mutate: Callable[..., MutationCounts], every: int) -> None:
    """Each is refused in a sentence or can be used; some of both are in the sample."""
    broken: list[str] = []
    counts = mutate(broken.append, every=every)
    assert broken == []
    assert counts.foreign == 0
    assert counts.loaded > 0
    assert counts.refused > 0
    assert counts.loaded + counts.refused == counts.mutations


def test_everything_that_a_wrapper_can_have_is_mutated() -> None:
    """Templates with rows, sets and groups; patterns with nested records, lists, attributes and a cut."""
    texts = {name: wrapper.dumps() for name, (wrapper, _) in wrappers_to_mutate().items()}
    together = "".join(texts.values())
    for entry in (
        "rows begin",
        '"group"',
        '"set"',
        "prose",
        "headed",
        "goes on",
        "cut",
        "take",
        '"many"',
        "fields",
        "evidence",
        "behind",
        "lists",
    ):
        assert entry in together, entry
    assert sum(len(list(mutations(text))) for text in texts.values()) > 50_000


def test_a_mutation_changes_one_place() -> None:
    """Everything is replaced, removed, renamed, doubled and swapped; the rest stays as it was."""
    found = dict(mutations('{"a": [1, 2], "b": "x"}'))
    assert found[".a[0] as null"] == b'{"a":[null,2],"b":"x"}'
    assert found[".b removed"] == b'{"a":[1,2]}'
    assert found[".b renamed"] == b'{"a":[1,2],"bx":"x"}'
    assert found[".a doubled"] == b'{"a":[1,2],"a":null,"b":"x"}'
    assert found[".a[0] swapped"] == b'{"a":[2,1],"b":"x"}'
