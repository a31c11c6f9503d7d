"""Before a script is played, it is known whether its secrets and files are there."""

from pathlib import Path

import pytest

import sightline as sl
from sightline.errors import UsageError
from sightline.navigate._ready import missing_secret, problems_in_files

NOWHERE = "SIGHTLINE_TEST_NOWHERE"
SECRETS = f"navigation: 1\nsecrets: {{password: {{environment: {NOWHERE}}}}}\nsteps:\n"
FILL = "fill: Password\n{0}  with: {{secret: password}}\n"


def with_steps(steps: str) -> sl.Script:
    """A script with a secret that is nowhere."""
    return sl.Script.loads(f"{SECRETS}{steps}", "x.nav.yaml")


@pytest.mark.parametrize(
    ("steps", "line"),
    [
        (f"  - back\n  - {FILL.format('  ')}", 5),
        (f"  - frame: {{css: iframe}}\n    steps:\n      - {FILL.format('      ')}", 6),
        ("  - log in: https://shop.example\n    user: anna\n    password: {secret: password}\n", 4),
        (f"  - if present: Password\n    then:\n      - {FILL.format('      ')}", 0),
        (f"  - stop\n  - {FILL.format('  ')}", 0),
    ],
)
def test_a_missing_secret_is_known_before(steps: str, line: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """If the step that types it runs whatever the pages show; otherwise it may never be needed."""
    told = missing_secret(with_steps(steps))
    advice = f"the secret `password` is not there; set the environment variable {NOWHERE} first."
    assert told == (f"x.nav.yaml, line {line}: {advice}" if line else "")
    monkeypatch.setenv(NOWHERE, "geheim")
    assert missing_secret(with_steps(steps)) == ""


def test_only_the_steps_that_are_played_need_their_secrets() -> None:
    """Those from the start on; a log-in before it is done all the same."""
    steps = f"  - {FILL.format('  ')}  - back\n"
    assert missing_secret(with_steps(steps), 1)
    assert not missing_secret(with_steps(steps), 2)
    log_in = "  - log in: https://shop.example\n    user: anna\n    password: {secret: password}\n  - back\n"
    assert missing_secret(with_steps(log_in), 2)


def test_play_opens_nothing_without_its_secret() -> None:
    """And says why, as for anything else that ends a script."""
    played = sl.play(with_steps(f"  - open: https://shop.example\n  - {FILL.format('  ')}"))
    assert (played.ended, played.verdict, played.steps) == ("failed", "failed", 0)
    assert "set the environment variable" in played.why


def test_a_variable_is_a_text() -> None:
    """A number has lost how it was written, so it is not taken for one."""
    script = sl.Script.loads("navigation: 1\nvariables: {since: x}\nsteps: [back]")
    with pytest.raises(UsageError, match="The variable `since` is 2026, which isn't text"):
        sl.play(script, variables={"since": 2026})  # type: ignore[dict-item]


def test_a_wrapper_that_is_damaged_is_a_problem(tmp_path: Path) -> None:
    """Told once, with the line that names it first; a name with a variable is not known yet."""
    (tmp_path / "w.wrapper.json").write_text("{}")
    steps = (
        "navigation: 1\nvariables: {w: a.json}\nsteps:\n  - extract: {wrapper: w.wrapper.json}\n"
        "  - click: {wrapper: w.wrapper.json, field: x}\n  - extract: {wrapper: '{w}'}\n"
    )
    (tmp_path / "x.nav.yaml").write_text(steps)
    [problem] = problems_in_files(sl.Script.load(tmp_path / "x.nav.yaml"))
    assert problem.startswith(f"{tmp_path / 'x.nav.yaml'}, line 4: {tmp_path / 'w.wrapper.json'}: ")
