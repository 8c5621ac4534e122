# SPDX-License-Identifier: Apache-2.0
"""Rows about polkit: its daemon, the login manager and systemd grant what 50-platen.rules names, and nothing else."""

from machine import MachineError, expect
from play import TECHNICIAN, linux_board

LOGIN, CLOCK = "org.freedesktop.login1.", "org.freedesktop.timedate1."
# What ends the machine, for the service and for technicians.
POWER = {LOGIN + name for name in ("power-off", "power-off-multiple-sessions", "reboot", "reboot-multiple-sessions")}
# For technicians alone.
TIME = {CLOCK + name for name in ("set-time", "set-ntp")}
# pkcheck(1) asks for each action: for the process $0, or for itself where that is empty.
ASK = "for action; do sh -c 'exec pkcheck --action-id \"$1\" --process \"${0:-$$}\"' \"$0\" \"$action\" >/dev/null 2>&1; echo \"$? $action\"; done"
GRANTED, REFUSED = ("0",), ("1", "2", "3")
# What the targets of systemd do in the machine: they are reached, and nothing ends.
STAND_IN = "[Unit]\nDescription=End of the machine that ends nothing\nDefaultDependencies=no\n"


def granted_actions(play, actions, process="", user="root"):
    """Those of the actions that polkit grants to a process, or to a user who has no session."""
    answers = [line.split() for line in play.machine.run("sh", "-c", ASK, process, *actions, user=user, seconds=600).splitlines()]
    for status, action in answers:
        if status not in GRANTED + REFUSED:
            raise MachineError(f"pkcheck ends with {status} for \"{action}\"; is polkitd installed, by \"board/setup systems\"?")
    return {action for status, action in answers if status in GRANTED}


def implied(play, actions):
    """These actions, and those that come with them by systemd's own policy, such as the time zone with the time."""
    shown = "".join(play.machine.run("pkaction", "--verbose", "--action-id", action) for action in sorted(actions))
    return actions | {name for line in shown.splitlines() if "org.freedesktop.policykit.imply" in line for name in line.split("->")[-1].split()}


def granted(play):
    """of all actions that polkit knows, it grants the service and a technician what the rules name beyond what anybody may"""
    actions = play.machine.run("pkaction").split()
    expect("actions that polkit does not know", (POWER | TIME) - set(actions), set())
    service = granted_actions(play, actions, process=play.machine.unit("MainPID")["MainPID"])
    technician = granted_actions(play, actions, user=TECHNICIAN)
    anybody = granted_actions(play, sorted(service | technician), user="nobody")
    expect("what the service may do", service - anybody, implied(play, POWER))
    expect("what a technician may do", technician - anybody, implied(play, POWER | TIME))
    return f"{len(service - anybody)} and {len(technician - anybody)} of {len(actions)} actions"


def manager(play):
    """systemd starts and restarts the unit for a technician, does nothing else for one, and nothing for the service"""
    def asks(user, *command):
        """Whether systemd does it; a refusal is one of polkit's."""
        done = play.machine.try_run("systemctl", "--no-ask-password", *command, user=user)
        if done.returncode and "authentication required" not in done.stderr:
            raise MachineError(f"\"systemctl {' '.join(command)}\" of \"{user}\" fails otherwise: {done.stderr.strip()}")
        return done.returncode == 0

    play.machine.run("systemctl", "stop", "platend")
    refused = [(user, "start", "platend") for user in ("platen", "nobody")]
    refused += [(TECHNICIAN, *command) for command in (("start", "systemd-logind"), ("enable", "platend"), ("isolate", "rescue.target"))]
    for user, *command in refused:
        expect(f"whether \"{user}\" may {' '.join(command)}", asks(user, *command), False)
    expect("whether a technician may start the unit", asks(TECHNICIAN, "start", "platend"), True)
    before = play.machine.unit("MainPID")["MainPID"]
    for command in ("stop", "kill", "reload-or-restart"):
        expect(f"whether a technician may {command} the unit", asks(TECHNICIAN, command, "platend"), False)
    expect("the service's process", play.machine.unit("MainPID")["MainPID"], before)
    expect("whether a technician may restart the unit", asks(TECHNICIAN, "restart", "platend"), True)
    expect("whether it is the same process", play.machine.unit("MainPID")["MainPID"] == before, False)
    return f"{len(refused) + 3} refusals"


def power(play):
    """the service ends the machine by the login manager, when asked over the API, but not against an inhibitor"""
    targets = {"reboot": "reboot.target", "poweroff": "poweroff.target"}
    for target in targets.values():
        play.machine.write(f"/etc/systemd/system/{target}", STAND_IN)
    play.machine.run("systemctl", "daemon-reload")
    refusals = []
    with linux_board(play):
        for command, target in targets.items():
            play.start()
            inhibited = play.machine.try_run("systemd-inhibit", "--what=shutdown", "--why=an update", "platenctl", command, "--yes")
            refusals.append(inhibited.stderr.partition("\n")[0])
            if inhibited.returncode != 1 or " says \"" not in refusals[-1]:
                raise MachineError(f"\"{command}\" against an inhibitor ends with {inhibited.returncode}: {inhibited.stdout}{inhibited.stderr}")
            expect(f"{target} after that", play.machine.try_run("systemctl", "is-active", target).stdout.strip(), "inactive")
            play.machine.run("platenctl", command, "--yes", user=TECHNICIAN)
            play.wait_for(f"{target} is reached", lambda target=target: play.machine.run("systemctl", "is-active", target).strip() == "active")
            play.machine.run("systemctl", "stop", target)
    play.start()
    return refusals[0]
