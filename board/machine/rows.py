# SPDX-License-Identifier: Apache-2.0
"""A rig's life on a machine of its own, row by row: from a plain system to an upgrade, kills and power cuts."""

import json
import os
import random
import re
import time

from campaign import Failed, expect
from computer import SERVER
from image import PASSWORD
from referee import Acknowledged, judge
from repacking import field
from technician import LineError

NAMES = ("platen", "platen-console")
PACKAGES = "/media/packages"
CONFIGURATION = "/etc/platen/platen.yaml"
TECHNICIAN_PROMPT = rb"rig-1 [^\n]*> $"
STORED = rb'^\{.*"outcome":"stored".*\}\s*$'
# What the service waits for before it is started anew: systemd's watchdog, then its patience with a process that does not end.
WATCHDOG = 20 + 45
# For the first start, by whose length the machine's speed is known then.
LONGEST_BOOT = 1200


class Rig:
    """The machine with who sits before it, the server that it uploads to, and what it has acknowledged.

    `version`: that of the packages of the upgrade · `packages`: the paths of those that are examined.
    """

    def __init__(self, computer, technician, receiver, version, packages, seed, cuts):
        self.computer, self.technician, self.receiver = computer, technician, receiver
        self.version, self.packages, self.cuts, self.random = version, packages, cuts, random.Random(seed)
        self.acknowledged, self.devices = Acknowledged(), set()
        self.run = technician.run

    def json(self, command, **options):
        """Runs a command of platenctl that prints JSON; returns its last line. A terminal would get it in lines of its width."""
        return json.loads(self.ask(f"sudo platenctl {command} --json | cat", **options).splitlines()[-1])

    def ask(self, command, **options):
        """Runs a command that is not for the transcript; returns what it printed, without the line's end."""
        return self.run(command, is_shown=False, **options).strip()

    def status(self):
        """What the service says of itself."""
        return self.json("status")

    def process(self, name="platend"):
        """The number of the service's process, or of that with the cameras; 0 where there is none."""
        if name == "platend":
            return int(self.ask("systemctl show --property=MainPID --value platend"))
        return int(self.ask(f"pgrep --exact --newest {name}", fails=True) or 0)

    def wait_until(self, what, condition, usual=60):
        """Waits until something is so."""
        end = time.monotonic() + self.computer.seconds(usual)
        while not condition():
            if time.monotonic() > end:
                raise Failed(f"{what} did not happen within {self.computer.seconds(usual):.0f} s")
            time.sleep(0.5)

    def become_ready(self, usual=30):
        """Waits until a press would be taken; returns the time since the machine's start, in seconds."""
        try:
            return float(self.ask("sudo until-ready", usual=usual).split()[-1])
        except LineError:
            self.technician.settle()
            said = self.ask("sudo platenctl status | cat; journalctl --unit platend --lines 12 --output cat --no-pager | cut -c 1-300", fails=True)
            raise Failed(f"the rig takes no presses within {self.computer.seconds(usual):.0f} s: {said}") from None

    def take(self, text):
        """Takes the acknowledgements in what `platenctl shoot --json` printed; returns how many pictures they are of."""
        count = 0
        for line in text.splitlines():
            try:
                count += self.acknowledged.take(json.loads(line)) if line.startswith("{") else 0
            except ValueError:
                pass  # The power was cut in the middle of the line.
        return count

    def shoot(self, count=1):
        """Presses until so many pictures are acknowledged: an emulated processor may be too slow for one, which is refused then."""
        for _ in range(4 * count):
            if count == 0:
                return
            count -= self.take(self.ask("sudo platenctl shoot --json | cat", fails=True))
        if count:
            raise Failed(f"{count} pictures were not taken; refused so far: {dict(self.acknowledged.refused)}")

    def settle(self):
        """Waits until everything is uploaded, and has the referee compare; returns how many pictures were acknowledged so far."""
        self.ask("sudo platenctl targets retry")

        def is_empty():
            spool = self.status()["spool"]
            return spool["waiting"] == 0 and not spool.get("isStale")

        self.wait_until("the upload of everything", is_empty, 120)
        verdict = judge(self.acknowledged.items, self.receiver.store)
        faults = verdict.violations + self.acknowledged.faults
        if faults:
            raise Failed("; ".join(faults))
        return f"{len(self.acknowledged.items)} acknowledged so far, {verdict}"

    def server(self, is_on):
        """Switches the receiving server on or off."""
        (self.receiver.start if is_on else self.receiver.stop)()
        self.technician.note(f"The server is switched {'on' if is_on else 'off'}.")

    def configuration(self):
        """The parts of the shipped configuration that this machine has; an emulated processor is slow, so frames are small, and many are kept."""
        cameras = {"vimc": "{ size: 288x216, frame_rate: 25, ring_frames: 20 }", "virtual": "{ size: 640x480, frame_rate: 30, ring_frames: 20 }"}
        camera = next((name for name in cameras if name in self.devices), None)
        lines = ["rig: { id: rig-1 }", f"board: {'linux' if camera else 'simulated'}", f"camera: {cameras.get(camera, '{ size: 640x480, frame_rate: 30 }')}"]
        if "lines" in self.devices or not camera:
            lines.append("shutter: { line: GPIO17 }")
        if "accelerometer" in self.devices and camera:
            lines.append("accelerometer: { device: lis3dh, trigger: none, frozen_after: off }")
        lights = {"ready": "{ line: GPIO23 }", "fault": "{ line: GPIO24 }"} if "lines" in self.devices and camera else {}
        lights |= {"upload": '{ led: "rig:blue:upload" }'} if "led" in self.devices and camera else {}
        if lights:
            lines.append(f"indicators: {{ {', '.join(f'{name}: {light}' for name, light in lights.items())} }}")
        return "\n".join([*lines, "power: { method: logind }", "spool: { directory: /var/lib/platen }", "api: { socket_group: platen-console }"])


