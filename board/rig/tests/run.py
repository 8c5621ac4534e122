#!/usr/bin/python3 -B
# SPDX-License-Identifier: Apache-2.0
"""Runs unittest modules, classes or single tests in the rig and prints how many of the rig's seconds each test took.

run.py [--closed] NAME ...      --closed: time is virtual, and the machine ends with the tests: print what its kernel
                                complained of as well
"""

import os
import sys
import time
import unittest

HERE = os.path.dirname(os.path.realpath(__file__))
sys.path[:0] = [HERE, os.path.join(os.path.dirname(HERE), "guest")]


class TimedResult(unittest.TextTestResult):
    """Says what each test took, by the rig's clock."""

    def startTest(self, test):
        """Notes when the test begins."""
        self._begun = time.monotonic()
        super().startTest(test)

    def stopTest(self, test):
        """Prints what the test took."""
        super().stopTest(test)
        print(f"took: {time.monotonic() - self._begun:.1f} {test.id()}", flush=True)


def main():
    """The command line; the exit status is unittest's, or 1 when the kernel complained."""
    names = [name for name in sys.argv[1:] if name != "--closed"]
    is_closed = len(names) < len(sys.argv) - 1
    if is_closed:
        os.environ["PLATEN_RIG_VIRTUAL_TIME"] = "1"
    runner = unittest.TextTestRunner(verbosity=2, resultclass=TimedResult)
    result = runner.run(unittest.defaultTestLoader.loadTestsFromNames(names))
    complaints = []
    if is_closed:
        from hands import Hands
        complaints = Hands().kernel_complaints()
    for complaint in complaints:
        print(f"the kernel complained:\n{complaint}", flush=True)
    return 0 if result.wasSuccessful() and not complaints else 1


if __name__ == "__main__":
    sys.exit(main())
