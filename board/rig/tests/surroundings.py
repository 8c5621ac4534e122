# SPDX-License-Identifier: Apache-2.0
"""What a rig finds around it: a time server, a name server, and a server for its pictures that asks for a password.

Each can be right or wrong, and is put right as a person does it.
"""

import base64
import contextlib
import ctypes
import http.client
import http.server
import socket
import threading
import time
import urllib.parse

ADJ_MAXERROR, ADJ_STATUS, STA_UNSYNC = 0x4, 0x10, 0x40
HOP_BY_HOP = {"connection", "keep-alive", "transfer-encoding", "host", "authorization", "expect"}


class _Timex(ctypes.Structure):
    """The beginning of struct timex."""

    _fields_ = [("modes", ctypes.c_uint), ("offset", ctypes.c_long), ("frequency", ctypes.c_long), ("maximum_error", ctypes.c_long),
                ("estimated_error", ctypes.c_long), ("status", ctypes.c_int), ("rest", ctypes.c_byte * 256)]


class TimeServer:
    """What a time server does to the machine's clock, and what a dead battery does to it."""

    def __init__(self):
        self._offset = time.time() - time.monotonic()

    def set_clock(self):
        """Sets the clock right and tells the kernel that it is, as an NTP client does."""
        time.clock_settime(time.CLOCK_REALTIME, self._offset + time.monotonic())
        self._adjust(0)

    def lose(self):
        """The clock runs on without being disciplined."""
        self._adjust(STA_UNSYNC)

    @staticmethod
    def begin_anew():
        """The clock of a machine that was without power: 1970."""
        time.clock_settime(time.CLOCK_REALTIME, 86_400)

    @staticmethod
    def _adjust(status):
        timex = _Timex(modes=ADJ_STATUS | ADJ_MAXERROR, maximum_error=1000, status=status)
        if ctypes.CDLL(None, use_errno=True).adjtimex(ctypes.byref(timex)) < 0:
            raise OSError(ctypes.get_errno(), "the kernel's clock cannot be adjusted")


class NameServer:
    """Answers every question with "no such name", or nothing at all."""

    ANSWERING, SILENT = "127.0.0.1", "127.0.0.9"

    def __init__(self):
        self._sockets = {}
        for address in (self.ANSWERING, self.SILENT):
            self._sockets[address] = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
            self._sockets[address].bind((address, 53))
        threading.Thread(target=self._answer, daemon=True).start()

    def _answer(self):
        while True:
            try:
                question, sender = self._sockets[self.ANSWERING].recvfrom(512)
            except OSError:
                return
            if not question:
                return
            # Its number, "an answer, recursion available, no such name", and the question.
            self._sockets[self.ANSWERING].sendto(question[:2] + b"\x81\x83" + question[4:6] + bytes(6) + question[12:], sender)

    def close(self):
        """Ends it."""
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as waker:
            waker.sendto(b"", (self.ANSWERING, 53))
        for end in self._sockets.values():
            end.close()


class Gate:
    """A server for pictures that needs the password, and hands the rest on to the server outside."""

    USER, PASSWORD = "rig", "the right one"

    def __init__(self, url):
        outside, gate = urllib.parse.urlsplit(url), self
        self._connections = []
        wanted = "Basic " + base64.b64encode(f"{self.USER}:{self.PASSWORD}".encode()).decode()

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def setup(self):
                super().setup()
                gate._connections.append(self.connection)

            def take(self):
                body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
                if self.headers.get("Authorization") != wanted:
                    return self.answer(401, [("WWW-Authenticate", 'Basic realm="pictures"')], b"who are you?\n")
                headers = {name: value for name, value in self.headers.items() if name.lower() not in HOP_BY_HOP}
                if "Destination" in headers:
                    headers["Destination"] = urllib.parse.urljoin(url, urllib.parse.urlsplit(headers["Destination"]).path)
                connection = http.client.HTTPConnection(outside.hostname, outside.port, timeout=10)
                try:
                    connection.request(self.command, self.path, body or None, headers)
                    answer = connection.getresponse()
                    data = answer.read()
                    kept = [(name, value) for name, value in answer.getheaders() if name.lower() not in HOP_BY_HOP | {"content-length"}]
                    length = answer.headers.get("Content-Length") if self.command == "HEAD" else None
                    return self.answer(answer.status, kept, data, length)
                except OSError:
                    return self.answer(502, [], b"the server outside is gone\n")
                finally:
                    connection.close()

            def answer(self, status, headers, body, length=None):
                self.send_response_only(status)
                for name, value in headers:
                    self.send_header(name, value)
                if status != 204:
                    self.send_header("Content-Length", length or str(len(body)))
                self.end_headers()
                if self.command != "HEAD" and status != 204:
                    self.wfile.write(body)

            do_GET = do_HEAD = do_PUT = do_DELETE = do_MKCOL = do_MOVE = do_PROPFIND = do_OPTIONS = take

            def log_message(self, *unused):
                pass

        self._handler, self.port, self._server = Handler, 0, None
        self.open()

    def open(self):
        """Listens, at the same port as before."""
        if self._server:
            return
        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", self.port), self._handler)
        self._server.daemon_threads = True
        self.port = self._server.server_port
        threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()

    def close(self):
        """Listens no more, and ends what is connected."""
        if self._server:
            self._server.shutdown()
            self._server.server_close()
            self._server = None
        for connection in self._connections:
            with contextlib.suppress(OSError):  # most have ended
                connection.shutdown(socket.SHUT_RDWR)
        self._connections.clear()
