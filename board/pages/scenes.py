# SPDX-License-Identifier: Apache-2.0
"""Pages with known truth, as a rig's camera sees them: set, printed, laid on a desk, lit and photographed."""
import math
import random
import re
from pathlib import Path

import numpy
from PIL import Image, ImageDraw, ImageFilter, ImageFont

import scripts
from troubles import bend, hand, lit

ROOT = Path(__file__).resolve().parents[2]
FONTS = Path("/usr/share/fonts")
SERIF = ["truetype/liberation/LiberationSerif-Regular.ttf", "truetype/dejavu/DejaVuSerif.ttf",
         "truetype/liberation/LiberationSerif-Italic.ttf"]
SANS = ["truetype/liberation/LiberationSans-Regular.ttf", "truetype/dejavu/DejaVuSans.ttf",
        "truetype/liberation/LiberationSansNarrow-Regular.ttf"]
MONO = ["truetype/liberation/LiberationMono-Regular.ttf", "truetype/dejavu/DejaVuSansMono.ttf"]
OLD = ["opentype/didot/GFSDidot.otf"]
# The text is the simulated book's.
WORDS = re.search(r'"""\n(.*?)"""', (ROOT / "Sources/SimulatedDevices/Scene/Text/BookText.swift").read_text(), re.S)[1].split()
KINDS = ["serif", "sans", "mono", "columns", "table", "picture", "old print", "capitals", "digits", "empty"]
TROUBLES = ["none", "light", "noise", "glare", "hand", "blur", "cut off", "dark", "bent", "shadow"]
# The thresholds were set with pages of these seeds, and are checked with pages of others.
SETTING_SEEDS, CHECK_SEEDS = range(1, 1000), range(1001, 2000)
FRAME = (2592, 1944)
DPI = 150
PAPER = (int(8.27 * DPI), int(11.69 * DPI))


