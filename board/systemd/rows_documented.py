# SPDX-License-Identifier: Apache-2.0
"""A row about the configurations that the documentation gives: each is what the unit runs, whatever devices the machine has."""

import re

from machine import expect, file_of_repository
from play import CONFIGURATION


def with_optional_parts(text):
    """The configuration of a board with the parts in its comments: the lamp, and buttons in place of the short form."""
    lines, is_short_form = [], False
    for line in text.splitlines():
        if not line.startswith(" "):
            is_short_form = line.startswith("shutter:")
        if not is_short_form:
            lines.append(line[2:] if line.startswith(("# lamp:", "# buttons:", "#   ")) else line)
    return "\n".join(lines) + "\n"


def documented(play):
    """the configurations of README and of a Raspberry Pi, with all optional parts, are what the unit runs"""
    board = file_of_repository("board/rpi/platen.yaml")
    texts = {"README.md": re.search(r"^```yaml\n(.*?)^```$", file_of_repository("README.md"), re.DOTALL | re.MULTILINE)[1],
             "board/rpi/platen.yaml": board, "all its parts": with_optional_parts(board)}
    expect("the parts in comments", re.findall(r"^(shutter|buttons|lamp):", texts["all its parts"], re.MULTILINE), ["buttons", "lamp"])
    try:
        for name, text in texts.items():
            play.configure(text=text)
            play.start()
            found = play.examine("configuration", user="platen")
            expect(f"what the doctor finds of {name}", [finding["seen"] for finding in found], [f'"{CONFIGURATION}" is in order and is what runs'])
    finally:
        play.configure()
        play.start()
    return ", ".join(texts)
