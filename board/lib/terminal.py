"""Keys on a terminal and what they do to a board."""

import os
import select
import sys
import termios
import tty

HELP = "space = press the shutter, arrows = turn the rig, h = heat, c = cool, q = quit"


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
