"""The program `sightline`, and `python -m sightline`.

Until the command line is imported, Ctrl-C ends the program at once, as it does any other, without a traceback.
"""

import signal

__all__ = ["run"]

if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def run() -> None:
    """Run the command line."""
    from sightline.cli import main

    main()


if __name__ == "__main__":
    run()
