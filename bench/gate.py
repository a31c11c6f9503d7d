"""The floors: figures that were reached once and may not be lost without a word.

`floors.json` pins each figure and the hash of the data that it was measured on. `gate` compares the last results with
it. `gate --update` pins better figures, and refuses to pin worse ones unless told that this is meant.
"""

import json
import math
from pathlib import Path
from typing import Any

from bench.frame import RESULTS

FLOORS = Path(__file__).parent / "floors.json"
# Times on a shared machine vary by a tenth or so from run to run; scores do not vary at all.
TIMING_SLACK = 0.15
EXACT_UNITS = ("share", "x size")
# How memory grows differs from run to run by more than its own size, how long a start takes differs from machine to
# machine, and so does whatever waits for a disk: only the bound means something.
AT_THE_BOUND = ("growth", "s of CPU", "x bare", "s by the clock", "MB at the peak")
DIGITS = 10_000  # floors are written with four digits, rounded to the generous side


def run(*, update: bool, allow_regression: bool) -> int:
    """Compare or update; 0 when nothing is lost."""
    results = _results()
    floors = json.loads(FLOORS.read_text("utf-8")) if FLOORS.exists() else {}
    if not results:
        print("gate: there are no results; run `python -m bench all` first.")
        return 1
    problems = compare(results, floors)
    if update and (allow_regression or not problems):
        text = json.dumps(updated(results, floors, lower=allow_regression), indent=1) + "\n"
        temporary = FLOORS.with_suffix(".part")
        temporary.write_text(text, "utf-8")
        temporary.replace(FLOORS)
        print(f"gate: pinned {FLOORS.name}")
        return 0
    for problem in problems:
        print(f"gate: {problem}")
    if not problems:
        print(f"gate: {sum(len(one['figures']) for one in results.values())} figures, all at or above their floors.")
    return 1 if problems else 0


def _results() -> dict[str, Any]:
    """The last result of every task; files without figures tell of something else."""
    read = {path.stem: json.loads(path.read_text("utf-8")) for path in sorted(RESULTS.glob("*.json"))}
    return {task: result for task, result in read.items() if "figures" in result}


def compare(results: dict[str, Any], floors: dict[str, Any]) -> list[str]:
    """What is worse than its floor, measured on other data, or gone."""
    problems = []
    for task, pinned in floors.items():
        if task not in results:
            problems.append(f"{task} has floors but no result; run `python -m bench {task}`.")
            continue
        for name, hash_ in pinned["corpora"].items():
            if results[task]["corpora"].get(name, {}).get("hash") != hash_:
                problems.append(f"{task}: the set {name} is not the one that the floors were measured on.")
        found = {figure["name"]: figure for figure in results[task]["figures"]}
        for name, floor in pinned["figures"].items():
            if name not in found:
                problems.append(f"{task}: the figure “{name}” is gone.")
            elif _is_worse(found[name]["value"], floor):
                problems.append(f"{task}: {name} is {found[name]['value']:.4g}, its floor {floor['value']:.4g}.")
    return problems


def _is_worse(value: float, floor: dict[str, Any]) -> bool:
    return value > floor["value"] if floor["better"] == "lower" else value < floor["value"]


def updated(results: dict[str, Any], floors: dict[str, Any], *, lower: bool) -> dict[str, Any]:
    """The floors with every better figure pinned, worse ones too if `lower`; figures without a bound have no floor."""
    pinned: dict[str, Any] = {}
    for task, result in results.items():
        old = {} if lower else floors.get(task, {}).get("figures", {})
        held = [figure for figure in result["figures"] if figure["bound"] is not None]
        figures = {figure["name"]: _floor(figure, old.get(figure["name"])) for figure in held}
        pinned[task] = {"corpora": {name: one["hash"] for name, one in result["corpora"].items()}, "figures": figures}
    return floors | pinned


def _floor(figure: dict[str, Any], old: dict[str, Any] | None) -> dict[str, Any]:
    """The figure with some slack if it is a time, never beyond its bound, and never below the floor it had."""
    slack = 0.0 if figure["unit"] in EXACT_UNITS else TIMING_SLACK
    lower_is_better = figure["better"] == "lower"
    # Of a figure below zero, such as a loss, less is further from zero.
    value = figure["value"] * (1 + slack if lower_is_better == (figure["value"] >= 0) else 1 - slack)
    if (figure["value"] <= figure["bound"]) if lower_is_better else (figure["value"] >= figure["bound"]):
        value = min(value, figure["bound"]) if lower_is_better else max(value, figure["bound"])
    if figure["unit"] in AT_THE_BOUND:
        value = figure["bound"]
    if old is not None:
        value = min(value, old["value"]) if lower_is_better else max(value, old["value"])
    rounded = math.ceil(value * DIGITS) if lower_is_better else math.floor(value * DIGITS)
    return {"value": rounded / DIGITS, "better": figure["better"]}
