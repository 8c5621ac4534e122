# SPDX-License-Identifier: Apache-2.0
"""A person at the serial line: logs in, types commands, answers questions, and writes down what is to be shown."""

import re
import threading
import time

PROMPT = rb"\[(\d+)\] (rig@rig-1:[^\n]*\$) $"
LOGIN = rb"rig-1 login: $"
ESCAPES = re.compile(rb"\x1b\[[0-9;?]*[A-Za-z]|\x1b[()][A-Z0-9]|[\x00\x07]|\r+(?=\n)")
# What a later text on the same line has taken the place of.
OVERWRITTEN = re.compile(r"[^\n]*\r")


class LineError(Exception):
    """The machine did not say what it had to, and what it said."""


class Technician:
    """The hands at one end of the line, whose other end is a login. `limit`: how long a usual time is on this machine."""

    def __init__(self, limit):
        self._limit, self._end, self._text, self._place = limit, None, b"", 0
        self._came, self._is_over = threading.Condition(), True
        self._prompt = ""
        self.transcript = []

    def plug_in(self, end):
        """Takes the line's end, a socket, when the machine gets power."""
        if self._end:
            self._end.close()
        self._end, self._text, self._place, self._is_over = end, b"", 0, False
        threading.Thread(target=self._read, args=(end,), daemon=True).start()

    def type(self, text):
        """Types a line."""
        try:
            self._end.sendall(text.encode() + b"\n")
        except OSError:
            raise LineError(f"\"{text}\" cannot be typed: the machine has no power") from None

    def expect(self, pattern, usual=30, what=None):
        """Waits until what came since the last call matches; returns the match, and goes on behind it."""
        end = time.monotonic() + self._limit(usual)
        with self._came:
            while not (match := re.search(pattern, ESCAPES.sub(b"", self._text[self._place:]))):
                left = end - time.monotonic()
                if left <= 0 or self._is_over:
                    why = "the line went dead" if self._is_over else f"{self._limit(usual):.0f} s have gone by"
                    raise LineError(f"{what or pattern.decode()} did not come, and {why}; this came last: {self._text[self._place:][-800:].decode(errors='replace')}")
                self._came.wait(left)
            self._place = len(self._text)
            return match

    def wait_for_lines(self, pattern, count, usual=60):
        """Waits until so many lines match of what came since the last call; goes on before them."""
        end = time.monotonic() + self._limit(usual)
        with self._came:
            while len(re.findall(pattern, self._text[self._place:], re.MULTILINE)) < count:
                left = end - time.monotonic()
                if left <= 0 or self._is_over:
                    raise LineError(f"{count} lines with {pattern.decode()} did not come within {self._limit(usual):.0f} s; "
                                    f"this came last: {self._text[self._place:][-800:].decode(errors='replace')}")
                self._came.wait(left)

    def rest(self):
        """What came since the last call, after the line went dead."""
        with self._came:
            self._came.wait_for(lambda: self._is_over, 30)
            text, self._place = ESCAPES.sub(b"", self._text[self._place:]), len(self._text)
            return text.decode(errors="replace")

    def note(self, sentence):
        """Writes down what happens outside of the machine."""
        self.transcript.append(f"\n--- {sentence}\n\n")

    def log_in(self, usual=60):
        """Logs in as the person who has installed the system; the line asks for a name already, or will."""
        self.expect(LOGIN, usual, "the login")
        self.type("rig")
        self.expect(rb"Password: $")
        self.type("rig")
        self._prompt = self.expect(PROMPT, what="the prompt after the login")[2].decode()

    def run(self, command, usual=60, is_shown=True, fails=False, answers=()):
        """Types a command at the prompt; returns what it printed.

        `answers`: pairs of a question's pattern and its answer, which may come in any order and more than once.
        `fails`: whether it may end with another status than 0.
        """
        self.type(command)
        printed = b""
        questions = [(question.encode(), answer) for question, answer in answers]
        every = b"|".join(b"(?:%s)" % question for question in [PROMPT, *(question for question, _ in questions)])
        while True:
            match = self.expect(every, usual, f"the end of \"{command}\"")
            printed += match.string[:match.end()]
            answer = next((answer for question, answer in questions if re.search(question, match[0])), None)
            if answer is None:
                break
            self.type(answer)
        prompt = re.search(PROMPT, printed)
        # The terminal shows first what was typed.
        text = "" if "\n" in command else printed[:prompt.start()].decode(errors="replace").split("\n", 1)[-1]
        if is_shown:
            self.transcript.append(f"{self._prompt} {command}\n{OVERWRITTEN.sub('', text)}")
        self._prompt = prompt[2].decode()
        if prompt[1] != b"0" and not fails:
            raise LineError(f"\"{command}\" ended with {prompt[1].decode()}: {text.strip()[-800:]}")
        return text

    def settle(self):
        """Comes back to the prompt, whatever a command was left in."""
        self._end.sendall(b"\x03\x15\n")
        self.expect(PROMPT, 30, "the prompt after Ctrl-C")

    def _read(self, end):
        while True:
            try:
                data = end.recv(65536)
            except OSError:
                data = b""
            with self._came:
                if end is not self._end:
                    return
                self._text += data
                self._is_over = not data
                self._came.notify_all()
            if not data:
                return
