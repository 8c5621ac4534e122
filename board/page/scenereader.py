# SPDX-License-Identifier: Apache-2.0
"""Reads the frame's number from a picture of the simulated page, as PageSceneReader does in Swift.

`/usr/bin/python3 -B -m doctest board/page/scenereader.py` runs the examples.
"""

BITS = 32
BLOCKS = BITS + 12


def checksum(number):
    """The CRC-8 of a number with the polynomial 0x07 and the start value 0xFF, the highest byte first.

    >>> checksum(0), checksum(1)
    (209, 214)
    """
    crc = 0xFF
    for place in reversed(range(BITS)):
        is_set = bool(crc & 0x80) != bool(number >> place & 1)
        crc = crc << 1 & 0xFF
        if is_set:
            crc ^= 0x07
    return crc


def blocks(number):
    """The blocks of a number: 1 is black.

    >>> len(blocks(5)), blocks(5)[:2], blocks(5)[-2:]
    (44, [1, 0], [0, 1])
    """
    word = ((0b10 << BITS | number) << 8 | checksum(number)) << 2 | 0b01
    return [word >> place & 1 for place in reversed(range(BLOCKS))]


def decoded(lumas):
    """The number of a row of blocks by their brightness; None for no code.

    >>> decoded([20 if block else 230 for block in blocks(1234567)])
    1234567
    >>> decoded([20] * 44)
    """
    black, white = (lumas[0] + lumas[-1]) / 2, (lumas[1] + lumas[-2]) / 2
    if white - black < 64:
        return None
    found = [int(luma < (white + black) / 2) for luma in lumas]
    number = int("".join(map(str, found[2:2 + BITS])), 2)
    return number if found == blocks(number) else None


def strip(width, height):
    """The place of the code in the sensor's position: left, top, right, bottom (PageSceneLayout.frameCode).

    >>> strip(1920, 1080)
    (38, 1021, 1882, 1075)
    """
    unit = min(width, height)
    margin, bottom = width // 50, height - max(1, int(unit * 0.005))
    return margin, bottom - max(2, int(unit * 0.05)), width - margin, bottom


def frame_number(luma, width, height):
    """The number of the frame in a picture that may be turned; None when it cannot be read.

    `luma`: a byte for each pixel, row by row.
    """
    for turn in (0, 90, 180, 270):
        across, down = (width, height) if turn % 180 == 0 else (height, width)
        left, top, right, bottom = strip(across, down)
        lumas = []
        for index in range(BLOCKS):
            start, end = left + (right - left) * index // BLOCKS, left + (right - left) * (index + 1) // BLOCKS
            rim, edge = (end - start) // 4, (bottom - top) // 4
            values = [luma[_place(x, y, turn, across, down, width)] for x in range(start + rim, max(start + rim + 1, end - rim))
                      for y in range(top + edge, max(top + edge + 1, bottom - edge))]
            lumas.append(sum(values) / len(values))
        number = decoded(lumas)
        if number is not None:
            return number
    return None


def _place(x, y, turn, across, down, width):
    """The index of a pixel of the sensor in the picture that was turned clockwise."""
    column, row = {0: (x, y), 90: (down - 1 - y, x), 180: (across - 1 - x, down - 1 - y), 270: (y, across - 1 - x)}[turn]
    return row * width + column
