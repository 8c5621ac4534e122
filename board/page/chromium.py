# SPDX-License-Identifier: Apache-2.0
"""Headless Chromium, driven over the DevTools protocol through two pipes; needs nothing but Debian's package chromium."""

import base64
import contextlib
import json
import os
import subprocess
import threading

from service import looks


class BrowserError(Exception):
    """The browser did not do what was asked, and why."""


class Chromium:
    """A browser with a profile of its own in `folder`, and more arguments; a context manager that ends it."""

    def __init__(self, folder, program="chromium", arguments=()):
        command = [program, "--headless=new", "--remote-debugging-pipe", f"--user-data-dir={folder}/profile", "--no-first-run",
                   "--disable-background-networking", "--disable-component-update", "--disable-sync", "--hide-scrollbars",
                   "--force-color-profile=srgb", *arguments]
        # The sandbox wants another account than root, or namespaces that a container lacks.
        command += ["--no-sandbox"] if os.geteuid() == 0 else []
        reads, self._to = os.pipe()
        self._from, writes = os.pipe()
        # The browser reads from descriptor 3 and writes to descriptor 4.
        self._log = open(f"{folder}/chromium.log", "wb")  # pylint: disable=consider-using-with
        self.process = subprocess.Popen(["bash", "-c", f'exec "$@" 3<&{reads} 4>&{writes}', "bash", *command], pass_fds=(reads, writes),
                                        stdin=subprocess.DEVNULL, stdout=self._log, stderr=self._log)
        os.close(reads)
        os.close(writes)
        self._changed = threading.Condition()
        self._answers, self._listeners, self._number, self._is_over = {}, {}, 0, False
        threading.Thread(target=self._read, daemon=True).start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        os.close(self._to)
        self._log.close()

    def _read(self):
        held = b""
        while piece := os.read(self._from, 1 << 20):
            *messages, held = (held + piece).split(b"\0")
            for message in messages:
                self._take(json.loads(message))
        with self._changed:
            self._is_over = True
            self._changed.notify_all()

    def _take(self, message):
        if "id" in message:
            with self._changed:
                self._answers[message["id"]] = message
                self._changed.notify_all()
        elif listener := self._listeners.get(message.get("sessionId")):
            listener(message["method"], message["params"])

    def call(self, method, parameters=None, session=None, timeout=120):
        """Calls a method of the protocol and returns its result."""
        with self._changed:
            self._number += 1
            number = self._number
            request = {"id": number, "method": method, "params": parameters or {}} | ({"sessionId": session} if session else {})
            text = json.dumps(request).encode() + b"\0"
            while text:
                text = text[os.write(self._to, text):]
            self._changed.wait_for(lambda: number in self._answers or self._is_over, timeout)
            answer = self._answers.pop(number, None)
        if answer is None:
            raise BrowserError(f"the browser does not answer {method}; its log is {self._log.name}")
        if "error" in answer:
            raise BrowserError(f"{method}: {answer['error']['message']}")
        return answer["result"]

    def tab(self, listener):
        """Opens a tab whose events go to `listener`; returns its session."""
        target = self.call("Target.createTarget", {"url": "about:blank"})["targetId"]
        session = self.call("Target.attachToTarget", {"targetId": target, "flatten": True})["sessionId"]
        self._listeners[session] = listener
        return session


# The keys that are pressed: their number on the keyboard of Windows, and their text.
KEYS = {"Tab": (9, ""), "Enter": (13, "\r"), " ": (32, " ")}


