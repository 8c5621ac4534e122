# SPDX-License-Identifier: Apache-2.0
"""Rows P and D1 to D3: a service that is killed, and disks that are full, broken or read-only."""

import errno
import os
import shutil
import signal
import subprocess
import time

from disks import SmallDisk
from service import PATIENCE, until_taken
from stage import Failed, by_tests, other_part, row

# Seconds for a refusal: 1 by a machine that does nothing else, and PATIENCE times that by any.
REFUSAL_LIMIT = 1 * PATIENCE

other_part("P1", "power cut at every write barrier", "I2 to I6 at every point", "crash")
other_part("P2", "power cut during recovery, rebuild and purge", "the same", "crash")
other_part("P3", "machine killed and booted again", "every acknowledged picture at the server once", "cuts")
other_part("P4", "disk that loses flushed writes", "loss bounded, service starts, nothing torn is uploaded", "cuts")
other_part("P5.kill", "SIGKILL at random moments, which is what the OOM killer sends", "every acknowledged picture at the server once", "kill")
by_tests("P5.steps", "a crash between each two steps of the protocol", "as P1", "CrashTests|QueueCrashTests")


@row("P5.signals", "SIGSEGV, SIGABRT, SIGBUS, SIGTERM while pictures are taken", "starts again, every acknowledged picture arrives")
def signals(stage):
    """The ways to die that are not SIGKILL."""
    # A rig has no swift-backtrace; where it is installed, a signal that somebody sent is only shown and survived.
    quiet = {"SWIFT_BACKTRACE": "enable=no"}
    stage.serve()
    stage.start(environment=quiet)
    for number in (signal.SIGSEGV, signal.SIGABRT, signal.SIGBUS, signal.SIGTERM):
        stage.stored(2)
        stage.note_memory()
        stage.service.process.send_signal(number)
        code = stage.exits(30)
        stage.expect(code == (0 if number == signal.SIGTERM else -number), f"{number.name} ended the service with {code}")
        stage.start(environment=quiet)
    stage.stored()
    return f"{stage.starts} starts, {len(stage.acknowledged.items)} pictures, drained in {stage.drained():.1f} s"


def on_small_disk(stage, megabytes=96, **options):
    """Puts the spool on a file system of its own; returns it."""
    disk = SmallDisk(stage.folder, megabytes, **options)
    stage.callback(disk.unmount)
    stage.callback(stage.kill)
    stage.settings.spool = os.path.join(disk.mounted, "spool")
    return disk


def refusal(stage):
    """Presses until a press is refused; returns the refusing report and how long its answer took."""
    deadline = time.monotonic() + 10 * PATIENCE
    began = []

    def press():
        began.append(time.monotonic())
        return stage.shoot()[0]

    while time.monotonic() < deadline:
        report = until_taken(press)
        if report.get("outcome") != "stored":
            stage.expect(report.get("outcome") == "refused", f"a press ended without a number and an outcome: {report}")
            return report, time.monotonic() - began[-1]
    raise Failed("no press was refused within 10 s")


def runs_full(stage, disk, fill):
    """The play of a disk that runs full and gets room again; returns what was measured."""
    stage.serve()
    disk = disk()
    stage.start()
    stage.stored(2)
    stage.drained()
    stage.proxy.down()
    stage.stored(3)
    left = fill(disk)
    report, seconds = refusal(stage)
    stage.expect(report["reason"] == "storageFull", f"refused for \"{report['reason']}\"")
    stage.expect(seconds <= REFUSAL_LIMIT, f"the refusal took {seconds:.2f} s")
    shown = stage.until("the readiness shows it", lambda: "storageFull" in stage.readiness(), 10)
    counted = stage.service.status()["presses"]["refused"]
    refused = sum(stage.acknowledged.refused.values())
    stage.expect(counted == refused, f"{refused} presses were refused and {counted} are counted")
    stage.proxy.up()
    drained = stage.drained()
    disk.empty()
    recovered = stage.until("captures go on", lambda: stage.service.status()["readiness"]["state"] == "ready", 10)
    stage.stored(2)
    stage.drained()
    return (f"{left}; refused in {seconds * 1000:.0f} ms, shown after {shown:.1f} s, {len(stage.acknowledged.items) - 4} waiting uploads went out "
            f"in {drained:.1f} s, ready {recovered:.1f} s after room came back")


@row("D1.bytes", "disk full: no byte free", f"captures refused with the reason in 1 s ({REFUSAL_LIMIT} s when busy), uploads and deletes go on, recovers by itself",
     is_alone=True)
def full(stage):
    """A file of somebody else takes all room."""

    def fill(disk):
        disk.fill()
        return f"{disk.free()} bytes free"

    return runs_full(stage, lambda: on_small_disk(stage), fill)


@row("D1.inodes", "disk full: no inode free", "the same", is_alone=True)
def no_inodes(stage):
    """Empty files of somebody else take all inodes."""
    return runs_full(stage, lambda: on_small_disk(stage, inodes=400), lambda disk: f"{disk.fill_inodes()} foreign files, no inode free")


