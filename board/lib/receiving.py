# SPDX-License-Identifier: Apache-2.0
"""A real nginx that takes the uploads, for as long as a `with` lasts."""

import os
import re
import subprocess

LIBRARY = os.path.dirname(os.path.realpath(__file__))


class ReceiverError(Exception):
    """The receiving server did not start."""


class Receiver:
    """The server of board/lib/receiver in a directory of its own; `store` is its folder of files.

    `template`: another configuration than receiver.conf.
    """

    def __init__(self, directory, template=None):
        self.directory, self.store, self.port = directory, os.path.join(directory, "store"), None
        self._template = template

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, *unused):
        self.stop()

    def start(self):
        """Starts it, on the port that it had before if it had one."""
        environment = os.environ | ({"RECEIVER_TEMPLATE": self._template} if self._template else {})
        arguments = [os.path.join(LIBRARY, "receiver"), "start", self.directory, *([str(self.port)] if self.port else [])]
        done = subprocess.run(arguments, stdout=subprocess.PIPE, text=True, env=environment)
        if done.returncode != 0:
            raise ReceiverError("the receiving server did not start; its message is above")
        self.port = int(re.search(r":(\d+)/", done.stdout).group(1))

    def stop(self):
        """Ends it."""
        subprocess.run([os.path.join(LIBRARY, "receiver"), "stop", self.directory], stdout=subprocess.DEVNULL)

    def process(self):
        """The process number of its master."""
        with open(os.path.join(self.directory, "nginx.pid"), encoding="ascii") as file:
            return int(file.read())