class Tab:
    """A tab of a browser, with what went wrong in it and the addresses that it asked for."""

    def __init__(self, browser):
        self._browser, self.problems, self.addresses = browser, [], []
        self._session = browser.tab(self._note)
        for domain in ("Page", "Runtime", "Log", "Network", "Performance", "HeapProfiler"):
            self.call(f"{domain}.enable")

    def call(self, method, **parameters):
        """Calls a method of the protocol for this tab."""
        return self._browser.call(method, parameters, self._session)

    def _note(self, method, parameters):
        if method == "Runtime.exceptionThrown":
            details = parameters["exceptionDetails"]
            self.problems.append(details.get("exception", {}).get("description") or details["text"])
        elif method == "Log.entryAdded" and parameters["entry"]["source"] in ("security", "violation", "javascript"):
            self.problems.append(parameters["entry"]["text"])
        elif method == "Network.requestWillBeSent":
            self.addresses.append(parameters["request"]["url"])

    def navigate(self, address):
        """Opens an address."""
        result = self.call("Page.navigate", url=address)
        if result.get("errorText"):
            raise BrowserError(f"{address} cannot be opened: {result['errorText']}")

    def evaluate(self, expression):
        """The value of an expression of JavaScript; a promise is awaited."""
        result = self.call("Runtime.evaluate", expression=expression, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in result:
            raise BrowserError(result["exceptionDetails"].get("exception", {}).get("description", "an expression failed"))
        return result["result"].get("value")

    def wait_for(self, what, expression, seconds=120):
        """Waits until an expression is true; returns its value, and True for an element, which has none."""
        for _ in looks(seconds):
            if value := self.evaluate(f"(value => value instanceof Node || value)({expression})"):
                return value
        raise BrowserError(f"it is still not true that {what}; the page says: {self.evaluate('document.body.innerText')[:2000]}")

    def click(self, selector):
        """Clicks the middle of an element with the mouse."""
        place = self.evaluate(f"""(() => {{ const element = document.querySelector({json.dumps(selector)});
            if (!element) return undefined; element.scrollIntoView({{ block: "center" }});
            const area = element.getBoundingClientRect(); return [area.left + area.width / 2, area.top + area.height / 2]; }})()""")
        if not place:
            raise BrowserError(f"there is no element \"{selector}\"")
        for kind in ("mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=kind, x=place[0], y=place[1], button="left", clickCount=1)

    def type(self, text):
        """Types a text where the focus is."""
        self.call("Input.insertText", text=text)

    def press(self, key, modifiers=0):
        """Presses a key where the focus is; the modifiers are those of the protocol, 8 for Shift."""
        number, text = KEYS[key]
        pressed = {"key": key, "code": "Space" if key == " " else key, "windowsVirtualKeyCode": number, "modifiers": modifiers}
        self.call("Input.dispatchKeyEvent", type="keyDown" if text else "rawKeyDown", **pressed, **({"text": text} if text else {}))
        self.call("Input.dispatchKeyEvent", type="keyUp", **pressed)

    def wear(self, scheme):
        """Has the person prefer a color scheme, `light` or `dark`."""
        self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])

    def resize(self, width, height):
        """Gives the tab the size of a screen."""
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=width < 600)

    def screenshot(self, path):
        """Writes a picture of the whole page."""
        taken = self.call("Page.captureScreenshot", format="png", captureBeyondViewport=True)
        with open(path, "wb") as file:
            file.write(base64.b64decode(taken["data"]))

    def heap(self):
        """The memory of the page's objects after a collection, in MiB."""
        self.call("HeapProfiler.collectGarbage")
        metrics = {metric["name"]: metric["value"] for metric in self.call("Performance.getMetrics")["metrics"]}
        return metrics["JSHeapUsedSize"] / (1 << 20)


def resident_memory(browser):
    """The resident memory of all processes of the browser that draw pages, in MiB."""
    total = 0
    for process in browser.call("SystemInfo.getProcessInfo")["processInfo"]:
        if process["type"] == "renderer":
            # One that has ended since it was named holds nothing.
            with contextlib.suppress(OSError), open(f"/proc/{process['id']}/status", encoding="ascii", errors="replace") as file:
                total += next((int(line.split()[1]) for line in file if line.startswith("VmRSS:")), 0) / 1024
    return total
