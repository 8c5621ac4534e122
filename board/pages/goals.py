# SPDX-License-Identifier: Apache-2.0
"""The goals of page sense, each declared once, and the table of what was measured beside them."""
from dataclasses import dataclass


@dataclass(frozen=True)
class Goal:
    """A limit of a measured figure: the least that is wanted, or the most."""
    limit: float
    is_least: bool
    unit: str = ""

    def is_met(self, measured):
        """Whether a figure is as good as is wanted; none is a miss."""
        return measured is not None and (measured >= self.limit if self.is_least else measured <= self.limit)


def least(limit, unit=""):
    return Goal(limit, True, unit)


def most(limit, unit=""):
    return Goal(limit, False, unit)


GOALS = {
    # board/pages/measure
    "way up right": least(0.995),
    "way up wrong": most(0.001),
    "way up wrong, other scripts": most(0.001),
    "skew's error, p95": most(0.1, "°"),
    "outline's overlap, p5": least(0.97),
    "warnings found": least(0.98),
    "warnings false": most(0.01),
    "repeated pages found": least(0.98),
    "repeated pages false": most(0.01),
    # board/pages/read
    "characters right": least(0.99),
    "spines right": least(1),
    # board/pages/turns
    "page turns doubled": most(0),
    "page turns missed": most(0.01),
    # board/pages/live
    "stored to warning, p95": most(500, "ms"),
    "overlay's rate": least(2, "/s"),
    "overlay's share of a core": most(0.25),
}


def report(measured):
    """Prints the figures beside their goals; returns the exit status, 1 when a goal is missed."""
    print("\n| figure | measured | goal | ratio | |\n|---|---|---|---|---|")
    missed = [name for name, value in measured.items() if not GOALS[name].is_met(value)]
    for name, value in measured.items():
        goal = GOALS[name]
        said = "nothing" if value is None else f"{value:.4g} {goal.unit}".strip()
        ratio = f"{value / goal.limit:.3f}" if value is not None and goal.limit else ""
        print(f"| {name} | {said} | {'≥' if goal.is_least else '≤'} {goal.limit:g} {goal.unit} | {ratio} | "
              f"{'missed' if name in missed else ''} |")
    if missed:
        print(f"\nMissed: {', '.join(missed)}.")
    return 1 if missed else 0
