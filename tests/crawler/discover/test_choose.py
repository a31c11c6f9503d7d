"""Which provider a name means."""

from pathlib import Path

import pytest

from sightline.crawler.discover import JsonSearch, LocalIndex, SearchAnswer, SearchProvider, SearxngSearch, provider_of
from sightline.errors import UsageError
from sightline.sources import Loader

LOADER = Loader(static=True)


def test_names_mean_providers(tmp_path: Path) -> None:
    """A folder, an instance, a template, a file."""
    (tmp_path / "mine.yaml").write_text("address: https://a.example/?q={query}\nresults: hits\nurl: link\n")
    (tmp_path / "mine.json").write_text('{"address": "https://a.example/?q={query}", "name": "Mine"}')
    assert isinstance(provider_of(f"index:{tmp_path}", LOADER), LocalIndex)
    assert provider_of("searxng:https://s.example/", LOADER).name == "searxng:https://s.example"
    assert isinstance(provider_of("https://a.example/?q={query}", LOADER), JsonSearch)
    assert provider_of(str(tmp_path / "mine.yaml"), LOADER).name == "mine"
    assert provider_of(str(tmp_path / "mine.json"), LOADER).name == "Mine"


def test_environment_has_the_default(monkeypatch: pytest.MonkeyPatch) -> None:
    """And a name that is given goes first."""
    monkeypatch.setenv("SIGHTLINE_SEARCH", "searxng:https://env.example")
    assert isinstance(provider_of(None, LOADER), SearxngSearch)
    assert provider_of("searxng:https://own.example", LOADER).name == "searxng:https://own.example"


def test_no_provider_says_how_to_get_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """All three ways, and where to read on."""
    monkeypatch.delenv("SIGHTLINE_SEARCH", raising=False)
    with pytest.raises(UsageError) as caught:
        provider_of(None, LOADER)
    for words in ("--search", "SIGHTLINE_SEARCH", "index:FOLDER", "searxng:https://HOST", ".yaml", "docs/discovery.md"):
        assert words in caught.value.message


@pytest.mark.parametrize("name", ["yahoo", "index:", "searxng:", "https://a.example/", "ftp://a/{query}"])
def test_unknown_name_is_refused(name: str) -> None:
    """With the names that there are."""
    with pytest.raises(UsageError, match=r"There is no search provider .*index:FOLDER"):
        provider_of(name, LOADER)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("address: [", "this is not YAML"),
        ("- a", "must be an object"),
        ("results: x", "address is missing"),
        ("address: https://a.example/{query}\nrsults: x", "there is no entry `rsults`"),
        ("address: https://a.example/\n", "{query}"),
        ("address: https://a.example/{query}\nsize: many", "size must be a whole number"),
    ],
)
def test_file_with_a_mistake_is_refused(tmp_path: Path, content: str, said: str) -> None:
    """The error names the file."""
    path = tmp_path / "mine.yaml"
    path.write_text(content)
    with pytest.raises(UsageError, match=f"mine.yaml: .*{said}"):
        provider_of(str(path), LOADER)


def test_provider_of_ones_own_is_used_as_it_is() -> None:
    """Anything with the three parts of the protocol."""

    class Own:
        name = "own"

        def search(self, phrases: object, page: int) -> SearchAnswer:  # noqa: ARG002
            return SearchAnswer()

        def saved(self, urls: object) -> dict[str, object]:  # noqa: ARG002
            return {}

    own = Own()
    assert isinstance(own, SearchProvider)
    assert provider_of(own, LOADER) is own
