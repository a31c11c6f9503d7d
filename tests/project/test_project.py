"""A project folder keeps pages, runs and profiles as plain files."""

from dataclasses import replace
from pathlib import Path

import pytest

from sightline.checks import PageRecords, profile_of_run
from sightline.data import Records
from sightline.errors import OutputError, UsageError
from sightline.project import History, Project, StoredRun
from sightline.testing import list_page

PROFILE = profile_of_run([PageRecords(Records([{"name": "EOS 5D", "price": "5 €"}]), source="x.html")])


def test_a_page_is_kept_once_and_comes_back_as_it_was(tmp_path: Path) -> None:
    """The same page again is not another file."""
    store, page = Project(tmp_path / "project"), list_page(["one", "two"])
    assert store.keep_page(page) == store.keep_page(page) == page.id
    assert list(store.page_ids()) == [page.id]
    assert store.page(page.id).id == page.id


@pytest.mark.parametrize("number", ["", "../../etc/passwd", "ABCDEF01", "zz" * 8])
def test_what_is_no_id_never_becomes_a_path(tmp_path: Path, number: str) -> None:
    """Ids come from users too, and must not lead out of the folder."""
    with pytest.raises(UsageError, match="is not the id of a page"):
        Project(tmp_path).page(number)


def test_a_page_that_is_not_here_is_an_error(tmp_path: Path) -> None:
    """The message says in which folder it was looked for."""
    with pytest.raises(UsageError, match="there is no page"):
        Project(tmp_path).page("3f2a" * 4)


def test_runs_come_back_in_the_order_they_began(tmp_path: Path) -> None:
    """Also two runs in quick succession; with a name only those of that name."""
    store = Project(tmp_path)
    for name, began in (("cameras", "2026-03-14T08:00:00"), ("lenses", "2026-03-13T08:00:00"), ("cameras", "")):
        store.keep_run(StoredRun(name, "suspicious", began, 3, ("too few",), ("3f2a" * 4,)))
    assert [run.name for run in store.runs()] == ["lenses", "cameras", "cameras"]
    first, last = store.runs("cameras")
    assert first == StoredRun("cameras", "suspicious", "2026-03-14T08:00:00", 3, ("too few",), ("3f2a" * 4,))
    assert last.began > first.began


@pytest.mark.parametrize("name", ["", "../x", "a/b", ".hidden", "x" * 200])
def test_what_cannot_name_a_file_cannot_name_a_run(tmp_path: Path, name: str) -> None:
    """A name is never a path."""
    with pytest.raises(UsageError, match="cannot name a run"):
        Project(tmp_path).keep_run(StoredRun(name, "ok"))
    with pytest.raises(UsageError, match="cannot name a run"):
        Project(tmp_path).profile(name)


def test_a_foreign_file_among_the_runs_is_named(tmp_path: Path) -> None:
    """The error says which file to remove."""
    (tmp_path / "runs").mkdir()
    (tmp_path / "runs" / "x.json").write_text("[]")
    with pytest.raises(UsageError, match=r"x\.json: this is not a run"):
        Project(tmp_path).runs()


def test_profiles_are_kept_by_name(tmp_path: Path) -> None:
    """None before the first good run, then what it took."""
    store = Project(tmp_path / "new")
    assert store.profile("cameras") is None
    store.keep_profile("cameras", PROFILE)
    assert store.profile("cameras") == PROFILE
    assert store.profile("lenses") is None


def test_a_folder_that_cannot_be_made_is_an_error(tmp_path: Path) -> None:
    """A file is in its place."""
    (tmp_path / "file").write_text("x")
    with pytest.raises(OutputError, match="Could not make the folder"):
        Project(tmp_path / "file").keep_page(list_page(["one"]))


def test_a_file_of_another_kind_is_no_history(tmp_path: Path) -> None:
    """It would be overwritten by the next good run."""
    for number, content in enumerate(("{}", "[]", "text", '{"pages": 1, "fields": 5, "marks": []}')):
        path = tmp_path / f"{number}.json"
        path.write_text(content)
        with pytest.raises(UsageError, match="this is not the history of a run"):
            History(path).last()


@pytest.mark.parametrize("least", ["-1", "true", '"x"', "1e300", "1" + "0" * 30, "[]", "NaN"])
def test_a_history_with_a_wrong_number_is_refused(tmp_path: Path, least: str) -> None:
    """Before a run is compared with it, and with the place."""
    path = tmp_path / "shop.json"
    path.write_text(f'{{"pages": 1, "fields": [], "marks": [], "least": {least}}}')
    with pytest.raises(UsageError, match=r"shop\.json: this is not the history of a run \([^\n]+\); name another file"):
        History(path).last()


@pytest.mark.parametrize(
    "document", ['{"name": 5, "verdict": "ok"}', '{"name": "x", "verdict": "fine"}', "[]", "{", "null"]
)
def test_a_run_that_is_damaged_is_refused(tmp_path: Path, document: str) -> None:
    """What a run says of itself has its types as well."""
    (tmp_path / "runs").mkdir()
    (tmp_path / "runs" / "2026-01-01.json").write_text(document)
    with pytest.raises(UsageError, match=r"2026-01-01\.json: this is not a run of a project \([^\n]+\); remove it"):
        Project(tmp_path).runs()


def test_a_pdf_as_it_is_printed_is_kept_beside_its_page(tmp_path: Path) -> None:
    """Without its picture, which the page has, and deleted with it."""
    store = Project(tmp_path)
    page, bare = list_page(["Sirius", "Vega"]), replace(list_page(["Sirius"]), screenshot=b"\x89PNG")
    page_id = store.keep_page(page)
    assert store.bare_page(page_id) is None
    store.keep_bare_page(page_id, bare)
    kept = store.bare_page(page_id)
    assert kept is not None
    assert (kept.screenshot, kept.id) == (None, bare.id)
    assert store.page(page_id).id == page_id  # which it does not replace
    assert list(store.page_ids()) == [page_id]
    store.delete_page(page_id)
    assert store.bare_page(page_id) is None
