# SPDX-License-Identifier: Apache-2.0
"""Tests in which the outside world has no part: they run in virtual time, with a camera that costs little.

In virtual time the machine's clock stands still while its processor works and jumps when all wait, so that seconds are
exact on a host under any load, and long waits are short.
"""

from rigcase import RigCase, configuration

SIZE = (480, 360)
INTERVAL_MS = 100


def quiet_configuration(frame_rate=10, **changes):
    """The rig's configuration without uploads, with a small and slow camera."""
    text = configuration(upload=False, size=SIZE, **changes)
    return text.replace("frame_rate: 25\n", f"frame_rate: {frame_rate}\n", 1)


class QuietCase(RigCase):
    """A test with a small and slow camera."""

    def setUp(self):
        super().setUp()
        self.inject(0, SIZE)
        self.hands.camera.interval(INTERVAL_MS)

    def start(self, text=None, ready=True):
        """Starts the service, by default with the small and slow camera."""
        return super().start(text or quiet_configuration(), ready)
