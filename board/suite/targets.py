#!/usr/bin/python3 -B
# SPDX-License-Identifier: Apache-2.0
"""Builds the package in one way and runs its tests.

board/suite/targets.py [--run-by COMMAND] [--skip TESTS] [--seconds SECONDS] BUILD [SUITES ...]

SUITES are regular expressions, at whose beginning a suite's name matches, TESTS is one that is found in the names of tests to
leave out. COMMAND runs the tests' program, which may be another processor's. Tests that have not ended after SECONDS together are
ended, and have failed.
"""

import argparse
import os
import re
import shlex
import sys
import time

HERE = os.path.dirname(os.path.realpath(__file__))
sys.path[:0] = [HERE, os.path.join(os.path.dirname(HERE), "lib")]
import quick  # noqa: E402
import swifttests  # noqa: E402
from building import BuildError, test_bundle  # noqa: E402
from campaign import chosen_seed  # noqa: E402


def main():
    """The command line; the exit status is 1 when a test failed."""
    began = time.monotonic()
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--run-by", default="")
    parser.add_argument("--skip")
    parser.add_argument("--seconds", type=int)
    parser.add_argument("build")
    parser.add_argument("wanted", nargs="*", default=[""])
    options = parser.parse_args()
    bundle, way = test_bundle(options.build), tuple(shlex.split(options.run_by))
    tests = [test for test in swifttests.list_tests(bundle, way, options.skip)
             if not test.startswith(quick.CAMPAIGNS) and any(re.match(pattern, test.rsplit("/", 1)[0]) for pattern in options.wanted)]
    limit, seed = f", which have {options.seconds} s" if options.seconds else "", chosen_seed()
    print(f"{len(tests)} tests, built in {time.monotonic() - began:.0f} s{limit}, seed {seed}", flush=True)
    began = time.monotonic()
    until = began + options.seconds if options.seconds else None
    outcome = swifttests.run(bundle, tests, {"PLATEN_BRIEF_TESTS": "1", "PLATEN_SEED": str(seed)},
                             swifttests.Way(prefix=way, skip=options.skip, limit=None, until=until))
    for line in outcome.skipped:
        print(line)
    print(swifttests.told(outcome, began))
    return 0 if outcome.passed else 1


if __name__ == "__main__":
    try:
        sys.exit(main())
    except BuildError as error:
        sys.exit(f"targets: {error}")
