# SPDX-License-Identifier: Apache-2.0
"""The talk with the guest's agent (guest/agent.py describes the messages), and a command that runs in the guest."""

import itertools
import json
import queue
import socket
import threading
import time


class RigError(Exception):
    """The rig did not do what was asked; the text says what to look at."""


class Conversation:
    """One power-on's worth of talk over one socket."""

    def __init__(self, end):
        self._end = end
        self._numbers = itertools.count(1)
        self._answers = {}
        self._ready = threading.Event()
        self._over = threading.Event()
        threading.Thread(target=self._listen, daemon=True).start()

    def await_ready(self, deadline, alive):
        """Waits until the agent answers; False if it is too late or `alive` says that no agent will."""
        while not self._ready.wait(0.02):
            if time.monotonic() > deadline or not alive():
                return False
        return True

    def ask(self, **request):
        """Sends a request; returns its number. Its answers are taken with next."""
        number = next(self._numbers)
        self._answers[number] = queue.Queue()
        self.tell(id=number, **request)
        return number

    def tell(self, **request):
        """Sends something that has no answer."""
        try:
            self._end.sendall(json.dumps(request).encode() + b"\n")
        except OSError as error:
            raise RigError(f"the rig cannot be told anything, it has no power any more: {error.strerror}") from None

    def next(self, number, deadline, what):
        """The next answer to the request with this number."""
        try:
            answer = self._answers[number].get(timeout=max(0.0, deadline - time.monotonic()))
        except queue.Empty:
            raise RigError(f"{what} did not end in time; the rig goes on without being waited for") from None
        if answer is None:
            self._answers[number].put(None)
            raise RigError(f"{what} was cut off: the rig has no power any more")
        return answer

    def forget(self, number):
        """No answer to this request is wanted any more."""
        self._answers.pop(number, None)

    def end(self):
        """Hangs up; everybody who waits for an answer gets an error."""
        try:
            self._end.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass
        self._over.wait(2)
        self._end.close()

    def _listen(self):
        try:
            with self._end.makefile("rb") as lines:
                for line in lines:
                    message = json.loads(line)
                    if "ready" in message:
                        self._ready.set()
                    elif message["id"] in self._answers:
                        self._answers[message["id"]].put(message)
        except (OSError, ValueError):
            pass  # the power was cut in the middle of a line
        for answers in list(self._answers.values()):
            answers.put(None)
        self._over.set()


class Command:
    """A command in the guest. `status` is None until it has ended; `stdout` and `stderr` collect what has no sink."""

    def __init__(self, conversation, request, out=None, err=None):
        self.status, self.stdout, self.stderr = None, "", ""
        self._conversation, self._name, self._sinks = conversation, request["argv"][0], {"out": out, "err": err}
        self._number = conversation.ask(op="run", **request)

    def wait(self, timeout=300):
        """Waits for the end; returns the exit status, 128 + signal number if it was killed."""
        deadline = time.monotonic() + timeout
        while self.status is None:
            self._take(self._conversation.next(self._number, deadline, f'"{self._name}"'))
        return self.status

    def wait_for(self, text, timeout=60):
        """Waits until `text` has appeared in stdout or stderr."""
        deadline = time.monotonic() + timeout
        while text not in self.stdout and text not in self.stderr:
            if self.status is not None:
                raise RigError(f'"{self._name}" ended with {self.status} and never said "{text}"; it said:\n{self.stdout}{self.stderr}')
            self._take(self._conversation.next(self._number, deadline, f'"{self._name}", from which "{text}" was awaited,'))

    def signal(self, number):
        """Sends a signal to the command and its children."""
        self._conversation.tell(id=self._number, op="signal", number=int(number))

    def _take(self, message):
        if "exit" in message:
            self.status = message["exit"]
            self._conversation.forget(self._number)
            return
        name = "out" if "out" in message else "err"
        if self._sinks[name]:
            self._sinks[name](message[name])
        elif name == "out":
            self.stdout += message[name]
        else:
            self.stderr += message[name]
