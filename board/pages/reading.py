# SPDX-License-Identifier: Apache-2.0
"""What Tesseract has to read: pages of a book of which every word is known, and spines of books."""
import random

from PIL import Image, ImageDraw, ImageFont

import scenes

# A page of a paperback, at the resolution of a picture that it fills.
DPI = 220
PAGE = (round(5.83 * DPI), round(8.27 * DPI))
SIZES = (12, 24)
SPINES = [
    ("Pride and Prejudice", "Jane Austen"), ("Moby-Dick", "Herman Melville"), ("Middlemarch", "George Eliot"),
    ("Great Expectations", "Charles Dickens"), ("The Time Machine", "H. G. Wells"), ("Treasure Island", "R. L. Stevenson"),
    ("Walden", "Henry David Thoreau"), ("The Jungle Book", "Rudyard Kipling"), ("Frankenstein", "Mary Shelley"),
    ("Leaves of Grass", "Walt Whitman"),
]
# Paper or cloth, and print; every second spine has light print on a dark ground.
CLOTHS = [((232, 226, 210), (35, 30, 30)), ((38, 48, 92), (236, 226, 190)), ((214, 190, 120), (60, 20, 20)), ((96, 24, 30), (240, 220, 160)),
          ((200, 214, 220), (20, 40, 70)), ((28, 60, 44), (232, 226, 205))]


def page(number, count, seed):
    """A picture of a page, with the printed words; the sizes go from the smallest to the largest."""
    rng = random.Random(seed * 1_000_003 + 600_000 + number)
    points = SIZES[0] + (SIZES[1] - SIZES[0]) * number / max(count - 1, 1)
    size = round(points * DPI / 72)
    font = ImageFont.truetype(str(scenes.FONTS / rng.choice(scenes.SERIF[:2] + scenes.SANS[:2])), size)
    sheet = Image.new("RGB", PAGE, (236, 234, 226))
    draw = ImageDraw.Draw(sheet)
    words = scenes.WORDS[rng.randrange(len(scenes.WORDS)):] + scenes.WORDS
    left, right, y, printed = PAGE[0] * 0.1, PAGE[0] * 0.9, PAGE[1] * 0.08, []
    while y + size * 1.3 < PAGE[1] * 0.92:
        line = words.pop(0)
        while draw.textlength(f"{line} {words[0]}", font) <= right - left:
            line += " " + words.pop(0)
        draw.text((left, y), line, (35, 32, 30), font)
        printed.append(line)
        y += size * 1.3
    box = font.getbbox("x")
    # The book lies as the rig expects it, which holds where a page of few letters does not tell.
    picture, truth = scenes.scene("read", "none", rng, turn=0, printed=(sheet, box[3] - box[1]))
    return picture, truth | {"points": points}, " ".join(printed)


def spine(number, seed):
    """A picture of the spine of a book that lies on its side or stands, with its title and its author."""
    rng = random.Random(seed * 1_000_003 + 700_000 + number)
    title, author = SPINES[number]
    cloth, ink = CLOTHS[number % len(CLOTHS)]
    height, thickness = round(rng.uniform(8, 9.5) * DPI), round(rng.uniform(0.9, 1.4) * DPI)
    back = Image.new("RGB", (height, thickness), cloth)
    draw = ImageDraw.Draw(back)
    face = str(scenes.FONTS / rng.choice(scenes.SERIF[:2] + scenes.SANS[:2]))
    for text, points, x in ((title, rng.uniform(20, 24), 0.06), (author, rng.uniform(14, 18), 0.64)):
        font = ImageFont.truetype(face, round(points * DPI / 72))
        draw.text((height * x, thickness / 2), text, ink, font, anchor="lm")
    # Lines that run downwards, as on English spines.
    picture, truth = scenes.scene("spine", "none", rng, turn=rng.choice([90, 270]), skew=rng.uniform(-3, 3), printed=(back, 0))
    return picture, truth, title, author
