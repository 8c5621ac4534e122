# SPDX-License-Identifier: Apache-2.0
"""The wiring as a drawing: the header, a box for each part with its wires, the parts to buy, and each model's remarks."""

from dataclasses import dataclass
from xml.sax.saxutils import escape

from models import ACCELEROMETER, BUTTONS, HEADER, LAMP, LIGHTS, MODELS, SERIAL, SHUTTER, pin

WIDTH, TOP, STEP = 980, 76, 28  # of the drawing; of the first row of pins; from row to row
ROWS = len(HEADER) // 2
SIDES = {"left": {"pin": 460, "label": 424, "anchor": "end", "name_end": 366, "box": 20},
         "right": {"pin": 520, "label": 556, "anchor": None, "name_end": 614, "box": 720}}
BOX_WIDTH, LINE = 240, 17
INK, PALE, GROUND, FREE = "#1a1a1a", "#6a6a6a", "#4d4d4d", "#c9c9c9"
COLORS = {"shutter": "#b35900", "power": "#00707a", "green": "#1b7f37", "red": "#c4161c", "blue": "#1454c4", "accelerometer": "#7a1fa2",
          "lamp": "#8a6d00"}


@dataclass
class Box:
    """A part beside the header; `wires`: pairs of a pin and whether it is optional."""

    title: str
    lines: tuple
    color: str
    wires: tuple
    top: float = 0

    @property
    def side(self):
        return side_of(self.wires[0][0])

    @property
    def height(self):
        return 24 + LINE * len(self.lines)


def side_of(number):
    """The side of the header that a pin is on."""
    return "left" if number % 2 else "right"


