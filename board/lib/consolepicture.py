# SPDX-License-Identifier: Apache-2.0
"""Draws a session on the simulated board as an SVG, and prints the SVG: board/lib/consolepicture.py FOLDER-OF-PROGRAMS

Used by board/docs console. Times, sizes and ports differ with each run; a unit test requires that the typed commands exist.
"""

import contextlib
import os
import pty
import re
import select
import signal
import subprocess
import sys
import tempfile
import termios
from xml.sax.saxutils import escape

import pyte
from boards import SimulatedBoard
from drive import receiver
from service import PATIENCE, Service, ServiceError

PROMPT = re.compile(r"simulated-rig \w+> ")
COLUMNS, ROWS, CELL, LINE, EDGE = 80, 24, 8.4, 18, 16  # the terminal; a character's width, a line's height, the margin
STYLE = """  <style>
    text { font: 14px ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace; white-space: pre; fill: #1f2328 }
    rect { fill: #ffffff; stroke: #b8bec6 } .prompt { fill: #0a5f38 } .typed { font-weight: bold }
    @media (prefers-color-scheme: dark) { text { fill: #e6edf3 } rect { fill: #0d1117; stroke: #444c56 } .prompt { fill: #6fdd8b } }
  </style>"""


class Console:
    """The console on a terminal of 80x24, and an emulator that is tall enough to keep what has scrolled away."""

    def __init__(self, programs, folder, socket):
        self._near, far = pty.openpty()
        termios.tcsetwinsize(far, (ROWS, COLUMNS))
        more = {"TERM": "linux", "LC_ALL": "C.UTF-8", "XDG_STATE_HOME": folder, "PLATEN_SOCKET": socket}
        self._process = subprocess.Popen([os.path.join(programs, "platenctl"), "console"], stdin=far, stdout=far, stderr=far,
                                         start_new_session=True, env=os.environ | more)
        os.close(far)
        self._screen = pyte.Screen(COLUMNS, 10 * ROWS)
        self._stream = pyte.ByteStream(self._screen)
        self._wait_for_prompt(below=-1)

    def type(self, line):
        """Types a line, and waits for the next prompt."""
        row = self._screen.cursor.y
        os.write(self._near, f"{line}\r".encode())
        self._wait_for_prompt(below=row)

    def lines(self):
        """The text of each line down to the cursor's."""
        return [line.rstrip() for line in self._screen.display[:self._screen.cursor.y + 1]]

    def close(self):
        os.close(self._near)
        self._process.terminate()
        self._process.wait()

    def _wait_for_prompt(self, below):
        screen = self._screen
        while screen.cursor.y <= below or not PROMPT.fullmatch(screen.display[screen.cursor.y][:screen.cursor.x]):
            try:
                if not select.select([self._near], [], [], 20 * PATIENCE)[0]:
                    raise TimeoutError("nothing comes")
                self._stream.feed(os.read(self._near, 65536))
            except OSError as error:  # also EIO, when the console has ended
                raise ServiceError(f'there is no prompt of the console: {error}; the last line is "{self.lines()[-1]}"') from None


def session(programs, folder):
    """The lines of a session: look, find the fault, plug the camera in, try, and see the picture delivered."""
    with receiver(os.path.join(folder, "receiver")) as (url, _):
        service = Service(os.path.join(programs, "platend"), folder, SimulatedBoard().configuration(url))
        try:
            service.start()
            service.simulate("cameraFault", fault="absent")
            service.wait_for("the camera is missed", lambda: service.status()["readiness"]["reasons"], 10)
            with contextlib.closing(Console(programs, folder, service.socket_path)) as console:
                console.type("status")
                console.type("doctor --part cameras")
                service.simulate("cameraFault", fault="none")
                service.wait_until_ready()
                console.type("")
                console.type("shoot")
                service.wait_for_receipt(service.last_press_number())
                console.type("queue")
                return console.lines()
        finally:
            service.kill()


def svg(lines):
    """The drawing; each line is as wide as on the terminal, whatever the font."""
    width, height, body = round(COLUMNS * CELL + 2 * EDGE), len(lines) * LINE + 2 * EDGE, []
    for number, line in enumerate(lines, 1):
        text, columns = escape(line), len(line)
        if prompt := PROMPT.match(f"{line} "):
            typed, columns = escape(line[prompt.end():]), max(columns, prompt.end())
            text = f'<tspan class="prompt">{escape(prompt[0])}</tspan><tspan class="typed">{typed}</tspan>'
        if columns:
            body.append(f'  <text x="{EDGE}" y="{EDGE + LINE * number - 5}" textLength="{columns * CELL:g}">{text}</text>')
    return "\n".join([
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" role="img" '
        'aria-labelledby="title" xml:space="preserve">',
        "  <!-- board/docs console draws this from a session on the simulated board. -->",
        '  <title id="title">A session of the console: status, the doctor about an unplugged camera, a press, and the queue</title>', STYLE,
        f'  <rect x="0.5" y="0.5" width="{width - 1}" height="{height - 1}" rx="8"/>', *body, "</svg>"])


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    try:
        with tempfile.TemporaryDirectory(prefix="platen-console.") as place:
            print(svg(session(sys.argv[1], place)))
    except ServiceError as error:
        sys.exit(f"docs: {error}")
