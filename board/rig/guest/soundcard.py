# SPDX-License-Identifier: Apache-2.0
"""The rig's microphone: ALSA's loopback card, of which one side hears what is played into the other. Runs in the guest."""

import contextlib
import subprocess

import devices
import kernelcalls

# The two sides, by ALSA's names; a subdevice is named, so that only one program has it at a time.
MICROPHONE, SPEAKER = "hw:Loopback,1,0", "hw:Loopback,0,0"
# The driver in the order in which it is loaded.
DRIVER = ("snd-timer", "snd-pcm", "snd-aloop")
BUS, CARD = "/sys/bus/platform/drivers/snd_aloop", "snd_aloop.0"
NODE = "/dev/snd/pcmC0D1c"


class SoundCard:
    """The card, and the programs that use it."""

    def __init__(self, modules):
        self._modules = modules
        self._programs = []

    def load_driver(self):
        """Has the kernel load the driver, which makes the card."""
        for name in DRIVER:
            kernelcalls.load_module(f"{self._modules}/{name}.ko")

    def remove(self):
        """Ends the programs and takes the driver away, as far as they are there."""
        self.silence()
        for name in reversed(DRIVER):
            with contextlib.suppress(FileNotFoundError):
                kernelcalls.unload_module(name.replace("-", "_"))

    def unplug(self):
        """Pulls the card out; returns when no program has it any more."""
        self.silence()
        devices.write(f"{BUS}/unbind", CARD)

    def plug(self):
        """Puts the card in again."""
        devices.write(f"{BUS}/bind", CARD)

    def play(self, hertz):
        """Plays a tone into the microphone until silence(): an eighth of full scale, parted between two channels, is -21.07 dBFS."""
        self._use("-f", "lavfi", "-i", f"sine=frequency={hertz}:sample_rate=48000", "-ac", "2", "-f", "alsa", SPEAKER)

    def occupy(self):
        """Has another program listen at the microphone until silence()."""
        self._use("-f", "alsa", "-i", MICROPHONE, "-f", "null", "-")

    def is_used(self):
        """Whether one of the programs listens at the microphone."""
        return any(NODE in devices.open_files(program.pid) for program in self._programs)

    def silence(self):
        """Ends the programs that play and listen."""
        for program in self._programs:
            program.kill()
            program.wait()
        self._programs.clear()

    def _use(self, *arguments):
        self._programs.append(subprocess.Popen(["ffmpeg", "-v", "error", "-nostdin", *arguments]))
