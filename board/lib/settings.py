# SPDX-License-Identifier: Apache-2.0
"""The configuration of platend in the campaigns (kill, faults): the one place where it is written."""

from dataclasses import dataclass, field


@dataclass
class Target:
    """Where pictures go, as platend is told; `keys` are further keys of the kind, as {key: value}."""

    url: str = ""
    kind: str = "webdav"
    user: str = ""
    password_file: str = ""
    ca_file: str = ""
    keys: dict = field(default_factory=dict)


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
    parallel: int = 2
    movie: str = ""  # the keys of the section, where recordings are made

    def text(self):
        """The YAML; `{directory}` and `{socket}` are filled in by Service."""
        # The campaigns break no camera: the simulated one may stand, and a press be unread, as long as a busy machine lets them, without
        # a press being refused.
        return (f"rig: {{ id: campaign-rig }}\n"
                f"board: simulated\n"
                f"camera: {{ size: {self.size}, frame_rate: {self.frame_rate}, ring_frames: 12, stall_timeout: 10 s, maximum_wait: 20 s }}\n"
                f"shutter: {{ line: SHUTTER }}\n"
                f"indicators: {{ ready: {{ led: ready }}, fault: {{ led: fault }}, upload: {{ led: upload }} }}\n"
                f"spool: {{ directory: {self.spool}, minimum_free: {self.minimum_free} }}\n"
                f"api: {{ socket: \"{{socket}}\", rate: 1000 }}\n"
                f"{f'movie: {{ {self.movie} }}' if self.movie else ''}\n"
                f"{self._targets()}")

    def _targets(self):
        lines = ["targets:"]
        for number, target in enumerate(self.targets):
            words = [f"kind: {target.kind}"] + ([f"url: \"{target.url}\""] if target.url else [])
            words += [f"{key}: {getattr(self, key)}" for key in ("retry_minimum", "retry_maximum", "parallel")]
            words += [f"{key}: {getattr(self, key)}" for key in ("connect_timeout", "stall_timeout") if target.url]
            words += [f"{key}: \"{value}\"" for key, value in target.keys.items()]
            words += [f"user: {target.user}", f"password_file: \"{target.password_file}\""] if target.user else []
            words += [f"ca_file: \"{target.ca_file}\""] if target.ca_file else []
            lines.append(f"  target-{number}: {{ {', '.join(words)} }}")
        return "\n".join(lines) + "\n"
