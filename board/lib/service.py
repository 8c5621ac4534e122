"""Runs platend and talks to its API over the Unix socket; used by board/run and the rig's tests."""

import http.client
import json
import os
import signal
import socket
import subprocess
import time

# What is waited for comes at once or never, but a busy machine is slow: this is for what hangs, and no measure of speed.
PATIENCE = 8


def looks(seconds):
    """Yields when it is time to look whether something is so, ever less often, for `seconds` times PATIENCE.

    Each look at a service costs it and the rig's processor something, and most waiting is long.
    """
    deadline, pause = time.monotonic() + seconds * PATIENCE, 0.01
    while True:
        yield
        if time.monotonic() >= deadline:
            return
        time.sleep(pause)
        pause = min(pause * 1.25, 0.1)


# A frame this near in milliseconds always shows a press's moment (FrameSelector.leastReach).
REACH = 150


def missed_its_moment(report):
    """Whether a busy host kept a press from its moment: the nearest frame was too far away, or overwritten before the edge was read."""
    reason = report.get("reason")
    return reason == "frameOverwritten" or reason == "noFrameInTime" and abs(report.get("selectionErrorMilliseconds", 0)) > REACH


def until_taken(press):
    """Calls `press` until the host lets the camera work at that moment, and the disk; returns the report of the last press.

    A disk that is busy for four seconds with a picture refuses the next press.
    """
    for _ in range(20):
        report = press()
        if not missed_its_moment(report) and report.get("reason") != "storageStalled":
            break
        time.sleep(0.5)
    return report


class ServiceError(Exception):
    """The service did not do what was asked, with the reason and where to look."""


class _UnixConnection(http.client.HTTPConnection):
    def __init__(self, path, timeout):
        super().__init__("localhost", timeout=timeout)
        self._path = path

    def connect(self):
        self.sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.sock.settimeout(self.timeout)
        self.sock.connect(self._path)


