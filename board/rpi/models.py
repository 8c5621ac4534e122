# SPDX-License-Identifier: Apache-2.0
"""The table of the Raspberry Pis that a rig is built with, and of what is wired to their header; board/rpi/generate reads it."""

from dataclasses import dataclass

# Pins 1 to 40, the odd ones on the side of pin 1: numbers are GPIO lines, which every model calls GPIO16 to GPIO27 from 16 on.
HEADER = ("3.3 V", "5 V", 2, "5 V", 3, "ground", 4, 14, "ground", 15, 17, 18, 27, "ground", 22, 23, "3.3 V", 24, 10, "ground",
          9, 25, 11, 8, "ground", 7, 0, 1, 5, "ground", 6, 12, 13, "ground", 19, 16, 26, 20, "ground", 21)


def pin(gpio):
    """The pin of a GPIO line.

    >>> pin(17), pin(2), pin(21)
    (11, 3, 40)
    """
    return HEADER.index(gpio) + 1


@dataclass(frozen=True)
class Button:
    """A push button between a line and ground; `gesture`: the key and the action of the configuration."""

    name: str
    gpio: int
    ground: int
    gesture: str
    is_optional: bool = False


@dataclass(frozen=True)
class Light:
    """An LED between a line, a resistor of `ohms`, and ground."""

    role: str
    color: str
    gpio: int
    ground: int
    ohms: int

    @property
    def label(self):
        """The name below /sys/class/leds."""
        return f"rig:{self.color}:{self.role}"


@dataclass(frozen=True)
class Lamp:
    """A line to the input of a lamp's driver; `settings`: the keys of the configuration besides the line."""

    gpio: int
    ground: int
    settings: str


@dataclass(frozen=True)
class Accelerometer:
    """A sensor on the bus I2C 1; `interrupt`: the line of INT, which need not be wired."""

    device: str
    compatible: str
    address: int
    matrix: tuple
    supply: int
    ground: int
    sda: int
    scl: int
    interrupt: int


SHUTTER = Button("shutter", 17, 9, "single: shoot")
POWER = Button("power", 26, 39, "hold: power_off", is_optional=True)
BUTTONS = (SHUTTER, POWER)
LIGHTS = (Light("ready", "green", 23, 14, 330), Light("fault", "red", 24, 20, 330), Light("upload", "blue", 25, 30, 100))
LAMP = Lamp(27, 25, "mode: shot, lead_time: 350 ms, hold_time: 2 s")
ACCELEROMETER = Accelerometer("mpu6050", "invensense,mpu6050", 0x68, (1, 0, 0, 0, 1, 0, 0, 0, 1), 1, 6, 2, 3, 4)
SERIAL = (14, 15)  # TX and RX of the console


@dataclass(frozen=True)
class Camera:
    """What fits the model's memory: docs/reference/cameras.md has the table behind it."""

    preset: str
    frame_rate: int
    maximum_captures: int


@dataclass(frozen=True)
class Names:
    """What the kernel of Raspberry Pi OS calls the devices of some models; docs/reference/raspberry-pi.md has its sources.

    `chip`: the label that the kernel's driver gives to the chip of the header, which is `compatible`; `firmware`: a node of the tree;
    `lights`: those on the board; `exception`: a model that has not all of them.
    """

    models: str
    chip: str
    compatible: str
    firmware: str
    lights: tuple
    lines: str = "`GPIO2` … `GPIO27`"
    exception: str = ""

    @property
    def flags(self):
        """The folder of the firmware's flags below /sys/devices/platform, which is named after the node and the one above it.

        >>> Names("", "", "", "/soc@107c000000/firmware", ()).flags
        'soc@107c000000/soc@107c000000:firmware'
        """
        above, name = self.firmware.strip("/").split("/")
        return f"{above}/{above}:{name}"


# On every model.
ZONE = "cpu-thermal"
BCM2835 = ("pinctrl-bcm2835", "brcm,bcm2835-gpio", "/soc/firmware")
NAMES_OF_ZERO = Names("Zero 2 W, Zero 2", *BCM2835, ("ACT",))
NAMES_OF_3 = Names("3 B, 3 B+, 3 A+, Compute Module 3", *BCM2835, ("ACT", "PWR"), "the same; `GPIO16` … `GPIO27` on a 3 B")
NAMES_OF_4 = Names("4 B, 400, Compute Module 4", "pinctrl-bcm2711", "brcm,bcm2711-gpio", "/soc/firmware", ("ACT", "PWR"),
                   exception="a 400 has `PWR` alone")
NAMES_OF_5 = Names("5, 500, Compute Module 5", "pinctrl-rp1", "raspberrypi,rp1-gpio", "/soc@107c000000/firmware", ("ACT", "PWR"))
NAMES = (NAMES_OF_ZERO, NAMES_OF_3, NAMES_OF_4, NAMES_OF_5)


