"""Regular expressions that may come from strangers: what they mean is what `re` says, and their work is bounded.

`re` gives an expression all the time that it asks for, and `((a+)+)b$` asks for years. So `re` runs an expression only
if its work on a text of this length is small whatever the text says. Everything else is run by a machine that never
looks at the same place in the same state twice, and that counts its steps. Counting instead of timing gives every page
the same result on every computer.

Two libraries were tried in its place. The time limit of `regex` is not looked at while groups repeat: sixty nested
groups took 3 GB in five seconds under a limit of 0.2 s, and its words are not those of `re`. RE2 is linear, but knows
neither words beyond ASCII nor the lookaheads that teaching learns.
"""

import re
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from math import comb, prod
from re import _parser as parser  # type: ignore[attr-defined]  # the only reader of expressions that agrees with `re`
from typing import Any, TypeAlias

from sightline.errors import UsageError

LONGEST_TEXT = 5_000  # characters; an expression is not tried on more
LONGEST_EXPRESSION = (
    2_000  # characters; a learned one has a label of at most 300 characters, each escaped, beside a form
)
MOST_INSTRUCTIONS = 1_000  # of a machine; a learned expression has about 25, of which a long label is most
QUICK = 50_000  # steps of `re`, about half a millisecond: cheaper than to ask the machine
# What one page may cost: one to three seconds on a computer of 2024, and for every character that is looked at what a
# learned expression needs at most, so that a page of many records has time for all of them.
STEPS = 2_000_000
STEPS_PER_CHARACTER = 40
HARMLESS = 1_000_000_000  # steps of `re`: some seconds, which code that runs without us may take, but not more

Instruction: TypeAlias = tuple[Any, ...]
Saves: TypeAlias = tuple[int, int]
"""Where the first group begins and ends; -1 where it does not."""

_SINGLE = frozenset(("LITERAL", "NOT_LITERAL", "ANY", "IN"))
_REPEATS = frozenset(("MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT"))
_PLACES = {
    "AT_BEGINNING": "^",
    "AT_BEGINNING_STRING": r"\A",
    "AT_BOUNDARY": r"\b",
    "AT_NON_BOUNDARY": r"\B",
    "AT_END": "$",
    "AT_END_STRING": r"\Z",
}
_STARTS = ("AT_BEGINNING", "AT_BEGINNING_STRING")
_CATEGORIES = {
    "CATEGORY_DIGIT": r"\d",
    "CATEGORY_NOT_DIGIT": r"\D",
    "CATEGORY_SPACE": r"\s",
    "CATEGORY_NOT_SPACE": r"\S",
    "CATEGORY_WORD": r"\w",
    "CATEGORY_NOT_WORD": r"\W",
}
TAKE, TEST, SPLIT, JUMP, SAVE, INNER, DONE = range(7)


class SlowExpression(UsageError):
    """An expression needs more work on a page than it is allowed."""

    def __init__(self, expression: str) -> None:
        super().__init__(f"The expression {expression} takes too long on this page; write it with fewer repeats.")
        self.expression = expression

    def __reduce__(self) -> tuple[type, tuple[str]]:
        """Carry the expression through pickling."""
        return type(self), (self.expression,)


class _TooLarge(Exception):
    """A machine would have more instructions than it is allowed."""


class _Unbounded(Exception):
    """A part of an expression has no bound that a machine could keep."""


class StepBudget:
    """The steps that expressions have left on one page."""

    def __init__(self, steps: int = STEPS) -> None:
        self.left: int = steps

    def grant(self, text: str) -> None:
        """Allow what a plain expression needs for a text."""
        self.left += STEPS_PER_CHARACTER * len(text)

    @property
    def is_spent(self) -> bool:
        """Whether nothing is left."""
        return self.left <= 0


