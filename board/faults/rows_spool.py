# SPDX-License-Identifier: Apache-2.0
"""Rows D4 and D5: a spool whose database or files were damaged while the service was not running."""

import glob
import http.client
import os
import random
import shutil
import socket
import sqlite3
import subprocess
import time

from referee import sha256
from service import PATIENCE, ServiceError
from stage import Failed, row

PAGE = 4096

# Seconds of the processor that a start may use, and real ones that it may take on a busy machine.
START_WORK, START_LIMIT = 10, 60
READY = f"ready with {START_WORK} s of the processor, in {START_LIMIT} s"


def database(stage):
    """The path of the spool's database."""
    return os.path.join(stage.folder, "spool", "queue.db")


def waiting(stage, count=3):
    """A service that was killed with pictures waiting and the network away; returns their reports."""
    stage.serve()
    stage.proxy.down()
    stage.start()
    reports = stage.stored(count)
    stage.kill()
    return reports


def checkpointed(path):
    """Brings everything from the log into the database, as an orderly end does, so that damage to it hits something."""
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    connection.close()


def overwrite(path, pieces):
    """Writes (offset, bytes) pieces over a file."""
    with open(path, "r+b") as file:
        for offset, data in pieces:
            file.seek(offset)
            file.write(data)


def random_pages(path, randomness):
    """One to five pages of noise."""
    pages = max(1, os.path.getsize(path) // PAGE)
    overwrite(path, [(randomness.randrange(pages) * PAGE, randomness.randbytes(PAGE)) for _ in range(randomness.randint(1, 5))])


def random_bytes(path, randomness):
    """Twenty single bytes, the header left alone."""
    size = os.path.getsize(path)
    overwrite(path, [(randomness.randrange(100, size), randomness.randbytes(1)) for _ in range(20)])


def truncated(path, randomness):
    """Some of its end is gone."""
    os.truncate(path, randomness.randrange(1, os.path.getsize(path)))


def zeroed(path, randomness):
    """All zeros, as a card leaves what it never wrote."""
    overwrite(path, [(0, bytes(os.path.getsize(path)))])


def emptied(path, randomness):
    """No byte left."""
    os.truncate(path, 0)


def no_database(path, randomness):
    """Something else entirely."""
    overwrite(path, [(0, b"this is no database, and it never was one\n" * 50)])


def spoilt_log(path, randomness):
    """Noise in the log beside it."""
    with open(path + "-wal", "wb") as file:
        file.write(randomness.randbytes(3 * PAGE))


def missing(path, randomness):
    """Nothing there at all."""
    for suffix in ("", "-wal", "-shm"):
        if os.path.exists(path + suffix):
            os.remove(path + suffix)


def foreign_schema(path, randomness):
    """A sound database that is another program's."""
    missing(path, randomness)
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE item (name TEXT)")
    connection.execute("INSERT INTO item VALUES ('not ours')")
    connection.commit()
    connection.close()


DAMAGES = (random_pages, random_bytes, truncated, zeroed, emptied, no_database, spoilt_log, missing, foreign_schema)

# The others may hit what is not read, or leave nothing to keep.
SURELY_NOTICED = (zeroed, no_database, foreign_schema)


def contradicted(stage, logged):
    """Whether the service ends by itself with 1 because its database contradicts itself; `logged`: the log's length before its start."""
    try:
        code = stage.service.process.wait(10 * PATIENCE)
    except subprocess.TimeoutExpired:
        return False
    with open(stage.service.log_path, "rb") as log:
        log.seek(logged)
        return code == 1 and b"contradicts itself" in log.read()


def without_acknowledgement(stage):
    """How many pictures lie in the spool whose press was not acknowledged."""
    paths = glob.glob(os.path.join(stage.folder, "spool", "items", "*", "*.jpg"))
    return sum(os.path.splitext(os.path.basename(path))[0] not in stage.acknowledged.items for path in paths)


class DamagedStarts:
    """Starts on a damaged database.

    A value that is wrong and possible shows only when the row's picture is to be sent, which may be some starts later. By
    design the service then ends once, and its next start, which systemd sees to, makes the index anew.
    """

    def __init__(self, stage):
        self.stage, self.broken = stage, database(stage) + ".broken"
        self.ends, self.longest = 0, 0.0

    def play(self, what, scene):
        """Starts the service and plays a scene, after such an end once more; returns (the scene's value, whether .broken was kept)."""
        logged = os.path.getsize(self.stage.service.log_path)
        try:
            value = self._once(what, scene)
        except (Failed, ServiceError, OSError, http.client.HTTPException, KeyError):
            # An index that this start has made cannot contradict the pictures that it was made of.
            if os.path.exists(self.broken) or not contradicted(self.stage, logged):
                raise
            self.ends += 1
            value = self._once(what, scene)
            self.stage.expect(os.path.exists(self.broken), f"after {what} the service ended, and no .broken was kept")
        is_kept = os.path.exists(self.broken)
        if is_kept:
            os.remove(self.broken)
        return value, is_kept

    def _once(self, what, scene):
        began = time.monotonic()
        self.stage.start()
        self.longest = max(self.longest, time.monotonic() - began)
        value = scene()
        code = self.stage.service.process.poll()
        self.stage.expect(code is None, f"after {what} the service has ended by itself with {code}")
        return value

    def all_wait(self, what):
        """Requires that every picture waits; one that was being stored at an end may have been kept without an acknowledgement."""
        unasked = without_acknowledgement(self.stage)
        self.stage.expect(unasked <= self.ends, f"after {what} {unasked} pictures are there that nobody was told of")
        count, expected = self.stage.service.spool()["waiting"], len(self.stage.acknowledged.items) + unasked
        self.stage.expect(count == expected, f"after {what} {count} wait instead of {expected}")


def damaged_starts(stage, damages):
    """Damages the database again and again, each time with new pictures waiting; returns what was measured."""
    randomness = random.Random(stage.seed)
    path, rebuilt = database(stage), 0
    waiting(stage, 2)
    starts = DamagedStarts(stage)
    for damage in damages:
        checkpointed(path)
        damage(path, randomness)
        what = f"\"{damage.__name__}\""

        def one_more(what=what):
            starts.all_wait(what)
            stage.stored(1)

        _, is_kept = starts.play(what, one_more)
        stage.expect(is_kept or damage not in SURELY_NOTICED, f"after {what} no .broken was kept")
        rebuilt += is_kept
        stage.kill()

    def delivered():
        stage.proxy.up()
        return stage.drained()

    drained, _ = starts.play("all of them", delivered)
    return (f"{len(damages)} damages, .broken kept in {rebuilt}, {starts.ends} ends by itself for a false row, all {len(stage.acknowledged.items)} "
            f"pictures known again each time, ready after at most {starts.longest:.1f} s, at the server in {drained:.1f} s")


@row("D4.damage", "database with random pages, bytes, cut, zero, empty, foreign, bad log, missing",
     "starts, rebuilt count = pictures in the spool, numbers go on, nothing is lost")
def damage_each(stage):
    """Each kind of damage once."""
    return damaged_starts(stage, DAMAGES)


@row("D4.random", "60 times random damage of the database", "the same", is_long=True)
def damage_often(stage):
    """Pages and bytes at random; the unit tests do it a thousand times without the service around."""
    return damaged_starts(stage, random.Random(stage.seed).choices((random_pages, random_bytes, truncated), k=60))


@row("D4.newer", "database of a future version", "refused, left as it is byte for byte, no restart loop without a pause")
def newer(stage):
    """What a downgrade meets."""
    waiting(stage)
    path = database(stage)
    aside = os.path.join(stage.folder, "aside.db")
    checkpointed(path)
    shutil.copy2(path, aside)
    connection = sqlite3.connect(path)
    connection.execute("UPDATE meta SET value = 99 WHERE key = 'schema_version'")
    connection.commit()
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    connection.close()
    before, files = sha256(path), len(glob.glob(os.path.join(stage.folder, "spool", "items", "*", "*")))
    began = time.monotonic()
    stage.service.launch()
    code = stage.exits(30)
    took = time.monotonic() - began
    stage.expect(code == 1, f"the service ended with {code}")
    stage.expect(sha256(path) == before, "the database was changed")
    stage.expect(len(glob.glob(os.path.join(stage.folder, "spool", "items", "*", "*"))) == files, "files of the spool were changed")
    log = stage.service.log_tail(5)
    stage.expect("newer version" in log, f"the log does not say why: {log[-200:]}")
    shutil.copy2(aside, path)
    stage.proxy.up()
    stage.start()
    return f"refused with exit code 1 after {took:.1f} s, unchanged; with its own version again at the server in {stage.drained():.1f} s"


def spoil(path, how):
    """Damages a picture's file."""
    size = os.path.getsize(path)
    if how == "cut":
        os.truncate(path, size // 2)
    elif how == "zeroed":
        overwrite(path, [(0, bytes(size))])
    elif how == "emptied":
        os.truncate(path, 0)
    elif how == "flipped":
        with open(path, "rb") as file:
            file.seek(size // 2)
            byte = file.read(1)[0]
        overwrite(path, [(size // 2, bytes([byte ^ 4]))])
    elif how == "removed":
        os.remove(path)
    elif how == "a link":
        os.remove(path)
        os.symlink("/etc/hostname", path)
    elif how == "a directory":
        os.remove(path)
        os.mkdir(path)


SPOILS = ("cut", "zeroed", "emptied", "flipped", "removed", "a link", "a directory")


def spoilt_files(stage, is_running):
    """The play of damaged pictures, damaged while the service runs or while it does not; returns what was measured."""
    reports = waiting(stage, len(SPOILS) + 2)
    if is_running:
        stage.start()
    for report, how in zip(reports[1:], SPOILS):
        spoil(report["path"], how)
        stage.acknowledged.items.pop(report["itemID"])
    if not is_running:
        stage.start()
    stage.proxy.up()
    drained = stage.drained()
    status = stage.service.spool()
    stage.expect(stage.objects() == 2, f"the server has {stage.objects()} pictures instead of 2")
    stage.expect(status["quarantined"] == len(SPOILS), f"{status['quarantined']} are quarantined instead of {len(SPOILS)}")
    return f"{', '.join(SPOILS)}: {status['quarantined']} quarantined, the 2 sound ones at the server in {drained:.1f} s"


@row("D5.files", "pictures cut, zeroed, emptied, flipped, removed, replaced, service not running", "never uploaded, quarantined, the others go out")
def spoilt_while_off(stage):
    """What a bad card does over night."""
    return spoilt_files(stage, False)


@row("D5.live", "the same while the service runs", "the same")
def spoilt_while_on(stage):
    """What a bad card does between storing and sending."""
    return spoilt_files(stage, True)


@row("D5.stray", "foreign files, links, directories, a pipe, a socket and leftovers in the spool", "ignored or removed, never uploaded")
def stray(stage):
    """What lies about."""
    reports = waiting(stage)
    items = os.path.join(stage.folder, "spool", "items")
    shard = os.path.dirname(reports[0]["path"])
    name = os.path.basename(reports[0]["path"])
    with open(os.path.join(shard, "holiday.jpg"), "wb") as file:
        file.write(b"\xff\xd8 not ours \xff\xd9")
    with open(os.path.join(shard, "." + name.replace("0000000001", "0000000077") + ".part"), "wb") as file:
        file.write(b"half")
    os.symlink("/etc/passwd", os.path.join(shard, name.replace("0000000001", "0000000078")))
    os.mkdir(os.path.join(shard, name.replace("0000000001", "0000000079")))
    os.mkfifo(os.path.join(shard, name.replace("0000000001", "0000000080")))
    os.symlink("/etc", os.path.join(items, "etc"))
    with open(os.path.join(items, "file"), "wb") as file:
        file.write(b"x")
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(os.path.join(stage.folder, "s"))
    os.rename(os.path.join(stage.folder, "s"), os.path.join(shard, "socket"))
    stage.callback(listener.close)
    stage.proxy.up()
    stage.start()
    drained = stage.drained()
    stage.expect(stage.objects() == 3, f"the server has {stage.objects()} pictures instead of 3")
    left = os.path.exists(os.path.join(shard, "." + name.replace("0000000001", "0000000077") + ".part"))
    stage.expect(not left, "the half-written leftover is still there")
    return f"9 strays, 3 pictures at the server in {drained:.1f} s, leftover removed"


def many_files(stage, count):
    """The play of a start with many foreign files in the shards; returns what was measured."""
    waiting(stage)
    items = os.path.join(stage.folder, "spool", "items")
    for shard in range(256):
        os.makedirs(os.path.join(items, f"{shard:02x}"), exist_ok=True)
    for number in range(count):
        os.close(os.open(os.path.join(items, f"{number % 256:02x}", f"stray-{number}.jpg"), os.O_CREAT | os.O_WRONLY))
    began = time.monotonic()
    stage.proxy.up()
    stage.start(timeout=60)
    took, work = time.monotonic() - began, stage.service.processor_seconds()
    stage.expect(work <= START_WORK, f"ready after {work:.1f} s of the processor")
    stage.expect(took <= START_LIMIT, f"ready after {took:.1f} s")
    stage.drained()
    return f"ready {took:.1f} s after the start with {count} foreign files, after {work:.1f} s of the processor"


@row("D5.many", "20,000 foreign files in the spool", READY, is_alone=True)
def twenty_thousand(stage):
    """A spool that somebody used as a folder."""
    return many_files(stage, 20_000)


@row("D5.more", "100,000 foreign files in the spool", READY, is_long=True, is_alone=True)
def hundred_thousand(stage):
    """The matrix's number."""
    return many_files(stage, 100_000)
