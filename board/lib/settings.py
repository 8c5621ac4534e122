# SPDX-License-Identifier: Apache-2.0
"""The configuration of platend in the campaigns (kill, faults): the one place where it is written."""

from dataclasses import dataclass

from service import ServiceError


@dataclass
class Target:
    """Where pictures go, as platend is told."""

    url: str
    user: str = ""
    password_file: str = ""
    ca_file: str = ""


@dataclass
class Settings:
    """What the campaigns vary. Durations and sizes as in the file."""

    targets: list
    spool: str = "{directory}/spool"
    minimum_free: str = "1 MiB"
    size: str = "640x480"
    frame_rate: int = 30
    retry_minimum: str = "100 ms"
    retry_maximum: str = "400 ms"
    connect_timeout: str = "1 s"
    stall_timeout: str = "1 s"

    def text(self):
        """The YAML; `{directory}` and `{socket}` are filled in by Service."""
        return (f"rig: {{ id: campaign-rig }}\n"
                f"board: simulated\n"
                f"camera: {{ size: {self.size}, frame_rate: {self.frame_rate} }}\n"
                f"shutter: {{ line: SHUTTER }}\n"
                f"indicators: {{ ready: {{ led: ready }}, fault: {{ led: fault }}, upload: {{ led: upload }} }}\n"
                f"spool: {{ directory: {self.spool}, minimum_free: {self.minimum_free} }}\n"
                f"api: {{ socket: \"{{socket}}\" }}\n"
                f"{self._upload()}")

    def _upload(self):
        if len(self.targets) != 1:
            raise ServiceError(f"this platend uploads to one target, not to {len(self.targets)}")
        target = self.targets[0]
        lines = [f"  url: \"{target.url}\"", f"  retry_minimum: {self.retry_minimum}", f"  retry_maximum: {self.retry_maximum}",
                 f"  connect_timeout: {self.connect_timeout}", f"  stall_timeout: {self.stall_timeout}"]
        lines += [f"  user: {target.user}", f"  password_file: \"{target.password_file}\""] if target.user else []
        lines += [f"  ca_file: \"{target.ca_file}\""] if target.ca_file else []
        return "upload:\n" + "\n".join(lines) + "\n"