@dataclass(frozen=True, eq=False)
class Expression:
    r"""An expression with at least one group, of which the first is the value.

    >>> expression_of(r"((a+)+)b$").first_group("a" * 40 + "b", StepBudget())[:3]
    'aaa'
    >>> expression_of(r"((?:(?!.*b)a)*)c").first_group("a" * 5_000, StepBudget(10_000))
    Traceback (most recent call last):
    ...
    sightline.extract.wrappers.patterns._expression.SlowExpression: The expression ((?:(?!.*b)a)*)c ...
    """

    text: str
    pattern: re.Pattern[str]
    tree: Any

    def first_group(self, text: str, budget: StepBudget) -> str | None:
        """What the first group captures in a text, or None; raises an error if the budget does not suffice."""
        text = text[:LONGEST_TEXT]
        if budget.is_spent:
            raise SlowExpression(self.text)
        budget.grant(text)
        if len(text) <= self._quick_length:
            found = self.pattern.search(text)
            return found[1] if found else None
        spans = self._machine.search(text, budget)
        if budget.is_spent:
            raise SlowExpression(self.text)
        return text[spans[0] : spans[1]] if spans and spans[1] >= 0 else None

    @cached_property
    def harmless_length(self) -> int:
        """The longest text on which `re` alone needs some seconds at most, whatever it says; 0 if there is none."""
        return self._length_within(HARMLESS)

    @cached_property
    def _quick_length(self) -> int:
        return self._length_within(QUICK)

    def _length_within(self, steps: int) -> int:
        """The longest text for which the work stays below so many steps; -1 if there may be no end to it."""
        if not _is_flat(self.tree):
            return -1
        nodes = list(_all_nodes(self.tree))
        anchored = (
            bool(nodes)
            and nodes[0][0] == "AT"
            and nodes[0][1].name in _STARTS
            and not self.pattern.flags & re.MULTILINE
        )
        free = sum(op in _REPEATS and argument[0] != argument[1] for op, argument in nodes) + (not anchored)
        ways = prod(len(argument[1]) for op, argument in nodes if op == "BRANCH")
        length = 0
        # In a text of n characters, the start and the ends of repeats are so many places chosen among n.
        for step in (4096, 1024, 256, 64, 16, 4, 1):
            while length + step <= LONGEST_TEXT and ways * comb(length + step + free, free) <= steps:
                length += step
        return length

    @cached_property
    def _machine(self) -> "_Machine":
        return _Machine(self.tree, self.pattern.flags)


@lru_cache(maxsize=512)
def expression_of(text: str) -> Expression:
    """An expression of a wrapper; what is wrong with it is an error that says so.

    >>> expression_of("a+")
    Traceback (most recent call last):
    ...
    sightline.errors.UsageError: it has no group; put the part to extract in brackets
    """
    if len(text) > LONGEST_EXPRESSION:
        raise UsageError(f"it is longer than {LONGEST_EXPRESSION:,} characters; shorten it")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of what a later Python may read differently; nobody here can change it
            pattern = re.compile(text, re.DOTALL)
            tree = parser.parse(text, re.DOTALL)
        made = Expression(text, pattern, tree)
        _Machine(tree, pattern.flags)
    except _TooLarge as problem:
        raise UsageError("it repeats too much in too many ways; shorten it") from problem
    except _Unbounded as problem:
        raise UsageError("it refers back to one of its groups, which may take for ever; write it without") from problem
    except (re.error, OverflowError, RecursionError) as problem:
        raise UsageError(f"it is not a regular expression ({problem}); correct it") from problem
    if not pattern.groups:
        raise UsageError("it has no group; put the part to extract in brackets")
    return made


# ---------------------------------------------------------------- how much work it is


def _nodes(tree: Iterable[tuple[Any, Any]]) -> Iterator[tuple[str, Any]]:
    for op, argument in tree:
        yield op.name, argument


def _inside(op: str, argument: Any) -> Sequence[Any]:
    """The parts of a node."""
    if op in _REPEATS:
        return (argument[2],)
    if op == "SUBPATTERN":
        return (argument[3],)
    if op == "BRANCH":
        return tuple(argument[1])
    if op in ("ASSERT", "ASSERT_NOT"):
        return (argument[1],)
    return (argument,) if op == "ATOMIC_GROUP" else ()


def _all_nodes(tree: Iterable[tuple[Any, Any]]) -> Iterator[tuple[str, Any]]:
    for op, argument in _nodes(tree):
        yield op, argument
        for part in _inside(op, argument):
            yield from _all_nodes(part)


def _is_flat(tree: Iterable[tuple[Any, Any]]) -> bool:
    """Whether nothing but single characters repeats, so that the work is a power of the length at most."""
    return all(
        len(argument[2]) == 1 and argument[2][0][0].name in _SINGLE
        for op, argument in _all_nodes(tree)
        if op in _REPEATS
    )


# ---------------------------------------------------------------- the machine


