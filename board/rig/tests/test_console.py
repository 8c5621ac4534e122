# SPDX-License-Identifier: Apache-2.0
"""The technician's console on the serial line: login, every command, keys, what it withstands, and what it never does."""

import contextlib
import glob
import itertools
import json
import os
import random
import re
import shutil
import subprocess
import termios
import threading
import time

import privatefiles
import wiring
from consolecase import PASSWORD, PROGRAMS, PROMPT, RIG, SOCKET, USER, ConsoleCase, shown
from rigcase import PATIENCE, SEED, figure
from serialline import LineError, processes_of, pty
from walk import LEAVING, RECORDED, WALK, WITHOUT_SERVICE, commands_of_the_program
from wiring import CLOCKWISE

# Nothing listens on this port of the host's: pictures wait.
WAITING = 'targets:\n  server: { kind: webdav, url: "http://10.0.2.2:1/", retry_minimum: 1 s }\n'
# Secrets that must not be read from afar: a target's password, a token's hash, and notes beside them.
SECRETS = {"password": "kW3-under-the-platen", "hash": "5f" * 32, "note": "fuchsia-41-lintel"}
SECRETIVE = f"""\
  tcp: {{ tokens: {{ jig: {{ hash: "sha256:{SECRETS['hash']}", allow: read }} }} }}
# The router's password: {SECRETS['note']}
targets:
  server: {{ kind: webdav, url: "http://10.0.2.2:1/", user: rig, password_file: "{{directory}}/password", retry_minimum: 1 s }}
"""
# What a bundle has whether the service runs or not, and what it has of a service.
BUNDLED = {"manifest.json", "configuration.yaml", "doctor.json", "network.json", "time.json", "versions.txt"}
BUNDLED_OF_SERVICE = {"configuration-history.txt", "status.json", "log.jsonl", "audit.jsonl", "presses.jsonl", "spool.json", "metrics.txt", "kernel.txt"}
COLUMNS = 80
HOME = "/var/lib/platen-console"
SERIAL_RATE = 11_520  # characters a second at 115200 8N1
ESCAPES = ["!sh", "sh", "/bin/sh", "!!", "status; sh", "status | sh", "status && sh", "status > /tmp/x", "$(sh)", "`sh`", "lights \x16!sh", "help !sh",
           "exec sh", "system sh", "shell", "python3", "spool export ;sh", "'sh'", "\"/bin/sh\"", "--config /bin/sh", "console --socket /bin/sh",
           "doctor --config '/etc/platen/platen.yaml;sh'", "doctor --config '$(sh)'", "EDITOR=/bin/sh status", "config check '|sh'"]


