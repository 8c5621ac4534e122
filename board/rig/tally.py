# SPDX-License-Identifier: Apache-2.0
"""What became of the rig's tests: counts, figures, and the host's seconds."""

import re


class Tally:
    """Counts tests, and keeps the figures and seconds that they print."""

    def __init__(self):
        self.passed, self.failed, self.figures, self.seconds = 0, [], [], []

    def note(self, target, status, text, host_seconds=None):
        """Takes what became of a unittest target: its status and what it printed.

        `host_seconds`: how long a target in virtual time took; the seconds that its tests print are no seconds of the host.

        >>> tally, printed = Tally(), "took: 551.0 test_heat.Heat.test_swings\\nRan 1 test in 551.0s"
        >>> tally.note("test_heat", 0, printed, 46.8)
        >>> tally.seconds, tally.figures, tally.passed, tally.failed
        ([(46.8, 'test_heat')], ['test_heat: 551 s of virtual time in 47 s'], 1, [])
        >>> tally.note("test_heat", 0, printed)
        >>> tally.seconds[1:]
        [(551.0, 'test_heat.Heat.test_swings')]
        """
        self.figures += re.findall(r"^(?:.*\.\.\. )?figure: (.*)", text, re.M)
        took = [(float(seconds), name) for seconds, name in re.findall(r"^(?:.*\.\.\. )?took: (\S+) (\S+)", text, re.M)]
        if host_seconds is None:
            self.seconds += took
        else:
            self.seconds.append((host_seconds, target))
            self.figures.append(f"{target}: {sum(seconds for seconds, _ in took):.0f} s of virtual time in {host_seconds:.0f} s")
        ran = re.findall(r"^Ran (\d+) tests?", text, re.M)
        count = int(ran[-1]) if ran else 0
        troubled = sorted(set(re.findall(r"^(?:FAIL|ERROR): \S+ \((\S+)\)", text, re.M)))
        self.passed += count - len(troubled)
        self.failed += troubled
        if count == 0 or status != 0 and not troubled:
            self.failed.append(f"{target}: ended with status {status} after {count} tests")
