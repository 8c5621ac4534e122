# SPDX-License-Identifier: Apache-2.0
"""What the fault proxy can do to a request: each kind a function of the exchange.

A kind returns whether the connection may be kept. What it does to the connection ends there: the real server behind
the proxy sees either the whole request, a part of it, or nothing.
"""

import gzip
import io
import time
from email.utils import formatdate

from faulthttp import Gone

ERROR_BODY = (b'<?xml version="1.0" encoding="UTF-8"?>\n'
              b"<Error><Code>InternalError</Code><Message>We encountered an internal error.</Message></Error>")


def pass_on(exchange):
    """Nothing wrong: the real server's answer."""
    return exchange.relay(exchange.forward())


def reset_before_body(exchange):
    """The head was read; then the connection is reset."""
    exchange.client.reset()


def reset_in_body(exchange):
    """The server gets half of the body, and both connections end."""
    server = exchange.forward(share=0.5)
    server.reset()
    exchange.client.reset()


def reset_before_response(exchange):
    """The whole request is read and dropped."""
    exchange.drain()
    exchange.client.reset()


def lose_response(exchange):
    """The server does it, and the answer is dropped."""
    server = exchange.forward()
    exchange.take(server)
    exchange.client.reset()


def lie_after_doing(exchange):
    """The server does it; the answer is that it failed."""
    exchange.take(exchange.forward())
    return exchange.answer(500, body=b"it failed (it did not)")


def cut_response(exchange):
    """The server does it; half of the answer comes."""
    head, body = exchange.take(exchange.forward())
    whole = head.encode() + body
    exchange.client.send(whole[:len(head.encode()) + len(body) // 2 if body else len(whole) // 2])
    exchange.client.close()


def damage_request(exchange):
    """One bit of the body flips on the way to the server."""
    return exchange.relay(exchange.forward(alter=flip))


def damage_response(exchange):
    """One bit of the answer's body flips on the way back."""
    return exchange.relay(exchange.forward(), alter=flip)


def flip(piece, is_first):
    """Flips a bit in the middle of the first piece of a body."""
    if not is_first or not piece:
        return piece
    middle = len(piece) // 2
    return piece[:middle] + bytes([piece[middle] ^ 0x10]) + piece[middle + 1:]


def answers(status, fields=(), body=b""):
    """The kind that answers by itself; a field's value may be a function that is called at that moment."""

    def kind(exchange):
        exchange.drain()
        now = [(name, value() if callable(value) else value) for name, value in fields]
        return exchange.answer(status, now, body)

    kind.__doc__ = f"An answer {status} without the server having heard of it."
    return kind


def redirect(exchange):
    """307 to another host, where no credentials may arrive."""
    exchange.drain()
    return exchange.answer(307, [("Location", exchange.proxy.elsewhere.url + exchange.head.path)])


def slow_response(exchange):
    """The server does it; the answer comes with one byte a second."""
    head, body = exchange.take(exchange.forward())
    for byte in head.encode() + body:
        exchange.client.send(bytes([byte]))
        if exchange.rest(1.0):
            break
    exchange.client.close()


def slow_body(exchange):
    """An error whose body comes with one byte a second."""
    exchange.drain()
    exchange.client.send(b"HTTP/1.1 500 Internal Server Error\r\nContent-Length: 1000\r\n\r\n")
    for _ in range(1000):
        exchange.client.send(b"x")
        if exchange.rest(0.8):
            break
    exchange.client.close()


def endless_head(exchange):
    """An answer whose fields never end."""
    exchange.drain()
    exchange.client.send(b"HTTP/1.1 200 OK\r\n")
    number = 0
    while not exchange.rest(0.0005):
        number += 1
        exchange.client.send(f"X-Field-{number}: {'x' * 200}\r\n".encode())
    exchange.client.close()


def interim_flood(exchange):
    """One interim answer after the other."""
    exchange.drain()
    while not exchange.rest(0.0005):
        exchange.client.send(b"HTTP/1.1 103 Early Hints\r\nLink: </style.css>; rel=preload\r\n\r\n" * 20)
    exchange.client.close()


def garbage(exchange):
    """What comes back is no HTTP."""
    exchange.drain()
    exchange.client.send(bytes(range(256)) * 4 + b"\r\n\r\n")
    exchange.client.close()


def garbage_body(exchange):
    """200 with a body that means nothing."""
    exchange.drain()
    return exchange.answer(200, [("Content-Type", "text/html")], b"<html>Welcome to the hotel's network</html>")


def huge_error(exchange):
    """An error with a body of 100 MB."""
    exchange.drain()
    exchange.client.send(b"HTTP/1.1 500 Internal Server Error\r\nContent-Length: 104857600\r\n\r\n")
    for _ in range(1600):
        exchange.client.send(b"x" * 65536)
        exchange.sent += 65536
    exchange.client.close()


def gzip_bomb(exchange):
    """A small body that would unpack to 100 MB."""
    exchange.drain()
    packed = io.BytesIO()
    with gzip.GzipFile(fileobj=packed, mode="wb", mtime=0) as file:
        for _ in range(100):
            file.write(bytes(1 << 20))
    return exchange.answer(500, [("Content-Encoding", "gzip")], packed.getvalue())


def black_hole(exchange):
    """Everything is taken and nothing is said."""
    exchange.drain()
    while not exchange.rest(0.05):
        pass
    exchange.client.close()


def refuse(exchange):
    """The connection is reset, and for a moment no process listens at all."""
    exchange.proxy.down(0.3)
    exchange.client.reset()


def retry_date(seconds):
    """A Retry-After with a date, and its Date beside it, as a function of the moment."""
    return [("Retry-After", lambda: formatdate(time.time() + seconds, usegmt=True)), ("Date", lambda: formatdate(usegmt=True))]


ABSURD_DATE = [("Retry-After", "Tue, 19 Jan 2038 03:14:07 GMT"), ("Date", lambda: formatdate(usegmt=True))]

KINDS = {
    "pass": pass_on,
    "refuse": refuse,
    "reset-before-body": reset_before_body,
    "reset-in-body": reset_in_body,
    "reset-before-response": reset_before_response,
    "lose-response": lose_response,
    "lie-after-doing": lie_after_doing,
    "cut-response": cut_response,
    "damage-request": damage_request,
    "damage-response": damage_response,
    "429-seconds": answers(429, [("Retry-After", "1")]),
    "429-three-seconds": answers(429, [("Retry-After", "3")]),
    "429-date": answers(429, retry_date(2)),
    "429-absurd": answers(429, ABSURD_DATE),
    "429-negative": answers(429, [("Retry-After", "-5")]),
    "429-missing": answers(429),
    "503-seconds": answers(503, [("Retry-After", "1")]),
    "503-missing": answers(503),
    "500": answers(500),
    "507": answers(507),
    "401": answers(401, [("WWW-Authenticate", 'Basic realm="away"')]),
    "403": answers(403),
    "404": answers(404),
    "409": answers(409),
    "412": answers(412),
    "error-under-200": answers(200, [("Content-Type", "application/xml")], ERROR_BODY),
    "garbage-under-200": garbage_body,
    "garbage": garbage,
    "redirect": redirect,
    "slow-response": slow_response,
    "slow-body": slow_body,
    "endless-head": endless_head,
    "interim-flood": interim_flood,
    "huge-error": huge_error,
    "gzip-bomb": gzip_bomb,
    "black-hole": black_hole,
}


def run(kind, exchange):
    """Does a kind of fault to an exchange; returns whether the connection may be kept."""
    try:
        return bool(KINDS[kind](exchange))
    except Gone:
        return False