class Service:
    """One platend with its configuration, log and API socket in a directory of its own.

    `binary` is the path of platend, `directory` an existing directory, `configuration` the text of
    the YAML file, in which `{directory}` stands for the directory and `{socket}` for the socket's path.
    `socket_path` is for directories in which no socket can be made; `environment` is added to this process's own;
    `account` is the user and the groups to run as, as subprocess.Popen takes them: `user`, `group`, `extra_groups`.
    """

    def __init__(self, binary, directory, configuration, socket_path=None, environment=None, account=None):
        self.binary = binary
        self.environment = environment or {}
        self.account = account or {}
        self.directory = directory
        self.socket_path = socket_path or os.path.join(directory, "platend.sock")
        self.log_path = os.path.join(directory, "platend.log")
        self.configuration_path = os.path.join(directory, "platen.yaml")
        self.process = None
        with open(self.configuration_path, "w", encoding="utf-8") as file:
            file.write(configuration.replace("{directory}", directory).replace("{socket}", self.socket_path))

    # -- life ------------------------------------------------------------------------------------

    def start(self, wait_until_ready=True, timeout=30):
        """Starts the service; by default returns when a press would be taken, else when the API answers."""
        self.launch()
        self.wait_for("the API answers", lambda: self.status() is not None, timeout)
        if wait_until_ready:
            self.wait_until_ready(timeout)
        return self

    def launch(self):
        """Starts the service and returns at once."""
        with open(self.log_path, "ab") as log:
            self.process = subprocess.Popen(
                [self.binary, "--config", self.configuration_path],
                stdin=subprocess.DEVNULL, stdout=log, stderr=log, env=os.environ | self.environment, **self.account)

    def wait_until_ready(self, timeout=30):
        """Waits until the service says that a press would be taken."""
        self.wait_for(
            "the service is ready",
            lambda: self.status()["readiness"]["state"] == "ready", timeout)

    def stop(self, timeout=30):
        """Sends SIGTERM and returns the exit code."""
        if self.process is None:
            return None
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
        try:
            code = self.process.wait(timeout * PATIENCE)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            raise ServiceError(f"platend did not stop within {timeout * PATIENCE} s of SIGTERM; "
                               f"the last lines of its log:\n{self.log_tail()}") from None
        self.process = None
        return code

    def kill(self):
        """Sends SIGKILL and waits for the end."""
        if self.process is not None:
            self.process.kill()
            self.process.wait()
            self.process = None

    def processor_seconds(self):
        """The processor time that the running process has used so far, all its threads together."""
        with open(f"/proc/{self.process.pid}/stat", encoding="utf-8") as file:
            fields = file.read().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")  # utime, stime

    def peak_memory(self):
        """The most memory that the running process has held, in MiB (VmHWM); 0 when it does not run."""
        try:
            with open(f"/proc/{self.process.pid}/status", encoding="ascii", errors="replace") as file:
                return next((int(line.split()[1]) // 1024 for line in file if line.startswith("VmHWM:")), 0)
        except (AttributeError, OSError):
            return 0

    def log_tail(self, lines=15):
        """The last lines of the log, for error messages."""
        try:
            with open(self.log_path, encoding="utf-8", errors="replace") as file:
                return "".join(file.readlines()[-lines:])
        except FileNotFoundError:
            return "(no log)"

    def log_count(self, text):
        """How many lines of the log hold a text."""
        with open(self.log_path, encoding="utf-8", errors="replace") as file:
            return sum(text in line for line in file)

    def wait_for(self, what, condition, timeout):
        """Polls until a condition holds: `timeout` seconds by a machine that does nothing else, and PATIENCE times that by any."""
        last = None
        for _ in looks(timeout):
            if self.process is not None and self.process.poll() is not None:
                raise ServiceError(f"platend exited with {self.process.returncode} before {what}; "
                                   f"the last lines of its log:\n{self.log_tail()}")
            try:
                value = condition()
                if value:
                    return value
            except (OSError, http.client.HTTPException, ServiceError, KeyError) as error:
                last = error
        detail = f" ({last})" if last else ""
        raise ServiceError(f"after {timeout * PATIENCE} s it is still not true that {what}{detail}; "
                           f"the last lines of the log:\n{self.log_tail()}")

    # -- API -------------------------------------------------------------------------------------

    def call(self, method, path, body=None, timeout=30):
        """Calls the API and returns (status, decoded JSON)."""
        connection = _UnixConnection(self.socket_path, timeout)
        try:
            headers = {"Content-Type": "application/json"} if body is not None else {}
            payload = json.dumps(body) if body is not None else None
            connection.request(method, path, payload, headers)
            answer = connection.getresponse()
            text = answer.read().decode("utf-8")
            return answer.status, json.loads(text) if text else None
        finally:
            connection.close()

    def get(self, path):
        """The JSON at a path; any status but 200 is an error."""
        status, value = self.call("GET", path)
        if status != 200:
            raise ServiceError(f"GET {path} answered {status}: {value}")
        return value

    def simulate(self, action, **details):
        """Changes the simulated world; a refusal is an error."""
        command = {"action": action, **details}
        status, answer = self.call("POST", "/v1/simulation", command)
        if status != 200:
            raise ServiceError(f"the simulated board refused {command}: {answer}")

    def status(self):
        """The rig's status."""
        return self.get("/v1/status")

    def spool(self):
        """The counts of the spool; waits for one that is busy, because the status has older counts then."""
        def counts():
            spool = self.status()["spool"]
            return None if spool.get("isStale") else spool
        return self.wait_for("the spool answers", counts, 30)

    def presses(self, limit=1000):
        """The newest presses, the newest first."""
        return self.get(f"/v1/presses?limit={limit}")["presses"]

    def press(self, number):
        """The report of one press."""
        return self.get(f"/v1/presses/{number}")

    def shoot(self, timeout=60):
        """Presses over the API; returns the report, stored or refused."""
        _, report = self.call("POST", "/v1/presses", timeout=timeout)
        return report

    def last_press_number(self):
        """The number of the newest press; 0 when there was none."""
        # A busy spool keeps the ledger, and the answer is an error then.
        newest = self.wait_for("the ledger answers", lambda: (self.presses(limit=1),), 30)[0]
        return newest[0]["number"] if newest else 0

    def wait_for_press_after(self, number, timeout=10):
        """Waits for the first press with a higher number to end; returns its report."""
        def ended():
            later = [p for p in self.presses(limit=50) if p["number"] > number]
            first = min(later, key=lambda p: p["number"], default={"outcome": "pending"})
            # Where the disk keeps the service waiting, an answer comes without the picture's row, and so without its digest.
            is_whole = first["outcome"] != "stored" or first.get("sha256")
            return first if first["outcome"] != "pending" and is_whole else None
        return self.wait_for(f"a press after number {number} has its outcome", ended, timeout)

    def wait_for_receipt(self, number, timeout=30):
        """Waits until a stored press has been uploaded; returns its report."""
        def receipt():
            report = self.press(number)
            return report if report.get("receipt") else None
        return self.wait_for(f"press {number} is uploaded", receipt, timeout)

    def stream(self, path):
        """The answer at a path that goes on until it is closed; any status but 200 is an error."""
        connection = _UnixConnection(self.socket_path, timeout=None)
        connection.request("GET", path)
        answer = connection.getresponse()
        if answer.status != 200:
            raise ServiceError(f"GET {path} answered {answer.status}: {answer.read()!r}")
        return answer

    def events(self):
        """Yields server-sent events as (kind, decoded data) until the connection ends."""
        answer = self.stream("/v1/events")
        data = []
        for raw in answer:
            line = raw.decode("utf-8").rstrip("\r\n")
            if line.startswith("data:"):
                data.append(line[5:].strip())
            elif not line and data:
                value = json.loads("\n".join(data))
                data = []
                yield value.get("kind"), value
