"""The rights that the PDF reader's process gives up before it sees a document.

Two walls: limits of the system, and on Linux a filter on system calls, so that code which a document smuggled in can
neither reach the network, nor start a program, nor change a file. Reading stays possible, since pdfium looks for fonts.
Where the system knows no such thing, the child goes on without: the filter is a second wall, not the first.
"""

import ctypes
import errno
import os
import resource
import sys
from contextlib import suppress

__all__ = ["confine"]

MOST_FILES = 32  # open at once
NO_NEW_PRIVILEGES, SET_FILTER, BY_PROGRAM = 38, 22, 2  # of prctl
LOAD, EQUAL, AT_LEAST, ANY_BIT, RETURN = 0x20, 0x15, 0x35, 0x45, 0x06  # of the filter's machine
ALLOW, REFUSE = 0x7FFF0000, 0x00050000 | errno.EPERM
CALL, MACHINE, ARGUMENTS = 0, 4, 16  # where they lie in what the filter sees; an argument has 8 bytes
FOREIGN_CALLS = 0x40000000  # the x32 calls of an x86-64 kernel, under which the same things have other numbers
WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC

# name of the machine: its number, calls that open a file with the place of their flags, and calls that are refused:
# socket, socketpair, connect, io_uring_setup; execve, execveat, fork, vfork; ptrace, process_vm_writev, kill; openat2,
# creat, truncate, ftruncate, rename*, unlink*, rmdir, link*, symlink*, mkdir*, chmod*, chown*; mount, unshare, setns.
MACHINES = {
    "x86_64": (
        0xC000003E,
        {2: 1, 257: 2},
        (
            *(41, 53, 42, 425, 59, 322, 57, 58, 101, 311, 62, 437, 85, 76, 77, 82, 264, 316, 87, 263, 84, 86, 265, 88),
            *(266, 83, 258, 90, 91, 268, 92, 93, 94, 260, 165, 272, 308),
        ),
    ),
    "aarch64": (
        0xC00000B7,
        {56: 2},
        (
            *(198, 199, 203, 425, 221, 281, 117, 271, 129, 437, 45, 46, 38, 276, 35, 37, 36, 34, 52, 53, 54, 55, 40),
            *(97, 268),
        ),
    ),
}


class _Step(ctypes.Structure):
    _fields_ = (("code", ctypes.c_uint16), ("yes", ctypes.c_uint8), ("no", ctypes.c_uint8), ("value", ctypes.c_uint32))


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_uint16), ("steps", ctypes.POINTER(_Step)))


def confine(memory_bytes: int) -> None:
    """Set every limit that this system supports, irrevocably."""
    for kind, most in (
        (resource.RLIMIT_AS, memory_bytes),
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_FSIZE, 0),
        (resource.RLIMIT_NOFILE, MOST_FILES),
    ):
        with suppress(ValueError, OSError):  # macOS refuses some
            resource.setrlimit(kind, (most, most))
    if sys.platform == "linux" and os.uname().machine in MACHINES:
        _filter(*MACHINES[os.uname().machine])


def _filter(machine: int, opening: dict[int, int], refused: tuple[int, ...]) -> None:
    """Have the kernel reject some calls; a kernel without filters still allows them."""
    steps = [
        *((LOAD, 0, 0, MACHINE), (EQUAL, 1, 0, machine), (RETURN, 0, 0, REFUSE)),
        *((LOAD, 0, 0, CALL), (AT_LEAST, 0, 1, FOREIGN_CALLS), (RETURN, 0, 0, REFUSE)),
    ]
    for call in refused:
        steps += [(EQUAL, 0, 1, call), (RETURN, 0, 0, REFUSE)]
    for call, flags in opening.items():
        steps += [(EQUAL, 0, 4, call), (LOAD, 0, 0, ARGUMENTS + 8 * flags), (ANY_BIT, 0, 1, WRITING)]
        steps += [(RETURN, 0, 0, REFUSE), (RETURN, 0, 0, ALLOW)]
    steps.append((RETURN, 0, 0, ALLOW))
    program = _Program(len(steps), (_Step * len(steps))(*(_Step(*step) for step in steps)))
    prctl = ctypes.CDLL(None).prctl
    zero = ctypes.c_ulong(0)
    if prctl(NO_NEW_PRIVILEGES, ctypes.c_ulong(1), zero, zero, zero) == 0:
        prctl(SET_FILTER, ctypes.c_ulong(BY_PROGRAM), ctypes.byref(program), zero, zero)
