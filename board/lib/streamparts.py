# SPDX-License-Identifier: Apache-2.0
"""The parts of the live picture, GET /v1/preview/stream."""

import time


def parts(answer):
    """Yields the parts of a stream: the fields of the head by their names in lower case, the bytes, and the instant after the last byte.

    `answer`: an http.client.HTTPResponse. The instant is one of CLOCK_MONOTONIC in nanoseconds, as the frame's X-Platen-Sensor-Time.
    """
    while True:
        while not (line := answer.readline()).startswith(b"--"):
            if not line and not answer.fp:
                return
        fields = {}
        while (line := answer.readline().strip()):
            name, _, value = line.decode().partition(": ")
            fields[name.lower()] = value
        yield fields, answer.read(int(fields["content-length"])), time.clock_gettime_ns(time.CLOCK_MONOTONIC)