def sheet(kind, rng, turned=0):
    """Prints an upright page; returns it with the height of its letter x in pixels, 0 without letters.

    `turned`: the number of pages to turn in the same book.
    """
    if kind in scripts.SCRIPTS:
        return scripts.sheet(kind, rng, PAPER, DPI, FONTS), 0
    page = Image.new("RGB", PAPER, (236, 234, 226))
    if kind == "empty":
        return page, 0
    draw = ImageDraw.Draw(page)
    faces = {"mono": MONO, "old print": OLD, "sans": SANS, "table": SANS, "columns": SERIF + SANS, "picture": SERIF + SANS}
    face = rng.choice(faces.get(kind, SERIF))
    size = round(rng.uniform(10, 14) * DPI / 72)
    font = ImageFont.truetype(str(FONTS / face), size)
    ink = tuple(rng.randint(20, 60) for _ in range(3)) if kind != "old print" else (70, 52, 40)
    left, top, right, bottom = (round(side) for side in (PAPER[0] * 0.11, PAPER[1] * 0.09, PAPER[0] * 0.89, PAPER[1] * 0.91))
    if turned:
        rng = random.Random(rng.randrange(2 ** 32) + turned)
    # Narrow letters of 10 points need more than the whole text for a page.
    words = WORDS[rng.randrange(len(WORDS)):] + 2 * WORDS
    if kind == "capitals":
        words = [word.upper() for word in words]
    if kind == "digits":
        words = [str(rng.randrange(10 ** rng.randint(1, 6))) for _ in range(2000)]

    def column(x0, x1, y0, y1):
        y, words_left = y0, iter(words)
        word = next(words_left)
        while y + size * 1.3 < y1:
            x = x0 + (size * 1.5 if rng.random() < 0.12 else 0)
            end = x0 + (x1 - x0) * (rng.uniform(0.3, 1) if rng.random() < 0.12 else 1)
            while x + (width := draw.textlength(word + " ", font)) <= end:
                draw.text((x, y), word, ink, font)
                x, word = x + width, next(words_left)
            if x <= x0 + size * 1.5:
                draw.text((x, y), word, ink, font)
                word = next(words_left)
            y += size * 1.3

    if kind == "columns":
        middle = (left + right) // 2
        column(left, middle - size, top, bottom)
        column(middle + size, right, top, bottom)
    elif kind == "table":
        rows, columns = rng.randint(14, 24), rng.randint(3, 6)
        for row in range(rows + 1):
            y = top + (bottom - top) * row // rows
            draw.line((left, y, right, y), ink, 2)
            for cell in range(columns if row < rows else 0):
                text = rng.choice(words)[:9] if cell == 0 else f"{rng.uniform(1, 9999):.2f}"
                draw.text((left + (right - left) * cell // columns + 8, y + 6), text, ink, font)
        for cell in range(columns + 1):
            x = left + (right - left) * cell // columns
            draw.line((x, top, x, bottom), ink, 2)
    elif kind == "picture":
        y0 = rng.randint(top, (top + bottom) // 2)
        y1 = y0 + rng.randint(300, 700)
        picture(page, (left + rng.randint(0, 200), y0, right - rng.randint(0, 200), min(y1, bottom)), rng)
        column(left, right, top, y0 - 5)
        column(left, right, min(y1, bottom) + 10, bottom)
    else:
        column(left, right, top, bottom)
    if kind == "old print":
        page = page.filter(ImageFilter.GaussianBlur(0.8))
        grain = numpy.random.default_rng(rng.randrange(2 ** 32)).normal(0, 1, (PAPER[1] // 40, PAPER[0] // 40))
        stains = Image.fromarray((128 + 22 * grain).clip(0, 255).astype("uint8")).resize(PAPER, Image.BICUBIC)
        page = Image.fromarray((numpy.asarray(page) * numpy.array([0.95, 0.89, 0.75]) + (numpy.asarray(stains)[..., None] - 128.0)
                                ).clip(0, 255).astype("uint8"))
    box = font.getbbox("x")
    return page, 0 if kind in ("capitals", "digits") else box[3] - box[1]


def picture(page, box, rng):
    """Prints a picture of soft shapes."""
    width, height = box[2] - box[0], box[3] - box[1]
    noise = numpy.random.default_rng(rng.randrange(2 ** 32)).integers(20, 225, (rng.randint(4, 40), rng.randint(4, 40), 3), dtype="uint8")
    page.paste(Image.fromarray(noise).resize((width, height), Image.BICUBIC), box[:2])


def perspective(target, source):
    """The coefficients of PIL's transform from four target corners to four source corners."""
    rows, values = [], []
    for (x, y), (u, v) in zip(target, source):
        rows += [[x, y, 1, 0, 0, 0, -u * x, -u * y], [0, 0, 0, x, y, 1, -v * x, -v * y]]
        values += [u, v]
    return numpy.linalg.solve(numpy.array(rows, float), numpy.array(values, float))


def desk(rng, random_numbers):
    """A desk, a cloth or a cradle: darker than paper."""
    colors = [(40, 40, 42), (120, 85, 55), (150, 112, 76), (70, 90, 80), (95, 95, 98), (20, 22, 30), (165, 150, 140)]
    base = numpy.array(rng.choice(colors), float)
    rows = random_numbers.normal(0, rng.choice([2, 8]), (FRAME[1] // 24, 6))
    grain = numpy.asarray(Image.fromarray((128 + rows).clip(0, 255).astype("uint8")).resize(FRAME, Image.BICUBIC), float) - 128
    return (base + grain[..., None]).clip(0, 255).astype("uint8")


def scene(kind, trouble, rng, turn=None, skew=None, printed=None, nudge=None):
    """Takes a picture of a page; returns it and the truth about it.

    `printed`: a page and the height of its letter x instead of one that is set here. `nudge`: the randomness of a second picture of
    the same place, before which the page was touched.
    """
    page, letter = sheet(kind, random.Random(rng.randrange(2 ** 32))) if printed is None else printed
    shape, border = None, [(0, 0), (1, 0), (1, 1), (0, 1)]
    if trouble == "bent":
        page, shape, border = bend(page, rng)
    random_numbers = numpy.random.default_rng(rng.randrange(2 ** 32))
    turn = rng.choice([0, 90, 180, 270]) if turn is None else turn
    skew = rng.uniform(-8, 8) if skew is None else skew
    # The text needs `turn` clockwise to be upright, and then `skew` clockwise: it lies the other way.
    across, down = (page.size if turn % 180 == 0 else page.size[::-1])
    reach = math.radians(abs(skew))
    scale = rng.uniform(0.8, 0.95) * min(FRAME[0] / (across * math.cos(reach) + down * math.sin(reach)),
                                         FRAME[1] / (down * math.cos(reach) + across * math.sin(reach)))
    center = [FRAME[0] / 2 + rng.uniform(-20, 20), FRAME[1] / 2 + rng.uniform(-20, 20)]
    if trouble == "cut off":
        scale *= 1.02
        axis = rng.randrange(2)
        half = (across, down)[axis] * scale / 2
        shift = FRAME[axis] / 2 - half + rng.uniform(0.12, 0.2) * half
        center[axis] = FRAME[axis] / 2 + rng.choice([-1, 1]) * shift
    tilt = rng.choice([0, 0, 0.01, 0.02])
    table = desk(rng, random_numbers)
    if nudge:
        random_numbers = numpy.random.default_rng(nudge.randrange(2 ** 32))
        skew += nudge.uniform(-0.3, 0.3)
        center = [place + nudge.uniform(-6, 6) for place in center]
    angle = -math.radians(turn + skew)

    def place(x, y):
        """The place in the frame of a place on the page, both of them fractions of the page from its middle."""
        x, y = x * page.width * scale, y * page.height * scale
        x, y = x * math.cos(angle) - y * math.sin(angle), x * math.sin(angle) + y * math.cos(angle)
        keystone = 1 + tilt * 2 * y / FRAME[1]
        return center[0] + x * keystone, center[1] + y * keystone

    corners = [place(x, y) for x, y in ((-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5))]
    source = [(0, 0), (page.width, 0), page.size, (0, page.height)]
    coefficients = perspective(corners, source)
    laid = page.transform(FRAME, Image.PERSPECTIVE, coefficients, Image.BICUBIC)
    if shape:
        mask = shape.transform(FRAME, Image.PERSPECTIVE, coefficients, Image.BICUBIC)
    else:
        mask = Image.new("L", FRAME, 0)
        ImageDraw.Draw(mask).polygon(corners, fill=255)
    picture_ = Image.composite(laid, Image.fromarray(table), mask)
    if trouble == "hand":
        picture_ = hand(picture_, corners, rng)
    light = lit(numpy.asarray(picture_, numpy.float32), trouble, corners, rng)
    gain = 1 if trouble in ("dark", "shadow") else rng.uniform(0.8, 0.98)
    blurred = Image.fromarray((light * gain).clip(0, 255).astype("uint8"))
    blur = rng.uniform(0.45, 0.7) * max(letter or 14, 8) * scale if trouble == "blur" else rng.uniform(0.5, 0.8)
    blurred = blurred.filter(ImageFilter.GaussianBlur(blur))
    noise = random_numbers.normal(0, 10 if trouble == "noise" else 2, (FRAME[1], FRAME[0], 1)).astype(numpy.float32)
    result = Image.fromarray((numpy.asarray(blurred, numpy.float32) + noise).clip(0, 255).astype("uint8"))
    outline = [place(x - 0.5, y - 0.5) for x, y in border]
    return result, {
        "kind": kind, "trouble": trouble, "turn": turn, "skew": skew, "letter": letter * scale,
        "corners": [(x / FRAME[0], y / FRAME[1]) for x, y in outline], "tilt": tilt,
    }


def some(count, seed, kinds=KINDS, troubles=TROUBLES):
    """Makes pages of all kinds in turn, each from its seed and its number alone."""
    for index in range(count):
        rng = random.Random(seed * 1_000_003 + index)
        yield scene(kinds[index % len(kinds)], troubles[(index // len(kinds)) % len(troubles)], rng)


def pairs(count, seed, kinds=("serif", "sans", "mono", "columns")):
    """Makes pictures of two presses in one place: of a page that was touched between them, or of two pages of one book."""
    for index in range(count):
        number, is_same = seed * 1_000_003 + 500_000 + index, index // len(kinds) % 2 == 0
        sheets = [sheet(kinds[index % len(kinds)], random.Random(number), turned) for turned in ((0, 0) if is_same else (0, 1))]
        yield is_same, [scene("text", "none", random.Random(number), printed=printed, nudge=random.Random(number + shot))[0]
                        for shot, printed in enumerate(sheets)]
