# SPDX-License-Identifier: Apache-2.0
"""The table of a comparison: a row for each figure, with its ratio to the best peer, its goal, and what limits it.

`/usr/bin/python3 -B -m doctest board/peers/table.py` runs the examples.
"""

from dataclasses import dataclass
from statistics import median
from typing import Callable

OURS = ("platen", "platen-no-pages")
WARM, ALL, BARE = ("gst-valve",), ("gst-valve", "cam+cjpeg", "fswebcam"), ("cam",)


@dataclass(frozen=True)
class Row:
    """A figure: how it is computed from the entries of its kind, and the peers that it is compared with, the best of them."""

    title: str
    kind: str
    compute: Callable  # takes entries, returns a number; an entry without the figure is left out before
    key: str
    goal: str
    limit: str
    peers: tuple = ()
    best: Callable = min
    text: str = "{:.0f}"


def ratio_of_all(values):
    """How many of all are so, in percent."""
    return 100 * sum(values) / len(values)


ROWS = (
    Row("press → durable JPEG, median ms", "press", median, "ms", "≤ 0.8",
        "the next frame, 0 to 40 ms; encoder; synchronizations", WARM),
    Row("press → durable JPEG, worst ms", "press", max, "ms", "≤ 0.8", "the host's disk and processors", WARM),
    Row("frame nearest the press, %", "press", ratio_of_all, "is_nearest", "100", "the ring's frames", WARM, max, "{:.1f}"),
    Row("frame − press, median size ms", "press", lambda values: median(map(abs, values)), "error", "≤ 10: a quarter of the interval",
        "40 ms from frame to frame", WARM, min, "{:.1f}"),
    Row("frame − press, worst size ms", "press", lambda values: max(map(abs, values)), "error", "≤ 20, half of it",
        "frames that a busy host delays", WARM, min, "{:.1f}"),
    Row("closed loop, pictures a minute", "loop", median, "per_minute", "≥ 1.0", "1,500 frames a minute; encoder; synchronizations", WARM, max),
    Row("start → ready, median ms", "start", median, "ready", "≤ 500", "programs are read over hostfs; one processor", WARM),
    Row("start → first durable picture, median ms", "start", median, "first", "≤ 1.0", "start, first frames, one picture", ALL),
    Row("flushes of the block device a picture", "synchronizations", median, "flushes", "≤ 2.0 of a peer's two synchronizations",
        "ext4's journal flushes twice a commit", WARM, min, "{:.1f}"),
    Row("synchronizations a picture, by strace", "traced", median, "calls", "≤ 4", "image, sidecar, folder, log; the log's copy once in 24", (), min, "{:.1f}"),
    Row("files' last synchronization → log's, median ms", "traced", lambda values: median(sum(values, [])), "pauses", "≤ 10",
        "emulated, under strace", (), min, "{:.1f}"),
    Row("idle, voluntary context switches a second", "idle", median, "switches", "≤ 150", "25 frames, 25 samples a second", WARM),
    Row("idle, processor of the whole guest, % of the host's", "idle", median, "processor", "≤ 1.3", "emulation; the camera's own work", BARE,
        min, "{:.1f}"),
    Row("idle, resident MiB without frames, shared pages in each process", "idle", median, "resident", "", "libraries", WARM, min, "{:.1f}"),
    Row("idle, resident MiB without frames, shared pages once", "idle", median, "once", "≤ 45", "libraries", WARM, min, "{:.1f}"),
    Row("idle, private MiB", "idle", median, "private", "≤ 12", "heaps, stacks", WARM, min, "{:.1f}"),
    Row("frame buffers", "idle", median, "buffers", "≤ 8", "libcamera's vimc has 4 of its own", WARM),
    Row("frame buffers, MiB", "idle", median, "frame_memory", "≤ 48", "5.9 MiB a frame of RGB", WARM, min, "{:.1f}"),
)


def values(entries, row):
    """The figures of a row in entries, without those that have none: a press that was refused has no duration.

    >>> row = ROWS[0]
    >>> values([{"what": "press", "ms": 20.0, "why": ""}, {"what": "press", "ms": 9.0, "why": "storageFull"}, {"what": "idle"}], row)
    [20.0]
    """
    return [entry[row.key] for entry in entries if entry["what"] == row.kind and not entry.get("why") and entry.get(row.key) is not None]


def compared(row, name, by_program):
    """The ratio to the best peer over all rounds, and its range over single rounds; empty without a peer.

    >>> press = lambda number, ms: {"what": "press", "round": number, "ms": ms}
    >>> compared(ROWS[0], "platen", {"platen": [press(0, 10), press(1, 30)], "gst-valve": [press(0, 20), press(1, 20)]})
    '1.00 (0.50 to 1.50)'
    """
    def ratio(number=None):
        ours, *theirs = (_computed(row, [entry for entry in by_program.get(program, ()) if number in (None, entry["round"])])
                         for program in (name, *row.peers))
        theirs = [value for value in theirs if value]
        return None if ours is None or not theirs else ours / row.best(theirs)

    whole = ratio()
    rounds = sorted({entry["round"] for entry in by_program.get(name, ())})
    single = [value for value in map(ratio, rounds) if value is not None]
    if whole is None:
        return ""
    return f"{whole:.2f}" + (f" ({min(single):.2f} to {max(single):.2f})" if len(single) > 1 else "")


def table(entries):
    """The table in Markdown, and below it how much it rests on."""
    by_program = {}
    for entry in entries:
        if "program" in entry:
            by_program.setdefault(entry["program"], []).append(_flat(entry))
    names = [name for name in (*OURS, *ALL, *BARE) if name in by_program]
    ours = [name for name in names if name in OURS]
    heads = ["figure", *names, *(f"{name} ÷ best" for name in ours), "goal", "limited by"]
    lines = [heads, ["---"] * len(heads)]
    for row in ROWS:
        computed = [_computed(row, by_program[name]) for name in names]
        if any(value is not None for value in computed):
            lines.append([row.title, *("" if value is None else row.text.format(value) for value in computed),
                          *(compared(row, name, by_program) for name in ours), row.goal, row.limit])
    return "\n".join([f"| {' | '.join(cells)} |" for cells in lines] + [""] + [_counted(name, by_program[name]) for name in names])


def _computed(row, entries):
    found = values(entries, row)
    return row.compute(found) if found else None


def _flat(entry):
    """An entry with its memory in MiB."""
    if entry["what"] != "idle":
        return entry
    memory = {name: entry["memory"][name] / 1024 or None for name in ("resident", "once", "private")}
    return entry | memory | {"buffers": entry["buffers"]["buffers"], "frame_memory": entry["buffers"]["bytes"] / 2**20}


def _counted(name, entries):
    presses = [entry for entry in entries if entry["what"] == "press"]
    whys = [entry["why"] for entry in presses if entry["why"]]
    words = [f"{len(presses)} presses, {len(whys)} without a picture{f' ({whys[0][:120]})' if whys else ''}"] if presses else []
    words += [f"{sum(entry['what'] == 'turn' for entry in entries)} rounds"]
    for what, word in (("crash", "crashes"), ("failure", "failures")):
        found = [entry for entry in entries if entry["what"] == what]
        words += [f"{len(found)} {word} ({found[0]['why'][-300:]})"] if found else []
    return f"{name}: {', '.join(words)}"
