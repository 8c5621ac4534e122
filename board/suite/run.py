#!/usr/bin/python3 -B
# SPDX-License-Identifier: Apache-2.0
"""Runs parts of the tests beside each other and prints where the time went. Used by board/test, which sets up first."""

import argparse
import contextlib
import os
import sys
import threading
import time
import traceback
from collections import deque

HERE = os.path.dirname(os.path.realpath(__file__))
sys.path[:0] = [HERE, os.path.join(os.path.dirname(HERE), "lib")]
from building import BuildError, cached_builds_locked  # noqa: E402
from campaign import chosen_seed, end_on_signals  # noqa: E402
from parts import ALWAYS, BY_NAME, LONG, PARTS, PROCESSOR, REALTIME, WORKERS  # noqa: E402
from progress import Progress, Shared, fail, show  # noqa: E402
import table  # noqa: E402

# Continuous integration gives the run 90 minutes: it says by itself what hung before it is cut off without a word.
SECONDS_OF_A_RUN = 80 * 60


def usage():
    """The help text: the parts and what they are for."""
    lines = [f"  {part.name:<11} {part.about}{'' if part.when == ALWAYS else f' ({part.when})'}" for part in PARTS]
    return "\n".join([
        "usage: board/test [--long] [PART...]", "", "Sets up, then tests; without a part, all that fits an hour on two processors without a cache.", "", *lines, "",
        "  --long     the whole campaigns: 20,000 crash points, 520 cuts, 1,000 captures under kills, 10,000 fault sequences,",
        "             movies of 75 minutes, the rig in QEMU, too, Debian 13 and arm64", "",
        "All randomness of a run comes from one seed, which it prints: PLATEN_SEED=N in the environment repeats it."])


def run_part(part, shared, is_background):
    """Runs one part; returns its Progress and whether it passed."""
    progress = Progress(part, shared, is_background)
    try:
        passed = part.run(progress)
    except BuildError as error:
        progress.failures.append(str(error))
        show(f"test: {part.name}: {error}")
        passed = False
    except Exception:  # noqa: BLE001: a part that cannot be run has failed, and the others go on
        progress.failures += traceback.format_exc().splitlines()
        show(traceback.format_exc())
        passed = False
    progress.ended = time.monotonic()
    progress.say(f"{'passed' if passed else 'FAILED'}, building {progress.building:.0f} s, testing {progress.testing:.0f} s, "
                 f"waiting {progress.waiting:.0f} s")
    return progress, passed


def run_parts(kinds, waiting, shared, results):
    """Runs one part after the other: those of the first kind that wait, then those of the next."""
    is_realtime = any(BY_NAME[name].kind == REALTIME for name in shared.names)
    for kind in kinds:
        with contextlib.suppress(IndexError):
            while True:
                part = waiting[kind].popleft()
                results.append(run_part(part, shared, kind == PROCESSOR and is_realtime))


def main():
    """The command line; the exit status is 1 when a part failed."""
    parser = argparse.ArgumentParser(add_help=False)
    parser.add_argument("--long", action="store_true")
    parser.add_argument("-h", "--help", action="store_true")
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    if options.help:
        print(usage())
        return 0
    for name in options.names:
        if name not in BY_NAME:
            print(usage(), file=sys.stderr)
            fail(f"\"{name}\" is no part of the tests.")
    usual = [part for part in PARTS if part.when == ALWAYS or options.long and part.when == LONG]
    chosen = [BY_NAME[name] for name in dict.fromkeys(options.names)] or usual
    shared = Shared(chosen_seed(), options.long, {part.name for part in chosen})
    end_on_signals()
    show(f"test: {', '.join(part.name for part in chosen)}; seed {shared.seed}")
    began, results = time.monotonic(), []
    waiting = {kind: deque(part for part in chosen if part.kind == kind) for kind in (REALTIME, PROCESSOR)}
    needs_cache = any(part.name in ("session", "thread", "address", "optimized", "debian13", "arm64") for part in chosen)
    with cached_builds_locked() if needs_cache else contextlib.nullcontext():
        threads = [threading.Thread(target=run_parts, args=(kinds, waiting, shared, results), daemon=True) for kinds in WORKERS]
        try:
            for thread in threads:
                thread.start()
            await_end(threads, None if shared.is_long else began + SECONDS_OF_A_RUN)
            if any(thread.is_alive() for thread in threads):
                show(f"test: the run has taken {SECONDS_OF_A_RUN / 60:.0f} minutes and is ended; parts that hang are named below.")
        finally:
            shared.end()
        await_end(threads, time.monotonic() + 60)
    ended = {progress.part.name for progress, _ in results}
    for line in table.lines(results, time.monotonic() - began, shared.seed, [part for part in chosen if part.name not in ended]):
        print(line)
    return 0 if all(passed for _, passed in results) and len(results) == len(chosen) else 1


def await_end(threads, limit):
    """Waits until all threads have ended, or until the monotonic clock shows `limit`, in seconds."""
    for thread in threads:
        thread.join(None if limit is None else max(0.0, limit - time.monotonic()))


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)
