# SPDX-License-Identifier: Apache-2.0
"""HTTP/1.1 messages as the fault proxy needs them: heads that can be looked at, bodies that go by in pieces."""

import socket
import struct

MAXIMUM_HEAD = 256 << 10
PIECE = 64 << 10
NO_BODY = (204, 304)


class Gone(Exception):
    """The other end has closed the connection or says what is no HTTP."""


class Head:
    """A request line or status line with its fields."""

    def __init__(self, text):
        """`text`: the head's bytes without the empty line at its end."""
        lines = text.decode("latin-1").split("\r\n")
        self.words = lines[0].split(" ", 2)
        self.fields = [tuple(part.strip() for part in line.split(":", 1)) for line in lines[1:] if ":" in line]
        if len(self.words) < 2:
            raise Gone(f"\"{lines[0][:80]}\" begins no message")

    @property
    def method(self):
        """A request's method."""
        return self.words[0]

    @property
    def path(self):
        """A request's path."""
        return self.words[1]

    @property
    def status(self):
        """A response's status."""
        return int(self.words[1])

    def get(self, name):
        """The value of the first field of a name; None without one."""
        return next((value for field, value in self.fields if field.lower() == name.lower()), None)

    def without(self, *names):
        """The same head without these fields."""
        copy = Head(self.encode()[:-4])
        copy.fields = [(name, value) for name, value in self.fields if name.lower() not in names]
        return copy

    @property
    def is_chunked(self):
        """Whether the body comes in chunks."""
        return "chunked" in (self.get("Transfer-Encoding") or "").lower()

    @property
    def length(self):
        """The body's bytes; None when the head does not say."""
        text = self.get("Content-Length")
        return int(text) if text and text.isdigit() else None

    def encode(self):
        """The bytes, the empty line included."""
        lines = [" ".join(self.words), *(f"{name}: {value}" for name, value in self.fields)]
        return ("\r\n".join(lines) + "\r\n\r\n").encode("latin-1")


class Wire:
    """A connection and what was read of it too far."""

    def __init__(self, connection, timeout):
        self.socket = connection
        self.socket.settimeout(timeout)
        self._ahead = b""

    def head(self):
        """The next head; None when the other end has closed the connection in peace."""
        while b"\r\n\r\n" not in self._ahead:
            piece = self._receive()
            if not piece and not self._ahead:
                return None
            if not piece or len(self._ahead) > MAXIMUM_HEAD:
                raise Gone("the connection ended in a head")
            self._ahead += piece
        text, self._ahead = self._ahead.split(b"\r\n\r\n", 1)
        return Head(text)

    def body(self, head, is_bodiless=False):
        """Yields a message's body in pieces, with the framing of its chunks if it has any."""
        if is_bodiless:
            return
        if head.is_chunked:
            yield from self._chunks()
        elif head.length is not None:
            yield from self._counted(head.length)
        elif head.words[0].startswith("HTTP/"):
            while piece := self._ahead or self._receive():
                self._ahead = b""
                yield piece

    def send(self, data):
        """Sends all of it."""
        try:
            self.socket.sendall(data)
        except OSError as error:
            raise Gone(str(error)) from None

    def reset(self):
        """Ends the connection with a reset, as a machine that lost its memory does."""
        try:
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        except OSError:
            pass
        self.close()

    def close(self):
        """Ends the connection."""
        try:
            self.socket.close()
        except OSError:
            pass

    def is_gone(self):
        """Whether the other end has hung up; what it says meanwhile is thrown away."""
        timeout = self.socket.gettimeout()
        try:
            self.socket.settimeout(0.0)
            return not self.socket.recv(PIECE)
        except (BlockingIOError, InterruptedError):
            return False
        except OSError:
            return True
        finally:
            try:
                self.socket.settimeout(timeout)
            except OSError:
                pass

    def _receive(self):
        try:
            return self.socket.recv(PIECE)
        except OSError as error:
            raise Gone(str(error)) from None

    def _counted(self, length):
        while length:
            self._ahead = self._ahead or self._receive()
            if not self._ahead:
                raise Gone("the connection ended in a body")
            piece, self._ahead = self._ahead[:length], self._ahead[length:]
            length -= len(piece)
            yield piece

    def _line(self):
        while b"\r\n" not in self._ahead:
            piece = self._receive()
            if not piece:
                raise Gone("the connection ended in a chunk")
            self._ahead += piece
        line, self._ahead = self._ahead.split(b"\r\n", 1)
        return line

    def _chunks(self):
        while True:
            line = self._line()
            yield line + b"\r\n"
            size = int(line.split(b";")[0], 16)
            if size == 0:
                while trailer := self._line():
                    yield trailer + b"\r\n"
                yield b"\r\n"
                return
            yield from self._counted(size)
            self._line()
            yield b"\r\n"
