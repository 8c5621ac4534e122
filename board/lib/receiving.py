# SPDX-License-Identifier: Apache-2.0
"""The real servers that take the uploads, each for as long as a `with` lasts: nginx, SeaweedFS, a directory."""

import os
import re
import subprocess
import urllib.parse

LIBRARY = os.path.dirname(os.path.realpath(__file__))
BUCKET = "pages"


class ReceiverError(Exception):
    """The receiving server did not start."""


def fetch_bucket(rclone, endpoint, keys, folder, provider="Other"):
    """Fetches every object of the bucket with rclone, another implementation of S3 than ours; `keys`: the key's ID, the secret."""
    secrets = {"TYPE": "s3", "PROVIDER": provider, "ENDPOINT": endpoint, "ACCESS_KEY_ID": keys[0], "SECRET_ACCESS_KEY": keys[1], "FORCE_PATH_STYLE": "true"}
    environment = os.environ | {f"RCLONE_CONFIG_SERVER_{key}": value for key, value in secrets.items()} | {"RCLONE_CONFIG": "/dev/null"}
    done = subprocess.run([rclone, "copy", f"server:{BUCKET}", folder, "--exclude", ".ready"], env=environment, capture_output=True, text=True)
    if done.returncode != 0:
        raise ReceiverError(f"rclone cannot fetch what is at {endpoint}: {done.stderr.strip()[-300:]}")
    os.makedirs(folder, exist_ok=True)


class Receiver:
    """The server of board/lib/receiver in a directory of its own; `store` is its folder of files.

    `template`: another configuration than receiver.conf.
    """

    def __init__(self, directory, template=None):
        self.directory, self.store, self.port, self.path = directory, os.path.join(directory, "store"), None, "/"
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

    def collect(self):
        """Its objects are files in `store` already."""


class Drive:
    """A directory as a removable drive is one: it holds the marker with the target's name."""

    def __init__(self, directory, target):
        self.directory, self.store, self.port, self.path = directory, os.path.join(directory, "store"), None, None
        self._target = target

    def __enter__(self):
        os.makedirs(self.store, exist_ok=True)
        with open(os.path.join(self.store, ".platen-target"), "w", encoding="ascii") as file:
            file.write(self._target + "\n")
        return self

    def __exit__(self, *unused):
        """It stays."""

    def collect(self):
        """Has sha256sum compare every file with the manifest, which goes aside then."""
        manifest = os.path.join(self.store, "MANIFEST.sha256")
        done = subprocess.run(["sha256sum", "--check", "--strict", "--quiet", manifest], cwd=self.store, capture_output=True, text=True)
        if done.returncode != 0:
            raise ReceiverError(f"sha256sum does not agree with the manifest of the directory: {(done.stdout + done.stderr).strip()[-300:]}")
        os.rename(manifest, os.path.join(self.directory, "MANIFEST.sha256"))


class StorageServer:
    """A SeaweedFS in a directory of its own, by S3 or by tus; after `collect` its objects are files in `store`.

    Both keep them in the bucket "pages". `path` is the part of its URL behind the host.
    """

    def __init__(self, protocol, directory):
        self.directory, self.store, self.port, self.path = directory, os.path.join(directory, "collected"), None, None
        self._protocol, self._endpoint = protocol, None

    def __enter__(self):
        done = self._servers("start", "seaweedfs", self.directory, str(os.getpid()), stdout=subprocess.PIPE)
        if done.returncode != 0:
            raise ReceiverError("SeaweedFS did not start; its message is above")
        urls = dict(line.split("=", 1) for line in done.stdout.split())
        url, self._endpoint = urllib.parse.urlsplit(urls[self._protocol]), urls["s3"]
        self.port, self.path = url.port, url.path + ("buckets/pages/" if self._protocol == "tus" else "")
        return self

    def __exit__(self, *unused):
        self._servers("stop", self.directory, stdout=subprocess.DEVNULL)

    def collect(self):
        """Fetches every object."""
        python = self._servers("python", stdout=subprocess.PIPE).stdout.strip()
        fetch_bucket(os.path.join(os.path.dirname(python), "rclone"), self._endpoint, ("admin-key", "admin-secret"), self.store, "SeaweedFS")

    @staticmethod
    def _servers(*arguments, stdout):
        return subprocess.run([os.path.join(LIBRARY, "servers"), *arguments], stdout=stdout, text=True)
