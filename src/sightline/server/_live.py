"""The connection of a live view: pictures go out, the newest at a time; mouse, keys and commands come in.

Pictures are binary messages: the number of the picture and how far the page was scrolled (three little-endian numbers
of four bytes: an integer and two floats), then the JPEG. All other messages are JSON objects with a `kind`.
"""

import asyncio
import struct
from collections.abc import Callable
from contextlib import suppress
from typing import Annotated, Any, Literal, TypeAlias

import msgspec
import orjson
from starlette.concurrency import run_in_threadpool
from starlette.websockets import WebSocket, WebSocketDisconnect

from sightline.errors import SightlineError
from sightline.server._live_recording import LiveRecording, LiveViewer
from sightline.sources import KeyStroke, MouseMotion, TypedText, WheelTurn

MOST_UNSEEN = 2  # pictures on their way to the viewer; a slower one gets fewer, never older ones
SMALLEST, LARGEST = 320, 2_560  # pixels of a window, each way
HEAD = struct.Struct("<Iff")
LONGEST_TEXT = 1_000_000  # characters of one message
ELSEWHERE, ENDED = 4001, 4002  # why the connection was closed, in the numbers that are free for applications

# A number that the browser cannot read would end the hand that passes it on.
Buttons = Annotated[int, msgspec.Meta(ge=0, le=31)]
Modifiers = Annotated[int, msgspec.Meta(ge=0, le=15)]
Number = Annotated[int, msgspec.Meta(ge=0, le=65_535)]
LongText = Annotated[str, msgspec.Meta(max_length=LONGEST_TEXT)]


class Mouse(msgspec.Struct, tag="mouse", tag_field="kind"):
    """The mouse."""

    type: Literal["move", "down", "up"]
    x: float
    y: float
    button: Literal["none", "left", "middle", "right"] = "none"
    buttons: Buttons = 0
    count: Number = 1
    modifiers: Modifiers = 0


class Wheel(msgspec.Struct, tag="wheel", tag_field="kind"):
    """The wheel."""

    x: float
    y: float
    by_x: float
    by_y: float
    modifiers: Modifiers = 0


class Key(msgspec.Struct, tag="key", tag_field="kind"):
    """A key that goes down or up."""

    down: bool
    key: str
    code: str = ""
    number: Number = 0
    modifiers: Modifiers = 0
    repeated: bool = False


class Text(msgspec.Struct, tag="text", tag_field="kind"):
    """A text that was pasted or composed."""

    text: LongText


class Seen(msgspec.Struct, tag="seen", tag_field="kind"):
    """A picture was drawn."""

    number: int


class Goto(msgspec.Struct, tag="goto", tag_field="kind"):
    """An address was typed."""

    url: LongText


class Go(msgspec.Struct, tag="go", tag_field="kind"):
    """Back (-1), forward (1), or the same page again (0)."""

    steps: Literal[-1, 0, 1]


class SwitchTab(msgspec.Struct, tag="tab", tag_field="kind"):
    """Another tab was chosen."""

    number: Number


class DialogReply(msgspec.Struct, tag="dialog", tag_field="kind"):
    """A dialog was answered."""

    accept: bool
    text: str | None = None


class Choose(msgspec.Struct, tag="choose", tag_field="kind"):
    """An option was chosen, or none."""

    option: str | None = None


class GiveFiles(msgspec.Struct, tag="files", tag_field="kind"):
    """Uploaded files for the page, by their names; none if nobody wanted any."""

    names: list[str]


class Pause(msgspec.Struct, tag="pause", tag_field="kind"):
    """Record no further for now."""


class Resume(msgspec.Struct, tag="resume", tag_field="kind"):
    """Record again."""


class Probe(msgspec.Struct, tag="probe", tag_field="kind"):
    """What is there? Nothing is clicked."""

    x: float
    y: float


class Size(msgspec.Struct, tag="size", tag_field="kind"):
    """The window gets another size."""

    width: Annotated[int, msgspec.Meta(ge=SMALLEST, le=LARGEST)]
    height: Annotated[int, msgspec.Meta(ge=SMALLEST, le=LARGEST)]


class Play(msgspec.Struct, tag="play", tag_field="kind"):
    """Replay the script; secrets that this server does not have are typed for this time only."""

    secrets: dict[str, str] = {}
    until: str = ""
    stepwise: bool = False


class Continue(msgspec.Struct, tag="continue", tag_field="kind"):
    """Go on with the replay: to its end, for one step, or up to a step."""

    one: bool = False
    until: str = ""


class Halt(msgspec.Struct, tag="halt", tag_field="kind"):
    """Wait before the next step of the replay."""


class StopReplay(msgspec.Struct, tag="stop", tag_field="kind"):
    """End the replay."""


Message: TypeAlias = (
    Mouse
    | Wheel
    | Key
    | Text
    | Seen
    | Goto
    | Go
    | SwitchTab
    | DialogReply
    | Choose
    | GiveFiles
    | Pause
    | Resume
    | Probe
    | Size
    | Play
    | Continue
    | Halt
    | StopReplay
)
_DECODER: msgspec.json.Decoder[Any] = msgspec.json.Decoder(Message)


