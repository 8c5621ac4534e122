# SPDX-License-Identifier: Apache-2.0
"""Brings the rig's devices up in the guest: GPIO chip, LEDs, accelerometer, thermal zone, camera numbers, network."""

import contextlib
import glob
import os
import subprocess

import kernelcalls
import wiring
from smbus import SMBus

GPIO_SIM = "/sys/kernel/config/gpio-sim/rig"

# Those of the rig's devices. All of them would be some hundred terminals and disks as well: 2 s.
UDEV_SUBSYSTEMS = ("media", "video4linux", "gpio", "iio", "i2c-dev", "leds", "thermal", "dma_heap", "misc", "block", "net", "watchdog")


def write(path, text):
    """Writes `text` to the kernel file `path`; an error names the file."""
    with open(path, "w") as file:
        file.write(str(text))


def read(path):
    """The text of the kernel file `path` without the line's end."""
    with open(path) as file:
        return file.read().strip()


def open_files(process):
    """The paths of all that a process has open; without those that are closed meanwhile, and none when it has ended.

    >>> open_files("none")
    []
    """
    found, folder = [], f"/proc/{process}/fd"
    with contextlib.suppress(OSError):
        for descriptor in os.listdir(folder):
            with contextlib.suppress(OSError):
                found.append(os.readlink(f"{folder}/{descriptor}"))
    return found


def start_gpio():
    """Makes the GPIO chip with its named lines; those of the buttons are pulled up."""
    os.makedirs(f"{GPIO_SIM}/bank0")
    names = {wiring.SHUTTER: wiring.SHUTTER_NAME, wiring.PEDAL: wiring.PEDAL_NAME} | {offset: name for name, offset in wiring.LED_LINES.items()}
    for offset in sorted(names.keys() | set(wiring.CLASS_LEDS.values())):
        os.mkdir(f"{GPIO_SIM}/bank0/line{offset}")
        if offset in names:
            write(f"{GPIO_SIM}/bank0/line{offset}/name", names[offset])
    write(f"{GPIO_SIM}/bank0/num_lines", wiring.LINES)
    write(f"{GPIO_SIM}/bank0/label", wiring.CHIP)
    write(f"{GPIO_SIM}/live", 1)
    for button in (wiring.SHUTTER, wiring.PEDAL):
        write(f"{gpio_folder()}/sim_gpio{button}/pull", "pull-up")


def gpio_folder():
    """The folder with the simulated lines' value and pull files."""
    device, chip = read(f"{GPIO_SIM}/dev_name"), read(f"{GPIO_SIM}/bank0/chip_name")
    return f"/sys/devices/platform/{device}/{chip}"


def start_leds(modules):
    """Makes the class LEDs."""
    lines = ",".join(str(offset) for offset in wiring.CLASS_LEDS.values())
    names = ",".join(wiring.CLASS_LEDS)
    kernelcalls.load_module(f"{modules}/rig-leds.ko", f"chip={wiring.CHIP} lines={lines} names={names}")


def accel_bus():
    """The number of the emulated I2C bus."""
    for path in glob.glob("/sys/bus/i2c/devices/i2c-*/name"):
        if read(path).startswith("SMBus stub"):
            return int(path.split("/")[-2].removeprefix("i2c-"))
    raise LookupError("there is no emulated I2C bus; i2c-stub.ko is not loaded")


def start_accel_bus(modules):
    """Makes the I2C bus with a chip that answers WHO_AM_I like a LIS3DH and lies face up."""
    kernelcalls.load_module(f"{modules}/i2c-stub.ko", f"chip_addr={wiring.ACCEL_ADDRESS:#x}")
    with SMBus(accel_bus(), wiring.ACCEL_ADDRESS) as bus:
        for register in (0x0F, 0x8F):  # st_accel sets bit 7 to read several registers at once
            bus.write_byte(register, 0x33)
        bus.write_block(0xA8, (0, 0, 0, 0, 0x80, 0x3E))  # 1000 mg on z, shifted left by 4


def plug_accel(modules, matrix=None):
    """Binds the driver, sets 400 Hz (at the default of 1 Hz each reading takes 2 s) and makes the trigger."""
    text = f"bus={accel_bus()}" + (f" matrix={','.join(str(value) for value in matrix)}" if matrix else "")
    kernelcalls.load_module(f"{modules}/rig-accel.ko", text)
    write(f"{accel_folder()}/sampling_frequency", 400)
    os.makedirs(f"/sys/kernel/config/iio/triggers/hrtimer/{wiring.ACCEL_TRIGGER}", exist_ok=True)


def accel_folder():
    """The IIO folder of the accelerometer."""
    for path in glob.glob("/sys/bus/iio/devices/iio:device*/name"):
        if read(path) == "lis3dh":
            return os.path.dirname(path)
    raise LookupError("there is no IIO device \"lis3dh\"; the sensor is unplugged or its driver did not bind")


def thermal_folder():
    """The folder of the processor's thermal zone."""
    for path in glob.glob("/sys/class/thermal/thermal_zone*/type"):
        if read(path) == wiring.THERMAL_ZONE:
            return os.path.dirname(path)
    raise LookupError(f'there is no thermal zone "{wiring.THERMAL_ZONE}"; rig-thermal.ko is not loaded')


def start_udev(rules):
    """Starts udev, with the project's own rules, and waits until it has seen every device."""
    os.makedirs("/run/udev/rules.d", exist_ok=True)
    for path in rules:
        os.symlink(wiring.HOST_ROOT + path, f"/run/udev/rules.d/{os.path.basename(path)}")
    subprocess.run(["/lib/systemd/systemd-udevd", "--daemon"], check=True, stderr=subprocess.DEVNULL)
    subsystems = [f"--subsystem-match={name}" for name in UDEV_SUBSYSTEMS]
    subprocess.run(["udevadm", "trigger", "--action=add", *subsystems], check=True)
    subprocess.run(["udevadm", "settle", "--timeout=240"], check=True)


def network_card():
    """The name of the guest's network card, or None."""
    for name in sorted(os.listdir("/sys/class/net")):
        if name != "lo" and os.path.exists(f"/sys/class/net/{name}/device"):
            return name
    return None


def start_network():
    """Gives the card its address and the way to the host."""
    lines = ["link set lo up"]
    card = network_card()
    if card:
        lines += [f"address add {wiring.GUEST_ADDRESS}/24 dev {card}", f"link set {card} up", f"route add default via {wiring.HOST_ADDRESS}"]
    subprocess.run(["ip", "-batch", "-"], input="\n".join(lines) + "\n", text=True, check=True)


def start_all(modules, matrix, rules):
    """Brings every device up, in the order in which they depend on each other."""
    start_gpio()
    start_leds(modules)
    start_accel_bus(modules)
    plug_accel(modules, matrix)
    kernelcalls.load_module(f"{modules}/rig-thermal.ko")
    start_network()
    start_udev(rules)
