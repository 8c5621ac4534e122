# SPDX-License-Identifier: Apache-2.0
"""Pages that are not the rig's try to use the browser of somebody who is signed in: a foreign name for the rig, and other origins."""

import http.server
import json
import threading

from plays import expect

# A name that belongs to somebody else and leads to the rig: the browser resolves it as RESOLVER says.
STRANGER = "stranger.example"
RESOLVER = f"--host-resolver-rules=MAP {STRANGER} 127.0.0.1"
# What a page tries with the address of the rig: each attempt ends as "refused" or says what it got.
ATTEMPTS = """(async (rig) => {
  const refused = "refused";
  const read = (path, options) => fetch(rig + path, { credentials: "include", ...options })
    .then((answer) => `status ${answer.status}`, () => refused);
  const load = (element, source) => new Promise((resolve) => {
    element.addEventListener("load", () => resolve("loaded"));
    element.addEventListener("error", () => resolve(refused));
    element.src = source;
    document.body.append(element);
  });
  const listen = (path) => new Promise((resolve) => {
    const source = new EventSource(rig + path, { withCredentials: true });
    source.addEventListener("open", () => { source.close(); resolve("open"); });
    source.addEventListener("error", () => { source.close(); resolve(refused); });
  });
  return {
    "a look by fetch": await read("v1/status"),
    "a press by fetch": await read("v1/presses",
      { method: "POST", body: "{}", headers: { "Content-Type": "application/json" } }),
    "the live picture as an image": await load(new Image(), rig + "v1/preview/stream"),
    "the loupe as an image": await load(new Image(), rig + "v1/preview/loupe"),
    "the page's own program": await load(document.createElement("script"), rig + "page/main.js"),
    "events": await listen("v1/events"),
  };
})"""


# A press for which the browser does not ask the rig first. The page never sees the answer: only the rig tells what became of it.
BLIND_PRESS = """((rig) => fetch(rig + "v1/presses", { method: "POST", body: "{}", mode: "no-cors", credentials: "include" })
  .then(() => true, () => true))"""


class _Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):  # pylint: disable=invalid-name
        """Answers with the same page at each path."""
        page = b"<!doctype html><title>Stranger</title><p>A page of somebody else.</p>"
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", str(len(page)))
        self.end_headers()
        self.wfile.write(page)

    def log_message(self, *_):  # pylint: disable=arguments-differ
        """Says nothing."""


class Site:
    """A site of somebody else on this machine; a context manager that ends it."""

    def __init__(self):
        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
        self._server.daemon_threads = True
        self.port = self._server.server_address[1]

    def __enter__(self):
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_):
        self._server.shutdown()
        self._server.server_close()


def rebinding(tab, rig):
    """A foreign name that leads to the rig gets neither the page nor an answer."""
    port = rig.address.rstrip("/").rpartition(":")[2]
    tab.navigate(f"http://{STRANGER}:{port}/")
    tab.wait_for("the rig says that the name is not its own", "document.body.innerText.includes(\"is not this rig's\")")
    statuses = tab.evaluate(f"""Promise.all([fetch("v1/status"), fetch("v1/presses", {{ method: "POST" }}),
        fetch("v1/sign-in", {{ method: "POST", body: JSON.stringify({{ token: {json.dumps(rig.builder)} }}) }})])
        .then((answers) => answers.map(({{ status }}) => status))""")
    expect(statuses == [403, 403, 403], f"a foreign name for the rig is answered with {statuses}")


def other_origins(tab, rig, site):
    """A page at another port of the rig's host, and one of another host, get nothing by the cookie."""
    for origin in (f"http://127.0.0.1:{site.port}/", f"http://{STRANGER}:{site.port}/"):
        tab.navigate(origin)
        tab.wait_for("the foreign page is shown", "document.title === 'Stranger'")
        attempts = tab.evaluate(f"{ATTEMPTS}({json.dumps(rig.address)})")
        for name, outcome in attempts.items():
            expect(outcome == "refused", f"{name} on a page of {origin} is not refused: {outcome}")
        before = rig.service.last_press_number()
        tab.evaluate(f"{BLIND_PRESS}({json.dumps(rig.address)})")
        expect(rig.service.last_press_number() == before, f"a press that is not asked for first on a page of {origin} is taken")
        tab.evaluate(f"""(() => {{ const form = document.createElement("form");
            form.method = "post"; form.action = {json.dumps(rig.address + "v1/presses")};
            document.body.append(form); form.submit(); }})()""")
        tab.wait_for("the rig refuses the form", f"location.href.startsWith({json.dumps(rig.address)}) "
                     "&& document.body?.innerText.includes('may not call this rig')")


def play(tab, rig):
    """Has strangers try everything; the browser is signed in with the permission to act."""
    before = rig.service.last_press_number()
    rebinding(tab, rig)
    with Site() as site:
        other_origins(tab, rig, site)
    expect(rig.service.last_press_number() == before, "a page of somebody else has pressed the shutter")
