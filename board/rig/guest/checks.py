# SPDX-License-Identifier: Apache-2.0
"""Proves each device of the rig through the kernel's interface. Run in the guest: checks.py MODULES SERVER-PORT

One line a device, PASS or FAIL with its figures; the exit status is the number of devices that failed.
"""

import contextlib
import hashlib
import os
import re
import struct
import subprocess
import sys
import tempfile
import termios
import time
import tty

import devices
import wiring
from camera import read_number
from gpioline import EDGE_FALLING, EDGE_RISING, INPUT, OUTPUT, Line
from hands import Hands

WIDTH, HEIGHT = 1920, 1080


def expect(truth, text):
    """Fails the device's check with `text` unless `truth`."""
    if not truth:
        raise AssertionError(text)


def check_shutter(hands):
    """Edges on the button's line arrive once each, in order, with timestamps right after the push."""
    line = Line(wiring.SHUTTER, INPUT | EDGE_RISING | EDGE_FALLING)
    try:
        pushes = hands.shutter.presses(5, every=0.05, seconds=0.02)
        edges = line.events()
        expect([edge for _, edge in edges] == ["falling", "rising"] * 5, f"5 presses gave {edges}")
        falls = [stamp for stamp, edge in edges if edge == "falling"]
        lags = [(fall - before) / 1e6 for fall, (before, _) in zip(falls, pushes)]
        expect(all(0 <= lag < 5 for lag in lags), f"the timestamps are {lags} ms after the push")
        hands.shutter.bounce(spacing=0.004, held=lambda: time.sleep(0.02))
        bounces = line.events()
        expect(len(bounces) == 18, f"a bounce of 18 edges gave {len(bounces)}")
    finally:
        line.close()
    return f"5 presses, 10 edges, timestamps at most {max(lags):.2f} ms after the push; 18 of 18 bounce edges"


