# SPDX-License-Identifier: Apache-2.0
"""A proxy between the service and a real server that breaks what it is told to, a fault a request, and counts.

    with FaultProxy(("127.0.0.1", 8080), Mixture(seed, {"pass": 10, "reset-in-body": 2})) as proxy:
        ...                 # upload to proxy.url
        proxy.calm()        # from now on everything passes
        proxy.counts        # {"pass": 71, "reset-in-body": 9}

One thread a connection, at most 64; what comes beyond is reset and counted as "crowded". faultkinds.py has the kinds.
"""

import collections
import contextlib
import random
import socket
import ssl
import threading
import time
from dataclasses import dataclass

import faultkinds
from faulthttp import NO_BODY, Gone, Head, Wire

REASONS = {200: "OK", 307: "Temporary Redirect", 401: "Unauthorized", 403: "Forbidden", 404: "Not Found", 409: "Conflict",
           412: "Precondition Failed", 429: "Too Many Requests", 500: "Internal Server Error", 503: "Service Unavailable",
           507: "Insufficient Storage"}
MAXIMUM_CONNECTIONS = 64


class Mixture:
    """Random faults with weights; the same seed gives the same sequence of kinds, whatever the requests are."""

    def __init__(self, seed, weights):
        unknown = set(weights) - set(faultkinds.KINDS)
        if unknown:
            raise ValueError(f"these are no kinds of fault: {', '.join(sorted(unknown))}")
        self._random = random.Random(seed)
        self._kinds, self._weights = list(weights), list(weights.values())

    def choose(self, head):
        """The kind for the next request, whatever it is."""
        return self._random.choices(self._kinds, self._weights)[0]


class Planned:
    """A fault for the first requests of a method, then none: `Planned("lose-response", "MOVE", times=1)`.

    Without a method it is every request's turn, without `times` for ever.
    """

    def __init__(self, kind, method=None, times=None):
        if kind not in faultkinds.KINDS:
            raise ValueError(f"\"{kind}\" is no kind of fault")
        self._kind, self._method, self._left = kind, method, times

    def choose(self, head):
        """The kind for this request."""
        if self._left == 0 or self._method not in (None, head.method):
            return "pass"
        if self._left is not None:
            self._left -= 1
        return self._kind


@dataclass
class Seen:
    """A request that came, and what was done to it."""

    at: float  # by the monotonic clock
    method: str
    path: str
    kind: str
    seconds: float
    sent: int  # bytes of an endless answer that were taken


class Exchange:
    """One request: its head is read, its body is still on the wire."""

    def __init__(self, proxy, client, head):
        self.proxy, self.client, self.head = proxy, client, head
        self.sent = 0
        self._began = time.monotonic()
        self._has_body_begun = False

    def _body(self):
        if not self._has_body_begun and "100-continue" in (self.head.get("Expect") or "").lower():
            self.client.send(b"HTTP/1.1 100 Continue\r\n\r\n")
        self._has_body_begun = True
        return self.client.body(self.head)

    def drain(self):
        """Reads the rest of the request and throws it away."""
        for _ in self._body():
            pass

    def forward(self, share=1.0, alter=None):
        """Gives the request to the real server, or only a share of its body; returns the wire to it."""
        server = self.proxy.connect()
        head = self.head.without("connection", "expect")
        if self.proxy.is_secure:  # behind the proxy there is no TLS, and a MOVE names its destination with its scheme
            head.fields = [(name, value.replace("https:", "http:", 1) if name.lower() == "destination" else value) for name, value in head.fields]
        head.fields.append(("Connection", "close"))
        server.send(head.encode())
        left = None if share == 1.0 else int((self.head.length or 0) * share)
        is_first = True
        for piece in self._body():
            if left is not None:
                piece, left = piece[:left], left - len(piece)
            server.send(alter(piece, is_first) if alter else piece)
            is_first = False
            if left is not None and left <= 0:
                break
        return server

    def _response(self, server):
        while True:
            head = server.head()
            if head is None:
                raise Gone("the server ended before it answered")
            if head.status >= 200:
                return head, self.head.method == "HEAD" or head.status in NO_BODY

    def take(self, server):
        """Reads the server's whole answer; returns its head and its body."""
        head, is_bodiless = self._response(server)
        body = b"".join(server.body(head, is_bodiless))
        server.close()
        return head, body

    def relay(self, server, alter=None):
        """Gives the server's answer to the client as it comes; returns whether the connection may be kept."""
        try:
            head, is_bodiless = self._response(server)
            is_framed = is_bodiless or head.length is not None or head.is_chunked
            shown = head.without("connection")
            shown.fields.append(("Connection", "keep-alive" if is_framed else "close"))
            self.client.send(shown.encode())
            is_first = True
            for piece in server.body(head, is_bodiless):
                self.client.send(alter(piece, is_first) if alter else piece)
                is_first = False
            return is_framed
        finally:
            server.close()

    def answer(self, status, fields=(), body=b""):
        """Answers in the server's place; the connection may be kept."""
        head = Head(f"HTTP/1.1 {status} {REASONS.get(status, 'Unknown')}".encode())
        head.fields = [*fields, ("Content-Length", str(len(body)))]
        self.client.send(head.encode() + (b"" if self.head.method == "HEAD" else body))
        return True

    def rest(self, seconds):
        """Waits; returns whether an endless fault is to end: the client has hung up, the proxy is calm, or its patience is over."""
        until = time.monotonic() + seconds
        while (left := until - time.monotonic()) > 0:
            if self.client.is_gone() or self.proxy.calmed.wait(min(left, 0.05)):
                return True
        return time.monotonic() - self._began > self.proxy.patience


