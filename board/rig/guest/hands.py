# SPDX-License-Identifier: Apache-2.0
"""The hands on the rig: what a person, gravity, heat and bad luck do to it. Runs in the guest.

    hands = Hands(modules)
    hands.shutter.press(0.05)         hands.accelerometer.place("portrait")
    hands.heat(81.5)                  hands.camera.inject(page, 1920, 1080)
    hands.leds.levels()               hands.network(False)

Every instant that is returned or recorded is CLOCK_MONOTONIC in nanoseconds, the clock of the kernel's line events and
of the camera's frames. Everything that is returned can be written as JSON: the host calls the same methods.
"""

import os
import subprocess
import time

import devices
import kernelcalls
import wiring
from camera import Camera
from leds import Leds
from page import page_seen
from shutter import Shutter
from smbus import SMBus


class Accelerometer:
    """The LIS3DH: gravity in the sensor's own frame, or a position of the rig seen through the mount matrix."""

    def __init__(self, modules):
        self._modules = modules
        self._bus = None
        self._matrix = None

    def tilt(self, x, y, z):
        """Sets what the sensor feels on its own axes, in mg (-2000 to 2000). One write: never half old, half new."""
        if not all(-2000 <= value <= 2000 for value in (x, y, z)):
            raise ValueError(f"({x}, {y}, {z}) mg is more than the sensor's range of 2000 mg")
        raw = [(min(round(value), 2047) * 16) & 0xFFFF for value in (x, y, z)]
        self.answer([byte for value in raw for byte in (value & 255, value >> 8)])

    def answer(self, data):
        """Sets the six registers of a reading as a broken chip or bus would: x, y, z, the low byte first."""
        self._bus = self._bus or SMBus(devices.accel_bus(), wiring.ACCEL_ADDRESS)
        self._bus.write_block(0xA8, list(data))

    def place(self, position):
        """Puts the whole rig into a named position (wiring.POSITIONS): what the sensor feels follows from the matrix.

        The mount matrix turns sensor axes into rig axes and is orthonormal, so its transpose turns them back.
        """
        if position not in wiring.POSITIONS:
            raise ValueError(f'"{position}" is no position; the positions are {", ".join(wiring.POSITIONS)}')
        gravity = wiring.POSITIONS[position]
        rows = self.matrix()
        self.tilt(*(sum(rows[row][column] * gravity[row] for row in range(3)) for column in range(3)))

    def matrix(self):
        """The mount matrix as the kernel tells it, as three rows."""
        for name in ("mount_matrix", "in_mount_matrix", "in_accel_mount_matrix"):
            path = f"{devices.accel_folder()}/{name}"
            if os.path.exists(path):
                return [[float(value) for value in row.split(",")] for row in devices.read(path).split(";")]
        return [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]

    def unplug(self):
        """Takes the sensor off the bus."""
        kernelcalls.unload_module("rig_accel")

    def plug(self, matrix=None):
        """Puts the sensor on the bus, mounted as the 9 numbers of `matrix` say."""
        devices.plug_accel(self._modules, matrix)

    def ensure_plugged(self):
        """Puts the sensor on the bus if it is not there."""
        try:
            devices.accel_folder()
        except LookupError:
            self.plug()


class Hands:
    """All of the rig. `modules` is the folder of the kernel modules, needed only to plug the sensor in again."""

    def __init__(self, modules=None):
        self._modules = modules
        self.shutter = Shutter()
        self.pedal = Shutter(wiring.PEDAL)
        self.accelerometer = Accelerometer(modules)
        self.leds = Leds()
        self.camera = Camera()

    def clock(self):
        """This instant."""
        return time.monotonic_ns()

    def turn(self, degrees, width, height):
        """Turns the rig clockwise to a quarter turn, over a page that stays: gravity and what the camera sees change."""
        self.accelerometer.place(wiring.CLOCKWISE[degrees % 360])
        self.camera.inject(page_seen(degrees % 360, width, height).tobytes(), width, height)

    def heat(self, celsius):
        """Sets the processor's temperature; None gives the zone its own 45 degrees back. At 110 the kernel powers off.

        0 cannot be emulated: the kernel takes it for "none".
        """
        devices.write(f"{devices.thermal_folder()}/emul_temp", 0 if celsius is None else round(celsius * 1000))

    def add_camera(self):
        """Plugs a second camera in, which stays until remove_camera(); both see the same and have the same faults."""
        kernelcalls.load_module(f"{self._modules}/rig-camera.ko")

    def remove_camera(self):
        """Takes the second camera away."""
        kernelcalls.unload_module("rig_camera")

    def network(self, up):
        """Takes the network card's link away or brings it back with its route."""
        card = devices.network_card()
        lines = [f"link set {card} {'up' if up else 'down'}"]
        if up:
            lines.append(f"route replace default via {wiring.HOST_ADDRESS}")
        subprocess.run(["ip", "-batch", "-"], input="\n".join(lines) + "\n", text=True, check=True)

    def kernel_complaints(self):
        """Faults of the kernel itself in its log, each with the lines after it; empty on a sound rig.

        Linux 6.12 complains of a line that is given back after its gpio-sim chip has gone, which a test does: gpio-sim
        disposes of the chip's interrupts with the chip. That one is left out.
        """
        log = subprocess.run(["dmesg"], capture_output=True, text=True, check=True).stdout.splitlines()
        marks = ("BUG:", "WARNING:", "Oops", "vimc-rig:")
        places = [place for place, line in enumerate(log) if any(mark in line for mark in marks)]
        complaints = ["\n".join(log[place : place + 40]) for place in places]
        return [text for text in complaints if not ("already-free IRQ" in text and "linereq_free" in text)]
