# SPDX-License-Identifier: Apache-2.0
"""Rows U5: servers that may not be trusted. The referee is openssl s_server: it shows every byte that it was told."""

import os
import random
import signal
import ssl
import subprocess
import time
from datetime import datetime, timedelta, timezone

from service import PATIENCE
from stage import Failed, by_tests, row
from rows_upload import template

# Ports below those that the kernel gives out by itself.
PORTS, ATTEMPTS = range(20000, 32000), 20


class Authority:
    """A certificate authority of our own, made with the openssl program."""

    def __init__(self, stage, name="authority"):
        self._stage, self.folder = stage, os.path.join(stage.folder, name)
        os.makedirs(self.folder)
        self.file = self._path("ca.pem")
        stage.run("openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-subj", f"/CN={name}",
                  "-days", "3650", "-keyout", self._path("ca.key"), "-out", self.file)
        with open(self._path("index"), "w", encoding="ascii"):
            pass
        with open(self._path("ca.cnf"), "w", encoding="ascii") as file:
            file.write(f"[ca]\ndefault_ca = own\n[own]\ndatabase = {self._path('index')}\nnew_certs_dir = {self.folder}\nrand_serial = yes\n"
                       "default_md = sha256\npolicy = any\ncopy_extensions = copy\nunique_subject = no\n[any]\ncommonName = supplied\n")

    def _path(self, name):
        return os.path.join(self.folder, name)

    def certificate(self, names="IP:127.0.0.1", begins=-1, ends=2):
        """A certificate and its key in one PEM file; valid from so many days ago, until so many days from now."""
        moments = [(datetime.now(timezone.utc) + timedelta(days=days)).strftime("%Y%m%d%H%M%SZ") for days in (begins, ends)]
        key, request, signed, both = (self._path(f"{part}-{ends}-{names[:2]}.pem") for part in ("key", "request", "signed", "both"))
        self._stage.run("openssl", "req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-subj", "/CN=rig",
                        "-addext", f"subjectAltName={names}", "-keyout", key, "-out", request)
        self._stage.run("openssl", "ca", "-batch", "-notext", "-config", self._path("ca.cnf"), "-keyfile", self._path("ca.key"), "-cert", self.file,
                        "-startdate", moments[0], "-enddate", moments[1], "-in", request, "-out", signed)
        with open(both, "w", encoding="ascii") as out:
            for path in (key, signed):
                with open(path, encoding="ascii") as file:
                    out.write(file.read())
        return both


class SecretServer:
    """openssl s_server: takes connections, shows what it is told, knows no HTTP."""

    def __init__(self, stage, certificate, *options):
        self.log = os.path.join(stage.folder, "s_server.log")
        # Rows run beside each other, each with ports of its own.
        choose = random.Random(f"{stage.seed}:{os.path.basename(stage.folder)}")
        for self.port in choose.sample(PORTS, ATTEMPTS):
            with open(self.log, "wb") as log:
                self._process = subprocess.Popen(
                    ["openssl", "s_server", "-accept", f"127.0.0.1:{self.port}", "-cert", certificate, "-key", certificate, *options],
                    stdin=subprocess.PIPE, stdout=log, stderr=subprocess.STDOUT)
            stage.callback(self.end, self._process)
            if self._listens():
                return
        raise Failed(f"openssl s_server finds no free port: {self.told()[-200:]}")

    def _listens(self):
        """Waits until it takes connections; returns False when another program has its port."""
        deadline = time.monotonic() + 10 * PATIENCE
        while "ACCEPT" not in self.told():
            has_ended = self._process.poll() is not None
            if has_ended and "address already in use" in self.told().lower():
                return False
            if has_ended or time.monotonic() > deadline:
                raise Failed(f"openssl s_server does not run: {self.told()[-200:]}")
            time.sleep(0.02)
        return True

    def told(self):
        """Everything that it printed, and with that everything that it was sent."""
        with open(self.log, encoding="latin-1") as file:
            return file.read()

    def end(self, process=None):
        """Ends it, or an earlier process that did not get its port."""
        process = process or self._process
        process.send_signal(signal.SIGKILL)
        process.wait()