class Elsewhere:
    """Another host, as a redirect may name it: counts who comes and keeps the heads, above all the credentials in them."""

    def __init__(self):
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.url = "http://localhost:{}".format(self._listener.getsockname()[1])
        self.heads = []
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self):
        with contextlib.suppress(OSError):
            while True:
                connection, _ = self._listener.accept()
                wire = Wire(connection, 2)
                with contextlib.suppress(Gone):
                    head = wire.head()
                    self.heads.append(head.encode().decode("latin-1") if head else "")
                wire.reset()

    @property
    def credentials(self):
        """How many requests brought credentials along."""
        return sum("authorization:" in head.lower() for head in self.heads)

    def close(self):
        """Ends listening."""
        self._listener.close()


class FaultProxy:
    """Listens on a port of its own of 127.0.0.1 and gives what comes to a server, more or less."""

    def __init__(self, upstream, plan, patience=600.0, tls=None):
        """`upstream`: (host, port) · `plan`: has choose(head) · `patience`: seconds after which an endless fault ends ·
        `tls`: an ssl.SSLContext of a server; then `handshakes_cut` connections are closed in their handshakes."""
        self.plan, self.patience, self.elsewhere = plan, patience, Elsewhere()
        self.calmed = threading.Event()
        self.counts, self.seen = collections.Counter(), collections.deque(maxlen=20_000)
        self.handshakes_cut = 0
        self._upstream, self._tls, self.is_secure = upstream, tls, tls is not None
        self._lock, self._room = threading.Lock(), threading.BoundedSemaphore(MAXIMUM_CONNECTIONS)
        self._is_closing, self._down_until = False, 0.0
        # Bound and never listening: while no process is to listen, no other connection gets the port as its own.
        self._reservation = self._bind(0)
        self.port = self._reservation.getsockname()[1]
        self._listener = self._listen()
        self.url = f"{'https' if tls else 'http'}://127.0.0.1:{self.port}/"
        self._acceptor = threading.Thread(target=self._accept, daemon=True)
        self._acceptor.start()

    def __enter__(self):
        return self

    def __exit__(self, *unused):
        self.close()

    def close(self):
        """Ends listening and every fault that is under way."""
        self._is_closing = True
        self.calmed.set()
        self._acceptor.join(5)
        self.elsewhere.close()

    def calm(self):
        """From now on everything passes; endless faults end."""
        self.calmed.set()
        self.up()

    def down(self, seconds=None):
        """No process listens for so many seconds, or until up()."""
        self._down_until = time.monotonic() + seconds if seconds else float("inf")

    def up(self):
        """Somebody listens again."""
        self._down_until = 0.0

    def use(self, plan):
        """Takes another plan, also after calm()."""
        self.plan = plan
        self.calmed.clear()

    def since(self, instant, *methods):
        """The requests that came after an instant of the monotonic clock."""
        return [seen for seen in list(self.seen) if seen.at >= instant and (not methods or seen.method in methods)]

    def connect(self):
        """A connection to the real server."""
        try:
            return Wire(socket.create_connection(self._upstream, 10), 30)
        except OSError as error:
            raise Gone(f"the server cannot be reached: {error}") from None

    @staticmethod
    def _bind(port):
        bound = socket.socket()
        bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        bound.bind(("127.0.0.1", port))
        return bound

    def _listen(self):
        listener = self._bind(self.port)
        listener.listen(128)
        listener.settimeout(0.02)
        return listener

    def _accept(self):
        while not self._is_closing:
            if time.monotonic() < self._down_until:
                if self._listener:
                    self._listener.close()
                    self._listener = None
                time.sleep(0.02)
                continue
            try:
                self._listener = self._listener or self._listen()
                connection, _ = self._listener.accept()
            except (TimeoutError, ConnectionAbortedError):
                continue
            if not self._room.acquire(blocking=False):
                self._count("crowded")
                Wire(connection, 1).reset()
                continue
            threading.Thread(target=self._serve, args=(connection,), daemon=True).start()
        if self._listener:
            self._listener.close()
        self._reservation.close()

    def _count(self, kind):
        with self._lock:
            self.counts[kind] += 1

    def _secure(self, connection):
        """The connection after its handshake; None when the handshake is not to succeed, or did not."""
        connection.settimeout(10)
        with self._lock:
            is_cut, self.handshakes_cut = self.handshakes_cut > 0, max(0, self.handshakes_cut - 1)
        try:
            if is_cut:
                self._count("cut-handshake")
                connection.recv(16)
                Wire(connection, 1).reset()
                return None
            return self._tls.wrap_socket(connection, server_side=True)
        except (OSError, ssl.SSLError):
            connection.close()
            return None

    def _serve(self, connection):
        try:
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            if self._tls:
                connection = self._secure(connection)
            if connection:
                self._converse(Wire(connection, 120))
        finally:
            self._room.release()

    def _converse(self, client):
        is_kept = True
        with contextlib.suppress(Gone):
            while is_kept and not self._is_closing and (head := client.head()):
                exchange, began = Exchange(self, client, head), time.monotonic()
                with self._lock:
                    kind = "pass" if self.calmed.is_set() else self.plan.choose(head)
                    self.counts[kind] += 1
                is_kept = faultkinds.run(kind, exchange)
                self.seen.append(Seen(began, head.method, head.path, kind, time.monotonic() - began, exchange.sent))
        client.close()
