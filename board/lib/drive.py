#!/usr/bin/env python3
"""Runs the service on a board and presses the shutter: with keys on a terminal, or N shots or a movie by itself.

Used by board/run. Without --server it starts a receiving server of its own; inside the virtual rig the server is
outside and given.
"""

import argparse
import contextlib
import hashlib
import os
import signal
import subprocess
import sys
import threading
import urllib.parse

LIBRARY = os.path.dirname(os.path.realpath(__file__))
sys.path.insert(0, LIBRARY)
from boards import SimulatedBoard, VirtualRig  # noqa: E402
from service import Service, ServiceError, until_taken  # noqa: E402
from story import Story, shot  # noqa: E402
from terminal import take_keys  # noqa: E402

ORIENTATION = {0: 1, 90: 6, 180: 3, 270: 8}


@contextlib.contextmanager
def receiver(directory):
    """A real nginx on the loopback interface that takes the uploads; yields its URL and its folder of files."""
    os.makedirs(directory, exist_ok=True)
    script = os.path.join(LIBRARY, "receiver")
    started = subprocess.run([script, "start", directory], stdout=subprocess.PIPE, text=True, check=False)
    if started.returncode != 0:
        raise ServiceError("the receiving server did not start; its message is above")
    try:
        yield started.stdout.strip().splitlines()[-1], os.path.join(directory, "store")
    finally:
        subprocess.run([script, "stop", directory], stdout=subprocess.DEVNULL, check=False)


def received(report, store):
    """The path of the server's copy of a picture, after comparing it with what was stored."""
    path = os.path.join(store, urllib.parse.unquote(report["receipt"]["remoteName"]))
    try:
        with open(path, "rb") as file:
            digest = hashlib.sha256(file.read()).hexdigest()
    except OSError as error:
        raise ServiceError(f"the server gave a receipt for \"{path}\" but has no such file: {error}") from None
    if digest != report["sha256"]:
        raise ServiceError(f"the server's copy \"{path}\" differs from what was stored")
    return path


def tell_places(pictures, log, spool):
    """Says where what remains of a run is; each must be there."""
    for path in (pictures, log, spool):
        if not os.path.exists(path):
            raise ServiceError(f"\"{path}\" should be there at the end of the run but is not")
    print(f"run: pictures are in {pictures}, the log is {log}, the spool is {spool}", flush=True)


def press(service, board):
    """Presses the button; returns the report of the press, and says so if it was refused."""
    before = service.last_press_number()
    board.press()
    report = service.wait_for_press_after(before)
    if report["outcome"] == "refused":
        print(f"press {report['number']} was refused: {report['reason']}", flush=True)
    return report


def shots(service, board, count, store):
    """Presses `count` times in changing positions; prints a line for each shot and returns the pictures' paths.

    The path is that of the server's copy: once it has a receipt, the spool deletes its own.
    """
    paths = []
    for index in range(count):
        angle = index % 4 * 90
        board.turn(angle)
        service.wait_for(f"the rig is seen at {angle}°",
                         lambda angle=angle: service.status()["rotation"]["captureAngle"] == angle, 10)
        report = until_taken(lambda: press(service, board))
        if report["outcome"] != "stored":
            raise ServiceError(f"press {report['number']} was refused: {report['reason']}")
        report = service.wait_for_receipt(report["number"])
        if report["exifOrientation"] != ORIENTATION[angle]:
            raise ServiceError(f"press {report['number']} has orientation {report['exifOrientation']}, "
                               f"expected {ORIENTATION[angle]} at {angle}°")
        paths.append(received(report, store))
        print(f"shot {report['number']}: {shot(report)}, uploaded: {paths[-1]}", flush=True)
    return paths


def movie(service, count, store):
    """Records so many frames, and plays what the server got; prints a line for each file and returns their paths."""
    def ask(action):
        status, answer = service.call("POST", f"/v1/movie/{action}", timeout=300)
        if status != 200:
            raise ServiceError(f"the recording did not {action}: {answer}")
        return answer

    def receipt(item):
        report = service.get(f"/v1/spool/items/{item}")
        found = next((delivery["receipt"] for delivery in report["deliveries"] if delivery.get("receipt")), None)
        return {"sha256": report["sha256"], "receipt": found} if found else None

    ask("start")
    service.wait_for(f"{count} frames are recorded, or the recording has ended",
                     lambda: (state := service.get("/v1/movie"))["state"] == "idle" or state["frames"] >= count, 60)
    recording = ask("stop")
    if recording["outcome"] != "stored":
        raise ServiceError(f"the recording was not stored: {recording}")
    paths, frames = [], 0
    for item in recording["items"]:
        paths.append(received(service.wait_for(f"{item} is uploaded", lambda item=item: receipt(item), 30), store))
        frames += played(paths[-1])
        print(f"movie: {paths[-1]}", flush=True)
    if frames != recording["frames"]:
        raise ServiceError(f"ffprobe plays {frames} frames of {recording['frames']} that were recorded")
    print(f"movie: ffprobe plays {frames} frames in {recording['durationSeconds']:.1f} s, {recording['droppedFrames']} dropped", flush=True)
    return paths


