"""What every rule is worth: the figures with one rule left out at a time."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass

from rich.console import Console
from rich.table import Table

from bench.frame import Corpus, Options, write_result

LEAST_CHANGE = 0.0005  # smaller changes vanish in three digits

Worth = Mapping[str, float]


@dataclass(frozen=True)
class Ablation:
    """What the rules of a set are worth: its figures with all of them, and without each."""

    corpus: Corpus
    rules: Mapping[str, str]
    full: Worth
    without: Mapping[str, Worth]


def ablated(
    corpus: Corpus, rules: Mapping[str, str], options: Options, worth: Callable[[tuple[str, ...]], Worth]
) -> Ablation:
    """Leave out every rule in turn, beside those that are left out of all."""
    full = worth(options.without)
    left_out = [rule for rule in rules if rule not in options.without]
    without = {rule: worth((*options.without, rule)) for rule in left_out}
    return Ablation(corpus, rules, full, without)


def publish_ablations(
    task: str, found: Sequence[Ablation], options: Options, lower_is_better: Collection[str] = ()
) -> None:
    """Print what changes, and write it down if all was measured anew; of several sets each by its name."""
    for one in found:
        Console(width=170).print(_sheet(one, lower_is_better))
    if options.is_full:
        full = {one.corpus.name: one.full for one in found}
        without = {one.corpus.name: _to_json(one) for one in found}
        alone = found[0].corpus.name if len(found) == 1 else None
        write_result(
            {
                "task": f"{task}-ablation",
                "corpora": {one.corpus.name: one.corpus.to_json() for one in found},
                "full": full[alone] if alone else full,
                "without": without[alone] if alone else without,
            }
        )


def _to_json(of: Ablation) -> dict[str, dict[str, object]]:
    return {rule: {"rule": of.rules[rule], **figures} for rule, figures in of.without.items()}


def _sheet(of: Ablation, lower_is_better: Collection[str]) -> Table:
    names = [name.replace("_", " ") for name in of.full]
    sheet = Table("left out", "what it does", *names, title=f"{of.corpus.name}: what every rule is worth")
    sheet.add_row("nothing", "", *(f"{value:.3f}" for value in of.full.values()), end_section=True)
    for rule, figures in of.without.items():
        shown = (
            changed(of.full[name], value, lower_is_better=name in lower_is_better) for name, value in figures.items()
        )
        sheet.add_row(rule, of.rules[rule], *shown)
    return sheet


def changed(full: float, value: float, *, lower_is_better: bool = False) -> str:
    """A figure with a rule left out, and by how much it changed: red for a loss, green for a gain.

    >>> changed(0.9, 0.8), changed(0.9, 0.95), changed(0.9, 0.9), changed(0.02, 0.04, lower_is_better=True)
    ('0.800 [red]-0.100[/]', '0.950 [green]+0.050[/]', '0.900', '0.040 [red]+0.020[/]')
    """
    change = value - full
    if abs(change) < LEAST_CHANGE:
        return f"{value:.3f}"
    is_loss = (change > 0) == lower_is_better
    return f"{value:.3f} [{'red' if is_loss else 'green'}]{change:+.3f}[/]"
