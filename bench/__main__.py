"""`python -m bench TASK [--data DIR]`: run a task; `python -m bench gate`: hold the floors."""

import argparse
import importlib
import sys
from pathlib import Path

from bench import gate
from bench.frame import Options, publish

TASKS = ("capture", "static", "storage", "soak")


def main() -> int:
    """Run what was asked for."""
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    parser.add_argument(
        "task", choices=[*TASKS, "all", "gate"], help="what to measure; `gate` compares with the floors"
    )
    parser.add_argument("--data", type=Path, help="folder of the data sets (default: what the unpack script prints)")
    parser.add_argument("--limit", type=int, help="at most this many pages of a set")
    parser.add_argument("--update", action="store_true", help="gate: raise the floors to what was measured last")
    parser.add_argument("--allow-regression", action="store_true", help="gate: let --update lower a floor as well")
    arguments = parser.parse_args()
    if arguments.task == "gate":
        return gate.run(update=arguments.update, allow_regression=arguments.allow_regression)
    options = Options(data=arguments.data, limit=arguments.limit)
    for name in TASKS if arguments.task == "all" else (arguments.task,):
        publish(importlib.import_module(f"bench.{name}").run(options), full=arguments.limit is None)
    return 0


if __name__ == "__main__":
    sys.exit(main())
