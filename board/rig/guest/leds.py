# SPDX-License-Identifier: Apache-2.0
"""An eye on the LEDs: the level of each line, and a recorder that keeps every change it sees."""

import os
import threading
import time

import devices
import wiring


class Leds:
    """All LEDs, plain lines and class LEDs, by their names in wiring.py."""

    def __init__(self):
        self._offsets = wiring.LED_LINES | wiring.CLASS_LEDS
        self._files = {}
        self._recording, self._held = None, []

    def levels(self):
        """The level of each LED's line now: {name: 0 or 1}."""
        return {name: self._level(name) for name in self._offsets}

    def brightness(self, name):
        """The brightness that the LED class tells for the class LED `name`, 0 to 255."""
        return int(devices.read(f"/sys/class/leds/{name}/brightness"))

    def wait(self, name, level, seconds=40.0):
        """Waits until the LED has the level; returns whether it got there in time."""
        deadline = time.monotonic() + seconds
        while self._level(name) != level:
            if time.monotonic() > deadline:
                return False
            time.sleep(0.005)
        return True

    def record(self, names=None, every=0.005):
        """Begins to look at the LEDs every so many seconds. A change that is shorter can be missed."""
        if self._recording:
            raise RuntimeError("the LEDs are being recorded already; call recorded() first")
        self._recording = _Recording(self, list(names or self._offsets), every)

    def recorded(self):
        """Ends the recording; returns [[instant ns, name, level], ...], beginning with the level of each LED."""
        recording, self._recording = self._recording, None
        if not recording:
            raise RuntimeError("the LEDs are not being recorded; call record() first")
        changes, self._held = recording.end()
        return changes

    def held(self):
        """When the machine let the last recording not look: [[from ns, to ns], ...]. What else it ran was late then, too."""
        return self._held

    def recorded_yet(self):
        """What the recording has seen up to now; it goes on."""
        if not self._recording:
            raise RuntimeError("the LEDs are not being recorded; call record() first")
        return self._recording.changes()

    def _level(self, name):
        if name not in self._files:
            path = f"{devices.gpio_folder()}/sim_gpio{self._offsets[name]}/value"
            self._files[name] = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
        return int(os.pread(self._files[name], 4, 0))


class _Recording:
    """A thread that looks at some LEDs until it is told to end."""

    def __init__(self, leds, names, every):
        self._leds, self._names, self._every = leds, names, every
        self._changes, self._held = [], []
        self._ending = threading.Event()
        self._thread = threading.Thread(target=self._look, daemon=True)
        self._thread.start()

    def _look(self):
        seen, looked = {}, time.monotonic_ns()
        while not self._ending.is_set():
            now = time.monotonic_ns()
            if now - looked > 4e9 * self._every:
                self._held.append([looked, now])
            looked = now
            for name in self._names:
                level = self._leds._level(name)
                if seen.get(name) != level:
                    seen[name] = level
                    self._changes.append([time.monotonic_ns(), name, level])
            self._ending.wait(self._every)

    def changes(self):
        """The changes up to now."""
        return list(self._changes)

    def end(self):
        """Stops looking and returns the changes, and when the machine did not let it look."""
        self._ending.set()
        self._thread.join()
        return self._changes, self._held