async def serve_live(socket: WebSocket, recording: LiveRecording) -> None:
    """Show a recording to whoever opened the connection, until one of the two ends."""
    await socket.accept()
    loop = asyncio.get_running_loop()
    come = asyncio.Event()

    def wake() -> None:
        if not loop.is_closed():
            loop.call_soon_threadsafe(come.set)

    viewer = LiveViewer(wake)
    stream = _Stream(socket, viewer, come)
    await run_in_threadpool(recording.attach, viewer)
    sending = loop.create_task(stream.send())
    try:
        await _receive(socket, recording, stream)
    except (WebSocketDisconnect, RuntimeError):  # the second, if it was closed while something was on its way
        pass
    finally:
        sending.cancel()
        await asyncio.gather(sending, return_exceptions=True)
        recording.detach(viewer)


class _Stream:
    """Sends what is new, and never more pictures than the viewer has drawn."""

    def __init__(self, socket: WebSocket, viewer: LiveViewer, come: asyncio.Event) -> None:
        self._socket = socket
        self._viewer = viewer
        self._come = come
        self._sent = self._seen = 0
        self._numbers: list[int] = []  # of pictures that were sent and perhaps not drawn yet

    def seen(self, number: int) -> None:
        """The viewer has drawn a picture."""
        self._seen = max(self._seen, min(number, self._sent))
        self._come.set()

    async def send(self) -> None:
        """Send until there is nothing more to see."""
        while True:
            await self._come.wait()
            self._come.clear()
            if self._viewer.replaced or self._viewer.ended:
                code = ELSEWHERE if self._viewer.replaced else ENDED
                await self._socket.close(code, self._viewer.ended or "It is open in another tab.")
                return
            waiting = sum(1 for number in self._numbers if number > self._seen)
            told, shown = self._viewer.taken(picture=waiting < MOST_UNSEEN)
            for message in told:
                await self._socket.send_text(orjson.dumps(message, default=str).decode())
            if shown is not None:
                number, picture = shown
                self._sent = number
                self._numbers = [*(one for one in self._numbers if one > self._seen), number]
                await self._socket.send_bytes(HEAD.pack(number & 0xFFFFFFFF, *picture.scroll) + picture.jpeg)


async def _receive(socket: WebSocket, recording: LiveRecording, stream: _Stream) -> None:
    """Take messages; one that makes no sense is told, and the connection stays."""
    while True:
        try:
            message = _DECODER.decode(await socket.receive_text())
        except (KeyError, RecursionError, msgspec.DecodeError):  # the first, if it isn't text
            # What it was is not repeated: it may be anything that somebody typed.
            told = {"kind": "told", "message": "The Studio did not understand what its page sent; load it again."}
            await socket.send_text(orjson.dumps(told).decode())
            continue
        if isinstance(message, Seen):
            stream.seen(message.number)
        elif (event := _event(message)) is not None:
            recording.put(event)
        elif isinstance(message, DialogReply):
            with suppress(SightlineError):  # it was answered meanwhile
                await run_in_threadpool(recording.answer_dialog, accept=message.accept, text=message.text)
        elif isinstance(message, Probe):
            with suppress(SightlineError):  # the browser is just being replaced
                await run_in_threadpool(recording.probe, message.x, message.y)
        elif (control := _control(recording, message)) is not None:
            control()
        else:
            recording.do(*_command(recording, message))


def _event(message: Any) -> MouseMotion | WheelTurn | KeyStroke | TypedText | None:
    match message:
        case Mouse():
            at = (message.type, message.x, message.y)
            return MouseMotion(*at, message.button, message.buttons, message.count, message.modifiers)
        case Wheel():
            return WheelTurn(message.x, message.y, message.by_x, message.by_y, message.modifiers)
        case Key():
            how = (message.code, message.number, message.modifiers)
            return KeyStroke(message.down, message.key, *how, message.repeated)
        case Text():
            return TypedText(message.text)
    return None


def _control(recording: LiveRecording, message: Any) -> Callable[[], None] | None:
    """What a replay is told at once, whatever else is being done."""
    replay = recording.replay
    match message:
        case Continue():
            if replay is None:
                return lambda: None
            if message.until:
                return lambda: replay.go_to(message.until)
            return lambda: replay.go_on(one=message.one)
        case Halt():
            return replay.halt if replay else lambda: None
        case StopReplay():
            return replay.stop if replay else lambda: None
    return None


def _command(recording: LiveRecording, message: Any) -> tuple[Callable[[], None], str]:
    """What is done after what was asked for before, and what that is called meanwhile."""
    match message:
        case Goto():
            return lambda: recording.goto(message.url), f"Opening {message.url[:200]}"
        case Go():
            return lambda: recording.go(message.steps), ""
        case SwitchTab():
            return lambda: recording.switch(message.number), ""
        case Choose():
            return lambda: recording.choose(message.option), ""
        case GiveFiles():
            return lambda: recording.give_files(message.names), ""
        case Pause():
            return recording.pause, ""
        case Resume():
            return recording.resume, ""
        case Size():
            return lambda: recording.resize(message.width, message.height), ""
        case Play():
            return (
                lambda: recording.play(message.secrets, until=message.until, stepwise=message.stepwise),
                "Starting a fresh browser",
            )
    raise AssertionError(message)