@dataclass(frozen=True)
class Tree:
    """A device tree of Debian's kernel; `suites`: those with the header in it; `labels`: Raspberry Pi's own tree has them, too.

    `lacks`: the names, of the zone and of lights, that are not in this tree.
    """

    file: str
    names: Names
    suites: tuple = ("trixie-backports", "trixie")
    labels: tuple = ()
    lacks: tuple = ()
    stands_for: str = ""


@dataclass(frozen=True)
class Gadget:
    """A USB port by which the board can be a device, for the console; `is_only`: cameras and drives would lose their port."""

    port: str
    lines: tuple = ("dtoverlay=dwc2,dr_mode=peripheral",)
    is_only: bool = False


@dataclass(frozen=True)
class Model:
    """A board; `begins`: how /proc/device-tree/model begins; `uart`: the line of config.txt and the console's device.

    `gadget`: None where no port of the board can be a USB device.
    """

    key: str
    name: str
    begins: tuple
    memory: str
    trees: tuple
    camera: Camera
    uart: tuple
    has_watchdog_parameter: bool
    supply: str
    cable: str
    gadget: Gadget | None
    remark: str = ""


SMALL = Camera("1080p", 15, 2)
MEDIUM = Camera("1080p", 30, 2)
LARGE = Camera("full", 30, 3)
UNKNOWN = Camera("1080p", 30, 3)

MINI_UART = ("enable_uart=1", "ttyS0")
RP1_UART = ("dtparam=uart0=on", "ttyAMA0")
# Debian 13's own kernel stops before the chip RP1, which has the header; the later one names its parts without these two labels.
# Nor has it the zone and the lights of the board.
RP1 = NAMES_OF_5, ("trixie-backports",), (("gpio", "rp1_gpio"), ("i2c1", "rp1_i2c1")), (ZONE, *NAMES_OF_5.lights)
# The port of the power supply, which serves nothing else.
SUPPLY_PORT = Gadget("USB-C")
IO_BOARD = 'A camera at the connector CAM1 is not found by itself: add its sensor to config.txt, for example "dtoverlay=imx708".'

MODELS = (
    Model("rpi-zero-2-w", "Raspberry Pi Zero 2 W", ("Raspberry Pi Zero 2",), "512 MB", (Tree("bcm2837-rpi-zero-2-w.dtb", NAMES_OF_ZERO),), SMALL,
          MINI_UART, True, "5 V 2.5 A, micro USB", "22 pins", Gadget("micro USB, marked USB", is_only=True)),
    Model("rpi-3", "Raspberry Pi 3 (3 B, 3 B+, 3 A+)", ("Raspberry Pi 3 Model",), "512 MB (3 A+) or 1 GB",
          (Tree("bcm2837-rpi-3-b.dtb", NAMES_OF_3, lacks=("PWR",)), Tree("bcm2837-rpi-3-b-plus.dtb", NAMES_OF_3),
           Tree("bcm2837-rpi-3-a-plus.dtb", NAMES_OF_3)), MEDIUM,
          MINI_UART, True, "5 V 2.5 A, micro USB", "15 pins", None),
    Model("rpi-4", "Raspberry Pi 4 (4 B, 400)", ("Raspberry Pi 4 Model", "Raspberry Pi 400"), "1 to 8 GB",
          (Tree("bcm2711-rpi-4-b.dtb", NAMES_OF_4), Tree("bcm2711-rpi-400.dtb", NAMES_OF_4, lacks=("ACT",))), LARGE,
          MINI_UART, True, "5 V 3 A, USB-C", "15 pins", SUPPLY_PORT,
          'With 1 GB take "preset: 1080p". A 400 takes USB cameras only.'),
    Model("rpi-5", "Raspberry Pi 5 (5, 500)", ("Raspberry Pi 5",), "1 to 16 GB", (Tree("bcm2712-rpi-5-b.dtb", *RP1),), LARGE,
          RP1_UART, False, "5 V 5 A, USB-C", "22 pins", SUPPLY_PORT,
          "The board has a power button of its own, which logind serves. A 500 takes USB cameras only."),
    Model("rpi-cm4", "Raspberry Pi Compute Module 4 with IO board", ("Raspberry Pi Compute Module 4",), "1 to 8 GB",
          (Tree("bcm2711-rpi-cm4-io.dtb", NAMES_OF_4),), LARGE, MINI_UART, True, "12 V 2 A, barrel connector", "22 pins",
          # Raspberry Pi OS has "otg_mode=1" for the module, which gives the port to a controller that is no device.
          Gadget("micro USB", ("otg_mode=0", "dtoverlay=dwc2,dr_mode=peripheral"), is_only=True), IO_BOARD),
    Model("rpi-cm5", "Raspberry Pi Compute Module 5 with IO board", ("Raspberry Pi Compute Module 5",), "2 to 16 GB",
          (Tree("bcm2712-rpi-5-b.dtb", *RP1, stands_for="Debian has no tree of it; the header is on the same chip RP1"),),
          LARGE, RP1_UART, False, "5 V 5 A, USB-C", "22 pins", SUPPLY_PORT,
          f"{IO_BOARD} The IO board has a power button of its own, which logind serves."),
)