def distrusted(stage, certificate, authority, *options):
    """The play against a server that may not be trusted: shown as a fault of TLS, and not a byte of a request is sent."""
    stage.serve()
    right = stage.settings.targets[0].url
    server = SecretServer(stage, certificate, *options)
    stage.settings.targets[0].url = f"https://127.0.0.1:{server.port}/"
    stage.settings.targets[0].ca_file = authority.file
    stage.start()
    stage.stored(2)
    shown = stage.waits()
    # The first attempt may have ended before the handshake: s_server serves one connection after the other, and the limit is 1 s.
    stage.until("a failure of TLS is in the log", lambda: stage.service.log_count("failure.code=tls") > 0, 20)
    time.sleep(0.5)
    detail, codes = stage.target().get("detail") or "", stage.target()["failures"]
    told = server.told()
    stage.expect("PUT" not in told and "Host:" not in told, "the server was told a request")
    server.end()
    stage.kill()
    stage.settings.targets[0].url, stage.settings.targets[0].ca_file = right, ""
    stage.start()
    cause = detail.split(";")[0].rsplit(": ", 1)[-1]
    return f"shown after {shown:.1f} s as \"{cause}\", {codes} attempts, 0 bytes told; with a right server drained in {stage.drained():.1f} s"


@row("U5.expired", "certificate that has expired", "no byte of a request sent, a clear class of error")
def expired(stage):
    """Since yesterday."""
    authority = Authority(stage)
    return distrusted(stage, authority.certificate(begins=-30, ends=-1), authority)


@row("U5.early", "certificate that is not valid yet (a rig whose clock is in the past)", "the same")
def early(stage):
    """From tomorrow on."""
    authority = Authority(stage)
    return distrusted(stage, authority.certificate(begins=1, ends=30), authority)


@row("U5.name", "certificate for another host", "the same")
def other_name(stage):
    """A good one, for somebody else."""
    authority = Authority(stage)
    return distrusted(stage, authority.certificate("DNS:elsewhere.example"), authority)


@row("U5.authority", "certificate of an unknown authority", "the same")
def other_authority(stage):
    """The configured authority is not the one that signed."""
    return distrusted(stage, Authority(stage, "somebody").certificate(), Authority(stage))


@row("U5.old", "server that speaks TLS 1.1 at most", "the same")
def old_protocol(stage):
    """A trusted certificate, an old protocol."""
    authority = Authority(stage)
    return distrusted(stage, authority.certificate(), authority, "-no_tls1_2", "-no_tls1_3", "-cipher", "ALL:@SECLEVEL=0")


@row("U5.cut", "connection closed in the handshake, twice; then a good one", "sent again over a good handshake")
def cut_handshake(stage):
    """The proxy speaks TLS itself here; that pictures arrive is the control of all rows of TLS."""
    authority = Authority(stage)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(authority.certificate())
    proxy = stage.serve(tls=context)
    proxy.handshakes_cut = 2
    stage.settings.targets[0].ca_file = authority.file
    stage.start()
    stage.stored(2)
    drained = stage.drained()
    stage.expect(proxy.counts["cut-handshake"] == 2, f"{proxy.counts['cut-handshake']} handshakes were cut")
    return f"2 handshakes cut, {stage.objects()} pictures over TLS in {drained:.1f} s"


@row("U5.nginx", "control: nginx with a trusted certificate", "pictures arrive over TLS")
def trusted(stage):
    """Without it, a service that never trusts anybody would pass the rows above."""
    authority = Authority(stage)
    both = authority.certificate()
    stage.serve(template=template("listen @LISTEN@;", f"listen @LISTEN@ ssl; ssl_certificate \"{both}\"; ssl_certificate_key \"{both}\";"))
    stage.settings.targets[0].url = f"https://127.0.0.1:{stage.receiver.port}/"
    stage.settings.targets[0].ca_file = authority.file
    stage.start()
    stage.stored(2)
    return f"{len(stage.acknowledged.items)} pictures over nginx's TLS in {stage.drained():.1f} s"


by_tests("U5.pins", "a certificate whose key is not among the pins", "no byte of a request sent", "TransferSecurityTests")
