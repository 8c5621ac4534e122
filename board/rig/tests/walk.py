# SPDX-License-Identifier: Apache-2.0
"""What is tried of each command of the console: the lines that are typed, and what has to be shown.

A command that is not here fails the test, and so does one that is here and is none.
"""

import json
import subprocess
from dataclasses import dataclass

from consolecase import RIG


@dataclass
class Step:
    """A line that is typed, in which {id} is a picture's ID and {home} a folder of the technician's.

    {press} is the number of its press. `shows`: a regular expression for the lines that are shown, joined by spaces ·
    `confirm`: what is typed when the console asks for it · `interrupt_after`: text after which Ctrl-C is typed, while the
    shutter is pressed now and then · `obeys`: whether somebody stands before the rig and does what is asked for ·
    `bundle`: the file that a support bundle is in then, or RECORDED for one in what is shown · `streams_then`: the next
    line is typed when a camera streams again.
    """

    line: str
    shows: str
    confirm: str = None
    interrupt_after: str = None
    obeys: bool = False
    bundle: str = None
    streams_then: bool = False


RECORDED = "recorded"
NO_SIMULATION = "only the simulated board can be moved"
NO_MOVIES = "This rig makes no recordings; .movie.enabled: true. allows them"
NOTHING_DONE = "Not confirmed; nothing was done"
NO_POWER = "Nobody switches this machine off: its configuration says .power: . method: none.*Asking systemd"