def boots(rig):
    """a plain system starts, and asks for a login on the serial line"""
    rig.technician.plug_in(rig.computer.switch_on())
    rig.technician.log_in(LONGEST_BOOT)
    rig.computer.has_booted()
    rig.run("cat /etc/debian_version; uname -rm")
    rig.wait_until("the start of the stand-ins", lambda: rig.ask("systemctl is-active stand-in-devices", fails=True) == "active")
    rig.devices = set(rig.ask("cat /run/stand-in-devices").split())
    return (f"{rig.ask('uname -rm')}, {rig.computer.accelerator}, login after {rig.computer.boot_seconds:.0f} s; "
            f"the kernel simulates: {', '.join(sorted(rig.devices)) or 'nothing'}")


def installs(rig):
    """the commands of the README install the packages, the service runs, and nothing is said to be missing"""
    rig.run(f"cd {PACKAGES}/older")
    rig.run("sudo apt-get update")
    said = rig.run("sudo apt-get install ./platen_*.deb ./platen-console_*.deb", usual=240, answers=[(r"\[Y/n\] $", "Y")])
    missing = [line for line in said.splitlines() if line.startswith("platen: ")]
    expect("what is said to be missing", missing, [])
    expect("the service", rig.ask("systemctl is-active platend", fails=True), "active")
    return rig.ask("dpkg-query --show platen | cut -f 2")


def sets_up(rig):
    """the setup asks on the serial line, restarts the service, examines the rig, and takes the first picture"""
    rig.run(f"sudo tee {CONFIGURATION} >/dev/null <<'END'\n{rig.configuration()}\nEND")
    rig.run("sudo platend --check-config")
    rig.run("sudo systemctl restart platend", usual=90)
    rig.become_ready()
    answers = [(r"Name of the rig.*: $", ""), (r"keep to this one\?.*$", "yes"), (r"Target of the pictures.*: $", "webdav"),
               (r"Name of the target.*: $", "office"), (r"Address, .*: $", f"http://{SERVER}/"), (r"User, .*: $", ""),
               (r"Time zone, .*: $", "Europe/Paris"), (r"to confirm: $", "rig-1")]
    said = rig.run("sudo platenctl setup", usual=180, fails=True, answers=answers)  # The doctor misses a name server.
    if " stored" not in said:
        rig.shoot()
    return f"{said.strip().splitlines()[-1]}; {rig.settle()}"


