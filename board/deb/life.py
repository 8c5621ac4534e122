# SPDX-License-Identifier: Apache-2.0
"""A rig's life with the packages, row by row: install, upgrade, downgrade, remove, purge, and install again."""

import os
import shutil
import subprocess
import tempfile

from machine import MachineError, expect, file_of_repository, installed_files
from play import CONFIGURATION, Play
from repacking import later, repacked

NAMES = ("platen", "platen-console")
KIOSK = "platen-kiosk"
RECORDER, RECORDER_PATH = "platen-recorder", "/usr/lib/platen/platen-recorder"
KIOSK_POLICIES = "kiosk-policies/managed/platen-kiosk.json"
PICTURE = "/var/lib/platen/items/00/planted.jpg"
REPOSITORY = "/srv/repository"
SOURCES = "/etc/apt/sources.list.d/platen.list"
SECONDS_FOR_APT = 1200
# A release of libcamera that no package has an object for.
UNKNOWN_LIBRARY = "libcamera.so.9.9"
# An image builder installs where no systemd runs, which maintainer scripts know by this folder.
WITHOUT_SYSTEMD = ("unshare", "--mount", "sh", "-euc", "mount -t tmpfs none /run/systemd; exec \"$@\"", "sh")


class Rig:
    """The machine, and the repository that it has its packages from."""

    def __init__(self, machine, packages, repository):
        self.machine, self._packages, self._repository = machine, packages, repository
        self.version = packages.field(packages.paths[0], "Version")
        self.later = later(self.version)

    def publish(self):
        """Gives the machine the repository as it is now, and has apt read it."""
        shutil.copytree(self._repository, self.machine.path(REPOSITORY), dirs_exist_ok=True)
        self.machine.write(SOURCES, f"deb [signed-by={REPOSITORY}/platen.asc] file:{REPOSITORY} {self._packages.release} main\n")
        self.apt("update")

    def repack(self):
        """Publishes the same packages with a later version."""
        with tempfile.TemporaryDirectory() as folder:
            self._packages.repository(self._repository, *repacked(self._packages.paths, folder))
        self.publish()

    def apt(self, *words, way=()):
        """Runs apt-get, with what is recommended; returns what it printed."""
        command = ["env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "--yes", "-o", "APT::Install-Recommends=true", *words]
        return self.machine.run(*way, *command, seconds=SECONDS_FOR_APT)

    def states(self):
        """What dpkg says of the packages: `ii` for an installed one."""
        done = self.machine.try_run("dpkg-query", "--show", "--showformat=${db:Status-Abbrev}${Version} ", *NAMES)
        return done.stdout.split()

    def is_active(self):
        """Whether the service runs."""
        return self.machine.try_run("systemctl", "is-active", "platend").stdout.strip() == "active"

    def main_process(self):
        """The number of the service's process."""
        return self.machine.unit("MainPID")["MainPID"]

    def account(self, name):
        """An account's state of the password, and its shell."""
        state = self.machine.run("passwd", "--status", name).split()[1]
        return state, self.machine.run("getent", "passwd", name).strip().rsplit(":", 1)[1]

    def read(self, path):
        """The text of a file."""
        with open(self.machine.path(path), encoding="utf-8") as file:
            return file.read()

    def traces(self):
        """The files whose names have the word platen, but for those of apt's repository, what lies in the spool, and the
        configuration's history, which the service makes in its own time; its folder stays where it is left behind."""
        without = [word for path in (REPOSITORY, "/var/lib/apt/lists", "/var/lib/platen/*") for word in ("-path", path, "-prune", "-o")]
        found = self.machine.run("find", "/", "-xdev", *without, "-name", "*platen*", "-print")
        return sorted(set(found.split()) - {SOURCES, f"{CONFIGURATION}.history"})


def placed(package=None):
    """The files that go with the kiosk or the recorder, or those that go with the other packages: {path here: path there}."""
    def owner(source):
        return next((name for name in (KIOSK, RECORDER) if name in os.path.basename(source)), None)
    return {source: place for source, place in installed_files().items() if owner(source) == package}


def same(rig, places):
    """Expects the text of the repository in files of the machine."""
    for source, place in places.items():
        with open(source, encoding="utf-8") as file:
            expect(f"\"{place}\"", rig.read(place), file.read())


def told(printed):
    """The sentences of the packages in what apt printed."""
    return " ".join(line for line in printed.splitlines() if line.startswith("platen: "))


def image(rig):
    """without systemd running, as in an image, all is made but nothing is started, and a purge takes it back"""
    # What board/lib/debian-root leaves out belongs to the packages.
    rig.machine.run("sh", "-c", "rm -f /etc/dpkg/dpkg.cfg.d/*")
    rig.publish()
    rig.apt("install", *NAMES, way=WITHOUT_SYSTEMD)
    expect("the states", rig.states()[::2], ["ii", "ii"])
    expect("the configuration", rig.machine.run("stat", "--format=%a %U %G", CONFIGURATION).strip(), "660 root platen")
    expect("the unit", rig.machine.run("systemctl", "is-enabled", "platend").strip(), "enabled")
    expect("the service", rig.is_active(), False)
    rig.apt("purge", *NAMES, way=WITHOUT_SYSTEMD)
    expect("what is left", rig.traces(), [])
    return "enabled, not started, purged"


def install(rig):
    """apt installs the packages with what they recommend, the service runs, and nothing is said to be missing"""
    expect("what is said", told(rig.apt("install", *NAMES)), "")
    expect("whether the service runs", rig.is_active(), True)
    return "the service runs"


def files(rig):
    """every file is where it says itself, and its text is that of the repository"""
    places = placed()
    same(rig, places)
    for page in ("platenctl", "platend", "platen-console"):
        rig.machine.run("man", "--where", page)
    rig.machine.run("ls", "/usr/share/doc/platen/README.md", "/usr/share/doc/platen/docs/how-to/install.md",
                    "/usr/share/platen/page/index.html", "/usr/share/platen/page/main.js")
    expect("what platenctl is", ".TH PLATENCTL 1" in rig.machine.run("platenctl", "manual").upper(), True)
    expect("the program's version", rig.version.startswith(rig.machine.run("platend", "--version").strip() + "+"), True)
    expect("the drop-in of serial gettys", "115200" in rig.machine.run("systemctl", "cat", "serial-getty@ttyS0"), True)
    return f"{len(places)} files"


def units(rig):
    """systemd finds no fault in the units, and the service none in its configuration"""
    expect("what systemd says", rig.machine.unit_faults(), [])
    return rig.machine.run("platend", "--check-config").strip()


def libraries(rig):
    """the program loads no library that it does not call"""
    said = rig.machine.try_run("ldd", "--unused", "/usr/bin/platend").stdout.splitlines()[1:]
    # The loader is said to be unused of every program.
    expect("what it loads for nothing", [name.strip() for name in said if "/ld-linux" not in name], [])
    return f"{len(rig.machine.try_run('ldd', '/usr/bin/platend').stdout.splitlines())} libraries"


def renamed(rig):
    """libcamera changes its name under the installed packages and back: the service runs, names it, and notices its return"""
    [library] = rig.machine.run("sh", "-c", "find /usr/lib -name 'libcamera.so.*' -type f").split()
    place, play = os.path.dirname(library), Play(rig.machine, "", "")

    def is_known():
        """Whether the service has an object for the library."""
        return "cameraLibraryUnknown" not in rig.machine.run("platenctl", "status", "--json")

    def restart():
        """Has the service load the object anew, as an upgrade of the system does at the next start."""
        rig.machine.run("ldconfig")
        rig.machine.run("systemctl", "restart", "platend")

    links = rig.machine.run("sh", "-c", f"find {place} -name 'libcamera.so.*' -type l").split()
    rig.machine.run("mkdir", "--parents", "/srv/kept")
    rig.machine.run("mv", library, *links, "/srv/kept")
    kept = os.path.join("/srv/kept", os.path.basename(library))
    subprocess.run(["patchelf", "--set-soname", UNKNOWN_LIBRARY, "--output", rig.machine.path(f"{place}/{UNKNOWN_LIBRARY}"), rig.machine.path(kept)],
                   check=True)
    restart()
    play.wait_for("the service says that it does not know the library", lambda: not is_known())
    seen = rig.machine.try_run("platenctl", "doctor", "--part", "cameras").stdout + rig.machine.journal(100)
    expect("whether the library is named", UNKNOWN_LIBRARY in seen, True)
    said = told(rig.apt("install", "--reinstall", *NAMES))
    if "no camera object fits the libcamera of this system: run \"apt-get install g++ pkgconf libcamera-dev\"" not in said:
        raise MachineError(f"what is said is \"{said}\"")
    rig.machine.run("rm", f"{place}/{UNKNOWN_LIBRARY}")
    rig.machine.run("sh", "-c", f"mv /srv/kept/* {place}/ && rmdir /srv/kept && ldconfig")
    # Without a restart: each search for the camera looks again.
    play.wait_for("the service knows the library again", is_known)
    return f"{os.path.basename(library)}, then {UNKNOWN_LIBRARY}: {said}"


def accounts(rig):
    """the technician's shell is the console, and is a shell"""
    expect("the account", rig.account("technician"), ("L", "/usr/bin/platen-console"))
    expect("the shells", {"/usr/bin/platen-console", "/usr/bin/platen-jsonl"} <= set(rig.read("/etc/shells").split()), True)
    return rig.account("technician")[1]


def kiosk(rig):
    """the kiosk comes beside the service with a unit without a fault, its account and its policies, and a purge takes its files back"""
    before = rig.traces()
    rig.apt("install", "--no-install-recommends", KIOSK)
    places = placed(KIOSK)
    same(rig, places)
    expect("what systemd says", rig.machine.unit_faults(), [])
    expect("the unit", rig.machine.run("systemctl", "is-enabled", KIOSK).strip(), "enabled")
    expect("the account", rig.account(KIOSK), ("L", "/usr/sbin/nologin"))
    groups = sorted(rig.machine.run("id", "--groups", "--name", KIOSK).split())
    expect("its groups", groups, ["platen-console", KIOSK, "render", "video"])
    expect("the policies", rig.read(f"/usr/lib/platen/{KIOSK_POLICIES}"), file_of_repository(f"kiosk/{KIOSK_POLICIES}"))
    rig.apt("purge", "--autoremove", KIOSK)
    # The machine's files lie in memory, and a browser is large.
    rig.apt("clean")
    expect("what is left", rig.traces(), before)
    # An account stays, because files may be its own, but it allows no login.
    expect("the account afterwards", rig.account(KIOSK), ("L", "/usr/sbin/nologin"))
    expect("whether the service runs", rig.is_active(), True)
    return f"{len(places)} files, {', '.join(groups)}"


def recorder(rig):
    """the recorder comes beside the service with its libraries and its microphone, and a purge takes it back"""
    def permitted():
        return "char-alsa" in rig.machine.run("systemctl", "show", "platend", "--property=DeviceAllow")

    before = rig.traces()
    expect("whether a microphone is permitted before", permitted(), False)
    rig.apt("install", "--no-install-recommends", RECORDER)
    places = placed(RECORDER)
    same(rig, places)
    expect("whether a microphone is permitted", permitted(), True)
    groups = rig.machine.run("sh", "-c", f"grep ^Groups: /proc/{rig.main_process()}/status").split()[1:]
    expect("whether the running service is in its group", rig.machine.run("getent", "group", "audio").split(":")[2] in groups, True)
    loaded = rig.machine.run("ldd", RECORDER_PATH)
    expect("whether a library is missing", "not found" in loaded, False)
    expect("whether it encodes", "libavcodec" in loaded, True)
    expect("whether the service does", "libavcodec" in rig.machine.run("ldd", "/usr/bin/platend"), False)
    rig.apt("purge", "--autoremove", RECORDER)
    rig.apt("clean")
    expect("what is left", rig.traces(), before)
    expect("whether a microphone is permitted afterwards", permitted(), False)
    expect("whether the service runs", rig.is_active(), True)
    return f"{len(places)} files, {len(loaded.splitlines())} libraries"


def upgrade(rig):
    """an upgrade keeps the changed configuration, and restarts the service"""
    rig.machine.write(CONFIGURATION, rig.read(CONFIGURATION) + "# Changed by hand.\n")
    before = rig.main_process()
    rig.repack()
    rig.apt("install", "--only-upgrade", *NAMES)
    expect("the states", rig.states(), ["ii", rig.later] * 2)
    expect("the configuration", rig.read(CONFIGURATION).endswith("# Changed by hand.\n"), True)
    expect("whether the service runs", rig.is_active(), True)
    expect("whether it is the old process", rig.main_process() == before, False)
    return rig.later


def downgrade(rig):
    """apt goes back to the version before, and the service runs"""
    rig.apt("install", "--allow-downgrades", *(f"{name}={rig.version}" for name in NAMES))
    expect("the states", rig.states(), ["ii", rig.version] * 2)
    expect("whether the service runs", rig.is_active(), True)
    return rig.version


def remove(rig):
    """a removal ends the service, and keeps configuration and spool"""
    rig.machine.write(PICTURE, "no receipt yet")
    rig.apt("remove", *NAMES)
    expect("the service", rig.is_active(), False)
    expect("the configuration", rig.read(CONFIGURATION).endswith("# Changed by hand.\n"), True)
    expect("the program", os.path.lexists(rig.machine.path("/usr/bin/platend")), False)
    return "configuration and spool are there"


def purge(rig):
    """a purge leaves the spool with its pictures, and no account that may log in"""
    said = told(rig.apt("purge", "--autoremove", *NAMES))
    expect("what is left", rig.traces(), ["/var/lib/platen"])
    expect("the picture", rig.read(PICTURE), "no receipt yet")
    for name in NAMES[:1] + ("technician",):
        expect(f"the account {name}", rig.account(name), ("L", "/usr/sbin/nologin"))
    expect("the shells", "platen" in rig.read("/etc/shells"), False)
    return said


def again(rig):
    """installed again over an empty configuration, the service runs, a sentence names the camera library that lacks"""
    # A power cut during an installation leaves such a file.
    rig.machine.write(CONFIGURATION, "")
    said = told(rig.apt("install", "--no-install-recommends", *NAMES))
    expect("whether the service runs", rig.is_active(), True)
    if "no camera library is installed: run \"apt-get install libcamera0." not in said:
        raise MachineError(f"what is said is \"{said}\"")
    expect("the length of the configuration", len(rig.read(CONFIGURATION)) > 0, True)
    expect("the account", rig.account("technician"), ("L", "/usr/bin/platen-console"))
    # The service may put what it does not know aside.
    rig.machine.run("grep", "--recursive", "--quiet", "no receipt yet", "/var/lib/platen")
    return said


LIFE = (image, install, files, units, libraries, accounts, kiosk, recorder, renamed, upgrade, downgrade, remove, purge, again)
