"""Messages to people: by mail, chat or a web address, whatever apprise has an address for."""

from typing import TYPE_CHECKING

from sightline._lazy import NameGetter, lazily

if TYPE_CHECKING:
    from sightline.flow.notify._notify import Notified, notify, shown_address

__all__ = ["Notified", "notify", "shown_address"]

__getattr__: NameGetter = lazily(__name__, {"_notify": "Notified notify shown_address"})
