# SPDX-License-Identifier: Apache-2.0
"""What is right about the findings of a page: the outline's overlap, the warnings that are due, and a list of what is wrong."""
import scripts

WARNINGS = {"glare": "glare", "hand": "pageCovered", "blur": "textBlurred", "cut off": "pageCutOff", "dark": "badExposure",
            "shadow": "badExposure"}
JUDGED = sorted(set(WARNINGS.values()) | {"pageEmpty", "pageCrooked", "lettersTooSmall"})
# Without small letters nothing tells the way up: unknown is the right answer.
WITHOUT_WAY_UP = ("table", "capitals", "digits", "empty", *scripts.SCRIPTS)
SKEW_LIMIT, LETTER_LIMIT = 3, 10
# The lines of a bent page have no one angle, and its sides are no straight lines.
BENT = "bent"
# The outline may have the lit part alone.
WITHOUT_OUTLINE = (BENT, "shadow")
# From this on a page is listed for its skew and for its outline.
SKEW_ERROR, OVERLAP = 0.1, 0.97


def clipped(polygon, corners):
    """The part of a polygon within a convex one."""
    for (ax, ay), (bx, by) in zip(corners, corners[1:] + corners[:1]):
        result = []
        for (px, py), (qx, qy) in zip(polygon, polygon[1:] + polygon[:1]):
            p = (bx - ax) * (py - ay) - (by - ay) * (px - ax)
            q = (bx - ax) * (qy - ay) - (by - ay) * (qx - ax)
            if p >= 0:
                result.append((px, py))
            if (p >= 0) != (q >= 0):
                result.append((px + p / (p - q) * (qx - px), py + p / (p - q) * (qy - py)))
        polygon = result
    return polygon


def area(polygon):
    return abs(sum(px * qy - qx * py for (px, py), (qx, qy) in zip(polygon, polygon[1:] + polygon[:1]))) / 2


def overlap(found, truth):
    """The share of two outlines' union that both have, within the picture; 0 without a found one."""
    if not found:
        return 0
    found = [(point["x"], point["y"]) for point in found]
    truth = clipped(truth, [(0, 0), (1, 0), (1, 1), (0, 1)])
    shared = area(clipped(truth, found))
    return shared / (area(found) + area(truth) - shared)


def expected(truth):
    """The warnings that a page must have, and those about which nothing is said."""
    trouble = truth["trouble"]
    wanted = {WARNINGS[trouble]} if trouble in WARNINGS else set()
    unsaid = set()
    if truth["kind"] == "empty":
        wanted.discard("textBlurred")
        (unsaid if trouble in ("hand", "glare") else wanted).add("pageEmpty")
        unsaid.add("textBlurred")
    elif abs(truth["skew"]) > SKEW_LIMIT:
        is_sure = trouble not in ("blur", BENT) and abs(truth["skew"]) >= SKEW_LIMIT + 0.5
        (wanted if is_sure else unsaid).add("pageCrooked")
    elif abs(truth["skew"]) > SKEW_LIMIT - 0.5 or trouble == BENT:
        unsaid.add("pageCrooked")
    # A large reflection is too much light as well.
    if trouble == "glare":
        unsaid.add("badExposure")
    # Capitals, digits, tables and other scripts have no letter x to measure.
    if truth["kind"] in WITHOUT_WAY_UP or truth["letter"] < LETTER_LIMIT * 1.15:
        unsaid.add("lettersTooSmall")
    return wanted, unsaid


class Page:
    """A page with its truth, and what was found about it."""

    def __init__(self, index, truth, findings):
        self.index, self.truth = index, truth
        self.kind, self.trouble = truth["kind"], truth["trouble"]
        turn = findings.get("textAngle")
        self.way = "unknown" if turn is None else "right" if turn == truth["turn"] else "wrong"
        self.turn, self.is_text = turn, self.kind not in WITHOUT_WAY_UP
        # With perspective there is no one skew; without a way up, the skew may be that of the wrong axis.
        is_straight = self.way == "right" and "skew" in findings and not truth["tilt"] and self.trouble != BENT
        self.skew_error = abs(findings["skew"] - truth["skew"]) if is_straight else None
        self.overlap = overlap(findings.get("outline"), truth["corners"])
        wanted, unsaid = expected(truth)
        said = set(findings["warnings"])
        self.found = {warning: warning in said for warning in wanted}
        self.false = {warning: warning in said for warning in JUDGED if warning not in wanted | unsaid}

    def faults(self):
        """The sentences about what is wrong."""
        if self.way == "wrong":
            yield f"way up {self.turn}° instead of {self.truth['turn']}°"
        if self.way == "unknown" and self.is_text and self.trouble not in ("blur", BENT):
            yield "way up unknown"
        if self.skew_error is not None and self.skew_error > SKEW_ERROR:
            yield f"skew off by {self.skew_error:.2f}°"
        if self.overlap < OVERLAP and self.trouble not in WITHOUT_OUTLINE:
            yield f"overlap {self.overlap:.3f}"
        yield from (f"no {warning}" for warning, is_there in self.found.items() if not is_there)
        yield from (f"false {warning}" for warning, is_there in self.false.items() if is_there)
