# SPDX-License-Identifier: Apache-2.0
"""What is wired where in the virtual rig: the one place that names lines, LEDs, chips and folders."""

CHIP = "pinctrl-bcm2835"  # label of the GPIO chip, as on a Pi
LINES = 54

SHUTTER = 17  # active low: the pull-up holds it high, a press pulls it down
SHUTTER_NAME = "SHUTTER"
PEDAL = 4  # a second button, wired alike
PEDAL_NAME = "PEDAL"

# LEDs that the service drives as plain GPIO lines: line name -> offset.
LED_LINES = {"LED_READY": 22, "LED_BUSY": 5, "LED_FAULT": 6}

# LEDs of the kernel's LED class (leds-gpio): LED name -> offset of the line behind it.
CLASS_LEDS = {"rig:green:ready": 23, "rig:red:fault": 24, "rig:blue:upload": 25, "rig:white:lamp": 27}

ACCEL_ADDRESS = 0x18  # LIS3DH
MPU6050_ADDRESS = 0x68  # on a bus of its own, when a test plugs it in
ACCEL_TRIGGER = "rigtrig"  # hrtimer trigger, 100 Hz
THERMAL_ZONE = "cpu-thermal"  # trips: passive 70, hot 80, critical 110 degrees Celsius

GUEST_ADDRESS = "10.0.2.15"
HOST_ADDRESS = "10.0.2.2"  # the host's own 127.0.0.1, seen from the guest

DATA = "/var/lib/platen"  # the data disk, ext4
HOST_ROOT = "/mnt/host"  # the host's files without anything mounted over them
TECHNICIAN = "/dev/ttyS1"  # the technician's serial line
LAPTOP = {"uml": "/dev/ttyS2", "qemu": "/dev/vport0p2"}  # the other end of its cable

# Gravity in the rig's frame for each position, in mg. A frame with the matrix M reads inverse(M) times this.
POSITIONS = {
    "portrait": (0, 1000, 0),
    "upside-down": (0, -1000, 0),
    "landscape-left": (1000, 0, 0),
    "landscape-right": (-1000, 0, 0),
    "face-up": (0, 0, 1000),
    "face-down": (0, 0, -1000),
}
# By how much the rig is turned clockwise, as seen from behind the camera, in each of the upright positions.
CLOCKWISE = {0: "portrait", 90: "landscape-right", 180: "upside-down", 270: "landscape-left"}