@row("D1.start", "start on a disk that is full", "starts, uploads what waits, refuses captures with the reason", is_alone=True)
def full_at_start(stage):
    """Killed with pictures waiting, the disk full when it comes back."""
    stage.serve()
    disk = on_small_disk(stage)
    stage.start()
    stage.proxy.down()
    stage.stored(3)
    stage.kill()
    disk.fill()
    stage.start(ready=False)
    report, _ = refusal(stage)
    stage.expect(report["reason"] == "storageFull", f"refused for \"{report['reason']}\"")
    stage.proxy.up()
    drained = stage.drained()
    return f"{disk.free() // 1024} KiB free after 3 pictures went out in {drained:.1f} s"


by_tests("D1.race", "the kernel says ENOSPC after the check said there is room", "refused, nothing left behind", "FullDiskTests|SpoolFailureTests")


def trouble_with(stage, order, environment=None):
    """A service whose system calls can be broken; returns the function that orders the trouble."""
    path = os.path.join(stage.folder, "trouble")

    def tell(text):
        with open(path + ".new", "w", encoding="ascii") as file:
            file.write(text + "\n" if text else "")
        os.rename(path + ".new", path)

    tell(order)
    stage.start(environment=stage.preload("trouble", TROUBLE=path, **(environment or {})))
    return tell


def done_lines(stage):
    """What the preloaded library has done."""
    with open(os.path.join(stage.folder, "trouble.done"), encoding="utf-8") as file:
        return file.read().splitlines()


def failed_disk(stage, order):
    """The play of a disk that fails under a press: no acknowledgement, an end with 1, and all is well after a start."""
    stage.serve()
    tell = trouble_with(stage, "")
    stage.stored(3)
    tell(order)
    report = until_taken(lambda: stage.shoot()[0])
    stage.expect(report.get("outcome") != "stored", f"a press was acknowledged: {report}")
    code = stage.exits(10)
    stage.expect(code == 1, f"the service ended with {code}")
    count = len(done_lines(stage))
    tell("")
    stage.start()
    stage.stored(2)
    drained = stage.drained()
    return (f"press answered \"{report.get('reason') or report.get('error')}\", exit code {code}, {count} calls failed before it, "
            f"after a start {len(stage.acknowledged.items)} pictures at the server in {drained:.1f} s")


@row("D2.fsync", "EIO of the fsync of a picture", "not acknowledged, exit and restart, the fsync is not tried again")
def fsync_fails(stage):
    """The rule after a failed fsync: stop at once."""
    measured = failed_disk(stage, f"fsync .jpg.part {errno.EIO}")
    again = len(done_lines(stage))
    stage.expect(again == 1, f"the fsync of a picture was tried {again} times")
    return measured


@row("D2.directory", "EIO of the fsync of the directory", "not acknowledged, exit and restart")
def directory_fsync_fails(stage):
    """Every directory's fsync; the shard's name is two hexadecimal digits."""
    return failed_disk(stage, "\n".join(f"fsync {digit} {errno.EIO}" for digit in "0123456789abcdef"))


@row("D2.index", "EIO of the fsync of the database's log", "not acknowledged, exit and restart, the database is put in order")
def index_fsync_fails(stage):
    """SQLite's own."""
    return failed_disk(stage, f"fsync -wal {errno.EIO}")


@row("D2.write", "EIO of the write of a picture", "not acknowledged, exit and restart")
def write_fails(stage):
    """A sector that cannot be written."""
    return failed_disk(stage, f"write .jpg.part {errno.EIO}")


@row("D2.read", "EIO of the reading of one picture that waits", "that one is quarantined, the others go out, the service goes on")
def read_fails(stage):
    """One picture's sectors cannot be read any more."""
    stage.serve()
    stage.proxy.down()
    tell = trouble_with(stage, "")
    reports = stage.stored(4)
    bad = reports[1]
    tell(f"read {os.path.basename(bad['path'])} {errno.EIO}")
    stage.proxy.up()
    drained = stage.drained()
    status = stage.service.spool()
    stage.expect(status["quarantined"] == 1, f"{status['quarantined']} pictures are quarantined")
    stage.expect(stage.objects() == 3, f"the server has {stage.objects()} pictures")
    stage.acknowledged.items.pop(bad["itemID"])
    return f"1 quarantined, 3 at the server in {drained:.1f} s"


def unreadable_at_start(stage, name, is_rebuilt):
    """A service that is killed while pictures wait; at its start one file cannot be read, whatever it is called by then."""
    stage.serve()
    stage.proxy.down()
    stage.start()
    stage.stored(3)
    stage.kill()
    folder = os.path.join(stage.folder, "spool")
    path = os.path.join(folder, name)
    trouble_with(stage, f"read inode:{os.stat(path).st_ino} {errno.EIO}")
    stage.expect(done_lines(stage), f"nobody has read \"{path}\"")
    broken = os.path.exists(os.path.join(folder, "queue.db.broken"))
    stage.expect(broken == is_rebuilt, f"the index was {'' if broken else 'not '}put aside")
    stage.stored(1)
    stage.proxy.up()
    return f"{len(stage.acknowledged.items)} pictures at the server in {stage.drained():.1f} s"