def row_of(number):
    """The height of a pin's row."""
    return TOP + STEP * ((number - 1) // 2)


def boxes():
    """The parts as boxes; a ground on the other side of the header, or far from its part, is a box of its own."""
    found = []
    for button in BUTTONS:
        is_optional = button.is_optional
        name = f"{button.name} button{' (optional)' if is_optional else ''}"
        found.append(Box(name, (f"GPIO {button.gpio}, pin {pin(button.gpio)}, to pin {button.ground}",), COLORS[button.name],
                         ((pin(button.gpio), is_optional), (button.ground, is_optional))))
    for light in LIGHTS:
        found.append(Box(f"{light.role} light ({light.color}), GPIO {light.gpio}",
                         (f"pin {pin(light.gpio)}, {light.ohms} Ω, LED, pin {light.ground}",), COLORS[light.color],
                         ((pin(light.gpio), False), (light.ground, False))))
    sensor = ACCELEROMETER
    lines = (f"VCC: 3.3 V, pin {sensor.supply}", f"SDA: GPIO {sensor.sda}, pin {pin(sensor.sda)}",
             f"SCL: GPIO {sensor.scl}, pin {pin(sensor.scl)}", f"INT: GPIO {sensor.interrupt}, pin {pin(sensor.interrupt)} (optional)")
    found.append(Box(f"accelerometer {sensor.device.upper()}", lines, COLORS["accelerometer"],
                     ((sensor.supply, False), (pin(sensor.sda), False), (pin(sensor.scl), False), (pin(sensor.interrupt), True))))
    found.append(Box(f"accelerometer, GND, pin {sensor.ground}", (), GROUND, ((sensor.ground, False),)))
    found.append(Box("lamp (optional)", (f"GPIO {LAMP.gpio}, pin {pin(LAMP.gpio)}, to a driver",), COLORS["lamp"],
                     ((pin(LAMP.gpio), True),)))
    found.append(Box(f"lamp's driver, GND, pin {LAMP.ground}", (), GROUND, ((LAMP.ground, True),)))
    for side in SIDES:
        bottom = 0
        for box in sorted((box for box in found if box.side == side), key=lambda box: min(number for number, _ in box.wires)):
            box.top = max(min(row_of(number) for number, _ in box.wires) - 16, bottom + 10)
            bottom = box.top + box.height
    return found


def _text(x, y, words, size=13, weight=None, anchor=None, fill=INK):
    more = "".join(f' {key}="{value}"' for key, value in (("font-weight", weight), ("text-anchor", anchor)) if value)
    return f'  <text x="{x:g}" y="{y:g}" font-size="{size}" fill="{fill}"{more}>{escape(words)}</text>'


def _pins(parts):
    """The header: the color of each used pin, and the name of each line."""
    colors = {number: GROUND if HEADER[number - 1] == "ground" else box.color for box in parts for number, _ in box.wires}
    shapes = [f'  <rect x="{SIDES["left"]["pin"] - 28}" y="{TOP - 22}" width="116" height="{STEP * ROWS + 16}" rx="8" fill="#f1f1f1" '
              'stroke="#5a5a5a" stroke-width="1.5"/>']
    for number, name in enumerate(HEADER, 1):
        side, y, color = SIDES[side_of(number)], row_of(number), colors.get(number, FREE)
        x, ink = side["pin"], "#ffffff" if number in colors else INK
        shapes.append(f'  <rect x="{x - 9}" y="{y - 9}" width="18" height="18" fill="{color}"/>' if number == 1 else
                      f'  <circle cx="{x}" cy="{y}" r="9" fill="{color}"/>')
        shapes.append(_text(x, y + 4, str(number), 10, anchor="middle", fill=ink))
        shapes.append(_text(side["label"], y + 4, f"GPIO {name}" if isinstance(name, int) else name, 12,
                            "bold" if number in colors else None, side["anchor"], INK if number in colors else PALE))
    return shapes


def _part(box, elbows):
    """A box and its wires, each with an elbow of its own where it is not straight."""
    side = SIDES[box.side]
    edge = side["box"] + BOX_WIDTH if box.side == "left" else side["box"]
    shapes = [f'  <rect x="{side["box"]}" y="{box.top:g}" width="{BOX_WIDTH}" height="{box.height:g}" rx="6" fill="#ffffff" '
              f'stroke="{box.color}" stroke-width="2"/>', _text(side["box"] + 10, box.top + 17, box.title, weight="bold")]
    shapes += [_text(side["box"] + 10, box.top + 17 + LINE * (number + 1), line) for number, line in enumerate(box.lines)]
    for number, is_optional in box.wires:
        y = row_of(number)
        start = min(max(y, box.top + 8), box.top + box.height - 8)
        points = [(edge, start), (side["name_end"], y)]
        if start != y:
            elbows[box.side] = elbows.get(box.side, 0) + 1
            bend = edge + (14 + 14 * (elbows[box.side] % 4)) * (1 if box.side == "left" else -1)
            points[1:1] = [(bend, start), (bend, y)]
        color = GROUND if HEADER[number - 1] == "ground" else box.color
        way, dashes = " ".join(f"{x:g},{y:g}" for x, y in points), ' stroke-dasharray="5 4"' if is_optional else ""
        shapes.append(f'  <polyline points="{way}" fill="none" stroke="{color}" stroke-width="2"{dashes}/>')
    return shapes


def parts_list():
    """The parts to buy, a line each."""
    yield f"1 push button without a latch (another one for {', '.join(button.name for button in BUTTONS if button.is_optional)}, optional)"
    for light in LIGHTS:
        yield f"1 LED, {light.color}, with a resistor of {light.ohms} Ω ({light.role})"
    yield f"1 accelerometer {ACCELEROMETER.device.upper()} on a board GY-521, address {ACCELEROMETER.address:#x}; 4 wires, 5 with INT"
    yield "1 camera with the cable for the model's connector, or a USB camera"
    yield "1 lamp with a driver whose input takes 3.3 V (optional)"


def svg():
    """The whole drawing."""
    parts = boxes()
    below = max(max(box.top + box.height for box in parts), TOP + STEP * ROWS) + 34
    notes = ["GPIO lines carry 3.3 V. Pins 2 and 4 carry 5 V. Gray circles stay free. Dashed wires are optional.",
             f"Serial console, where wanted: TX pin {pin(SERIAL[0])}, RX pin {pin(SERIAL[1])}, any ground."]
    blocks = [("Notes", notes), ("Parts", list(parts_list())),
              ("Models", [f"{model.name}: supply {model.supply}; camera cable {model.cable}" for model in MODELS])]
    body, elbows, y = [], {}, below
    for box in parts:
        body += _part(box, elbows)
    for title, lines in blocks:
        body.append(_text(20, y, title, 14, "bold"))
        body += [_text(20, y + 20 * (number + 1), line) for number, line in enumerate(lines)]
        y += 20 * (len(lines) + 1) + 14
    height = int(y)
    lights = ", ".join(f"{light.role} light at GPIO {light.gpio} (pin {pin(light.gpio)})" for light in LIGHTS)
    description = (f"Shutter button at GPIO {SHUTTER.gpio} (pin {pin(SHUTTER.gpio)}), {lights}, accelerometer at I2C 1 (pins "
                   f"{ACCELEROMETER.supply}, {pin(ACCELEROMETER.sda)}, {pin(ACCELEROMETER.scl)}, {ACCELEROMETER.ground}; INT at pin "
                   f"{pin(ACCELEROMETER.interrupt)}), an optional lamp at GPIO {LAMP.gpio} (pin {pin(LAMP.gpio)}).")
    return "\n".join([
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}" role="img" '
        'aria-labelledby="title description" font-family="sans-serif" font-size="13">',
        "  <!-- board/rpi/generate draws this from board/rpi/models.py. -->",
        '  <title id="title">Wiring of a rig at the 40-pin header of a Raspberry Pi</title>',
        f'  <desc id="description">{escape(description)}</desc>',
        f'  <rect x="1" y="1" width="{WIDTH - 2}" height="{height - 2}" rx="12" fill="#ffffff" stroke="#8a8a8a" stroke-width="2"/>',
        _text(WIDTH / 2, 32, "40-pin header, seen from above, pin 1 at the top left", 17, "bold", "middle"),
        *_pins(parts), *body, "</svg>", ""])
