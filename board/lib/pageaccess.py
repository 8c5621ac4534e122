# SPDX-License-Identifier: Apache-2.0
"""The way of a browser to a service on this machine: a free port and a token."""

import hashlib
import secrets
import socket


def token():
    """A token, and its hash for the configuration, as `platenctl token` prints them."""
    text = "platen_" + secrets.token_urlsafe(32)
    return text, "sha256:" + hashlib.sha256(text.encode()).hexdigest()


def free_port():
    """A port of the loopback interface that is free at this moment."""
    with socket.socket() as reservation:
        reservation.bind(("127.0.0.1", 0))
        return reservation.getsockname()[1]
