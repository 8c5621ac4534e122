# SPDX-License-Identifier: Apache-2.0
"""The end of the run: what failed, where the time went, and the slowest tests."""

import re

SLOWEST = 10
# The lines of a part's failures that say most, and how many of them stand at the very end, which is all that some logs keep.
TELLING = re.compile(r"recorded an issue|Program crashed|(WARNING: Thread|ERROR: Address)Sanitizer|had not ended|^(FAIL|ERROR): |Error\b.*: |\bFAILED\b")
HEADLINES = 4


def lines(results, seconds, seed, unfinished=()):
    """The closing lines, for pairs of a Progress and whether its part passed, and parts that did not end."""
    told = []
    for progress, passed in results:
        if not passed:  # once more together: parts run beside each other, and say much
            told += [f"test: {progress.part.name}: {line}" for line in progress.failures[:100]]
    told += [f"{'part':<11} {'building':>9} {'testing':>9} {'waiting':>9} {'share':>9}  result"]
    for progress, passed in results:
        is_over = progress.testing > progress.part.seconds and not progress.is_long
        told.append(f"{progress.part.name:<11} {progress.building:>7.0f} s {progress.testing:>7.0f} s {progress.waiting:>7.0f} s "
                    f"{progress.part.seconds:>7.0f} s  {'passed' if passed else 'FAILED'}{', over its share' if is_over else ''}")
    told += [f"{part.name:<11} {'':>9} {'':>11} {'':>11} {part.seconds:>9.0f} s  NOT ENDED" for part in unfinished]
    slowest = sorted((test for progress, _ in results for test in progress.tests), reverse=True)[:SLOWEST]
    if slowest:
        told.append(f"the {len(slowest)} slowest tests:")
        told += [f"{duration:>9.1f} s  {name}" for duration, name in slowest]
    over = [progress.part.name for progress, _ in results if progress.testing > progress.part.seconds and not progress.is_long]
    if over:
        told.append(f"test: over their share: {', '.join(over)}")
    told.append(f"test: {seconds:.0f} s in all, seed {seed}")
    failed = [*(progress.part.name for progress, passed in results if not passed), *(part.name for part in unfinished)]
    told.append(f"{len(results) + len(unfinished) - len(failed)} passed, {len(failed)} failed")
    if failed:
        told += [f"test: {progress.part.name}: {line}" for progress, passed in results if not passed for line in headlines(progress.failures)]
        told.append(f"test: these parts failed: {', '.join(failed)}; what failed is above.")
    return told


def headlines(failures):
    """The few lines that tell most of what failed.

    >>> headlines(["ERROR: test_one (test_pages.Pages)", "Traceback", "  File a.py", "KeyError: 'b'", "Ran 1 test"])
    ['ERROR: test_one (test_pages.Pages)', "KeyError: 'b'"]
    >>> headlines(["board/rig/test ended with status 3", "no space"])
    ['board/rig/test ended with status 3']
    """
    telling = [line for line in failures if TELLING.search(line)] or failures[:1]
    return [line[:400] for line in telling[:HEADLINES]]
