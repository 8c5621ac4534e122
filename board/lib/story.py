"""Sentences for what happens on a rig: an event of the API (docs/reference/api-conventions.md) in, a line for a person out.

`/usr/bin/python3 -B -m doctest board/lib/story.py` runs the examples.
"""

import re


def words(code):
    """A reason code in words, so that a new code needs no table here.

    >>> words("thermalPressure")
    'thermal pressure'
    """
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", code).lower()


def listed(codes):
    """Reason codes in words, with commas."""
    return ", ".join(words(code) for code in codes)


def short(detail):
    """A failure without the long path of the URL that failed.

    >>> short('"PUT http://10.0.2.2:80/rig/2026/.x.part" could not connect: refused')
    'http://10.0.2.2:80 could not connect: refused'
    """
    return re.sub(r'"[A-Z]+ (https?://[^/"]+)[^"]*"', r"\1", detail)


def shot(report):
    """How a picture was taken.

    >>> shot({"selectionErrorMilliseconds": -9.4, "captureAngle": 90, "pressToStoredMilliseconds": 167.2})
    '9 ms from its frame, turned by 90° to be upright, stored after 167 ms'
    """
    angle = report.get("captureAngle") or 0
    return (f"{abs(report.get('selectionErrorMilliseconds') or 0):.0f} ms from its frame, "
            f"{f'turned by {angle}° to be upright' if angle else 'upright'}, "
            f"stored after {report.get('pressToStoredMilliseconds') or 0:.0f} ms")