# In this order: a later command may need what an earlier one has done.
WALK = {
    "status": [Step("status", f"rig +{RIG}, linux board.*readiness +ready.*accelerometer ok")],
    # Slow frames: a press has its frame also where a busy host holds the camera up for a second.
    "session configure": [Step("session configure --frame-rate 4", r"4\.0 frames/s", confirm=RIG, streams_then=True)],
    "shoot": [Step("shoot", r"press \d+ by api stored, (?:(?:a|the) [a-z ]+, )*error -?[\d.]+ ms"),
              Step("shoot --bracket ev=-2,0,2", "refused, bracketNotSupported"),
              Step("shoot --bracket ev=9", "2 to 7 frames, not 1")],
    "presses list": [Step("presses", "number +by +outcome.*api +stored"), Step("presses list --limit 1", "stored"),
                     Step("presses list --follow", "button +stored|by button", interrupt_after="button")],
    "presses show": [Step("presses show {press}", "press +{press} .*outcome +stored"), Step("presses show 4711", "4711")],
    "presses counts": [Step("presses counts", "stored.*0 presses not recorded")],
    "presses lost-edges": [Step("presses lost-edges", "edges +button")],
    "record status": [Step("record", NO_MOVIES), Step("record status", NO_MOVIES)],
    "record start": [Step("record start", NO_MOVIES)],
    "record pause": [Step("record pause", NO_MOVIES)],
    "record resume": [Step("record resume", NO_MOVIES)],
    "record stop": [Step("record stop", NO_MOVIES)],
    "watch": [Step("watch", "press", interrupt_after="stored")],
    "session capabilities": [Step("session capabilities", "brackets +none")],
    "session show": [Step("session show", "state +running"), Step("session", "USAGE: platenctl session")],
    "session stop": [Step("session stop", NOTHING_DONE, confirm="another rig"),
                     Step("session stop", "stoppedByTechnician", confirm=RIG)],
    "session resume": [Step("session resume", "state +(waitingForCamera|running)", streams_then=True)],
    "session switch": [Step("session switch", "the rig has no other camera", confirm=RIG)],
    "session focus": [Step("session focus", "it has no focus mode")],
    "session calibrate": [Step("session calibrate", NOTHING_DONE, confirm="another rig"),
                          Step("session calibrate", "cannot be calibrated", confirm=RIG)],
    "session forget": [Step("session forget", NOTHING_DONE, confirm="another rig"), Step("session forget", "state +running", confirm=RIG)],
    "session interruptions": [Step("session interruptions", "stoppedByTechnician")],
    "spool list": [Step("spool list", "stored .*{id}")],
    "spool show": [Step("spool show {id}", "state +stored.*SHA-256")],
    "spool retry": [Step("spool retry {id}", "{id}.* has no parked delivery")],
    "spool verify": [Step("spool verify", "0 findings")],
    "spool export": [Step("spool export {home}", r"[1-9]\d* pictures? copied"),
                     Step("spool export {home}/out", "No such file or directory")],
    "spool stats": [Step("spool stats", r"to server +[1-9]\d* waiting")],
    "spool delete": [Step("spool delete {id}", NOTHING_DONE, confirm=RIG), Step("spool delete {id} --confirm {id}", NOTHING_DONE, confirm=RIG),
                     Step("spool delete {id}", "deletes the picture {id} for good", confirm="{id}"),
                     Step("spool show {id}", "state +evicted"),
                     Step("spool delete --quarantined", NOTHING_DONE, confirm="another rig"),
                     Step("spool delete --quarantined", "deleted from the quarantine: 0", confirm=RIG)],
    "lights": [Step("lights", "1-1 flashes +there is no camera.*A code such as 2-3")],
    "camera build": [Step("camera build", 'There is no program "/usr/share/platen/camera/build-object" on this machine')],
    "identify": [Step("identify --seconds 1", "the lights blinked: ready, fault, upload"),
                 Step("identify --seconds 61", "--seconds must be from 1 to 60, not 61")],
    "simulate press": [Step("simulate press", NO_SIMULATION, confirm=RIG)],
    "simulate turn": [Step("simulate turn 90", NO_SIMULATION, confirm=RIG)],
    "simulate heat": [Step("simulate heat 50", NO_SIMULATION, confirm=RIG)],
    "simulate throttle": [Step("simulate throttle undervoltage", f"{NO_SIMULATION}|flags", confirm=RIG)],
    "simulate page": [Step("simulate page 1", NO_SIMULATION, confirm=RIG)],
    "simulate hand": [Step("simulate hand on", NO_SIMULATION, confirm=RIG)],
    "simulate fault": [Step("simulate fault none", f"{NO_SIMULATION}|fault", confirm=RIG)],
    "test button": [Step("test button --presses 2 --timeout 120", "PASS +button shutter.*press 1 .*press 2 .*understood as single, which would be shoot", obeys=True),
                    Step("test button --timeout 1", "FAIL +button shutter, code buttonSilent"), Step("test button --button pedal", "pedal"),
                    Step("test button --presses 21", "--presses must be from 1 to 20, not 21")],
    "test leds": [Step("test leds --timeout 60", "PASS +leds ready .*seen to blink.*PASS +leds fault .*PASS +leds upload .*seen to blink", obeys=True),
                  Step("test leds --light fault --timeout 1", "FAIL +leds fault, code notAnswered.*nobody answered while"),
                  Step("test leds --light ready --timeout 1 --seen no", "FAIL +leds ready.*was not seen to blink"),
                  Step("test leds --light power", "SKIPPED +leds power.*this rig has no light .power")],
    "test accelerometer": [Step("test accelerometer --seconds 1 --timeout 120", "PASS +accelerometer.*all 4 positions were seen", obeys=True),
                           Step("test accelerometer --still --seconds 1", r"PASS +accelerometer.*together 9\.\d+ m/s")],
    "test camera": [Step("test camera", r"PASS +camera.*press \d+ is stored.*a JPEG of 960x720")],
    "test temperature": [Step("test temperature", r"PASS +temperature.*cpu-thermal 4\d\.\d °C")],
    "test storage": [Step("test storage --mebibytes 1", "PASS +storage.*1 MiB written at .*read back the same"),
                     Step("test storage --mebibytes 65", "--mebibytes must be from 1 to 64, not 65")],
    "test network": [Step("test network", r"FAIL +network.*route .*10\.0\.2\.2.*target server")],
    "test upload": [Step("test upload --timeout 2", "FAIL +upload server.*(has no receipt after 2 s|an attempt failed|failed at another picture)")],
    "test all": [Step("test all --timeout 60 --upload-timeout 2", "PASS +button.*PASS +leds.*FAIL +upload.* 8 passed, 2 failed, 0 skipped", obeys=True)],
    "queue": [Step("queue", r"[1-9]\d* pictures? waits?, .*the oldest one for .*server +[1-9]\d* +0 +\w+")],
    "targets list": [Step("targets list", r"server +webdav +\w+ +0 +[1-9]\d* +http://10\.0\.2\.2"), Step("targets", "target +kind +state")],
    "targets show": [Step("targets show server", r"target +server.*queue +[1-9]\d* waiting, 0 parked"),
                     Step("targets show nowhere", "This rig has no target .nowhere.; .targets. lists them")],
    "targets retry": [Step("targets retry", "tried now: server"), Step("targets retry server", "tried now: server"),
                      Step("targets retry nowhere", "nowhere")],
    "targets pause": [Step("targets pause", NOTHING_DONE, confirm="another rig"),
                      Step("targets pause", "uploads are held back; .targets resume. lets them go on", confirm=RIG),
                      # An attempt that has begun when uploads are held back goes on to its end.
                      Step("targets list", "server +webdav +(?:held|delivering), technician")],
    "targets resume": [Step("targets resume", "uploads go on")],
    "thermal": [Step("thermal", "cpu-thermal")],
    "metrics": [Step("metrics", "# TYPE platen_")],
    "audit": [Step("audit --limit 40", r"TIME +WHO +FROM +STAGE +STATUS +WHAT.*technician +unix \d+ +ended +200 +POST"),
              Step("audit --limit 0", "--limit must be from 1 to 1000, not 0")],
    "support-bundle": [Step("support-bundle --base64", "-----BEGIN PLATEN SUPPORT BUNDLE-----", bundle=RECORDED),
                       Step("support-bundle --output {home}/bundle.tar.gz", "{home}/bundle.tar.gz: .* parts, .*SHA-256 [0-9a-f]{{64}}",
                            bundle="{home}/bundle.tar.gz"),
                       Step("support-bundle --output {home}/bundle.tar.gz", "exists|there already"),
                       Step("support-bundle --zmodem --base64", "Use one of --output, --zmodem and --base64")],
    "service status": [Step("service status", f"service +{RIG}, platend .*readiness +ready.*unit +there is no systemd"), Step("service", "runs for")],
    "service restart": [Step("service restart", NOTHING_DONE, confirm="another rig"),
                        Step("service restart", "nobody would start it again, so it goes on", confirm=RIG)],
    "reboot": [Step("reboot", NOTHING_DONE, confirm="another rig"), Step("reboot", NO_POWER, confirm=RIG)],
    "poweroff": [Step("poweroff", NOTHING_DONE, confirm="another rig"), Step("poweroff", NO_POWER, confirm=RIG)],
    "doctor": [Step("doctor", r"ok +cameras.*\d+ faults?,"), Step("doctor --part clock", r"clock .*1 (in order|warnings?)"),
               Step("doctor --part nose", "The value .nose. is invalid for .--part")],
    "board check": [Step("board check", "buttons +.*lights +.*not checked +wiring +this machine has no device tree")],
    "log": [Step("log --limit 5", "info|notice|warning"), Step("log --follow", "shutter pressed", interrupt_after="shutter pressed")],
    "config show": [Step("config show", f"hash [0-9a-f]{{{{64}}}}.*id: {RIG}")],
    "config check": [Step("config check /etc/platen/platen.yaml", "in order"),
                     Step("config check /etc/hostname", "expected a section with keys, found text")],
    "config set": [Step("config set camera.frame_rate 20", "frame_rate: 25.*frame_rate: 20.*next start"),
                   Step("config set camera.frame_rate fast", "fast")],
    "config history": [Step("config history", "1 +20[0-9-]+T")],
    "config diff": [Step("config diff 1", "frame_rate: 20.*frame_rate: 25")],
    "config rollback": [Step("config rollback", "is what the service runs with"),
                        Step("config rollback --to 4711", "no earlier text with the number 4711")],
    "setup": [Step("setup", NOTHING_DONE, confirm="another rig"),
              Step("setup --file {home}/nowhere.yaml", "nowhere.yaml. cannot be read: it is not there", confirm=RIG),
              Step("setup", "Nothing was changed", confirm=RIG, interrupt_after="Name of the rig")],
    "config explain": [Step("config explain api.rate", "default: 50"), Step("config explain", "camera")],
    "network": [Step("network", r"default route IPv4 10\.0\.2\.2.*other routes  10\.0\.2\.0/24 by .*name servers .*answers")],
    "time show": [Step("time", "machine +up"), Step("time show", "machine +up")],
    "time set": [Step("time set 2026-11-22T21:30:00Z", NOTHING_DONE, confirm="another rig"),
                 Step("time set 2026-11-22 21:30", "There is no program|The clock was not set", confirm=RIG),
                 Step("time set 1970-01-01T00:00:00Z", "years 2026 to 2099"), Step("time set tomorrow", "is no time")],
    "token": [Step("token", "hash +sha256:[0-9a-f]{{64}}")],
    "preview": [Step("preview --once", "sharp|focus|0[.][0-9]"), Step("preview --once --width 4", "--width must be from 8 to 320")],
    "focus": [Step("focus", "0[.][0-9]"), Step("focus 2", "lens|focus"), Step("focus nowhere", "nowhere")],
    "calibrate camera": [Step("calibrate camera", "cannot be calibrated", confirm=RIG)],
    "calibrate level": [Step("calibrate level", NOTHING_DONE, confirm="another rig"),
                        Step("calibrate level --dry-run", "1 of 3: Lay", interrupt_after="1 of 3: Lay")],
    "calibrate scale": [Step("calibrate scale a4", "[Ss]heet"), Step("calibrate scale", "Name the sheet, or its size")],
    "console": [Step("console", "This is the console already")],
    "help": [Step("help", "status .*Show what the rig says.*exit +Leave the console"), Step("help status", "USAGE: platenctl status"),
             Step("help spool export", "USAGE: platenctl spool export"), Step("statsu", "no command .statsu.. Did you mean .status."),
             Step("'status", "quot")],
    "history": [Step("history", "1  status")],
}
LEAVING = "exit"  # it is tried last

