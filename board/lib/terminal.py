"""Keys on a terminal: what they do to a board, and what happens meanwhile."""

import os
import select
import sys
import termios
import tty

HELP = "space = press the shutter, arrows = turn the rig, h = heat, c = cool, q = quit"


# What a person at a terminal wants of each event; the rest is in the log and at the API.
SHOWN = {
    "press": ("number", "outcome", "reason", "exifOrientation", "selectionErrorMilliseconds",
              "pressToStoredMilliseconds", "path"),
    "delivery": ("press", "state", "detail"),
    "rotation": ("captureAngle", "exifOrientation", "accelerometer"),
}


def describe_event(kind, event):
    """One line for an event of the API; None for those that say nothing."""
    detail = event.get(kind)
    if not isinstance(detail, dict):
        return None
    words = []
    for key in SHOWN.get(kind, detail):
        value = detail.get(key)
        if value in (None, [], {}) or isinstance(value, dict):
            continue
        words.append(f"{key} {value:.1f}" if isinstance(value, float) else f"{key} {value}")
    return f"{kind}: " + ", ".join(words)


def take_keys(board, is_running):
    """Takes keys until q or until the service has ended; returns whether it was q."""
    print(HELP, flush=True)
    saved = termios.tcgetattr(sys.stdin)
    angle, temperature = 0, 45
    try:
        tty.setcbreak(sys.stdin)
        while is_running():
            if not select.select([sys.stdin], [], [], 0.2)[0]:
                continue
            key = os.read(sys.stdin.fileno(), 8)
            if key in (b"q", b"\x04", b""):
                return True
            if key == b" ":
                board.press()
            elif key in (b"\x1b[C", b"\x1b[B", b"\x1bOC", b"\x1bOB"):
                angle = (angle + 90) % 360
                board.turn(angle)
            elif key in (b"\x1b[D", b"\x1b[A", b"\x1bOD", b"\x1bOA"):
                angle = (angle - 90) % 360
                board.turn(angle)
            elif key in (b"h", b"c"):
                temperature = min(100, max(20, temperature + (10 if key == b"h" else -10)))
                board.heat(temperature)
                print(f"the rig has {temperature} °C now", flush=True)
        return False
    finally:
        termios.tcsetattr(sys.stdin, termios.TCSADRAIN, saved)
