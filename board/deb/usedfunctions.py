#!/usr/bin/python3 -B
# SPDX-License-Identifier: Apache-2.0
"""Puts the functions that a running service uses beside each other in the packages' programs: a third of their code is read and held.

board/deb/usedfunctions.py order MAP        prints the used functions of a program by the map of its link, for lld to link it again
board/deb/usedfunctions.py learn [PROGRAM]  takes pictures in the virtual rig and keeps in usedfunctions.bin what a platend of the
                                            packages enters, which is not stripped; builds one where none is given

A function is known by three bytes of a digest of its name, so that the file stays small; one in a thousand of the others is taken
for used. A function that is new or has another name stands among the unused ones until they are learned again. Of functions with the
same machine code, which lld makes one, the first name alone is known; another processor may have another name.
"""

import contextlib
import hashlib
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.realpath(__file__))
BOARD = os.path.dirname(HERE)
sys.path.insert(0, os.path.join(BOARD, "lib"))
from building import CACHE, CAMERA_OBJECT  # noqa: E402
from campaign import CampaignError, built, end_on_signals  # noqa: E402

KNOWN = os.path.join(HERE, "usedfunctions.bin")
DIGEST_BYTES = 3
# A stall, or whatever else happens now and then, is seen in one of several.
BOOTS, SHOTS = 3, 10


def digest(name):
    """The bytes that a function is known by."""
    return hashlib.blake2b(name.encode(), digest_size=DIGEST_BYTES).digest()


def known():
    """The digests of the functions that are used."""
    with open(KNOWN, "rb") as file:
        data = file.read()
    return {data[at:at + DIGEST_BYTES] for at in range(0, len(data), DIGEST_BYTES)}


def order(lines, used):
    """A function of each section of code that has used ones, by the lines of a link's map: first the sections that are used whole.

    Most functions have a section of their own. Some of Swift's libraries have one for a thousand, of which few are used: those
    stand behind all others, as they would lie between them.

    >>> large = ["40 40 90 16         b.a(c.o):(.text)", "40 40 10 1                 two", "50 50 80 1                 three"]
    >>> small = ["d0 d0 8 16         a.o:(.text.one)", "d0 d0 8 1                 one", "d8 d8 8 16         a.o:(.text..L__unnamed_1)"]
    >>> order(large + small, {digest("one"), digest("two")})
    ['one', 'two']
    """
    sections, is_code = [], False  # [size, used bytes, a used function]
    for line in lines:
        # Its address twice, its size, its alignment; then the section in an object, or a symbol in that, indented more.
        found = re.match(r" *[0-9a-f]+ +[0-9a-f]+ +([0-9a-f]+) +\d+ (?: {8}\S.*:\((\S+)\)| {16}(\S+))$", line)
        if found and found[2]:
            is_code = found[2].startswith(".text")
            sections += [[int(found[1], 16), 0, None]] if is_code else []
        elif found and is_code and digest(found[3]) in used:
            sections[-1][1] += int(found[1], 16)
            sections[-1][2] = sections[-1][2] or found[3]
    sections = [section for section in sections if section[2]]
    return [name for _, _, name in sorted(sections, key=lambda section: -min(1.0, section[1] / max(1, section[0])))]


def learn(program):
    """Takes pictures with a program in the rig; returns how many functions it has entered."""
    with tempfile.TemporaryDirectory(prefix="platen-learn-", dir=CACHE) as folder:
        # Both builds put their programs in the same place.
        if program:
            shutil.copy2(program, folder)
        shutil.copy2(os.path.join(os.path.dirname(built("release", CAMERA_OBJECT)), f"lib{CAMERA_OBJECT}.so"), folder)
        if not program:
            program = built("package", "platend")
            shutil.copy2(program, folder)
        traced, names = os.path.join(folder, "traced"), os.path.join(folder, "rig", "functions")
        command = ["/usr/bin/python3", "-B", os.path.join(HERE, "tracefunctions.py"), names, os.path.join(folder, os.path.basename(program))]
        with open(traced, "w", encoding="utf-8") as file:
            file.write(f'#!/bin/sh\nexec {shlex.join(command)} "$@"\n')
        os.chmod(traced, 0o755)
        rig = ["/usr/bin/python3", "-B", os.path.join(BOARD, "rig", "run.py"), "--binary", traced, "--out", folder, "--shots", str(SHOTS)]
        digests = set()
        for _ in range(BOOTS):
            with contextlib.suppress(FileNotFoundError):
                os.remove(names)
            if subprocess.run(rig).returncode != 0 or not os.path.exists(names):
                raise CampaignError("the rig has not taken its pictures; the cause is above")
            with open(names, encoding="utf-8") as file:
                digests |= {digest(name) for name in file.read().splitlines()}
    with open(KNOWN, "wb") as file:
        file.write(b"".join(sorted(digests)))
    return len(digests)


def main(arguments):
    """The command line."""
    match arguments:
        case ["order", link_map]:
            with open(link_map, encoding="utf-8", errors="replace") as file:
                print("\n".join(order(file, known())))
        case ["learn", *rest] if len(rest) <= 1:
            end_on_signals()
            print(f"usedfunctions: {learn(*rest or [None])} functions are used")
        case _:
            sys.exit(__doc__)


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    except (CampaignError, OSError) as error:
        sys.exit(f"usedfunctions: {error}.")