class _Machine:
    """A program for an expression: it tries what `re` tries in the same order, but nothing twice."""

    def __init__(self, tree: Any, flags: int) -> None:
        self._size = 0
        self._program = self._compiled(tree, flags)

    def search(self, text: str, budget: StepBudget) -> Saves | None:
        """Where the first group begins and ends in the first match, or None."""
        tried = bytearray(len(self._program) * (len(text) + 1))
        for start in range(len(text) + 1):
            found = self._run(self._program, text, start, (-1, -1), tried, budget)
            if found is not None:
                return found[1]
            if budget.is_spent:
                return None
        return None

    def _run(  # noqa: C901 - one branch for each instruction
        self,
        program: list[Instruction],
        text: str,
        start: int,
        saves: Saves,
        tried: bytearray,
        budget: StepBudget,
    ) -> tuple[int, Saves] | None:
        """The end of a match from here and what the groups hold; what was `tried` in vain is not tried again."""
        size, width = len(text), len(text) + 1
        waiting = [(0, start, saves)]
        steps = 0
        while waiting:
            place, at, saves = waiting.pop()
            while True:
                steps += 1
                if steps > budget.left:
                    budget.left = 0
                    return None
                state = place * width + at
                if tried[state]:
                    break
                tried[state] = 1
                instruction = program[place]
                op = instruction[0]
                place += 1
                if op == TAKE:
                    if at >= size or not instruction[1](text, at):
                        break
                    at += 1
                elif op == SPLIT:
                    waiting.append((instruction[2], at, saves))
                    place = instruction[1]
                elif op == JUMP:
                    place = instruction[1]
                elif op == SAVE:
                    saves = (saves[0], at) if instruction[1] else (at, -1)
                elif op == TEST:
                    if not instruction[1](text, at):
                        break
                elif op == INNER:
                    found = self._inner(instruction, text, at, saves, budget)
                    if found is None:
                        break
                    at, saves = found
                else:
                    budget.left -= steps
                    return at, saves
        budget.left -= steps
        return None

    def _inner(
        self, instruction: Instruction, text: str, at: int, saves: Saves, budget: StepBudget
    ) -> tuple[int, Saves] | None:
        """What comes of a part that is matched by itself: ahead, behind, or never to be taken back."""
        _, program, kind, back = instruction
        tried = bytearray(len(program) * (len(text) + 1))
        budget.left -= len(tried) // STEPS_PER_CHARACTER  # clearing this is work as well
        found = self._run(program, text, at - back, saves, tried, budget) if at >= back else None
        if kind == "not":
            return (at, saves) if found is None else None
        if found is None or kind == "atomic":
            return found
        return at, found[1]

    # ------------------------------------------------------------ from a tree to a program

    def _compiled(self, tree: Any, flags: int) -> list[Instruction]:
        program: list[Instruction] = []
        self._sequence(program, tree, flags)
        self._add(program, (DONE,))
        return program

    def _add(self, program: list[Instruction], instruction: Instruction) -> int:
        self._size += 1
        if self._size > MOST_INSTRUCTIONS:
            raise _TooLarge
        program.append(instruction)
        return len(program) - 1

    def _sequence(self, program: list[Instruction], tree: Any, flags: int) -> None:
        for op, argument in _nodes(tree):
            if op in _SINGLE:
                self._add(program, (TAKE, _matcher(_written(op, argument), flags)))
            elif op == "AT":
                self._add(program, (TEST, _matcher(_PLACES[argument.name], flags)))
            elif op in _REPEATS:
                self._repeat(program, op, argument, flags)
            else:
                self._part(program, op, argument, flags)

    def _part(self, program: list[Instruction], op: str, argument: Any, flags: int) -> None:
        if op == "SUBPATTERN":
            self._group(program, argument, flags)
        elif op == "BRANCH":
            self._branch(program, argument[1], flags)
        elif op == "ATOMIC_GROUP":
            self._add(program, (INNER, self._compiled(argument, flags), "atomic", 0))
        elif op in ("ASSERT", "ASSERT_NOT"):
            back = argument[1].getwidth()[0] if argument[0] < 0 else 0
            kind = "not" if op == "ASSERT_NOT" else "is"
            self._add(program, (INNER, self._compiled(argument[1], flags), kind, back))
        elif op == "FAILURE":  # an empty class, or an assertion that nothing follows
            self._add(program, (TEST, lambda text, at: False))  # noqa: ARG005 - as every test
        else:
            # A reference to a group: what it holds is one more state, and with that the work has no bound. Or a part
            # that a later Python knows.
            raise _Unbounded

    def _group(self, program: list[Instruction], argument: Any, flags: int) -> None:
        number, added, removed, tree = argument
        if number == 1:
            self._add(program, (SAVE, 0))
        self._sequence(program, tree, (flags | added) & ~removed)
        if number == 1:
            self._add(program, (SAVE, 1))

    def _branch(self, program: list[Instruction], parts: Sequence[Any], flags: int) -> None:
        jumps = []
        for part in parts[:-1]:
            split = self._add(program, (SPLIT,))
            self._sequence(program, part, flags)
            jumps.append(self._add(program, (JUMP,)))
            program[split] = (SPLIT, split + 1, len(program))
        self._sequence(program, parts[-1], flags)
        for jump in jumps:
            program[jump] = (JUMP, len(program))

    def _repeat(self, program: list[Instruction], op: str, argument: Any, flags: int) -> None:
        if op == "POSSESSIVE_REPEAT":
            inner: list[Instruction] = []
            self._repeat(inner, "MAX_REPEAT", argument, flags)
            self._add(inner, (DONE,))
            self._add(program, (INNER, inner, "atomic", 0))
            return
        least, most, tree = argument
        lazy = op == "MIN_REPEAT"
        loops = most == parser.MAXREPEAT
        for _ in range(least - (loops and least > 0)):
            before = len(program)
            self._sequence(program, tree, flags)
            if len(program) == before:  # nothing repeated is nothing
                return
        if loops:
            self._loop(program, tree, flags, lazy=lazy, optional=not least)
            return
        splits = []
        for _ in range(most - least):
            splits.append(self._add(program, (SPLIT,)))
            self._sequence(program, tree, flags)
        for split in splits:
            program[split] = _fork(split + 1, len(program), lazy=lazy)

    def _loop(self, program: list[Instruction], tree: Any, flags: int, *, lazy: bool, optional: bool) -> None:
        """Once (or not at all), and again from its end, so that an empty round ends the loop."""
        first = self._add(program, (SPLIT,)) if optional else len(program) - 1
        self._sequence(program, tree, flags)
        again = self._add(program, (SPLIT,))
        program[again] = _fork(first + 1, len(program), lazy=lazy)
        if optional:
            program[first] = program[again]


