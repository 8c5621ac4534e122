# SPDX-License-Identifier: Apache-2.0
"""Servers of S3 and of tus."""

import json
import os
import shutil
import urllib.request

from daemons import LOOPBACK, Daemon
from packages import more, tool
from receiving import BUCKET, ReceiverError, StorageServer, fetch_bucket

HERE = os.path.dirname(os.path.realpath(__file__))
ACCESS_KEY, SECRET_KEY = "rig-key", "rig-secret"
_DIRECT = urllib.request.build_opener(urllib.request.ProxyHandler({}))


class Moto(Daemon):
    """moto, which is the S3 of many people's own tests."""

    name, user = "moto", ""

    def command(self):
        return [more("python"), "-m", "moto.server", "-H", LOOPBACK, "-p", str(self.port)]

    def prepare(self):
        _DIRECT.open(urllib.request.Request(f"{self.url}{BUCKET}", method="PUT"), timeout=60).close()

    def collect(self):
        fetch_bucket(tool("rclone"), self.url, (ACCESS_KEY, SECRET_KEY), self.store)

    def parts_of(self, name):
        """In how many parts an object came, as S3 says it in the ETag."""
        with _DIRECT.open(urllib.request.Request(f"{self.url}{BUCKET}/{name}", method="HEAD"), timeout=60) as answer:
            return int(answer.headers["ETag"].strip('"').partition("-")[2] or 1)


class _SeaweedFS(StorageServer):
    """SeaweedFS of board/lib/servers, with a key that may only write; it ends with this program."""

    name, user, own_names, protocol = "SeaweedFS", "", (), ""

    def __init__(self, folder):
        super().__init__(self.protocol, folder)

    @property
    def url(self):
        """Where it is reached without a proxy."""
        return f"http://{LOOPBACK}:{self.port}{self.path}"


class SeaweedS3(_SeaweedFS):
    """SeaweedFS by S3."""

    protocol = "s3"


class SeaweedTus(_SeaweedFS):
    """SeaweedFS by tus."""

    protocol = "tus"


class Tuspyserver(Daemon):
    """tuspyserver in uvicorn: tusapp.py."""

    name, user, path = "tuspyserver", "", "/files/"

    def command(self):
        return [more("python"), "-m", "uvicorn", "--app-dir", HERE, "--host", LOOPBACK, "--port", str(self.port), "tusapp:app"]

    def environment(self):
        return {"UPLOADS": os.path.join(self.folder, "uploads")}

    def collect(self):
        """Gives every upload the name that it was announced with; one that is not whole counts as a leftover."""
        uploads = os.path.join(self.folder, "uploads")
        for name in sorted(os.listdir(uploads)):
            if not name.endswith(".info"):
                continue
            with open(os.path.join(uploads, name), encoding="utf-8") as file:
                info = json.load(file)
            is_whole = info["offset"] == info["size"]
            target = os.path.join(self.store, info["metadata"]["filename"] if is_whole else f".{name}")
            if os.path.exists(target):
                raise ReceiverError(f"{self.name} holds \"{os.path.basename(target)}\" more than once")
            shutil.copyfile(os.path.join(uploads, name.removesuffix(".info")), target)


class TuspyserverSilent(Tuspyserver):
    """tuspyserver at its URL without the slash, where it answers OPTIONS with 405."""

    path = "/files"
