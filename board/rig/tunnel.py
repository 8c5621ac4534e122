# SPDX-License-Identifier: Apache-2.0
"""A way from the host to a port of the rig, which the host cannot reach: the rig calls the host, and waits for what comes.

In the rig: tunnel.py OUTER INNER      OUTER: the port of the host that is called · INNER: the rig's port
"""

import queue
import socket
import sys
import threading
import time

HOST = "10.0.2.2"  # as the rig sees it
# The connections that wait in the rig: a browser makes six to one server.
SPARES = 8


def carry(source, target):
    """Copies what one end says to the other one, until either is gone."""
    try:
        while data := source.recv(65536):
            target.sendall(data)
    except OSError:
        pass
    for end in (source, target):
        try:
            end.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass


def join(one, other):
    """Copies both ways, until either end is gone."""
    for end in (one, other):
        end.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    back = threading.Thread(target=carry, args=(other, one), daemon=True)
    back.start()
    carry(one, other)
    back.join()


def wait_inside(outer, inner):
    """Calls the host again and again as soon as somebody listens at the rig's port, and passes on what comes."""
    while True:
        try:
            socket.create_connection(("127.0.0.1", inner)).close()
            with socket.create_connection((HOST, outer)) as call:
                if first := call.recv(65536):
                    with socket.create_connection(("127.0.0.1", inner)) as way:
                        way.sendall(first)
                        join(call, way)
        except OSError:
            time.sleep(0.1)


class Tunnel:
    """The host's end of the way: `inner` is the same port here and there, `outer` the one that the rig calls."""

    def __init__(self, inner):
        self._calls, self._doors = queue.Queue(), []
        self._door(inner, lambda connection: threading.Thread(target=self._pass, args=(connection,), daemon=True).start())
        self.outer = self._door(0, self._calls.put)

    def __enter__(self):
        return self

    def __exit__(self, *unused):
        for door in self._doors:
            door.shutdown(socket.SHUT_RDWR)  # which wakes who waits at it
            door.close()
        while not self._calls.empty():
            self._calls.get().close()

    def _door(self, port, take):
        door = socket.create_server(("127.0.0.1", port))
        self._doors.append(door)

        def wait():
            try:
                while True:
                    take(door.accept()[0])
            except OSError:
                pass  # It is closed.

        threading.Thread(target=wait, daemon=True).start()
        return door.getsockname()[1]

    def _pass(self, connection):
        with connection, self._calls.get() as call:
            join(connection, call)


if __name__ == "__main__":
    for _ in range(SPARES):
        threading.Thread(target=wait_inside, args=(int(sys.argv[1]), int(sys.argv[2]))).start()
