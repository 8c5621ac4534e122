# SPDX-License-Identifier: Apache-2.0
"""The service's processes as the kernel shows them: which one has the camera, and what each of them holds."""

import os


def fields_of(process):
    """The fields of /proc/PROCESS/status; None when there is no such process."""
    try:
        with open(f"/proc/{process}/status", encoding="utf-8") as file:
            return dict(line.rstrip("\n").split(":\t", 1) for line in file if ":\t" in line)
    except (FileNotFoundError, ProcessLookupError):
        return None


def camera_process(service):
    """The number of the process that has the service's camera; None when there is none."""
    for entry in filter(str.isdigit, os.listdir("/proc")):
        fields = fields_of(entry)
        if fields and fields["Name"] == "platen-camera" and int(fields["PPid"]) == service.process.pid:
            return int(entry)
    return None


def takers_of(signal, process):
    """The names of a process's threads that do not block a signal."""
    threads = filter(None, (fields_of(f"{process}/task/{thread}") for thread in os.listdir(f"/proc/{process}/task")))
    return [fields["Name"] for fields in threads if not int(fields["SigBlk"], 16) >> signal - 1 & 1]


def held_by(process):
    """What a process holds: memory in KiB (VmRSS), descriptors and threads."""
    fields = fields_of(process)
    return {"memory": int(fields["VmRSS"].split()[0]), "threads": int(fields["Threads"]),
            "descriptors": len(os.listdir(f"/proc/{process}/fd"))}