def logs_in(rig):
    """a technician logs in on the serial line and takes a picture by the console"""
    rig.run("sudo passwd technician", answers=[(r"assword: $", PASSWORD)])
    technician = rig.technician
    technician.type("exit")
    technician.expect(rb"rig-1 login: $")
    technician.type("technician")
    technician.expect(rb"Password: $")
    technician.type(PASSWORD)
    shown = [f"rig-1 login: technician\nPassword: \n{_text(technician.expect(TECHNICIAN_PROMPT, 30, 'the console'))}"]
    for command in ("status", "shoot", "presses list", "queue"):
        technician.type(command)
        shown.append(_text(technician.expect(TECHNICIAN_PROMPT, 60, f"the end of \"{command}\"")))
    technician.type("exit")
    technician.log_in()
    technician.transcript.append("".join(shown) + "exit\n")
    # The line is as wide as the terminal, so a long outcome has two.
    outcome = " ".join(shown[2].splitlines()[1:-1])
    if " stored" not in outcome and " refused" not in outcome:
        raise Failed(f"the console's \"shoot\" says: {shown[2]}")
    return f"{outcome}; {rig.settle()}"


def _text(match):
    return match.string[:match.end()].decode(errors="replace").lstrip("\n")


def button(rig):
    """a push of the button is a picture, and the lights are lit"""
    if "lines" not in rig.devices or rig.status()["board"] != "linux":
        return "not seen: this kernel has no gpio-sim"
    rig.become_ready()
    before = rig.json("presses list --limit 1")["number"]
    expect("the ready light", rig.ask("cat /run/stand-in-lines/sim_gpio23/value"), "1")
    for _ in range(10):
        rig.run("sudo press-button")
        rig.wait_until("a press by the button", lambda: rig.json("presses list --limit 1")["number"] > before)
        rig.wait_until("its outcome", lambda: rig.json("presses list --limit 1")["outcome"] != "pending")
        press = rig.json("presses list --limit 1")
        if press["outcome"] == "stored":
            break
        before = press["number"]  # An emulated processor may be too slow for one.
    expect("the outcome", press["outcome"], "stored")
    return rig.settle()


def upgrade(rig):
    """an upgrade by apt from the repository, while pictures wait: nothing is lost"""
    rig.server(False)
    rig.shoot(5)
    before, waiting = rig.process(), rig.status()["spool"]["waiting"]
    release = rig.ask(". /etc/os-release; echo $VERSION_CODENAME")
    rig.run(f"sudo tee /etc/apt/sources.list.d/platen.list >/dev/null <<'END'\n"
            f"deb [signed-by={PACKAGES}/repository/platen.asc] file:{PACKAGES}/repository {release} main\nEND")
    rig.run("sudo apt-get update")
    rig.run("sudo apt-get upgrade", usual=240, answers=[(r"\[Y/n\] $", "Y")])
    version = rig.ask("dpkg-query --show platen | cut -f 2")
    expect("the version", version, rig.version)
    expect("whether the old process runs", rig.process() == before, False)
    rig.become_ready()
    expect("the pictures that wait", rig.status()["spool"]["waiting"], waiting)
    rig.run("sudo platenctl queue")
    rig.server(True)
    return f"{version}, {waiting} pictures waited; {rig.settle()}"