def check_leds(hands):
    """Plain lines and class LEDs show their level, and the recorder sees changes in their order."""
    expect(set(hands.leds.levels().values()) == {0}, f"LEDs are lit at the start: {hands.leds.levels()}")
    hands.leds.record(every=0.003)
    for name, offset in wiring.LED_LINES.items():
        line = Line(offset, OUTPUT)
        line.set(1)
        time.sleep(0.03)
        line.close()
        time.sleep(0.03)
    for name in wiring.CLASS_LEDS:
        for brightness in (255, 0):
            devices.write(f"/sys/class/leds/{name}/brightness", brightness)
            time.sleep(0.03)
    lit = [name for _, name, level in hands.leds.recorded() if level]
    expect(lit == [*wiring.LED_LINES, *wiring.CLASS_LEDS], f"seen to light up: {lit}")
    name = next(iter(wiring.CLASS_LEDS))
    devices.write(f"/sys/class/leds/{name}/trigger", "timer")
    expect(hands.leds.trigger(name) == "timer", f"the trigger is {hands.leds.trigger(name)}")
    for phase in ("delay_on", "delay_off"):
        devices.write(f"/sys/class/leds/{name}/{phase}", 100)
    hands.leds.record([name])
    time.sleep(2)
    instants = [instant for instant, _, _ in hands.leds.recorded()][1:]  # the first is where the recording began
    devices.write(f"/sys/class/leds/{name}/trigger", "none")
    # The median, so that a busy host does not fail a sound rig; a tick of 10 ms rounds 100 ms up to 110.
    gaps = sorted((later - earlier) / 1e6 for earlier, later in zip(instants, instants[1:]))
    expect(gaps and 95 <= gaps[len(gaps) // 2] <= 140, f"the timer trigger at 100/100 ms changed the line every {gaps} ms")
    return f"{len(lit)} LEDs lit in order; timer trigger at 100 ms changes every {gaps[len(gaps) // 2]:.0f} ms (median)"


def check_accelerometer(hands):
    """Gravity reads right in each position, polled and streamed, also after the sensor was plugged in again."""
    folder = devices.accel_folder()
    for position, gravity in wiring.POSITIONS.items():
        hands.accelerometer.place(position)
        raw = [float(devices.read(f"{folder}/in_accel_{axis}_raw")) for axis in "xyz"]
        rows = hands.accelerometer.matrix()
        rig = [round(sum(rows[row][column] * raw[column] for column in range(3))) for row in range(3)]
        expect(rig == list(gravity), f"{position} reads {rig}")
    hands.accelerometer.tilt(123, -456, 789)
    command = ["iio_readdev", "-T", "10000", "-t", wiring.ACCEL_TRIGGER, "-b", "10", "-s", "100", "lis3dh"]
    data = subprocess.run(command, capture_output=True, check=True).stdout
    samples = [struct.unpack_from("<hhhxxq", data, place) for place in range(0, len(data), 16)]
    expect(len(samples) == 100, f"iio_readdev gave {len(samples)} samples")
    expect({sample[:3] for sample in samples[1:]} == {(123 * 16, -456 * 16, 789 * 16)}, f"streamed: {samples[-1]}")
    rate = 99e9 / (samples[-1][3] - samples[0][3])
    expect(80 <= rate <= 120, f"the trigger runs at {rate:.1f} Hz")
    before = rows
    hands.accelerometer.unplug()
    expect(not os.path.exists(folder), "the sensor is still there after it was unplugged")
    turn = [0, 1, 0, -1, 0, 0, 0, 0, 1]
    hands.accelerometer.plug(turn)
    expect(sum(hands.accelerometer.matrix(), []) == turn, f"the matrix reads {hands.accelerometer.matrix()}")
    hands.accelerometer.unplug()
    hands.accelerometer.plug([int(value) for row in before for value in row])
    return f"6 positions; 100 samples streamed at {rate:.1f} Hz; unplugged, plugged in turned"


def check_thermal(hands):
    """The zone has its trips and follows the heat."""
    folder = devices.thermal_folder()
    trips = [(devices.read(f"{folder}/trip_point_{n}_type"), int(devices.read(f"{folder}/trip_point_{n}_temp"))) for n in range(3)]
    expect(trips == [("passive", 70000), ("hot", 80000), ("critical", 110000)], f"the trips are {trips}")
    seen = []
    for celsius in (72.5, 87.25, -5.0, None):
        hands.heat(celsius)
        seen.append(hands.temperature())
    expect(seen == [72.5, 87.25, -5.0, 45.0], f"72.5, 87.25, -5 and none read as {seen}")
    return "trips 70 passive, 80 hot, 110 critical; emulated 72.5, 87.25, -5, own 45"


def stream(count, folder=None, **options):
    """Runs libcamera's cam; returns the [(timestamp in us, fps)] of its frames."""
    command = ["cam", "-c1", f"-C{count}", "-s", f"width={WIDTH},height={HEIGHT}"] + ([f"-F{folder}/#.rgb"] if folder else [])
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    found = re.findall(r"^(\d+)\.(\d{6}) \(([\d.]+) fps\)", done.stdout, re.MULTILINE)
    expect(len(found) == count, f"cam gave {len(found)} of {count} frames: {done.stdout[-300:]}{done.stderr[-300:]}")
    return [(int(seconds) * 1000000 + int(rest), float(fps)) for seconds, rest, fps in found]


def rate_of(frames):
    """Frames a second between the first and the last."""
    return (len(frames) - 1) * 1e6 / (frames[-1][0] - frames[0][0])


def check_camera(hands):
    """libcamera gets the injected page with the number that the kernel noted for its timestamp; pace, delay, errors."""
    camera = hands.camera
    pattern = rate_of(stream(15))
    page = bytes((x * 3 + y * 7 + c * 50) & 255 for y in range(24) for x in range(WIDTH) for c in range(3)) * (HEIGHT // 24)
    camera.inject(page, WIDTH, HEIGHT)
    injected = rate_of(stream(60))
    camera.numbered()
    with tempfile.TemporaryDirectory() as folder:
        frames = stream(8, folder)
        noted = {stamp // 1000: number for number, stamp, state in camera.frames()}
        files = sorted(os.listdir(folder))
        for (stamp, _), name in zip(frames, files):
            with open(f"{folder}/{name}", "rb") as file:
                pixels = file.read()
            number = read_number(pixels, WIDTH * 3)
            expect(number is not None and number == noted.get(stamp), f"the frame at {stamp} us has number {number}, noted {noted.get(stamp)}")
            expect(pixels[WIDTH * 3 * 16 :] == page[WIDTH * 3 * 16 :], f"frame {number} is not the injected page")
    camera.numbered(False)
    camera.interval(100)
    camera.delay(40)
    slow = stream(12)
    steps = [(b[0] - a[0]) / 1000 for a, b in zip(slow[1:], slow[2:])]
    camera.interval(0)
    camera.delay(0)
    expect(90 <= sum(steps) / len(steps) <= 110, f"an interval of 100 ms gave {steps}")
    camera.errors()
    stream(4)
    states = [state for _, _, state in camera.frames()[-4:]]
    camera.resume()
    camera.pattern()
    expect(states == ["error"] * 4, f"frames with errors are noted as {states}")
    return f"{WIDTH}x{HEIGHT}: pattern {pattern:.1f} fps, injected {injected:.1f} fps; 8 numbers and pages right; 100 ms paced to {min(steps):.1f}..{max(steps):.1f}"


def check_camera_faults(hands):
    """A stalled camera gives no frames and goes on; an unplugged one is gone and comes back."""
    camera = hands.camera
    process = subprocess.Popen(["cam", "-c1", "-C", "-s", "width=640,height=480"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        start = camera.number()
        deadline = time.monotonic() + 20
        while camera.number() < start + 5 and time.monotonic() < deadline:
            time.sleep(0.05)
        camera.stall()
        time.sleep(0.3)
        still = camera.number()
        time.sleep(0.5)
        expect(camera.number() == still, "frames go on during a stall")
        camera.resume()
        time.sleep(0.5)
        expect(camera.number() > still, "no frames after a stall")
    finally:
        process.kill()
        process.wait()
    camera.unbind()
    listed = subprocess.run(["cam", "-l"], capture_output=True, text=True).stdout
    expect("vimc" not in listed, f"an unplugged camera is listed: {listed}")
    camera.bind()
    subprocess.run(["udevadm", "settle"], check=True)
    listed = subprocess.run(["cam", "-l"], capture_output=True, text=True).stdout
    expect("vimc" in listed, f"the camera did not come back: {listed}")
    return "stalled and resumed; unplugged and plugged in again"


def check_network(hands, port):
    """A server on the host's loopback is reached, not while the link is down, and again after."""
    url = f"http://{wiring.HOST_ADDRESS}:{port}/"
    data = os.urandom(4 << 20)
    started = time.monotonic()
    sent = subprocess.run(["curl", "-sS", "--max-time", "60", "--data-binary", "@-", url], input=data, capture_output=True)
    seconds = time.monotonic() - started
    expect(sent.stdout.decode() == hashlib.sha256(data).hexdigest(), f"4 MiB were answered by {sent.stdout} {sent.stderr}")
    hands.network(False)
    down = subprocess.run(["curl", "-sS", "--max-time", "5", url], capture_output=True)
    hands.network(True)
    expect(down.returncode != 0, "the server is reached although the link is down")
    up = subprocess.run(["curl", "-sS", "--retry", "5", "--retry-all-errors", "--max-time", "10", url], capture_output=True)
    expect(up.returncode == 0, f"the server is not reached after the link came back: {up.stderr}")
    return f"4 MiB to the host and its SHA-256 back in {seconds:.2f} s; link down and up"


def check_serial(hands):
    """What is sent over the technician's line arrives whole, also when nobody reads for a while, and after it was closed."""
    count, size = 2, 60_000
    for _ in range(count):
        ends = [os.open(path, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK) for path in (wiring.LAPTOP[os.environ["PLATEN_RIG"]], wiring.TECHNICIAN)]
        for end in ends:
            if os.isatty(end):
                tty.setraw(end, termios.TCSANOW)
        for source, sink in (ends, ends[::-1]):
            sent, received, begun = os.urandom(size), b"", time.monotonic()
            left = sent
            while len(received) < size and time.monotonic() - begun < 20:
                with contextlib.suppress(BlockingIOError):
                    left = left[os.write(source, left[:4096]):]
                # Nothing is read before no more can be sent: the line has to hold the sender up.
                if time.monotonic() - begun > 0.3:
                    with contextlib.suppress(BlockingIOError):
                        received += os.read(sink, 4096)
            expect(received == sent, f"{len(received)} of {size} bytes arrived")
        for end in ends:
            os.close(end)
    return f"{2 * count * size} bytes both ways, the receiver slow"


def check_kernel(hands):
    """The kernel has nothing to complain about."""
    complaints = hands.kernel_complaints()
    expect(not complaints, "the kernel's log has: " + " | ".join(complaints[:3]))
    return f"Linux {os.uname().release} has no complaint"


def main(modules, port):
    """Runs every check."""
    hands = Hands(modules)
    checks = {
        "shutter": check_shutter,
        "leds": check_leds,
        "accelerometer": check_accelerometer,
        "thermal": check_thermal,
        "camera": check_camera,
        "camera faults": check_camera_faults,
        "network": lambda hands: check_network(hands, port),
        "serial": check_serial,
        "kernel": check_kernel,
    }
    failed = 0
    for name, check in checks.items():
        started = time.monotonic()
        try:
            verdict, text = "PASS", check(hands)
        except Exception as error:
            verdict, text = "FAIL", f"{type(error).__name__}: {error}"
            failed += 1
        print(f"{verdict} {name}: {text} ({time.monotonic() - started:.1f} s)", flush=True)
    return failed


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], int(sys.argv[2])))
