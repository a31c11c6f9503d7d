"""`python -m bench TASK [--data DIR]`: run a task; `python -m bench gate`: hold the floors."""

import argparse
import importlib
import sys
from pathlib import Path

from bench import gate
from bench.frame import Options, publish

TASKS = (
    "start",
    "capture",
    "repeats",
    "static",
    "storage",
    "typing",
    "tables",
    "lists",
    "content",
    "about",
    "own-data",
    "own-fields",
    "shared",
    "outliers",
    "induce",
    "teach",
    "pdf",
    "navigate",
    "behind",
    "crawl",
    "flow",
    "studio",
    "hostile",
    "native",
    "scale",
    "soak",
)
# Tasks whose rules can be left out one by one, and those whose errors can be looked at.
WITH_RULES = ("tables", "lists", "induce")
SHOWN = (*WITH_RULES, "content", "own-data", "teach", "pdf")


def main() -> int:
    """Run what was asked for."""
    parser = _parser()
    arguments = parser.parse_args()
    if arguments.task == "gate":
        return gate.run(update=arguments.update, allow_regression=arguments.allow_regression)
    if arguments.task not in WITH_RULES and (arguments.without or arguments.ablate):
        parser.error(f"--without and --ablate are for {', '.join(WITH_RULES)} alone.")
    if arguments.task not in SHOWN and arguments.show:
        parser.error(f"--show is for {', '.join(SHOWN)} alone.")
    options = Options(
        data=arguments.data,
        limit=arguments.limit,
        without=tuple(arguments.without),
        show=tuple(arguments.show),
        keep_pages=arguments.keep_pages,
    )
    for name in TASKS if arguments.task == "all" else (arguments.task,):
        task = importlib.import_module(f"bench.{name.replace('-', '_')}")
        if arguments.show:
            task.show(options)
        elif arguments.ablate:
            task.ablate(options)
        else:
            publish(task.run(options), options)
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    parser.add_argument(
        "task", choices=[*TASKS, "all", "gate"], help="what to measure; `gate` compares with the floors"
    )
    parser.add_argument("--data", type=Path, help="folder of the data sets (default: what the unpack script prints)")
    parser.add_argument("--limit", type=int, help="at most this many pages of a set; of induce and teach, sites")
    parser.add_argument("--update", action="store_true", help="gate: raise the floors to what was measured last")
    parser.add_argument("--allow-regression", action="store_true", help="gate: let --update lower a floor as well")
    rules = parser.add_argument_group("tables, lists and induce; --show for content, own-data, teach and pdf as well")
    rules.add_argument("--without", nargs="+", default=(), metavar="NAME", help="leave out these rules")
    rules.add_argument("--ablate", action="store_true", help="leave out every rule in turn, and print what it is worth")
    rules.add_argument(
        "--show",
        nargs="+",
        default=(),
        metavar="WHAT",
        help="print what is wrong: `worst 20`, `worst visual` (a kind), `worst topk` (a set), or part of a name",
    )
    rules.add_argument(
        "--keep-pages",
        action="store_true",
        help="keep rendered pages for the next run (delete ~/.cache/sightline/bench/pages when the source changed)",
    )
    return parser


if __name__ == "__main__":
    sys.exit(main())
