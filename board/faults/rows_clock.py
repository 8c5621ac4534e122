# SPDX-License-Identifier: Apache-2.0
"""Rows C1: clocks that are wrong, in the rig, whose kernel has a clock that can be set without harm."""

import json
import os
import sys

HERE = os.path.dirname(os.path.realpath(__file__))
sys.path.insert(0, os.path.join(os.path.dirname(HERE), "rig"))
from conversation import RigError  # noqa: E402
from machine import Machine  # noqa: E402
from service import PATIENCE  # noqa: E402
from stage import Failed, NotRun, row  # noqa: E402

WORKER = os.path.join(HERE, "clockworker.py")


def in_rig(stage, verb):
    """Runs a verb of clockworker.py in a rig of its own, with an upload to the stage's server; returns what it measured."""
    stage.serve()
    # The receiver's folder lies beside the binary, in the folder of the whole run.
    shares = [path for path in (os.path.dirname(stage.binary),) if path.startswith(("/tmp", "/run", "/var/lib", "/var/tmp"))]
    try:
        with Machine("uml", shares=shares, memory=1024) as machine:
            machine.boot()
            environment = machine.guest_environment(stage.binary, stage.proxy.port, stage.receiver.store)
            done = machine.run(["/usr/bin/python3", WORKER, verb], env=environment, timeout=120 * PATIENCE)
            machine.shutdown()
    except RigError as error:
        if "missing" in str(error) or "could not be built" in str(error):
            raise NotRun(str(error)) from None
        raise Failed(str(error)) from None
    lines = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
    for line in lines:
        if "press" in line:
            stage.acknowledged.take(line["press"])
    stage.expect(done.status == 0, f"the worker ended with {done.status}: {done.stderr.strip()[-600:]}")
    return next(line["measured"] for line in lines if "measured" in line)


def clock(name, fault, criterion, verb):
    """A row that clockworker.py plays."""

    @row(name, fault, criterion)
    def play(stage):
        return in_rig(stage, verb)


clock("C1.years", "clock at 1970, then 10 years ahead, then 10 years back, a start each",
      "order by sequence, uploads go on, wall times not called synchronized",
      "years")
clock("C1.back", "clock set back by 1 h and ahead by 1 h while uploads wait", "no timer hangs: delivered within the pauses", "steps")
