# SPDX-License-Identifier: Apache-2.0
"""The files of a Raspberry Pi as texts: configuration, overlay, end of config.txt, choice of the configuration, reference page."""

import re

from models import ACCELEROMETER, BUTTONS, HEADER, LAMP, LIGHTS, MODELS, NAMES, POWER, SERIAL, SHUTTER, UNKNOWN, ZONE, pin

OVERLAY = "platen-rig"
ORIGIN = "board/rpi/generate writes this file from board/rpi/models.py; change the table there."


def configuration(model=None):
    """The configuration for a model; without one for any Raspberry Pi, with lights that need no overlay of ours."""
    camera = model.camera if model else UNKNOWN
    name = f"a {model.name}, {model.memory}" if model else "any Raspberry Pi, without an overlay of its own"
    lines = [f"# Platen on {name}: copy to /etc/platen/platen.yaml and set rig.id and targets.", f"# {ORIGIN}"]
    lines += [f"# {note}" for note in ([model.remark] if model and model.remark else [])]
    lines += [
        "rig: { id: rig-1 }", "board: linux", "camera:", f"  preset: {camera.preset}", f"  frame_rate: {camera.frame_rate}",
        f"  maximum_captures: {camera.maximum_captures}", "  mounting_angle: 0", "shutter:",
        f"  line: GPIO{SHUTTER.gpio}   # pin {pin(SHUTTER.gpio)}, ground at pin {SHUTTER.ground}", "  bias: pull-up", "  active_low: true",
        f"# With the power button at pin {pin(POWER.gpio)}, ground at pin {POWER.ground}, in place of \"shutter\":", "# buttons:"]
    lines += [f"#   {button.name}: {{ line: GPIO{button.gpio}, {button.gesture} }}" for button in BUTTONS]
    lines += ["accelerometer:"]
    if model:
        lines += [f"  device: {ACCELEROMETER.device}   # polled, unless config.txt has \"dtoverlay={OVERLAY},interrupt=on\""]
    else:
        lines += [f"  device: {ACCELEROMETER.device}   # with dtoverlay={ACCELEROMETER.device} in /boot/firmware/config.txt",
                  f"  trigger: none   # leave this line out where the sensor's INT is wired to GPIO {ACCELEROMETER.interrupt}"]
    lines += ["indicators:"]
    for light in LIGHTS:
        wire = f'led: "{light.label}"' if model else f"line: GPIO{light.gpio}"
        line = f"GPIO{light.gpio}, " if model else ""
        lines.append(f"  {light.role}: {{ {wire} }}   # {line}pin {pin(light.gpio)}, ground at pin {light.ground}")
    return "\n".join([
        *lines, f"# lamp: {{ line: GPIO{LAMP.gpio}, {LAMP.settings} }}   # pin {pin(LAMP.gpio)}, ground at pin {LAMP.ground}",
        "thermal:", f"  zones: [{ZONE}]", "power: { method: logind }   # off at 90 °C; needs polkit/50-platen.rules",
        "spool: { directory: /var/lib/platen }", "api: { socket_group: platen-console }   # the technician's group", ""])


