# SPDX-License-Identifier: Apache-2.0
"""A server as a child of this program, for as long as a `with` lasts; and nginx that ends TLS before one."""

import collections
import os
import random
import re
import signal
import socket
import subprocess
import threading
import time

from receiving import ReceiverError
from service import PATIENCE

USER, PASSWORD = "rig-1", "secret"
LOOPBACK = "127.0.0.1"
# nginx, apache2 and lighttpd are in sbin, which an ordinary user's PATH leaves out on Debian. A child is no service of systemd.
_ENVIRONMENT = {**{key: value for key, value in os.environ.items() if key not in ("NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID")},
                "PATH": os.environ.get("PATH", "") + ":/usr/sbin:/sbin", "PYTHONDONTWRITEBYTECODE": "1"}
_SECONDS_TO_END = 5


class _Children:
    """All servers that run, and the ports that were given out."""

    def __init__(self):
        self.lock, self.running, self.ports, self.is_over = threading.Lock(), set(), set(), False

    def free_port(self):
        """An unused port, out of the range that outgoing connections take theirs from; never the same twice."""
        with self.lock:
            for port in random.sample(range(20000, 32000), 2000):
                with socket.socket() as probe:
                    probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                    if port not in self.ports and probe.connect_ex((LOOPBACK, port)) != 0:
                        self.ports.add(port)
                        return port
        raise ReceiverError("there is no free port on the loopback interface")

    def start(self, command, **options):
        """Starts a program in a session of its own; it ends with the thread that started it."""
        with self.lock:
            if self.is_over:
                raise ReceiverError("the run is ended")
            process = subprocess.Popen(["setpriv", "--pdeathsig", "TERM", *command], stdin=subprocess.DEVNULL, start_new_session=True, **options)
            self.running.add(process)
            return process

    def end(self, process):
        """Ends a program with all that it has started."""
        for number in (signal.SIGTERM, signal.SIGKILL):
            try:
                os.killpg(process.pid, number)
                process.wait(_SECONDS_TO_END)
            except ProcessLookupError:
                break
            except subprocess.TimeoutExpired:
                continue
        process.wait()
        self.running.discard(process)

    def end_all(self):
        """Ends every program, and each that would begin."""
        with self.lock:
            self.is_over = True
        for process in list(self.running):
            self.end(process)


CHILDREN = _Children()


class Daemon:
    """A server in a directory of its own; `store` is its folder of files, `path` the part of its URL behind the host.

    A kind of server has a `name`, makes its `command`, and may have to `prepare` or to `collect` what it holds.
    """

    name, path, user = "", "/", USER
    account = {}  # whom it runs as, as subprocess.Popen takes it
    own_names = ()  # what it keeps beside the pictures itself

    def __init__(self, folder):
        self.folder, self.store = os.path.realpath(folder), os.path.join(os.path.realpath(folder), "store")
        self.port, self._process = None, None

    def __enter__(self):
        os.makedirs(self.store, exist_ok=True)
        self.port = CHILDREN.free_port()
        self.start()
        self.prepare()
        return self

    def __exit__(self, *unused):
        self.stop()

    def command(self):
        """The program and its arguments; writes its configuration."""
        raise NotImplementedError

    def environment(self):
        """Its environment besides ours."""
        return {}

    def prepare(self):
        """Does what is due once it answers."""

    def collect(self):
        """Makes its objects files in `store`; most have them there already."""

    def start(self):
        """Starts it and waits until it answers."""
        command, account = self.command(), self.account if os.geteuid() == 0 else {}
        with open(self.log, "ab") as log:
            if account:
                subprocess.run(["chown", "-R", account["user"], self.folder], check=True)
            self._process = CHILDREN.start(command, cwd=self.folder, stdout=log, stderr=log,
                                           env={**_ENVIRONMENT, "HOME": self.folder, **self.environment()}, **account)
        deadline = time.monotonic() + 10 * PATIENCE
        while not self._answers():
            code = self._process.poll()
            if code is not None or time.monotonic() > deadline:
                self.stop()
                raise ReceiverError(f"{self.name} {'does not answer' if code is None else f'ended by itself with {code}'}: {self.tail()}")
            time.sleep(0.05)

    def stop(self):
        """Ends it."""
        if self._process:
            CHILDREN.end(self._process)
            self._process = None

    @property
    def url(self):
        """Where it is reached without a proxy."""
        return f"http://{LOOPBACK}:{self.port}{self.path}"

    @property
    def log(self):
        """The file with what it prints."""
        return os.path.join(self.folder, "log")

    def tail(self):
        """The end of what it printed, on one line."""
        with open(self.log, encoding="utf-8", errors="replace") as file:
            return " ".join(file.read()[-400:].split())

    def write(self, name, text):
        """Writes a file of its configuration; returns the path."""
        path = os.path.join(self.folder, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return path

    def _answers(self):
        with socket.socket() as probe:
            # No process listens where the connection is one with itself.
            return probe.connect_ex((LOOPBACK, self.port)) == 0 and probe.getsockname() != probe.getpeername()


def make_certificate(folder):
    """A certificate for localhost that is its own authority; returns its file and that of its key."""
    certificate, key = (os.path.join(folder, name) for name in ("certificate.pem", "key.pem"))
    subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2", "-subj", "/CN=localhost",
                    "-addext", f"subjectAltName=DNS:localhost,IP:{LOOPBACK}", "-keyout", key, "-out", certificate], check=True, capture_output=True)
    return certificate, key