def played(path):
    """How many frames ffprobe decodes of a movie, to its end and without a complaint."""
    done = subprocess.run(["ffprobe", "-v", "error", "-count_frames", "-show_entries", "stream=nb_read_frames", "-of", "csv=p=0", path],
                          capture_output=True, text=True, check=False)
    if done.returncode != 0 or done.stderr or not done.stdout.strip().isdigit():
        raise ServiceError(f"ffprobe cannot play \"{path}\": {done.stderr.strip()[-300:] or done.stdout.strip()}")
    return int(done.stdout)


def show_events(service):
    """Prints what happens, until the service ends."""
    story = Story()
    with contextlib.suppress(OSError, ServiceError):
        for kind, event in service.events():
            line = story.line(kind, event)
            if line:
                print(line, flush=True)


def run(arguments, board, url, store):
    """Starts the service, drives it, stops it cleanly."""
    service = Service(arguments.binary, arguments.out, board.configuration(url), board.SOCKET)
    paths = []
    print(f"run: platend on the {arguments.board} board, uploads to {url}, log in {service.log_path}", flush=True)
    if board.page:
        print(f"run: {board.page}", flush=True)
    try:
        service.start()
        board.attach(service)
        if arguments.shots is not None:
            paths = shots(service, board, arguments.shots, store)
        elif arguments.movie is not None:
            paths = movie(service, arguments.movie, store)
        else:
            threading.Thread(target=show_events, args=(service,), daemon=True).start()
            if arguments.events_only:
                service.process.wait()
            elif not take_keys(board, lambda: service.process.poll() is None):
                raise ServiceError(f"the service ended by itself; the last lines of its log:\n{service.log_tail()}")
        code = service.stop()
        if code:
            raise ServiceError(f"platend ended with exit code {code}; the last lines of its log:\n{service.log_tail()}")
    finally:
        with contextlib.suppress(ServiceError):
            service.stop()
        service.kill()
    missing = [path for path in paths if not os.path.exists(path)]
    if missing:
        raise ServiceError(f"these files are no longer where they were: {', '.join(missing)}")


def main():
    """Parses the arguments and runs; any failure is one sentence and exit code 1."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", required=True, help="the path of platend")
    parser.add_argument("--out", required=True, help="the directory for pictures, spool and log")
    parser.add_argument("--shots", type=int, help="press so many times and exit")
    parser.add_argument("--movie", type=int, metavar="FRAMES", help="on the simulated board: record so many frames, play them and exit")
    parser.add_argument("--board", choices=("simulated", "rig"), default="simulated")
    parser.add_argument("--modules", help="with --board rig: the folder of the rig's kernel modules")
    parser.add_argument("--server", help="the URL of a receiving server that runs already")
    parser.add_argument("--store", help="with --server: the folder where it keeps what it received")
    parser.add_argument("--events-only", action="store_true", help="show events, take no keys")
    arguments = parser.parse_args()
    # A supervisor's SIGTERM ends everything that was started here, as Ctrl-C does.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    arguments.out = os.path.abspath(arguments.out)
    os.makedirs(arguments.out, exist_ok=True)
    is_alone = arguments.shots is not None or arguments.movie is not None
    if not is_alone and not arguments.events_only and not sys.stdin.isatty():
        print("run: there is no terminal for the keys; use --shots N", file=sys.stderr)
        return 2
    try:
        if arguments.board == "rig":
            board = VirtualRig(arguments.modules)
        else:
            board = SimulatedBoard(has_page=not is_alone, has_movies=arguments.movie is not None)
        if arguments.server:
            run(arguments, board, arguments.server, arguments.store)
        else:
            with receiver(os.path.join(arguments.out, "receiver")) as (url, store):
                run(arguments, board, url, store)
            tell_places(store, os.path.join(arguments.out, "platend.log"), os.path.join(arguments.out, "spool"))
    except ServiceError as error:
        print(f"run: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main())
