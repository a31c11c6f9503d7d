"""The recorder and its thread."""

import os
import signal
import sys
import threading
from collections.abc import Iterator

import pytest

import sightline as sl
from sightline.navigate.record import Recorder, Recording

from ..._wait import wait_until
from ...sources.browser._site import html, site


def calls_of_the_main_thread() -> Iterator[str]:
    """The names of the functions that the main thread is in, innermost first."""
    frame = sys._current_frames().get(threading.main_thread().ident or 0)
    while frame:
        yield frame.f_code.co_qualname
        frame = frame.f_back


def when_in(function: str, act: "threading.Event | int") -> threading.Thread:
    """Set an event, or send a signal to this process, as soon as the main thread is in a function."""

    def watch() -> None:
        wait_until(lambda: function in calls_of_the_main_thread())
        act.set() if isinstance(act, threading.Event) else os.kill(os.getpid(), act)

    thread = threading.Thread(target=watch, daemon=True)
    thread.start()
    return thread


@pytest.fixture
def interruptible() -> Iterator[None]:
    """Ctrl-C interrupts, also where a shell runs the tests in the background and has it ignored."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("interruptible")
def test_after_an_interrupt_stop_waits_for_the_last_step() -> None:
    """Ctrl-C while the recorder waits does not make it forget its thread: what that is doing is done before it ends."""
    taken, going_on, done = threading.Event(), threading.Event(), threading.Event()

    def tell(recording: Recording) -> None:
        if len(recording.steps) > 1:
            taken.set()
            going_on.wait()
            done.set()

    page = html("<title>Shop</title><h1>Shop</h1><button id=go>Go</button>")
    with site({"/": page}) as here, sl.session() as session:
        recorder = Recorder(session, on_change=tell).start(here.url("/"))
        when_in("Recorder.wait", signal.SIGINT)
        with pytest.raises(KeyboardInterrupt):
            recorder.wait()
        session.click("//button")
        wait_until(taken.is_set)
        when_in("Recorder.stop", going_on)
        try:
            recorder.stop()
            assert done.is_set()
        finally:
            going_on.set()
    assert len(recorder.steps) == 2