@row("D2.start-log", "EIO of the reading of the database's log when the service starts", "the index is put aside and made anew, nothing is lost")
def log_unreadable(stage):
    """The file that is written most, read whole after each power cut."""
    return unreadable_at_start(stage, "queue.db-wal", is_rebuilt=True)


@row("D2.start-index", "EIO of the reading of the database when the service starts", "the index is put aside and made anew, nothing is lost")
def index_unreadable(stage):
    """Every page of it, the first one, too."""
    return unreadable_at_start(stage, "queue.db", is_rebuilt=True)


@row("D2.start-numbers", "EIO of the reading of the numbers' bounds when the service starts", "they are made anew from the index, nothing is lost")
def numbers_unreadable(stage):
    """A small file that a start needs."""
    return unreadable_at_start(stage, "numbers.json", is_rebuilt=False)


def read_at_start(stage):
    """The files of the service, but for pictures, that its next start reads; it is killed then."""
    trouble_with(stage, "read * wait:0")
    paths = {os.path.relpath(line.split(" ", 1)[1], stage.folder) for line in done_lines(stage)}
    stage.kill()
    own = (path for path in paths if not path.startswith("..") and os.path.isfile(os.path.join(stage.folder, path)))
    return sorted(path for path in own if not path.endswith(".jpg"))


def with_state(stage):
    """A service that is killed while pictures wait, with all files beside them that it reads at a start."""
    stage.serve()
    stage.proxy.down()
    stage.start()
    stage.stored(3)
    stage.kill()
    configuration = stage.service.configuration_path
    # The service makes this folder, too, once it has run for a minute.
    os.makedirs(f"{configuration}.history", exist_ok=True)
    shutil.copy(configuration, f"{configuration}.history/good.yaml")
    for name, text in (("camera-calibrations.json", '{"cameras": {}, "version": 1}'), ("boots.json", '{"boots": []}')):
        path = os.path.join(stage.folder, "spool", name)
        if not os.path.exists(path):
            with open(path, "w", encoding="ascii") as file:
                file.write(text)


@row("D2.start-each", "EIO of the reading of each file, one after the other, that a start of the service reads",
     "it starts each time, and nothing is lost", is_long=True)
def each_unreadable(stage):
    """The configuration and the small files, too; a picture that cannot be read is a row of its own."""
    with_state(stage)
    broken = []
    for name in read_at_start(stage):
        path = os.path.join(stage.folder, name)
        # An earlier one may have been put aside with it.
        if not os.path.exists(path):
            continue
        before = len(done_lines(stage))
        trouble_with(stage, f"read inode:{os.stat(path).st_ino} {errno.EIO}")
        stage.stored(1)
        if len(done_lines(stage)) > before:
            broken.append(name)
        stage.kill()
    missing = {"platen.yaml", "spool/queue.db", "spool/queue.db-wal", "spool/numbers.json"} - set(broken)
    stage.expect(not missing, f"nobody has read {', '.join(sorted(missing))} at a start")
    stage.proxy.up()
    stage.start()
    return f"{', '.join(broken)}; {len(stage.acknowledged.items)} pictures at the server in {stage.drained():.1f} s"


@row("D3.readonly", "the kernel turns the file system read-only (errors=remount-ro)",
     "no acknowledgement, ends in 10 s to be started anew, all pictures go out when it can be written again", is_alone=True)
def read_only(stage):
    """A real ext4 whose kernel believes in an error."""
    stage.serve()
    disk = on_small_disk(stage)
    stage.start()
    stage.proxy.down()
    stage.stored(3)
    disk.break_down()
    began = time.monotonic()
    report = until_taken(lambda: stage.shoot()[0])
    stage.expect(report.get("outcome") != "stored", f"a press was acknowledged: {report}")
    code = stage.exits(10)
    ended = time.monotonic() - began
    stage.service.launch()
    second = stage.exits(30)
    stage.expect(code == 1 and second == 1, f"the service ended with {code} and {second}")
    disk.release()
    answered = report.get("reason") or report.get("error")
    return mend_and_drain(stage, disk, f"answered \"{answered}\", ended with 1 after {ended:.1f} s, and again while it is read-only")


def mend_and_drain(stage, disk, text):
    """Checks and mounts a broken disk as the start of a rig does, and has everything delivered."""
    checked = subprocess.run(["/sbin/e2fsck", "-fy", disk.image], capture_output=True, text=True)
    stage.expect(checked.returncode < 4, f"the file system cannot be mended: {checked.stdout[-200:]}")
    stage.run("mount", "-o", "loop", disk.image, disk.mounted)
    stage.proxy.up()
    stage.start()
    stage.stored(1)
    return f"{text}; after mending {len(stage.acknowledged.items)} pictures at the server in {stage.drained():.1f} s"
