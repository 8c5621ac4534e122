# SPDX-License-Identifier: Apache-2.0
"""The plays at each server: a service takes pictures, they arrive, and the referee looks at what the server holds."""

import contextlib
import datetime
import itertools
import os
import re

from campaign import Failed
from daemons import CHILDREN, PASSWORD, Proxy
from objects import ACCESS_KEY, SECRET_KEY
from receiving import BUCKET
from referee import Acknowledged, judge
from service import Service, ServiceError, until_taken
from settings import Settings, Target

PICTURES = 3


class Stage:
    """The stage of a row: a server, the proxy before it if the row has one, a service; `close` ends all of them."""

    def __init__(self, row, binary, folder, certificate):
        self.row, self.folder = row, folder
        self.acknowledged = Acknowledged()
        self._stack = contextlib.ExitStack()
        self._binary, self._certificate = binary, certificate
        self.server, self.proxy, self.service = None, None, None

    def open(self):
        """Starts all of it."""
        self.server = self.row.server(os.path.join(self.folder, "server"))
        if self.row.has_folders:
            self.make_folders()
        self._stack.enter_context(self.server)
        if self.row.words is not None:
            self.proxy = self._stack.enter_context(Proxy(os.path.join(self.folder, "proxy"), self.server, self._certificate, self.row.words))
        settings = Settings(self._targets(), connect_timeout="5 s", stall_timeout="10 s", movie=self.row.movie, size=self.row.size)
        self.service = Service(self._binary, self.folder, settings.text())
        self._stack.callback(self.service.kill)
        self.start()

    def start(self):
        """Starts the service."""
        if CHILDREN.is_over:
            raise Failed("the run is ended")
        self.service.start(timeout=60)

    def close(self):
        """Ends all of it."""
        self._stack.close()

    def make_folders(self):
        """Makes the folders of today's pictures, and of those after midnight, which a server without WebDAV does not make by itself."""
        now = datetime.datetime.now(datetime.timezone.utc)
        for day in (now, now + datetime.timedelta(days=1)):
            os.makedirs(os.path.join(self.server.store, "campaign-rig", f"{day:%Y/%m/%d}"), exist_ok=True)

    def _targets(self):
        """A target, or several, each with a collection of its own that is not there yet."""
        url = (self.proxy or self.server).url
        return [self._target(f"{url}{place}/" if place else url) for place in self._places()]

    def _places(self):
        return [f"place-{number}" for number in range(self.row.places)] if self.row.places > 1 else [""]

    def _target(self, url):
        target = Target(url, self.row.kind, ca_file=self._certificate[0] if self.proxy else "", keys=dict(self.row.keys))
        if self.row.kind == "s3":
            target.keys |= {"bucket": BUCKET, "access_key_id": ACCESS_KEY, "secret_key_file": self._secret(SECRET_KEY)}
        elif self.row.kind == "sftp":
            target.keys |= self.server.login()
        elif self.server.user:
            target.user, target.password_file = self.server.user, self._secret(PASSWORD)
        return target

    def _secret(self, value):
        path = os.path.join(self.folder, "secret")
        with open(path, "w", encoding="ascii") as file:
            file.write(value + "\n")
        return path

    # -- what is done and seen -------------------------------------------------------------------

    def take(self, count=PICTURES):
        """Presses; every picture must be stored."""
        for _ in range(count):
            report = until_taken(self.service.shoot)
            if not (report.get("outcome") == "stored" and self.acknowledged.take(report)):
                raise Failed(f"a press was not stored: {report}")

    def expect(self, condition, otherwise):
        """Ends the row as failed unless a condition holds."""
        if not condition:
            raise Failed(otherwise)

    def refused(self, words):
        """Waits until the target shows that it waits, why, and that it was tried several times; returns the words that it shows."""

        def is_shown():
            target = self.service.status()["targets"][0]
            return target["state"] == "waitingToRetry" and target["failures"] >= 2 * PICTURES and words in (target.get("detail") or "") and target["detail"]

        shown = self._until(f"the refusal is shown with \"{words}\"", is_shown)
        spool = self.service.spool()
        self.expect(spool["waiting"] + spool["parked"] == PICTURES, f"a picture counts as delivered that is not: {spool}")
        return shown

    def drained(self):
        """Waits until everything is uploaded, also what was set aside."""
        if self.service.spool()["parked"]:
            self.service.call("POST", "/v1/spool/retry")

        def is_empty():
            spool = self.service.spool()
            return spool["waiting"] == 0 and spool["parked"] == 0

        self._until("everything is uploaded", is_empty)

    def _until(self, what, condition):
        def goes_on():
            if CHILDREN.is_over:
                raise Failed("the run is ended")
            return condition()

        try:
            return self.service.wait_for(what, goes_on, 15)
        except ServiceError as error:
            told = self.failures()[-1:] or ["nothing"]
            raise Failed(f"{str(error).split(';', maxsplit=1)[0]}; the last failure: {told[0]}; the answers: {self.answers() or 'not known'}") from None

    def check_parts(self, item):
        """Looks whether a server of S3 was given a long object in parts."""
        if self.row.kind == "s3":
            parts = self.server.parts_of(item["remoteName"])
            self.expect(parts > 1, f"{item['remoteName']} came in {parts} part")

    def failures(self):
        """Why attempts to deliver have failed, as the log says it."""
        with open(self.service.log_path, encoding="utf-8", errors="replace") as file:
            return re.findall(r" failure=(.*) failure\.code=", file.read())

    def answers(self):
        """The proxy's answers in words; nothing without a proxy."""
        return ", ".join(f"{answer} {count}x" for answer, count in sorted(self.proxy.answers().items())) if self.proxy else ""

    def judged(self):
        """Compares what the server holds, receipts and leftovers with what was acknowledged; ends the service."""
        faults = list(self.acknowledged.faults)
        for item, digest in self.acknowledged.items.items():
            for delivery in self.service.get(f"/v1/spool/items/{item}")["deliveries"]:
                receipt = delivery.get("receipt") or {}
                faults += [f"{item} has a receipt for {receipt.get('sha256', 'nothing')}"] if receipt.get("sha256") != digest else []
        self.server.collect()
        for place in self._places():
            verdict = judge(self.acknowledged.items, os.path.join(self.server.store, place))
            faults += verdict.violations
            faults += [f"hidden leftover: {name}" for name in verdict.hidden if not set(name.split(os.sep)) & set(self.server.own_names)]
            faults += [f"{verdict.unasked} pictures that nobody acknowledged"] if verdict.unasked else []
        code = self.service.stop()
        faults += [f"platend ended with {code} when it was asked to stop"] if code != 0 else []
        self.expect(not faults, "; ".join(faults[:3]))


