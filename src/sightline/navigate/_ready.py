"""Whether a script can be played: its files are there, and so are the secrets that it is going to type."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from sightline.errors import MissingExtra, SightlineError, UsageError
from sightline.extract.wrappers import Wrapper
from sightline.navigate.play import Secrets
from sightline.navigate.script import (
    VARIABLE,
    ForEachStep,
    FrameStep,
    LogInStep,
    Reading,
    RecordSource,
    Script,
    SecretName,
    Step,
    StopStep,
    UploadStep,
    blocks_of,
    values_of,
)
from sightline.navigate.targets import Target


def missing_secret(script: Script, start: int = 1) -> str:
    """Which secret cannot be found although a step that certainly runs types it; nothing if all are there."""
    secrets = Secrets(script.secrets)
    for step, name in _typed(script.steps, start):
        try:
            secrets.get(name)
        except (UsageError, MissingExtra) as problem:
            return f"{script.file}, line {step.line}: {problem.message[:1].lower()}{problem.message[1:]}"
    return ""


def _typed(steps: tuple[Step, ...], start: int) -> Iterator[tuple[Step, str]]:
    """The secrets of steps that run whatever the pages show; log-ins before the start are done, too."""
    for number, step in enumerate(steps, 1):
        if number < start and not isinstance(step, LogInStep):
            continue
        if isinstance(step, StopStep):
            return
        yield from ((step, value.name) for value in values_of(step) if isinstance(value, SecretName))
        if isinstance(step, FrameStep):
            yield from _typed(step.steps, 1)


def problems_in_files(script: Script) -> list[str]:
    """What is wrong with the wrappers and other files that a script names, each with its line."""
    return list(_Files(script).problems(script.steps))


@dataclass
class _Files:
    script: Script
    loaded: dict[str, Wrapper | None] = field(default_factory=dict)

    def problems(self, steps: tuple[Step, ...]) -> Iterator[str]:
        for step in steps:
            for problem in self._of_step(step):
                yield f"{self.script.file}, line {step.line}: {problem}"
            for inner in blocks_of(step):
                yield from self.problems(inner)

    def _of_step(self, step: Step) -> Iterator[str]:
        for value in values_of(step):
            if isinstance(value, Target | Reading | RecordSource) and value.wrapper:
                yield from self._of_wrapper(value.wrapper, [value.field] if value.field else [])
        if isinstance(step, ForEachStep) and step.take and step.source.wrapper and not step.source.field:
            yield from self._of_wrapper(step.source.wrapper, list(step.take.values()))
        if isinstance(step, UploadStep):
            for name in step.files:
                if not VARIABLE.search(name) and not (self.script.folder / name).is_file():
                    yield f"there is no file {self.script.folder / name} to upload; check its name."

    def _of_wrapper(self, name: str, fields: list[str]) -> Iterator[str]:
        """Problems of a wrapper's file; one that cannot be loaded is told once."""
        if VARIABLE.search(name):
            return
        if name not in self.loaded:
            try:
                self.loaded[name] = Wrapper.load(self.script.folder / name)
            except SightlineError as problem:
                self.loaded[name] = None
                yield problem.message
        wrapper = self.loaded[name]
        known = {} if wrapper is None else _names(wrapper)
        for one in fields if known else ():
            if one not in known and not VARIABLE.search(one):
                yield f"the wrapper {name} has no field `{one}`; it has {', '.join(f'`{key}`' for key in known)}."


def _names(wrapper: Wrapper) -> Mapping[str, None]:
    """The names of a wrapper's fields; one in a set goes by its own name, too."""
    names = [*wrapper.fields, *wrapper.beside]
    return dict.fromkeys([*names, *(name.rpartition(".")[2] for name in names)])
