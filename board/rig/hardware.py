# SPDX-License-Identifier: Apache-2.0
"""The two ways to boot the rig, as command lines: User-Mode Linux and QEMU."""

import contextlib
import fcntl
import os
import shutil
import socket
import subprocess
import tempfile

from conversation import RigError

KINDS = ("uml", "qemu")
AGENT = {"uml": "/dev/ttyS0", "qemu": "/dev/vport0p1"}
PATIENT = 10  # the priority of a machine in virtual time, between the other machines and a build in the background
DISK = {"uml": "/dev/ubda", "qemu": "/dev/vda"}
HERE = os.path.dirname(os.path.abspath(__file__))
INIT = os.path.join(HERE, "guest", "init")
RECORDER = os.path.join(HERE, "diskrecorder.c")


def parts(machine, boot_file, folder, agent, cable):
    """The processes that make the machine, itself first: [(arguments, descriptors to inherit), ...].

    `agent` is the descriptor of a socket, `cable` those of two that are connected: the ends of a null-modem cable from
    the technician's serial line to the laptop's, both of the guest; `folder` is for what the machine leaves lying about.
    """
    shared = ["ro", f"init={INIT}", f"platen.boot={boot_file}", "panic=-1"]
    return (_uml if machine.kind == "uml" else _qemu)(machine, shared, folder, agent, *cable)


def _uml(machine, shared, folder, agent, technician, laptop):
    recorder = _disk_recorder(folder) if machine.disk else None
    # One datagram is one Ethernet frame.
    near, far = (end.detach() for end in socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM))
    arguments = [f"{machine.kernel}/linux", f"mem={machine.memory}M", "root=/dev/root", "rootfstype=hostfs", "rootflags=/", *shared]
    arguments += ["con=null", "con0=null,fd:1", "ssl=null", f"ssl0=fd:{agent}", f"ssl1=fd:{technician}", f"ssl2=fd:{laptop}"]
    arguments += [f"uml_dir={folder}", "umid=rig", f"vec0:transport=fd,fd={near},vec=0"]
    if machine.disk:
        settings = [f"LD_PRELOAD={recorder}", f"DISK={machine.disk}", *([f"RECORDING={machine.write_log}"] if machine.write_log else [])]
        arguments = ["env", *settings, *arguments, f"ubd0={machine.disk}"]
    processor, held = [], []
    if machine.virtual_time:
        arguments.append("time-travel=inf-cpu")
    else:
        processor, held = _own_processor()
    return [([*processor, *arguments], [agent, technician, laptop, near, *held]), (["libslirp-helper", f"--fd={far}"], [far])]


def _own_processor():
    """The command that keeps a machine on a processor that no other machine has, and the descriptor that holds it.

    The kernel and the guest's programs are processes that wait for each other at each system call: on two processors they take a
    fifth to a third more time of both. A patient machine takes what is left of any processor instead.
    """
    for number in sorted(os.sched_getaffinity(0)):
        held = os.open(os.path.join(tempfile.gettempdir(), f"platen-rig-processor-{os.getuid()}-{number}"), os.O_RDWR | os.O_CREAT, 0o600)
        with contextlib.suppress(BlockingIOError):
            fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return ["taskset", "--cpu-list", str(number)], [held]
        os.close(held)
    return [], []


def _disk_recorder(folder):
    """Compiles the library that takes the writes and flushes of the disk; returns its path."""
    library = os.path.join(folder, "diskrecorder.so")
    done = subprocess.run(["cc", "-shared", "-fPIC", "-O1", "-Wall", "-Werror", "-o", library, RECORDER], capture_output=True, text=True)
    if done.returncode != 0:
        raise RigError(f'"{RECORDER}" does not compile, so that the rig has no disk; run board/setup rig: {done.stderr[-600:]}')
    return library