# What is typed while no service runs, when {home} and the files of the spool are the technician's to use.
WITHOUT_SERVICE = [
    Step("log --limit 5", r"the service does not answer \(.*\); this is the journal"),
    Step("network", "looking without it.*default route .*name servers .*targets +server: "),
    Step("time", "looking without it.*machine +up"),
    Step("config show", f"hash [0-9a-f]{{{{64}}}}.*id: {RIG}"),
    Step("spool export {home}", r"copying its files.*{id}\.jpg copied, .*1 picture copied, 0 were there already Without the index nobody knows"),
    Step("spool export {home}", r"{id}\.jpg was there already.*0 pictures copied, 1 was there already"),
    Step("spool export {home}/out", "cannot be opened: No such file or directory"),
    Step("support-bundle --base64", "-----BEGIN PLATEN SUPPORT BUNDLE-----.*-----END", bundle=RECORDED),
]


def commands_of_the_program(program):
    """All commands that people are told of, as the program's own command line has them, and what the console adds."""
    text = subprocess.run([program, "--experimental-dump-help"], capture_output=True, text=True, check=True).stdout
    return _commands(json.loads(text)["command"], []) | {"help", "history", LEAVING}


def _commands(command, words):
    shown = [child for child in command.get("subcommands", []) if child["shouldDisplay"]]
    if not shown:
        return {" ".join(words)}
    return set().union(*(_commands(child, [*words, child["commandName"]]) for child in shown))