class Story:
    """Remembers what it has told, so that only changes make a line; begins with a rig that is ready and in order.

    >>> story = Story()
    >>> tell = lambda kind, detail: story.line(kind, {"kind": kind, kind: detail})
    >>> tell("readiness", {"state": "notReadyMomentarily", "reasons": []})
    >>> tell("readiness", {"state": "ready", "reasons": []})
    >>> taken = {"number": 1, "outcome": "stored", "selectionErrorMilliseconds": 9.1, "captureAngle": 0,
    ...          "pressToStoredMilliseconds": 166.8}
    >>> tell("press", taken)
    'press 1: 9 ms from its frame, upright, stored after 167 ms.'
    >>> tell("press", taken)
    >>> waits = {"press": 1, "target": "server", "state": "waitingToRetry", "detail": "the server is away"}
    >>> tell("delivery", waits)
    'press 1: its upload to "server" waits: the server is away.'
    >>> tell("delivery", waits)
    >>> tell("delivery", {"press": 1, "target": "server", "state": "delivered"})
    'press 1: uploaded to "server".'
    >>> tell("rotation", {"captureAngle": 90, "accelerometer": "ok"})
    'turned: pictures are turned by 90° to be upright.'
    >>> tell("rotation", {"captureAngle": 90, "accelerometer": "ok"})
    >>> tell("rotation", {"captureAngle": 90, "accelerometer": "frozen"})
    'the accelerometer is frozen: pictures keep the last orientation.'
    >>> tell("rotation", {"captureAngle": 90, "accelerometer": "ok"})
    'the accelerometer is in order again.'
    >>> tell("thermal", {"state": "serious", "hottest": "cpu", "temperatures": [{"zone": "cpu", "celsius": 75}],
    ...      "constraints": {"maximumFrameRate": 5, "preview": "limited", "uploads": "single", "shots": "unlimited"}})
    'heat: serious at 75 °C (cpu); 5 frames a second, one upload at a time.'
    >>> tell("readiness", {"state": "notReadyMomentarily", "reasons": ["thermalPressure"]})
    'not ready (thermal pressure): presses are refused.'
    >>> tell("press", {"number": 2, "outcome": "refused", "reason": "thermalPressure"})
    'press 2: refused (thermal pressure).'
    >>> tell("readiness", {"state": "ready", "reasons": []})
    'ready: presses are taken.'
    >>> tell("interruption", {"reason": "thermalPressure", "refuses": True, "beganNanoseconds": 0,
    ...                       "endedNanoseconds": 2500000000})
    'over after 2.5 s: thermal pressure.'
    >>> tell("thermal", {"state": "serious", "hottest": "cpu", "temperatures": [{"zone": "cpu", "celsius": 78}],
    ...      "constraints": {"shots": "spaced", "spacingSeconds": 5}})
    'heat: serious at 78 °C (cpu); a press every 5 s.'
    >>> tell("readiness", {"state": "notReadyMomentarily", "reasons": ["thermalPressure"]})
    >>> tell("readiness", {"state": "ready", "reasons": []})
    >>> tell("targets", [{"name": "server", "state": "held", "holds": ["thermalCritical"]}])
    'uploads to "server" are held: thermal critical.'
    >>> tell("targets", [{"name": "server", "state": "idle", "holds": []}])
    'uploads to "server" are no longer held.'
    """

    def __init__(self):
        self._told = {"readiness": "ready", "angle": 0, "accelerometer": "ok", "thermal": ("nominal", None),
                      "session": "running"}

    def line(self, kind, event):
        """The sentence for an event; None for one that tells a person nothing new."""
        tell = getattr(self, f"_{kind}", None)
        detail = event.get(kind)
        return tell(detail) if tell and detail else None

    def _changed(self, what, value):
        """Whether something is not what it was when it was told last."""
        if self._told.get(what) == value:
            return False
        self._told[what] = value
        return True

    def _readiness(self, report):
        if report["state"] == "ready":
            return "ready: presses are taken." if self._changed("readiness", "ready") else None
        # While heat spaces the presses, each press is followed by such a state; the line about the heat tells that.
        if report["reasons"] == ["thermalPressure"] and (self._told["thermal"][1] or {}).get("shots") == "spaced":
            return None
        # The states without a reason pass by themselves within a picture.
        if report["state"] != "sessionNotRunning" and not report["reasons"] or not self._changed("readiness", report["reasons"]):
            return None
        why = f" ({listed(report['reasons'])})" if report["reasons"] else ""
        return f"not ready{why}: presses are refused."

    def _press(self, report):
        if report["outcome"] == "pending" or not self._changed(("press", report["number"]), report["outcome"]):
            return None
        if report["outcome"] == "refused":
            return f"press {report['number']}: refused ({words(report.get('reason') or 'other')})."
        return f"press {report['number']}: {shot(report)}."

    def _delivery(self, report):
        picture = f"press {report['press']}" if report.get("press") else report["itemID"]
        if report["state"] == "delivering" or not self._changed(
                ("delivery", picture, report["target"]), report["state"]):
            return None
        if report["state"] == "delivered":
            return f"{picture}: uploaded to \"{report['target']}\"."
        how = "is set aside" if report["state"] == "parked" else "waits"
        why = short(report.get("detail") or "no reason given")
        return f"{picture}: its upload to \"{report['target']}\" {how}: {why}."

    def _targets(self, reports):
        lines = []
        for target in reports:
            was_held = bool(self._told.get(("holds", target["name"])))
            if not self._changed(("holds", target["name"]), target["holds"]):
                continue
            if target["holds"]:
                lines.append(f"uploads to \"{target['name']}\" are held: {listed(target['holds'])}.")
            elif was_held:
                lines.append(f"uploads to \"{target['name']}\" are no longer held.")
        return " ".join(lines) or None

    def _rotation(self, report):
        lines = []
        angle = report["captureAngle"]
        if self._changed("angle", angle):
            lines.append(f"turned: pictures are {f'turned by {angle}° to be ' if angle else ''}upright.")
        health = report["accelerometer"]
        if self._changed("accelerometer", health):
            lines.append("the accelerometer is in order again." if health == "ok" else
                         f"the accelerometer is {words(health)}: pictures keep the last orientation.")
        return " ".join(lines) or None

    def _thermal(self, report):
        if not self._changed("thermal", (report["state"], report.get("constraints"))):
            return None
        celsius = next((zone.get("celsius") for zone in report["temperatures"]
                        if zone["zone"] == report.get("hottest")), None)
        place = f" at {celsius:.0f} °C ({report['hottest']})" if celsius is not None else ""
        limits = report.get("constraints") or {}
        spacing = limits.get("spacingSeconds") or 0
        without = [
            f"{limits['maximumFrameRate']:.0f} frames a second" if limits.get("maximumFrameRate") else "",
            {"single": "one upload at a time", "hold": "no uploads"}.get(limits.get("uploads"), ""),
            {"spaced": f"a press every {spacing:.0f} s", "refused": "no presses"}.get(limits.get("shots"), ""),
        ]
        return f"heat: {report['state']}{place}; {', '.join(filter(None, without)) or 'nothing is held back'}."

    def _interruption(self, report):
        ended = report.get("endedNanoseconds")
        if ended is not None:
            return f"over after {(ended - report['beganNanoseconds']) / 1e9:.1f} s: {words(report['reason'])}."
        # The readiness tells those that refuse presses.
        return None if report["refuses"] else f"warning: {words(report['reason'])}; presses are still taken."

    def _session(self, report):
        if not self._changed("session", report["state"]):
            return None
        camera = (report.get("camera") or {}).get("model", "no camera")
        fault = f": {report['lastFault']}" if report.get("lastFault") and report["state"] != "running" else ""
        return f"camera: {words(report['state'])}, {camera}{fault}."

    def _buttons(self, reports):
        lines = []
        for button in reports:
            had_faults = bool(self._told.get(("button", button["name"])))
            if self._changed(("button", button["name"]), button["faults"]) and (button["faults"] or had_faults):
                lines.append(f"button \"{button['name']}\": {listed(button['faults']) or 'in order'}.")
        return " ".join(lines) or None