def _qemu(machine, shared, folder, agent, technician, laptop):
    accelerator = os.environ.get("PLATEN_QEMU_ACCEL", "tcg")  # kvm is not there, or half there, on too many machines
    shared += ["root=root", "rootfstype=9p", "rootflags=trans=virtio,version=9p2000.L,cache=loose,msize=512000", "console=ttyS0,115200"]
    shared += ["no_timer_check", "quiet"]
    arguments = ["qemu-system-x86_64", "-M", f"pc,accel={accelerator}", "-m", str(machine.memory), "-smp", str(machine.processors)]
    arguments += ["-nodefaults", "-no-user-config", "-display", "none", "-no-reboot", "-kernel", f"{machine.kernel}/bzImage", "-append", " ".join(shared)]
    arguments += ["-chardev", "stdio,id=log,signal=off", "-serial", "chardev:log"]
    arguments += ["-chardev", f"socket,id=technician,fd={technician}", "-serial", "chardev:technician"]
    arguments += ["-device", "virtio-serial-pci", "-chardev", f"socket,id=agent,fd={agent}", "-device", "virtserialport,chardev=agent,nr=1"]
    arguments += ["-chardev", f"socket,id=laptop,fd={laptop}", "-device", "virtserialport,chardev=laptop,nr=2"]
    arguments += ["-virtfs", "local,path=/,mount_tag=root,security_model=none,readonly=on,multidevs=remap"]
    arguments += ["-virtfs", f"local,path={machine.work_dir},mount_tag=work,security_model=none,multidevs=remap"]
    arguments += ["-netdev", "user,id=net", "-device", "virtio-net-pci,netdev=net,romfile="]
    if machine.disk and machine.write_log:
        arguments += ["-blockdev", f"driver=raw,node-name=disk,file.driver=file,file.filename={machine.disk}"]
        arguments += ["-blockdev", f"driver=file,node-name=log,filename={machine.write_log}"]
        arguments += ["-blockdev", "driver=blklogwrites,node-name=logged,file=disk,log=log,log-super-update-interval=1"]
        arguments += ["-device", "virtio-blk-pci,drive=logged,write-cache=on"]
    elif machine.disk:
        arguments += ["-drive", f"file={machine.disk},format=raw,if=virtio,cache=writeback"]
    return [(arguments, [agent, technician, laptop])]


def start(arguments, fds, log, memory, is_patient):
    """Starts one part as a session of its own; a patient one gets less of the processors than others want."""
    environment = os.environ | {"TMPDIR": memory_folder(memory)}
    process = subprocess.Popen(arguments, pass_fds=fds, stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True, env=environment)
    if is_patient:
        os.setpriority(os.PRIO_PROCESS, process.pid, PATIENT)
        # With autogroups (sched(7)) it is the priority of the session that counts among sessions.
        if os.path.exists(f"/proc/{process.pid}/autogroup"):
            with open(f"/proc/{process.pid}/autogroup", "w", encoding="ascii") as file:
                file.write(str(PATIENT))
    return process


def processor_seconds(groups):
    """The processor time of process groups with their ended children, in seconds."""
    ticks = 0
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{name}/stat", encoding="utf-8", errors="replace") as file:
                fields = file.read().rpartition(")")[2].split()
        except OSError:
            continue  # It has ended meanwhile.
        if int(fields[2]) in groups:
            ticks += sum(map(int, fields[11:15]))  # utime, stime, and those of ended children
    return ticks / os.sysconf("SC_CLK_TCK")


class Guard:
    """A process that kills the machine when this one is gone, however it went."""

    SCRIPT = 'read -r word; [ "$word" = dismissed ] && exit; for p in $1; do kill -s KILL -- "-$p"; done; shift; rm -rf -- "$@"'

    def __init__(self, groups, folders):
        arguments = ["sh", "-c", self.SCRIPT, "rig-guard", " ".join(str(group) for group in groups), *folders]
        null = subprocess.DEVNULL
        self._process = subprocess.Popen(arguments, stdin=subprocess.PIPE, stdout=null, stderr=null, start_new_session=True)

    def dismiss(self):
        """Ends the guard without harm."""
        self._process.communicate(b"dismissed\n")


def memory_folder(megabytes):
    """A folder with room for the memory of User-Mode Linux, which is a file that must be executable."""
    for folder in ("/dev/shm", os.environ.get("TMPDIR"), "/tmp", "/var/tmp"):
        if not folder or not os.access(folder, os.W_OK):
            continue
        if os.statvfs(folder).f_flag & os.ST_NOEXEC or shutil.disk_usage(folder).free < megabytes << 20:
            continue
        return folder
    return os.environ.get("TMPDIR", "/tmp")


def remove_quietly(path):
    """Removes a file that may not be there."""
    try:
        os.remove(path)
    except FileNotFoundError:
        pass