def deliver(stage):
    """Pictures arrive, each at its first attempt."""
    stage.take()
    stage.drained()
    failures = stage.failures()
    stage.expect(not failures, f"all arrived, but after {len(failures)} failed attempts: {'; '.join(failures[:2])}; the answers: {stage.answers()}")
    return f"{PICTURES} pictures"


def deliver_over_kill(stage):
    """The service is killed after the second picture."""
    stage.take(PICTURES - 1)
    stage.service.kill()
    stage.start()
    stage.take(1)
    stage.drained()
    return f"{PICTURES} pictures, killed after the second"


def deliver_movie(stage):
    """A recording longer than what a target takes at once arrives whole, though the service is killed while it is sent."""
    status, answer = stage.service.call("POST", "/v1/movie/start", timeout=300)
    stage.expect(status == 200, f"no recording begins: {answer}")
    pages = itertools.count(1)

    def is_long():
        # A scene that stays takes next to nothing.
        stage.service.simulate("showPage", page=next(pages))
        return stage.service.get("/v1/movie")["bytes"] > 20 << 20

    stage.service.wait_for("enough is recorded", is_long, 60)
    recording = stage.service.call("POST", "/v1/movie/stop", timeout=300)[1]
    stage.expect(recording["outcome"] == "stored" and len(recording["items"]) == 1, f"the recording was not stored: {recording}")
    item = stage.service.get(f"/v1/spool/items/{recording['items'][0]}")
    stage.acknowledged.items[item["id"]] = item["sha256"]
    stage.service.kill()
    stage.start()
    stage.drained()
    stage.check_parts(item)
    return f"a recording of {recording['bytes'] / 1e6:.0f} MB"


def deliver_after_rewrite(stage):
    """The server takes no Destination of this proxy: that is told, no picture is sent twice, and all arrive once the proxy rewrites it."""
    stage.take()
    shown = stage.refused("it has to rewrite the field Destination")
    sent = stage.proxy.answers()["PUT 201"]
    stage.proxy.change(Proxy.REWRITING)
    stage.drained()
    sent_in_all = stage.proxy.answers()["PUT 201"]
    stage.expect(sent_in_all == PICTURES, f"{PICTURES} pictures were sent {sent_in_all} times, {sent} of them before the proxy rewrote Destination")
    return f"told: \"{shown}\"; then {PICTURES} pictures, each sent once"


def deliver_after_folders(stage):
    """The server makes no folders: that is told, and all arrive once somebody has made them."""
    stage.take()
    shown = stage.refused("it answered 40")
    stage.make_folders()
    stage.drained()
    return f"told: \"{shown}\"; then {PICTURES} pictures"


def deliver_after_host(stage):
    """The proxy names another host than the one that was asked: that is told, and all arrive once it names the right one."""
    stage.take()
    shown = stage.refused(stage.row.refusal)
    stage.proxy.change(Proxy.HOST)
    stage.drained()
    return f"told: \"{shown}\"; then {PICTURES} pictures"