def overlay():
    """The overlay's source: the lights as LEDs of the kernel, and the accelerometer; lines of buttons and lamp are the service's."""
    lights = "\n".join(
        f'        led-{light.role} {{\n          label = "{light.label}";\n          gpios = <&gpio {light.gpio} 0>;\n'
        '          default-state = "off";\n          linux,default-trigger = "none";\n        };' for light in LIGHTS)
    matrix = ", ".join(f'"{number}"' for number in ACCELEROMETER.matrix)
    return f"""\
// SPDX-License-Identifier: Apache-2.0
// {ORIGIN}
// dtoverlay={OVERLAY}                the accelerometer is polled
// dtoverlay={OVERLAY},interrupt=on   its INT is wired to GPIO {ACCELEROMETER.interrupt}
/dts-v1/;
/plugin/;
/ {{
  compatible = "brcm,bcm2835";

  fragment-0 {{
    target-path = "/";
    __overlay__ {{
      rig-leds {{
        compatible = "gpio-leds";
{lights}
      }};
    }};
  }};

  fragment-1 {{
    target = <&i2c1>;
    __overlay__ {{
      #address-cells = <1>;
      #size-cells = <0>;
      status = "okay";
      rig_accelerometer: accelerometer@{ACCELEROMETER.address:x} {{
        compatible = "{ACCELEROMETER.compatible}";
        reg = <{ACCELEROMETER.address:#x}>;
        mount-matrix = {matrix};
      }};
    }};
  }};

  fragment-2 {{
    target = <&rig_accelerometer>;
    __dormant__ {{
      interrupt-parent = <&gpio>;
      interrupts = <{ACCELEROMETER.interrupt} 1>;
    }};
  }};

  __overrides__ {{
    interrupt = <0>,"=2";
  }};
}};
"""


def boot(model):
    """The end of config.txt for a model."""
    line, device = model.uart
    watchdog = ["dtparam=watchdog=on"] if model.has_watchdog_parameter else ["# The watchdog needs no line on this model."]
    return "\n".join([
        f"# Platen on a {model.name}: the end of /boot/firmware/config.txt.", f"# {ORIGIN}", "[all]", "dtparam=i2c_arm=on", *watchdog,
        f"# The console at the pins {pin(SERIAL[0])} (TX) and {pin(SERIAL[1])} (RX), {device}:", line, *usb_console(model.gadget),
        f"# Lights and accelerometer; {OVERLAY}.dtbo belongs into the folder overlays.",
        f"# Where the accelerometer's INT is wired to GPIO {ACCELEROMETER.interrupt}: dtoverlay={OVERLAY},interrupt=on",
        f"dtoverlay={OVERLAY}", *([f"# {model.remark}"] if model.remark else []), ""])


def usb_console(gadget):
    """The lines of config.txt for the console on USB; comments where USB cameras and drives would lose the only port."""
    if gadget is None:
        return ["# There is no console on USB for this model."]
    if gadget.is_only:
        return [f"# The console on USB ({gadget.port}), in place of USB cameras and drives: remove the number signs.",
                *(f"#{line}" for line in gadget.lines)]
    return [f"# The console on USB, too ({gadget.port}):", *gadget.lines]


def chooser():
    """The script that chooses the configuration of this machine."""
    # A longer beginning first: one model's may be the beginning of another's.
    begins = sorted(((text, model.key) for model in MODELS for text in model.begins), key=lambda pair: (-len(pair[0]), pair[0]))
    cases = "\n".join(f'  "{text}"*) name={key} ;;' for text, key in begins)
    return f"""\
#!/bin/sh
# Prints the path of the configuration that fits this machine: board/rpi/default-configuration [FILE]
# FILE, else PLATEN_MODEL_FILE, replaces /proc/device-tree/model. A machine that is no known model gets platen.yaml.
# {ORIGIN}
set -eu
folder=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
file=${{1:-${{PLATEN_MODEL_FILE:-/proc/device-tree/model}}}}
model=
[ ! -r "$file" ] || model=$(tr -d '\\000' <"$file")
case $model in
{cases}
  *) name=platen ;;
esac
printf '%s/%s.yaml\\n' "$folder" "$name"
"""


