"""Where the secrets of a file are kept: the file names the place, and never holds the secret itself."""

import os
from dataclasses import dataclass

from sightline.errors import MissingExtra, UsageError
from sightline.redaction import remember
from sightline.yaml._forms import LINE
from sightline.yaml._yaml_value import YamlValue

__all__ = ["SecretName", "SecretPlace", "look_up", "read_secrets", "secrets_schema"]

PLACES = ("environment", "keyring", "user")


@dataclass(frozen=True)
class SecretName:
    """A secret by its name; what it is stays where it is kept."""

    name: str


@dataclass(frozen=True, kw_only=True)
class SecretPlace:
    """Where a secret is kept: an environment variable, or an entry of the system's keyring."""

    environment: str = ""
    keyring: str = ""
    user: str = ""

    @property
    def is_known(self) -> bool:
        """Whether the environment has it; what a keyring has shows when it is asked."""
        return not self.environment or self.environment in os.environ


def read_secrets(given: YamlValue) -> dict[str, SecretPlace]:
    """Where the secrets are kept. What else is there is not repeated in an error, for it may be a secret."""
    found = {}
    never = "a secret is never written into a file, only where it is kept"
    ways = "`{environment: NAME}`, or `{keyring: SERVICE, user: NAME}`"
    if not isinstance(given.value, dict):
        given.fail(f"`secrets` has the names of secrets, each with where it is kept: {ways}.")
    for pair in given.pairs():
        if not isinstance(pair.value.value, dict):
            pair.key.fail(f"{never}; write `{pair.word}:` with {ways}.")
        for one in pair.value.pairs():
            if one.word not in PLACES:
                one.key.fail(f"{never}; write `{pair.word}:` with {ways}.")
        keys = {one.word: LINE.read(one.value) for one in pair.value.pairs()}
        if ("environment" in keys) == ("keyring" in keys) or ("user" in keys) != ("keyring" in keys):
            pair.key.fail(f"say where the secret `{pair.word}` is kept: {ways}.")
        found[pair.word] = SecretPlace(**keys)
    return found


def secrets_schema() -> dict[str, object]:
    """What editors accept below `secrets`."""
    place = {word: LINE.schema() for word in PLACES}
    return {
        "type": "object",
        "additionalProperties": {"type": "object", "properties": place, "additionalProperties": False},
        "description": "Names of secrets with where each is kept",
    }


def look_up(name: str, place: SecretPlace) -> str:
    """The secret itself; one that is not there is an error that says where to put it."""
    found = os.environ.get(place.environment) if place.environment else _from_keyring(place)
    if not found:
        where = f"set the environment variable {place.environment}"
        if place.keyring:
            where = f"store it with `keyring set {place.keyring} {place.user}`"
        raise UsageError(f"The secret `{name}` is not there; {where} first.")
    return remember(found)


def _from_keyring(place: SecretPlace) -> str | None:
    try:
        import keyring
        from keyring.errors import KeyringError
    except ImportError as problem:
        raise MissingExtra("keyring", "A secret in the keyring") from problem
    try:
        return keyring.get_password(place.keyring, place.user)
    except KeyringError as problem:
        what = f"The keyring could not be read ({type(problem).__name__})"
        raise UsageError(f"{what}; unlock it, or keep the secret in an environment variable.") from problem
