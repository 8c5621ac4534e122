# SPDX-License-Identifier: Apache-2.0
"""The page under the camera, as a rig sees it that stands upright or is turned."""

from PIL import Image, ImageDraw


def upright_page(width, height):
    """A page as a person sees it: a red bar at its top, a blue one at its bottom, text-like lines between."""
    page = Image.new("RGB", (width, height), (225, 220, 210))
    draw = ImageDraw.Draw(page)
    draw.rectangle((0, 40, width, 40 + height // 8), fill=(200, 20, 20))
    draw.rectangle((0, height - height // 8, width, height), fill=(20, 20, 200))
    for line in range(height // 4, height - height // 4, 16):
        draw.rectangle((width // 4, line, width // 4 + (line * 37) % (width // 2), line + 5), fill=(40, 40, 40))
    return page


def page_seen(angle, width, height):
    """The page as the camera of a rig that is turned clockwise by `angle` sees it: turned the other way."""
    size = (width, height) if angle % 180 == 0 else (height, width)
    return upright_page(*size).rotate(angle, expand=True)