def page():
    """The reference page of pins, parts and models."""
    table = ["| part | line | pin | in the configuration |", "|---|---|---|---|"]
    table += [f"| {words} | {lines} | {pins} | {setting} |" for words, lines, pins, setting in wiring()]
    models = ["| model | memory | pictures | pictures in the making | supply | camera cable | serial line "
              "| console on USB | configuration |", "|---|---|---|---|---|---|---|---|---|"]
    models += [f"| {model.name} | {model.memory} | `{model.camera.preset}`, up to {model.camera.frame_rate} frames a second "
               f"| {model.camera.maximum_captures} | {model.supply} | {model.cable} | `{model.uart[1]}` "
               f"| {port(model.gadget)} | `{model.key}.yaml` |" for model in MODELS]
    remarks = [f"- {model.name}: {model.remark}" for model in MODELS if model.remark]
    return "\n".join([
        "# Wiring and models", "", "`board/rpi/generate` writes this page from `board/rpi/models.py`.", "",
        "All models have the same 40 pins, so one wiring serves all of them. A Compute Module has the pins on its IO board.", "",
        "![A 40-pin header with buttons, lights, accelerometer and lamp](../how-to/wiring.svg)", "", "## Pins", "", *table, "",
        f"The overlay `{OVERLAY}` makes the lights kernel LEDs and declares the accelerometer. "
        "Its parameter `interrupt=on` names the INT pin.",
        "Buttons and lamp are lines that the service takes itself.", "", "## Models", "", *models, "", *remarks, "",
        "The configurations are in `board/rpi`, each with the end of its `/boot/firmware/config.txt`, for example `rpi-4.config.txt`.",
        "`board/rpi/default-configuration` prints the path of the configuration for the machine it runs on: `platen.yaml` on any other Raspberry Pi.",
        "`platen.yaml` uses no overlay of its own: its lights are plain lines.", ""])


def named(page):
    """The page of the devices' names, with its first table made anew."""
    table = ["| model | header lines | chip of the header | thermal zone | undervoltage alarm | throttle flags, below `/sys/devices/platform` "
             "| lights on the board |", "|---|---|---|---|---|---|---|"]
    for names in NAMES:
        lights = ", ".join(f"`{light}`" for light in names.lights) + (f"; {names.exception}" if names.exception else "")
        table.append(f"| {names.models} | {names.lines} | `{names.chip}` | `{ZONE}` | hwmon `rpi_volt` | `{names.flags}` | {lights} |")
    return re.sub(r"^\| model \|.*?\n\n", lambda _: "\n".join([*table, "", ""]), page, count=1, flags=re.DOTALL | re.MULTILINE)


def port(gadget):
    """The port of the console on USB, in a table."""
    if gadget is None:
        return "none"
    return f"{gadget.port}{', in place of cameras and drives' if gadget.is_only else ''}"


def wiring():
    """Rows of what is wired: the part, its lines, its pins, and its place in the configuration."""
    for button in BUTTONS:
        setting = "`shutter`" if button is SHUTTER else f"`buttons.{button.name}`, `{button.gesture}`"
        yield (f"{button.name} button{', optional' if button.is_optional else ''}", f"GPIO {button.gpio} to ground",
               f"{pin(button.gpio)}, ground {button.ground}", setting)
    for light in LIGHTS:
        yield (f"{light.role} light, {light.color} LED", f"GPIO {light.gpio}, resistor of {light.ohms} Ω, LED to ground",
               f"{pin(light.gpio)}, ground {light.ground}", f"`indicators.{light.role}`, kernel LED `{light.label}`")
    sensor = ACCELEROMETER
    yield (f"accelerometer {sensor.device.upper()} (board GY-521)",
           f"I²C 1 (GPIO {sensor.sda} SDA, GPIO {sensor.scl} SCL), address {sensor.address:#x}; INT at GPIO {sensor.interrupt}, optional",
           f"{sensor.supply} ({HEADER[sensor.supply - 1]}), {pin(sensor.sda)}, {pin(sensor.scl)}, ground {sensor.ground}; "
           f"INT {pin(sensor.interrupt)}", "`accelerometer`")
    yield ("lamp, optional", f"GPIO {LAMP.gpio} to the input of a driver for 3.3 V", f"{pin(LAMP.gpio)}, ground {LAMP.ground}", "`lamp`")
    yield ("serial console, optional", f"GPIO {SERIAL[0]} TX, GPIO {SERIAL[1]} RX", f"{pin(SERIAL[0])}, {pin(SERIAL[1])}, any ground", "")