class Proxy(Daemon):
    """nginx that ends TLS before a server, as people write it: by default it passes on neither name nor scheme."""

    name = "nginx"
    # What stands beside `proxy_pass`: nothing; the host with the port, or without it; a name that only the server's network knows;
    # the field Destination rewritten.
    PLAIN, HOST, HOST_ALONE, INSIDE = "", "proxy_set_header Host $http_host;", "proxy_set_header Host $host;", "proxy_set_header Host inside.example;"
    REWRITING = ("set $there $http_destination; if ($http_destination ~* \"^https://[^/]+(/.*)$\") {{ set $there http://{server}$1; }} "
                 "proxy_set_header Destination $there;")

    def __init__(self, folder, server, certificate, words):
        super().__init__(folder)
        self._server, self._certificate, self._words = server, certificate, words

    def command(self):
        server = f"{LOOPBACK}:{self._server.port}"
        places = " ".join(f"{kind}_temp_path \"{self.folder}/{kind}\";" for kind in ("client_body", "proxy", "fastcgi", "scgi", "uwsgi"))
        configuration = self.write("nginx.conf", f"""\
{'user root root;' if os.geteuid() == 0 else ''}
worker_processes 1;
pid "{self.folder}/nginx.pid";
events {{ worker_connections 128; }}
http {{
  access_log "{self.folder}/access.log";
  {places}
  server {{
    listen {LOOPBACK}:{self.port} ssl;
    server_name localhost;
    ssl_certificate "{self._certificate[0]}";
    ssl_certificate_key "{self._certificate[1]}";
    client_max_body_size 0;
    location / {{ {self._words.format(server=server)} proxy_pass http://{server}; proxy_http_version 1.1; }}
  }}
}}
""")
        return ["nginx", "-p", self.folder, "-c", configuration, "-e", self.log, "-g", "daemon off;"]

    def change(self, words):
        """Starts it anew with other words beside `proxy_pass`."""
        self.stop()
        self._words = words
        self.start()

    @property
    def url(self):
        return f"https://localhost:{self.port}{self._server.path}"

    def answers(self):
        """How often each method got each status: {"PUT 201": 3}."""
        with open(os.path.join(self.folder, "access.log"), encoding="utf-8", errors="replace") as file:
            return collections.Counter(f"{method} {status}" for method, status in re.findall(r"\"([A-Z]+) \S+ HTTP/\S+\" (\d+)", file.read()))
