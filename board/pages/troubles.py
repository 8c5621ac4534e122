# SPDX-License-Identifier: Apache-2.0
"""What spoils a picture of a page: a bend, bad light, and a hand."""
import math

import cv2
import numpy
from PIL import Image, ImageDraw, ImageFilter


def bend(page, rng):
    """A page that lies on a book's curve: its picture, its shape, and its upper and lower side as fractions of the new picture.

    The lines rise or fall along the page as a parabola, or towards the fold alone; what slopes away from the light is darker.
    """
    width, height = page.size
    depth = rng.uniform(0.01, 0.03) * height * rng.choice([-1, 1])
    places = (numpy.arange(width) + 0.5) / width
    fold = rng.choice([0, 1])
    curve = 4 * places * (1 - places) if rng.random() < 0.5 else numpy.exp(-abs(places - fold) / 0.25)
    shift = depth * curve
    room = math.ceil(abs(shift).max())
    ys = numpy.arange(height + 2 * room, dtype=numpy.float32)[:, None] - room - shift[None].astype(numpy.float32)
    xs = numpy.broadcast_to(numpy.arange(width, dtype=numpy.float32), ys.shape)
    light = 1 - 0.6 * numpy.gradient(shift)[None, :, None]
    bent = cv2.remap(numpy.asarray(page), numpy.ascontiguousarray(xs), numpy.ascontiguousarray(ys), cv2.INTER_CUBIC)
    shape = Image.fromarray(((ys >= -0.5) & (ys <= height - 0.5)).astype("uint8") * 255)
    upper = [(float(place), float((room + down) / (height + 2 * room))) for place, down in zip(places, shift)]
    lower = [(place, y + height / (height + 2 * room)) for place, y in upper]
    return Image.fromarray((bent * light).clip(0, 255).astype("uint8")), shape, upper[::16] + upper[-1:] + (lower[::16] + lower[-1:])[::-1]


def lit(light, trouble, corners, rng):
    """Lights a picture, badly where that is its trouble."""
    height, width = light.shape[:2]
    ys, xs = numpy.mgrid[0:height, 0:width].astype(numpy.float32)
    if trouble == "light":
        direction = rng.uniform(0, 2 * math.pi)
        fall = ((xs / width - 0.5) * math.cos(direction) + (ys / height - 0.5) * math.sin(direction))
        light = light * (0.8 + 0.45 * fall)[..., None]
    if trouble == "dark":
        light = light * rng.uniform(0.12, 0.2)
    if trouble == "shadow":
        # Something between lamp and page keeps the light from a third of the page or more, on one side of it.
        side = rng.randrange(4)
        (x0, y0), (x1, y1), (x2, y2) = corners[side], corners[(side + 1) % 4], corners[(side + 2) % 4]
        across = ((y0 - y1), (x1 - x0))
        length = math.hypot(*across)
        inward = (across[0] / length, across[1] / length)
        deep = ((x2 - x1) * inward[0] + (y2 - y1) * inward[1]) * rng.uniform(0.33, 0.5)
        distance = (xs - x0) * inward[0] + (ys - y0) * inward[1] - deep
        softness = rng.uniform(8, 40)
        light = light * (1 - rng.uniform(0.8, 0.88) / (1 + numpy.exp((distance / softness).clip(-50, 50))))[..., None]
    if trouble == "glare":
        u, v = rng.uniform(0.25, 0.75), rng.uniform(0.25, 0.75)
        weights = ((1 - u) * (1 - v), u * (1 - v), u * v, (1 - u) * v)
        x, y = (sum(corner[axis] * weight for corner, weight in zip(corners, weights)) for axis in (0, 1))
        radius = rng.uniform(0.06, 0.14) * height
        light = light + 600 * numpy.exp(-((xs - x) ** 2 + (ys - y) ** 2) / (2 * radius ** 2))[..., None]
    return light


def hand(picture_, corners, rng):
    """Lays fingers and the back of a hand over a side of the page."""
    side = rng.randrange(4)
    (x0, y0), (x1, y1) = corners[side], corners[(side + 1) % 4]
    along = rng.uniform(0.3, 0.7)
    x, y = x0 + (x1 - x0) * along, y0 + (y1 - y0) * along
    middle = (sum(corner[0] for corner in corners) / 4, sum(corner[1] for corner in corners) / 4)
    length = math.hypot(middle[0] - x, middle[1] - y)
    inward = ((middle[0] - x) / length, (middle[1] - y) / length)
    skin = rng.choice([(224, 172, 140), (198, 134, 98), (141, 85, 60), (90, 56, 42), (240, 200, 176)])
    layer = Image.new("RGBA", picture_.size, (0, 0, 0, 0))
    draw = ImageDraw.Draw(layer)
    width = rng.uniform(60, 95)
    for finger in range(rng.randint(1, 4)):
        shift = (finger - 1) * width * 1.15
        sx, sy = x - inward[1] * shift, y + inward[0] * shift
        deep = rng.uniform(0.16, 0.3) * 1200
        tip = (sx + inward[0] * deep, sy + inward[1] * deep)
        base = (sx - inward[0] * 1600, sy - inward[1] * 1600)
        shade = tuple(int(value * rng.uniform(0.9, 1.05)) for value in skin) + (255,)
        draw.line([base, tip], fill=shade, width=int(width))
        draw.ellipse((tip[0] - width / 2, tip[1] - width / 2, tip[0] + width / 2, tip[1] + width / 2), fill=shade)
    layer = layer.filter(ImageFilter.GaussianBlur(3))
    return Image.alpha_composite(picture_.convert("RGBA"), layer).convert("RGB")