class Console(ConsoleCase):
    def setUp(self):
        super().setUp()
        self.angles = itertools.cycle((90, 180, 270, 0))  # to which the rig is turned further

    def waiting_service(self, extra=WAITING):
        """A service whose pictures wait, with one picture; returns it and the picture's ID."""
        service = self.start(self.configuration(upload=False, extra=extra))
        return service, self.stored(service)["itemID"]

    def secretive_service(self):
        """The same with secrets that must not be read from afar."""
        with open(f"{self.directory}/password", "w", encoding="ascii") as file:
            file.write(f"{SECRETS['password']}\n")
        return self.waiting_service(SECRETIVE)

    # -- login ---------------------------------------------------------------------------------------

    def test_login_is_the_systems(self):
        """Getty, login and PAM ask; who is refused sees nothing of the rig, and an account without a password has no way in."""
        self.start()
        self.connect()
        for name, password in ((USER, "wrong"), ("-f technician", None), (USER, "")):
            self.laptop.type(f"{name}\r")
            if password is not None:
                self.laptop.expect("Password: ")
                self.laptop.type(f"{password}\r")
            refused = self.laptop.expect("(?s)(.*)Login incorrect")
            self.assertNotIn(RIG, refused[1].decode())
            if password:
                self.assertNotIn(password, refused[1].decode(), "a password is not shown")
            if not self.getty.has_ended(0):
                self.laptop.expect("login: ", 30)
        self.getty.end()
        self.laptop.quiet(0.2)
        greeting = self.log_in()
        self.assertIn(f"{RIG}, platend", greeting)
        self.assertEqual(set(map(os.path.basename, processes_of(self.user).values())), {"platenctl"})
        self.laptop.type("\x04")
        self.session_is_gone()

    # -- commands --------------------------------------------------------------------------------------

    def walk(self, terminal):
        """Runs all that is in the table; returns how many lines were typed, and all that came."""
        with contextlib.suppress(FileNotFoundError):
            os.remove(f"{HOME}/bundle.tar.gz")
        service, picture = self.secretive_service()
        press = service.last_press_number()
        begun = self.laptop.place if self.laptop else 0
        self.log_in(terminal)
        lines = 0
        for command, steps in WALK.items():
            for step in steps:
                with self.subTest(command=command, line=step.line):
                    self.take(step, id=picture, press=press, home=HOME)
                    lines += 1
                    if step.streams_then:
                        service.wait_for("a camera streams", lambda: service.status()["session"]["state"] == "running", 20)
        self.laptop.type(f"{LEAVING}\r")
        self.session_is_gone()
        self.assertIsNone(service.process.poll(), "the service goes on")
        return lines, bytes(self.laptop.received[begun:]).decode()

    def take(self, step, **words):
        """Types a line of the table and checks what is shown."""
        ending = threading.Event()
        stirring = threading.Thread(target=self.stir, args=(ending,))
        if step.interrupt_after:
            stirring.start()
        try:
            text = self.run_line(step.line.format(**words), confirm=step.confirm and step.confirm.format(**words),
                                 interrupt_after=step.interrupt_after, obeys=self.guided() if step.obeys else ())
        except LineError:
            self.laptop.type("\x03\x15q\x03")  # so that the next line has its prompt
            self.laptop.quiet(1)
            raise
        finally:
            ending.set()
            if step.interrupt_after:
                stirring.join()
        lines = shown(text)
        self.assertRegex(" ".join(lines), step.shows.format(**words))
        if step.bundle == RECORDED:
            self.check_bundle(self.decoded(text))
            return  # its lines are no wider than the program's that records them
        self.assertEqual([line for line in lines if len(line) > COLUMNS], [], "lines are too wide")
        if step.bundle:
            self.check_bundle(step.bundle.format(**words))

    # -- who stands before the rig ------------------------------------------------------------------------

    def guided(self):
        """What somebody before the rig does when a test asks for it: presses, looks, and turns the rig further."""
        return ((r"Press the button", lambda _: self.press_times(2)),
                (r"Does the light \S+ \((?P<light>[^)]+)\) blink, and no other\? \[yes/no\]", self.look_at),
                (r"Turn the rig", lambda _: self.hands.accelerometer.place(CLOCKWISE[next(self.angles)])))

    def come_to_rest(self):
        """Waits until everything that was typed has been answered: a busy console is silent before."""
        self.laptop.type("\x03\x15mark4711\r")
        self.laptop.expect(rf'no command "mark4711"(?s:.*?){PROMPT}', 120)

    def press_times(self, count):
        """Presses the shutter so many times, once presses are those of a test."""
        self.services[-1].wait_for("the test has begun",
                                   lambda: "buttonTest" in self.services[-1].status()["readiness"]["reasons"], 10)
        for _ in range(count):
            self.hands.shutter.press(0.08)
            self.rest()

    def look_at(self, asked):
        """Whether a light blinks and no other is lit, as it would be typed."""
        light = asked["light"].decode()
        for _ in range(4):  # what was lit before may be lit a moment longer
            self.hands.leds.record(wiring.CLASS_LEDS)
            # Five changes come within 1.1 s on a machine that does nothing else; a light that does not blink never has them.
            with contextlib.suppress(AssertionError):
                self.until("the light blinks", lambda: len(self.hands.leds.recorded_yet()) > len(wiring.CLASS_LEDS) + 4, 1.5)
            seen = self.hands.leds.recorded()
            lit = {name for _, name, level in seen if level}
            if lit == {light} and len(seen) > len(wiring.CLASS_LEDS) + 4:
                return "yes"
        return f"no, I see {', '.join(sorted(lit))}"

    # -- a bundle ------------------------------------------------------------------------------------------

    def decoded(self, text):
        """Does with what was recorded what its first lines say; returns the archive."""
        with open(f"{self.directory}/LOG", "w", encoding="utf-8", newline="") as file:
            file.write(text)
        command = re.search(r"^# (sed .*?)\r*$", text, re.M)[1]
        subprocess.run(["/bin/sh", "-c", command], cwd=self.directory, check=True)
        name = command.rsplit(">", 1)[1]
        summed = subprocess.run(["sha256sum", name], cwd=self.directory, check=True, capture_output=True, text=True).stdout
        self.assertIn(summed.strip(), text)
        return f"{self.directory}/{name}"

    def check_bundle(self, path, names=frozenset(BUNDLED | BUNDLED_OF_SERVICE)):
        """Unpacks a bundle with tar(1) and requires what helps, and nothing that is secret."""
        folder = f"{self.directory}/unpacked"
        shutil.rmtree(folder, ignore_errors=True)
        os.makedirs(folder)
        subprocess.run(["tar", "--extract", f"--file={path}", f"--directory={folder}", "--strip-components=1"], check=True)
        texts = {name: open(f"{folder}/{name}", "rb").read().decode() for name in os.listdir(folder)}
        self.assertLessEqual(names, set(texts))
        self.assertIn(f"id: {RIG}", texts["configuration.yaml"])
        self.assertIn("(redacted)", texts["configuration.yaml"])
        for what, secret in (SECRETS | {"login": PASSWORD}).items():
            self.assertEqual([name for name in texts if secret in texts[name]], [], f"the {what} is in them")

    def stir(self, ending):
        """Presses the shutter now and then, so that those who follow what happens have something to see."""
        while not ending.wait(0.4):
            self.hands.shutter.press(0.05)

    def test_every_command_is_walked(self):
        commands = commands_of_the_program(f"{PROGRAMS}/platenctl")
        self.assertEqual(set(WALK) | {LEAVING}, commands, "walk.py has to try each command, and nothing else")

    def test_every_command_on_a_vt100(self):
        begun = time.monotonic()
        lines, _ = self.walk("vt100")
        figure(f"console: {lines} lines for {len(WALK)} commands on a vt100 over the serial line in {time.monotonic() - begun:.0f} s")

    def test_every_command_on_a_dumb_terminal(self):
        lines, text = self.walk("dumb")
        strange = set(re.findall(r"[\x00-\x1f\x7f]", text)) - {"\r", "\n", "\b", "\a"}
        self.assertEqual(strange, set(), "a dumb terminal gets no control characters")
        figure(f"console: the same {lines} lines on a dumb terminal, without an escape sequence")

    # -- keys --------------------------------------------------------------------------------------------

    def test_keys_edit_complete_and_remember(self):
        self.start()
        self.log_in()
        typed = [("stat\t", "status"), ("lights now\x17\x08", "lights"), ("tatus\x01s\x05", "status"), ("xxx\x15time", "time"),
                 ("tixe\x1b[D\x1b[D\x7fm\x1b[C\x0be", "tmxe"), ("statu\x15help", "help"), ("\x1b[A", "help")]
        expected = []
        for keys, line in typed:
            # A slow line has a pause between the bytes of one key.
            self.laptop.type(keys, rate=50)
            self.laptop.type("\r")
            self.laptop.expect(rf"\n(?s:.*?)({PROMPT}|--More--)")
            if self.laptop.received.endswith(b"--More--"):
                self.laptop.type("q")
                self.laptop.expect(PROMPT)
            if not expected or expected[-1] != line:
                expected.append(line)
        remembered = re.findall(r"^ +\d+  (.+)$", "\n".join(shown(self.run_line("history"))), re.M)
        self.assertEqual(remembered, [*expected, "history"])
        self.laptop.type("statu\x03")
        self.laptop.expect(PROMPT)
        self.laptop.type("spool ?")
        self.laptop.expect(r"(?s)export.*spool ")
        self.laptop.type("\x15presses sh\t1\r")
        self.laptop.expect(PROMPT)
        # The history is the account's, and lasts.
        self.laptop.type("exit\r")
        self.session_is_gone()
        self.log_in()
        self.laptop.type("\x1b[A\x1b[A")
        self.laptop.expect("presses show 1")

    # -- what it withstands --------------------------------------------------------------------------------

    def test_nothing_that_is_pasted_is_lost(self):
        """100 kB on one line are refused, and 2000 lines at full rate are answered one by one in their order."""
        self.start()
        self.log_in("dumb")
        self.laptop.type("x" * 100_000 + "\r")
        self.laptop.expect("too long|longer than|at most", 60)
        self.laptop.expect(PROMPT)
        count, begun = 2000, time.monotonic()
        self.laptop.type("".join(f"lihgts{number}\r" for number in range(count)))
        begun_at = self.laptop.place
        self.laptop.expect(rf'no command "lihgts{count - 1}"(?s:.*?){PROMPT}', 120)
        text = bytes(self.laptop.received[begun_at:self.laptop.place]).decode()
        answered = [int(number) for number in re.findall(r'There is no command "lihgts(\d+)"', text)]
        self.assertEqual(answered, list(range(count)))
        figure(f"console: {count} lines pasted at full rate are answered in their order in {time.monotonic() - begun:.1f} s; 100 kB on one line are refused")

    def test_noise_on_the_line_runs_nothing(self):
        """What a bad cable sends at 115200 baud; the seed repeats it."""
        service = self.start()
        self.log_in()
        randomness = random.Random(SEED)
        presses = service.last_press_number()
        self.laptop.type(randomness.randbytes(20_000).replace(b"\x04", b"\x05"), rate=SERIAL_RATE)
        self.laptop.quiet(1.0)
        self.laptop.type("\x03\x15q\x03")
        self.laptop.quiet(0.5)
        self.come_to_rest()
        self.assertFalse(self.getty.has_ended(0), f"the session goes on, seed {SEED}")
        self.assertIn("cpu-thermal", self.run_line("status"))
        self.assertEqual(service.last_press_number(), presses, f"seed {SEED}")

    def test_ctrl_c_ends_the_command_and_not_the_console(self):
        self.start()
        self.log_in()
        for command in ("watch", "log --follow", "presses list --follow"):
            self.laptop.type(f"{command}\r")
            self.laptop.expect(r"\n")
            time.sleep(0.3)
            begun = time.monotonic()
            self.laptop.type("\x03")
            self.laptop.expect(PROMPT)
            # The prompt asks the service first, which it gives 5 s.
            self.assertLess(time.monotonic() - begun, 2 * PATIENCE)

    def test_a_hang_up_ends_the_session_and_all_that_it_runs(self):
        self.start()
        for command in (None, "watch", "lights"):
            with self.subTest(command):
                self.log_in()
                if command:
                    self.laptop.type(f"{command}\r")
                    self.laptop.expect(r"\n")
                    time.sleep(0.3)
                self.assertTrue(processes_of(self.user))
                self.getty.hang_up()
                self.session_is_gone()
                self.laptop.quiet(0.2)

    def test_a_program_gets_one_object_for_each(self):
        """A test jig's line: JSON in, JSON out, as an account that may use the socket."""
        self.start()
        self.laptop, self.device = self.plug_in()
        line = os.open(self.device, os.O_RDWR | os.O_NOCTTY)
        seen = os.open(self.device, os.O_RDWR | os.O_NOCTTY)
        self.addCleanup(os.close, seen)
        jig = subprocess.Popen(["setpriv", f"--reuid={USER}", f"--regid={USER}", "--init-groups", "platenctl", "console", "--jsonl", "--socket", SOCKET],
                               stdin=line, stdout=line, stderr=line, start_new_session=True)
        os.close(line)
        self.addCleanup(jig.wait)
        self.addCleanup(jig.kill)
        requests = [{"id": number, "command": [["status"], ["time"], ["presses", "counts"], ["lights"]][number % 4]} for number in range(80)]
        requests += [{"id": "stop", "command": ["session", "stop"]}, {"id": "yes", "command": ["session", "stop"], "confirm": RIG},
                     {"id": "again", "command": ["session", "resume"]}, {"id": "none", "command": ["press"]}, {"id": "sh", "command": ["!sh"]}]
        text = "".join(json.dumps(request) + "\n" for request in requests)
        self.laptop.expect("", 1)
        self.until("the line is the program's", lambda: not termios.tcgetattr(seen)[3] & termios.ECHO)
        self.laptop.type(text + "nonsense\n" + json.dumps({"id": "long", "command": ["x" * 100_000]}) + "\n" + '{"id":"end","command":["time"]}\n')
        self.laptop.expect(r'"id":"end".*\n', 60)
        answers = [json.loads(line) for line in bytes(self.laptop.received).decode().splitlines()]
        self.assertEqual([answer["id"] for answer in answers], [*(request["id"] for request in requests), None, None, "end"])
        by_id = {answer["id"]: answer for answer in answers}
        self.assertTrue(all(by_id[number]["status"] == 0 and by_id[number]["output"] for number in range(80)))
        self.assertEqual([by_id[name]["status"] for name in ("stop", "yes", "again", "none", "sh", "end")], [64, 0, 0, 64, 64, 0])
        self.assertEqual(by_id["stop"]["error"]["code"], "confirmation")
        figure(f"console: {len(answers)} answers to {len(answers)} JSON lines, pasted at once, in their order")

    # -- what it never does ------------------------------------------------------------------------------------

    def test_there_is_no_way_to_a_shell(self):
        """Whatever is typed, the technician's account runs the console and nothing else, also in its environment."""
        self.start()
        self.log_in()
        seen = set()
        ending = threading.Event()

        def look():
            while not ending.wait(0.02):
                seen.update(processes_of(self.user).values())

        watcher = threading.Thread(target=look)
        watcher.start()
        try:
            for line in ESCAPES:
                self.laptop.type(f"{line}\r")
                self.laptop.quiet(0.15)
                self.laptop.type("id\r")  # a shell would say "uid="
                self.laptop.quiet(0.15)
                self.laptop.type("\x03")
            # At the pager's question, and the editor's keys for an editor, a shell command and a suspension.
            for keys in ("lights\r!sh\rq", "lights\rv!sh\rq", "lights\r:!sh\rq", "lights\r|sh\rq", "status\x1bv", "\x18\x05", "\x1b!sh\r", "\x1a", "\x1c"):
                self.laptop.type(keys)
                self.laptop.quiet(0.3)
                self.laptop.type("\x03\x15id\r")
                self.laptop.quiet(0.15)
        finally:
            ending.set()
            watcher.join()
        # What was typed ahead is answered first.
        self.laptop.quiet(3)
        self.laptop.type("\x03\x15")
        self.come_to_rest()
        self.assertIn("cpu-thermal", self.run_line("status"), "the console goes on")
        self.assertNotIn(b"uid=", bytes(self.laptop.received))
        self.assertEqual(set(map(os.path.basename, seen)) - {"platenctl", "platend"}, set())
        figure(f"console: {len(ESCAPES) + 9} ways to a shell tried, none found")

    def test_who_may_look_may_not_act(self):
        """Accounts of the machine: a technician who may look alone, and a stranger, who may not even open the socket."""
        service = self.start(self.configuration(extra="  read: { groups: [platen-console] }\n  act: { users: [platen] }\n"))
        self.log_in()
        self.assertRegex(self.run_line("status"), "readiness +ready")
        self.assertRegex(self.run_line("config show"), "hash ")
        for line, confirm in (("shoot", None), ("session stop", RIG), ("session configure --frame-rate 20", RIG), ("config set camera.frame_rate 20", None)):
            self.assertIn('"api.act"', self.run_line(line, confirm=confirm), line)
        self.assertEqual(service.last_press_number(), 0)
        stranger = subprocess.run(["setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups", "platenctl", "status"], capture_output=True, text=True)
        self.assertEqual((stranger.returncode, stranger.stdout), (1, ""), stranger.stderr)

    # -- without a service ------------------------------------------------------------------------------------

    def test_it_works_while_the_service_does_not(self):
        """Logged in without a service: the console says so, explains the lights, and the doctor looks by itself."""
        service = self.start()
        service.stop()
        greeting = self.log_in()
        self.assertIn("The service does not answer", " ".join(shown(greeting)))
        self.assertIn("1-1 flashes", self.run_line("lights"))
        self.assertIn("in order", self.run_line("config check /etc/platen/platen.yaml"))
        report = " ".join(" ".join(shown(self.run_line("doctor"))).split())
        self.assertIn("the service does not run, so that less can be checked", report)
        self.assertRegex(report, "FAULT service")
        self.assertIn("Start the service", report)
        # The technician's account may not open them, so whether somebody uses them is not known.
        self.assertRegex(report, "not checked cameras")
        self.assertNotIn("recovery.json\" cannot be opened: Permission denied code", report)
        self.assertIn("no service", self.run_line("status"))
        service.start()
        self.assertIn(f"{RIG} ready> ", self.run_line("status"))

    def test_what_can_be_seen_is_seen_without_a_service(self):
        """No line of the table fails for want of the service, and the pictures are had from their files."""
        service, picture = self.secretive_service()
        service.stop()
        spool = os.path.join(self.directory, "spool")
        # As a service that runs as its own account makes them: the technician is in its group.
        for path in [spool, *(os.path.join(folder, name) for folder, folders, files in os.walk(spool) for name in folders + files)]:
            os.chown(path, -1, privatefiles.group("platen"))
            os.chmod(path, 0o750 if os.path.isdir(path) else 0o640)
        self.log_in()
        begun = time.monotonic()
        for step in WITHOUT_SERVICE:
            with self.subTest(step.line):
                text = self.run_line(step.line.format(home=HOME), seconds=60)
                said = " ".join(" ".join(shown(text)).split())
                self.assertRegex(said, step.shows.format(home=HOME, id=picture))
                self.assertNotIn("The service does not answer on", said)
                if step.bundle:
                    self.check_bundle(self.decoded(text), BUNDLED)
        with open(f"{HOME}/{picture}.jpg", "rb") as copy, open(glob.glob(f"{spool}/items/*/{picture}.jpg")[0], "rb") as original:
            self.assertEqual(copy.read(), original.read())
        figure(f"console: {len(WITHOUT_SERVICE)} lines without a service in {time.monotonic() - begun:.0f} s")

    def test_it_holds_while_the_service_crashes_again_and_again(self):
        service = self.start()
        self.log_in()
        randomness = random.Random(SEED)
        ending, crashes = threading.Event(), []

        def crash():
            while not ending.is_set():
                ending.wait(randomness.uniform(0.1, 0.8))
                service.kill()
                crashes.append(time.monotonic())
                service.launch()

        crasher = threading.Thread(target=crash)
        crasher.start()
        slowest = 0.0
        try:
            for line in ["status", "doctor", "presses", "shoot", "session show", "time", "log --limit 3", "spool list"] * 3:
                begun = time.monotonic()
                shown(self.run_line(line, seconds=30))
                slowest = max(slowest, time.monotonic() - begun)
        finally:
            ending.set()
            crasher.join()
        service.wait_for("the API answers", service.status, 30)
        service.wait_until_ready()
        self.assertIn("readiness   ready", self.run_line("status"))
        figure(f"console: 24 commands while the service crashed {len(crashes)} times, the slowest took {slowest:.1f} s; seed {SEED}")


class Idle(ConsoleCase):
    """In virtual time, on a line that the kernel has no hardware for: the cable goes through the host, which has no such time."""

    def plug_in(self):
        laptop, device, self.far = pty()
        self.addCleanup(os.close, self.far)
        return laptop, device

    def test_whoever_types_nothing_is_logged_out(self):
        self.log_in()
        begun = time.monotonic()
        self.laptop.expect("This console ends in [0-9]+ s unless somebody types", 700)
        warned = time.monotonic() - begun
        self.laptop.type("l")
        self.laptop.quiet(300)
        self.assertFalse(self.getty.has_ended(0), "a key keeps it")
        self.laptop.expect("Nobody has used this console; it ends", 700)
        ended = time.monotonic() - begun
        self.session_is_gone()
        self.assertAlmostEqual(warned, 540, delta=2)
        self.assertAlmostEqual(ended - warned, 600, delta=2)
        figure(f"console: warned after {warned:.0f} s without use, logged out 60 s later")