def _fork(inside: int, behind: int, *, lazy: bool) -> Instruction:
    return (SPLIT, behind, inside) if lazy else (SPLIT, inside, behind)


@lru_cache(maxsize=1024)
def _matcher(text: str, flags: int) -> Callable[[str, int], object]:
    return re.compile(text, flags & (re.IGNORECASE | re.ASCII | re.DOTALL | re.MULTILINE)).match


def _written(op: str, argument: Any) -> str:
    """A node of one character as an expression."""
    if op == "ANY":
        return "."
    if op in ("LITERAL", "NOT_LITERAL"):
        return f"[{'^' * (op == 'NOT_LITERAL')}{_letter(argument)}]"
    return f"[{''.join(_member(own.name, value) for own, value in argument)}]"


def _member(op: str, argument: Any) -> str:
    if op == "NEGATE":
        return "^"
    if op == "LITERAL":
        return _letter(argument)
    if op == "RANGE":
        return f"{_letter(argument[0])}-{_letter(argument[1])}"
    return _CATEGORIES[argument.name]


def _letter(code: int) -> str:
    return f"\\U{code:08x}"


# -- kinds of values that a condition can ask for -------------------------------------------------------------------

LONGEST = 60  # characters; a longer text merely mentions a price or a date

_AMOUNT = r"\d[\d.,'’\s]*"
_SIGN = r"(?:[$€£¥₹₽]|US\$|C\$|A\$|(?:USD|EUR|GBP|CHF|JPY|SEK|NOK|DKK|PLN|CZK|kr|zł|Fr)\.?)"
_MONTH = (
    r"\b(?:jan(?:uar[iy]?)?|feb(?:ruar[iy]?)?|mar(?:ch)?|märz|apr(?:il)?|ma[iy]|june?|juni|july?|juli|aug(?:ust)?"
    r"|sept?(?:ember)?|o[ck]t(?:ober)?|nov(?:ember)?|de[cz](?:ember)?)\b\.?"
)

FORMS = {
    "money": rf"[^\w$€£¥₹₽]*(?:{_SIGN}\s?{_AMOUNT}|{_AMOUNT}\s?{_SIGN})[^\w]*",
    "date": rf".*(?:\d{{4}}-\d\d-\d\d|\d{{1,2}}[./]\d{{1,2}}[./]\d{{2,4}}|{_MONTH}\s+\d|\d{{1,2}}\.?\s+{_MONTH}).*",
    "phone": r"(?:(?:tel|phone|fax)\W*)?\+?(?:\d{1,3}[\s.-]?)?"
    r"\(?\d{2,4}\)?[\s./-]\d{3,4}[\s.-]?\d{2,4}(?:[\s-]\d{2,4})?",
    "email": r"[\w.+-]+@[\w-]+\.[\w.-]+",
    "number": r"[+−-]?\d[\d.,'’\s]*\s?%?",
}
KINDS = {name: re.compile(form, re.IGNORECASE) for name, form in FORMS.items()}


def kinds_of(text: str) -> list[str]:
    """The kinds that a text belongs to.

    >>> kinds_of("$1,200.50"), kinds_of("12 May 1999"), kinds_of("1,200"), kinds_of("Canon")
    (['money'], ['date'], ['number'], [])
    """
    if len(text) > LONGEST:
        return []
    return [name for name, form in KINDS.items() if form.fullmatch(text)]
