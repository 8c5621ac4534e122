# SPDX-License-Identifier: Apache-2.0
"""Rows D5.queue and D5.queues: a start while very many pictures wait for the network."""

import os
import shutil
import sqlite3
import time

from rows_spool import START_LIMIT, checkpointed, database, waiting
from stage import row

# Seconds of the processor, and megabytes of the whole service, until a press is taken.
START_WORK, START_MEMORY = 5, 80
READY = f"ready with {START_WORK} s of the processor and {START_MEMORY} MB, in {START_LIMIT} s; a press is stored"
# A file of ext4 has at most 65,000 names.
NAMES_OF_A_FILE = 60_000


def lengthen(stage, report, count):
    """Makes a queue of `count` pictures of the one that waits: its rows are copied, and its files get more names."""
    checkpointed(database(stage))
    connection = sqlite3.connect(database(stage))
    first, = connection.execute("SELECT sequence FROM item WHERE id = ?", (report["itemID"],)).fetchone()
    # Rows are short, so that a database of a million fits in a memory of a few GiB.
    others = {"id": "substr(id, 1, 7) || printf('%010d', sequence + n) || '-' || printf('%016x', n)", "press_number": "NULL", "metadata": "'{}'"}
    for table, key in (("item", "sequence"), ("delivery", "item")):
        columns = [column[1] for column in connection.execute(f"PRAGMA table_info({table})")]
        values = [f"{key} + n" if column == key else others.get(column, column) for column in columns]
        connection.execute(f"WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ?) "
                           f"INSERT INTO {table} ({', '.join(columns)}) SELECT {', '.join(values)} FROM {table}, numbers WHERE {key} = ?",
                           (count - 1, first))
    connection.execute("UPDATE meta SET value = value + ? WHERE key = 'last_sequence'", (count - 1,))
    connection.commit()
    sources = [report["path"], os.path.splitext(report["path"])[0] + ".json"]
    copies = []
    for number, (item,) in enumerate(connection.execute("SELECT id FROM item WHERE sequence > ?", (first,))):
        if number % NAMES_OF_A_FILE == 0:
            copies = [shutil.copy(source, os.path.join(stage.folder, f"{number}{os.path.splitext(source)[1]}")) for source in sources]
        folder = os.path.join(stage.folder, "spool", "items", item[-2:])
        for copy in copies:
            os.link(copy, os.path.join(folder, item + os.path.splitext(copy)[1]))
    connection.close()


def long_queue(stage, count):
    """The play of a start while `count` pictures wait; returns what was measured."""
    report, = waiting(stage, 1)
    lengthen(stage, report, count)
    began = time.monotonic()
    stage.start(timeout=START_LIMIT)
    took, work = time.monotonic() - began, stage.service.processor_seconds()
    memory = stage.service.peak_memory() * (1 << 20) / 1_000_000
    measured = f"ready {took:.1f} s after the start while {count:,} pictures wait, after {work:.1f} s of the processor, with {memory:.0f} MB"
    stage.expect(work <= START_WORK and memory <= START_MEMORY and took <= START_LIMIT, measured)
    found = stage.service.spool()["waiting"]
    stage.expect(found == count, f"{found} pictures wait instead of {count}")
    stage.stored(1)
    # The network stays away: the copies are no pictures of their own.
    stage.acknowledged.items.clear()
    return measured


@row("D5.queue", "start while 100,000 pictures wait", READY, is_long=True, is_alone=True)
def queue(stage):
    """A rig that was without a network for months."""
    return long_queue(stage, 100_000)


@row("D5.queues", "start while 1,000,000 pictures wait", READY, is_long=True, is_alone=True)
def queues(stage):
    """The most that anybody will have."""
    return long_queue(stage, 1_000_000)