def killed(rig):
    """kill -9 of the service, then of the process with the cameras, while pictures are taken: back, and nothing lost"""
    seen = []
    for name in ("platend", "platen-camera"):
        rig.become_ready()
        victim, service = rig.process(name), rig.process()
        if not victim:
            seen.append(f"no {name}")
            continue
        rig.run(f"(sudo platenctl shoot --json --count 200 >/tmp/presses 2>/tmp/said & sleep 3; sudo kill -KILL {victim}; wait)", usual=900, fails=True)
        count = rig.take(rig.ask("cat /tmp/presses"))
        rig.wait_until(f"another {name}", lambda: rig.process(name) not in (0, victim))
        rig.become_ready()
        if name != "platend":
            expect("the service's process", rig.process(), service)
        rig.shoot()
        seen.append(f"{name} after {count} pictures")
    return f"{', '.join(seen)}; {rig.settle()}"


def stopped(rig):
    """SIGSTOP of the service, then of the process with the cameras: each is replaced"""
    seen = []
    for name in ("platend", "platen-camera"):
        rig.become_ready()
        victim = rig.process(name)
        if not victim:
            seen.append(f"no {name}")
            continue
        began = time.monotonic()
        rig.run(f"sudo kill -STOP {victim}")
        rig.wait_until(f"another {name}", lambda: rig.process(name) not in (0, victim), 2 * WATCHDOG)
        rig.become_ready()
        seen.append(f"{name} after {time.monotonic() - began:.0f} s")
        rig.shoot()
    return f"{', '.join(seen)}; {rig.settle()}"


def cut(rig):
    """power cuts in the middle of pictures, with the server there and not there: back by itself, and nothing lost"""
    seen = []
    for number in range(rig.cuts):
        has_server = bool(number % 2)
        if not has_server:
            rig.server(False)
        rig.technician.type("sudo platenctl shoot --json --count 10000 | cat")
        rig.technician.wait_for_lines(STORED, 2 + rig.random.randrange(6))
        time.sleep(rig.random.uniform(0, 1))
        rig.computer.cut_power()
        text = rig.technician.rest()
        count = rig.take(text)
        rig.technician.transcript.append(f"rig@rig-1:~$ {text[-400:].rstrip()}\n")
        rig.technician.note("The power is cut, and comes back.")
        rig.technician.plug_in(rig.computer.switch_on())
        seen.append(f"{count} pictures, ready {rig.computer.wait_for_bell():.1f} s after the power came")
        rig.technician.log_in()
        if not has_server:
            rig.server(True)
        rig.settle()
    return f"{'; '.join(seen)}; {rig.settle()}"


def doctor(rig):
    """the doctor finds no fault that the machine does not have"""
    said = rig.run("sudo platenctl doctor", fails=True)
    report = rig.json("doctor", fails=True)
    # The machine reaches one server, and no name server.
    faults = [finding for finding in report["findings"] if finding["verdict"] == "fault" and finding["part"] != "network"]
    if faults:
        raise Failed(f"it finds {[finding.get('code') for finding in faults]}: {said.strip()[-600:]}")
    return f"{len(report['findings'])} findings, no fault"


def figures(rig):
    """what it costs: start to ready, memory, and the packages' sizes"""
    rig.run("sudo systemctl restart platend", usual=90)
    ready = rig.become_ready()
    started = int(rig.ask("systemctl show --property=ExecMainStartTimestampMonotonic --value platend")) / 1e6
    seen = [f"start to ready {ready - started:.1f} s"]
    for name in ("platend", "platen-camera"):
        process = rig.process(name)
        if process:
            # A copied process shares some of its anonymous memory.
            memory = dict(re.findall(r"(\w+):\s*(\d+) kB", rig.ask(f"sudo cat /proc/{process}/smaps_rollup")))
            seen.append(f"{name} {int(memory['Rss']) / 1024:.0f} MB resident, {int(memory['Pss_Anon']) / 1024:.0f} of them its own")
    for package in rig.packages:
        seen.append(f"{field(package, 'Package')} {os.path.getsize(package) / 1e6:.1f} MB to download, "
                    f"{int(field(package, 'Installed-Size')) * 1024 / 1e6:.1f} MB installed")
    return ", ".join(seen)


# What the others need is first.
BEGINNING = (boots, installs, sets_up)
LIFE = (logs_in, button, upgrade, killed, stopped, cut, doctor, figures)
