"""The hostile benchmark counts what it should: pages, clean errors, and a worker that dies."""

import json
from pathlib import Path

import pytest
from bench.frame import Options
from bench.hostile import Worker
from bench.hostile.cases import cases

from bench import hostile


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A small set: a page, something damaged, a file of html5lib's tests, and lists of names."""
    files = {
        "generated/page.html": "<!doctype html><title>t</title><table><tr><td>1<td>2<tr><td>3<td>4</table>",
        "generated/cut.pdf": "%PDF-1.7\n",
        "generated/names.json": json.dumps(["../../etc/cron.d/x", ""]),
        "generated/ssrf-urls.json": json.dumps(["http://127.0.0.1:-1/"]),
        "blns/blns.json": json.dumps(["", "\u202etest"]),
        "html/a.dat": "#data\n<p>One\n#errors\n#document\n\n#data\n<b>Two\n#errors\n",
    }
    for name, content in files.items():
        place = tmp_path / "hostile" / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(content)
    return tmp_path


def test_cases_are_files_bytes_snippets_and_names(folder: Path) -> None:
    """Each file comes by path and as bytes, each page inside of a test file by itself, each name once."""
    found = cases(folder / "hostile")
    counts = {how: sum(case.how == how for case in found) for how in dict.fromkeys(case.how for case in found)}
    assert counts == {"file": 6, "bytes": 6, "snippet": 2, "name": 4, "server name": 4, "rendered": 6}


@pytest.mark.slow
def test_hostile_counts_pages_and_clean_errors(folder: Path) -> None:
    """Pages and errors of ours are no fault; nothing foreign, no hang, no crash."""
    outcome = hostile.run(Options(data=folder, limit=100))  # of the changed files, only some
    assert {figure.name: figure.value for figure in outcome.figures if figure.unit == "calls"} == {
        "foreign exceptions": 0,
        "hangs": 0,
        "crashes": 0,
    }
    assert outcome.views[0].row_count == 6


@pytest.mark.slow
def test_worker_that_dies_is_a_crash_and_the_next_case_goes_on(folder: Path) -> None:
    """A process that ends without an answer is counted, and another takes its place."""
    with Worker(folder / "hostile") as worker:
        assert worker.tell(10_000) == "crash"
        answer = worker.tell(next(n for n, case in enumerate(cases(folder / "hostile")) if "page.html" in case.source))
    assert isinstance(answer, dict)
    assert (answer["pages"], answer["foreign"]) == (1, [])


def test_worker_that_does_not_answer_is_a_hang(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A case that takes longer than any limit allows is ended from outside."""
    monkeypatch.setattr(hostile, "HANG_SECONDS", 0.001)
    with Worker(folder / "hostile") as worker:
        assert worker.tell(0) == "hang"
        assert worker.process is None
