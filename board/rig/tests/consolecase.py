# SPDX-License-Identifier: Apache-2.0
"""What the tests of the technician's console share: a service on its usual socket, a login on the serial line, commands."""

import os
import pwd
import re
import shutil

import privatefiles
import wiring
from rigcase import BINARY, CLASS_LEDS, RigCase, configuration
from serialline import Getty, cable, processes_of
from service import Service

PROGRAMS = os.path.dirname(BINARY)
SOCKET = "/run/platen/platend.sock"
USER, PASSWORD = "technician", "an open platen"
RIG = "virtual-rig"
GROUP = "  socket_group: platen-console\n"
MORE = "--More--"
# The prompt at the end of what came: the rig and the state of its readiness, or that there is no service.
PROMPT = rf"(?:{RIG} [a-zA-Z]+|no service)> "
ESCAPE = re.compile(r"\x1b(\[[0-9;?]*([A-Za-z@])|[=>78]|[()][A-Z0-9])")


def shown(text):
    """The lines that a terminal shows for what it is sent, without the spaces at their ends.

    Enough for one that is written to line by line; anything else that it would do is an error.
    """
    lines, column = [[]], 0
    place = 0
    while place < len(text):
        letter = text[place]
        place += 1
        if letter == "\x1b":
            match = ESCAPE.match(text, place - 1)
            if not match:
                raise ValueError(f"no sequence that is known: {text[place - 1:place + 8]!r}")
            place = match.end()
            count = int(re.sub(r"\D", "", match[1]) or 1)
            if match[2] == "C":
                column += count
            elif match[2] == "D":
                column = max(0, column - count)
            elif match[2] in ("K", "J"):
                del lines[-1][column:]
            continue
        if letter == "\r":
            column = 0
        elif letter == "\n":
            lines.append([])
        elif letter == "\b":
            column = max(0, column - 1)
        elif letter != "\a":
            if letter < " " or letter == "\x7f":
                raise ValueError(f"a control character that a terminal may act upon: {letter!r}")
            line = lines[-1]
            line += [" "] * (column + 1 - len(line))
            line[column] = letter
            column += 1
    return ["".join(line).rstrip() for line in lines]


class ConsoleCase(RigCase):
    """A test with a service that a technician may use, and a serial line on which they can log in."""

    def setUp(self):
        privatefiles.prepare({name: f"{PROGRAMS}/{program}" for name, program in
                              (("platend", "platend"), ("platenctl", "platenctl"), ("platen-console", "platenctl"))})
        privatefiles.set_password(USER, PASSWORD)
        super().setUp()
        privatefiles.set_configuration_folder(self.directory)
        os.makedirs(os.path.dirname(SOCKET), exist_ok=True)
        shutil.rmtree("/var/lib/platen-console/.local", ignore_errors=True)
        self.user = pwd.getpwnam(USER).pw_uid
        privatefiles.give_devices()
        self.laptop = self.device = self.getty = None

    def tearDown(self):
        if self.getty:
            self.getty.end()
        if self.laptop:
            self.laptop.close()
        super().tearDown()

    def start(self, text=None, ready=True, account=None):
        """Starts the service, whose socket the technician may use."""
        service = Service(BINARY, self.directory, text or self.configuration(), socket_path=SOCKET, account=account)
        self.services.append(service)
        return service.start(wait_until_ready=ready)

    @staticmethod
    def configuration(extra="", lights=CLASS_LEDS, **changes):
        """The rig's configuration with a socket for the technician's group."""
        return configuration(lights=lights, extra=GROUP + extra, **changes)

    # -- the line ----------------------------------------------------------------------------------

    def connect(self, terminal="vt100"):
        """Plugs the laptop in and starts getty for a kind of terminal."""
        if self.laptop is None:
            self.laptop, self.device = self.plug_in()
        self.getty = Getty(self.device, terminal)
        self.laptop.expect("login: ")

    def plug_in(self):
        """A laptop and the device of the line to it."""
        return cable(), wiring.TECHNICIAN

    def log_in(self, terminal="vt100", password=PASSWORD):
        """Logs in; what is shown up to the first prompt."""
        self.connect(terminal)
        self.laptop.type(f"{USER}\r")
        self.laptop.expect("Password: ")
        self.laptop.type(f"{password}\r")
        before = self.laptop.place
        self.laptop.expect(PROMPT, 30)
        return bytes(self.laptop.received[before:self.laptop.place]).decode()

    def run_line(self, line, confirm=None, interrupt_after=None, obeys=(), seconds=30):
        """Types a line and gives what is shown until the next prompt, page by page; without the line itself.

        `confirm`: what is typed when the console asks for the name of what would be done to · `interrupt_after`: text
        after which Ctrl-C is typed · `obeys`: pairs of text that asks for something, and what is called with its match
        each time; what that returns is typed.
        """
        self.laptop.type(f"{line}\r")
        self.laptop.expect(r"\n", seconds)
        text = ""
        while True:
            begun = self.laptop.place
            awaited = [f"(?P<prompt>{PROMPT})", f"(?P<more>{MORE})"]
            awaited += [r"(?P<confirm>Type \S+ to confirm: )"] if confirm else []
            awaited += [f"(?P<interrupt>{interrupt_after})"] if interrupt_after else []
            awaited += [f"(?P<asked{number}>{asked})" for number, (asked, _) in enumerate(obeys)]
            match = self.laptop.expect("|".join(awaited), seconds)
            text += bytes(self.laptop.received[begun:self.laptop.place]).decode()
            if match["prompt"]:
                return text
            if match["more"]:
                self.laptop.type(" ")
                continue
            if confirm and match["confirm"]:
                text = text[:match.start() - self.laptop.place]  # the question is as long as the name
                self.laptop.type(f"{confirm}\r")
                self.laptop.expect(r"\n", seconds)
                confirm = None
            elif deeds := [deed for number, (_, deed) in enumerate(obeys) if match[f"asked{number}"]]:
                if answer := deeds[0](match):
                    self.laptop.type(f"{answer}\r")
            else:
                self.laptop.type("\x03")
                interrupt_after = None

    def session_is_gone(self, seconds=10):
        """Requires that the login has ended and has left no process of the technician's."""
        self.assertTrue(self.getty.has_ended(seconds), "the login has ended")
        self.until("no process of the technician's is left", lambda: not processes_of(self.user), 5)
