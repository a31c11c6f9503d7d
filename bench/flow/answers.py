"""What twenty answers of a reviewer are worth: `python -m bench.flow.answers`.

The answers are those of the truth, to the pairs that the review queue asks about first. F1 of the matched zone, before
and after.
"""

import tempfile
from pathlib import Path

from bench.flow.catalogues import NAMES, Catalogue, load
from bench.frame import Options
from sightline.flow.match import Decisions, Matches, MatchSettings, ReviewPair, ReviewQueue, match
from sightline.flow.rows import TextColumns

ANSWERS = 20


def main() -> None:
    """Print both figures of each pair of tables."""
    for name in NAMES:
        catalogue = load(name, Options())
        before, after = answered(catalogue)
        print(f"{name:15} {before:.4f} → {after:.4f}", flush=True)


def answered(catalogue: Catalogue) -> tuple[float, float]:
    """F1 before and after the answers."""
    settings = MatchSettings(assignment=catalogue.assignment)
    tables = _rows(catalogue.left), _rows(catalogue.right)
    found = match(*tables, settings=settings)
    rows, columns = ({key: row for row, key in enumerate(side["id"])} for side in (catalogue.left, catalogue.right))
    with tempfile.TemporaryDirectory() as folder:
        kept = Decisions(Path(folder) / "decisions.jsonl")
        doubtful = [ReviewPair(pair, {}, {}) for pair in found.of("review")]
        queue = ReviewQueue(doubtful, kept, settings)
        for _ in range(ANSWERS):
            waiting = queue.waiting(limit=1)
            if not waiting:
                break
            pair = waiting[0].found.pair
            is_same = (rows[pair.left], columns[pair.right or ""]) in catalogue.matches
            queue.answer(waiting[0].found.id, "same" if is_same else "different")
        again = match(*tables, decisions=kept.path, settings=settings)
    return _f1(found, catalogue), _f1(again, catalogue)


def _f1(found: Matches, catalogue: Catalogue) -> float:
    rows, columns = ({key: row for row, key in enumerate(side["id"])} for side in (catalogue.left, catalogue.right))
    matched = {(rows[pair.left], columns[pair.right or ""]) for pair in found.of("matched")}
    return 2 * len(matched & catalogue.matches) / (len(matched) + len(catalogue.matches))


def _rows(table: TextColumns) -> list[dict[str, str | None]]:
    return [dict(zip(table, row, strict=True)) for row in zip(*table.values(), strict=True)]


if __name__ == "__main__":
    main()
