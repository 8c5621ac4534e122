# SPDX-License-Identifier: Apache-2.0
"""Takes the pictures of docs/explanation/photo-depth.md on the simulated board: board/lib/photopictures.py PLATEND FOLDER

Used by board/docs photo. Each picture shows frames before the work on the left or above, and what was made of them on the right
or below. FOLDER gets the pictures; the figures of each run are printed.
"""

import os
import signal
import subprocess
import sys
import tempfile

from PIL import Image
from service import Service, ServiceError

WIDTH, HEIGHT = 960, 540
CONFIGURATION = """\
rig: {{ id: photo-depth }}
board: simulated
simulation: {{ {world} }}
camera: {{ size: 960x540, frame_rate: 5, ring_frames: 10 }}
image: {{ quality: 95, {image} }}
shutter: {{ line: SHUTTER }}
spool: {{ directory: "{{directory}}/spool" }}
api: {{ socket: "{{socket}}", rate: 1000 }}
"""
ATTEMPTS = 20  # a busy machine may keep the camera from a bracket's frames
GAP, WHITE = 8, (255, 255, 255)


def pictures(platend, world, image, *presses):
    """Takes a picture, or those of a bracket, with the settings of each press; yields the report and the pictures of each."""
    with tempfile.TemporaryDirectory(prefix="platen-photo.") as folder:
        service = Service(platend, folder, CONFIGURATION.format(world=world, image=image))
        try:
            service.start()
            service.wait_for("the ring is full and the camera has settled", lambda: service.status()["session"]["framesSeen"] > 30, 30)
            for settings in presses:
                for _ in range(ATTEMPTS):
                    _, report = service.call("POST", "/v1/presses", settings, timeout=600)
                    if report.get("outcome") == "stored":
                        break
                else:
                    raise ServiceError(f"{settings} was refused {ATTEMPTS} times: {report}")
                items = [service.get(f"/v1/spool/items/{item}") for item in report.get("itemIDs") or [report["itemID"]]]
                items += [item for item in service.get("/v1/spool/items?limit=10")["items"]
                          if item["press"] == report["number"] and item["mediaType"] == "image/x-adobe-dng"]
                yield report, [opened(item["path"]) for item in items]
        finally:
            service.kill()


def opened(path):
    """A picture; a DNG file as LibRaw's dcraw_emu develops it in sRGB, with the camera's white balance."""
    if path.endswith(".dng"):
        developed = subprocess.run(["dcraw_emu", "-w", "-W", "-c", "0", path], capture_output=True, text=True, check=False)
        if developed.returncode != 0:
            raise ServiceError(f"dcraw_emu ended with {developed.returncode}: {developed.stderr}")
        path += ".ppm"
    with Image.open(path) as picture:
        return picture.convert("RGB")


def part(picture, box, scale):
    """A part of a picture, each pixel as a square of `scale` pixels."""
    piece = picture.crop(box)
    return piece.resize((piece.width * scale, piece.height * scale), Image.NEAREST)


def grid(pieces, columns):
    """Pieces of one size beside and below each other."""
    width, height = pieces[0].size
    rows = -(-len(pieces) // columns)
    sheet = Image.new("RGB", (columns * (width + GAP) - GAP, rows * (height + GAP) - GAP), WHITE)
    for index, piece in enumerate(pieces):
        sheet.paste(piece, (index % columns * (width + GAP), index // columns * (height + GAP)))
    return sheet


def noise(platend):
    """One frame at a gain of 16, and the average of the ring's frames."""
    taken = list(pictures(platend, "scene: page, gain: 16", "prioritization: quality",
                          {"prioritization": "balanced", "fastCapture": False}, {"prioritization": "quality", "fastCapture": False}))
    frames = taken[1][0].get("averagedFrames")
    if frames is None:
        raise ServiceError(f"no frames were averaged: {taken[1][0].get('singleFrame')}")
    print(f"noise: one frame, and the average of {frames:.1f} frames")
    return grid([part(images[0], (400, 190, 560, 310), 3) for _, images in taken], 2)


def exposures(platend):
    """Three exposures, and the picture that they were merged into."""
    ((report, (merged, *steps)),) = pictures(platend, "scene: contrast", "merge: add", {"bracket": {"ev": [-3, 0, 3]}})
    print(f"exposures: merged of {told(report)} frames")
    return grid([picture.resize((WIDTH // 2, HEIGHT // 2)) for picture in [*steps, merged]], 2)


def focus(platend):
    """Two lens positions, for the left and the right half of a thick book, and the picture that they were merged into."""
    ((report, (merged, *steps)),) = pictures(platend, "scene: page, depth: 6", "merge: add", {"bracket": {"focus": [2, 8]}})
    print(f"focus: merged of {told(report)} frames")
    return grid([part(picture, (300, 220, 660, 310), 2) for picture in [*steps, merged]], 1)


def colors(platend):
    """A chart in the JPEG image, and in the DNG file of the same exposure."""
    ((_, (jpeg, dng)),) = pictures(platend, "scene: chart", "formats: [jpeg, dng]", {})
    print("colors: the JPEG image and the DNG file")
    return grid([picture.resize((WIDTH // 2, HEIGHT // 2)) for picture in (jpeg, dng)], 2)


def told(report):
    """The number of merged frames."""
    if not report.get("mergedFrames"):
        raise ServiceError(f"the bracket was not merged: {report.get('unmerged')}")
    return report["mergedFrames"]


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    try:
        for subject in (noise, exposures, focus, colors):
            subject(sys.argv[1]).save(os.path.join(sys.argv[2], f"{subject.__name__}.jpg"), quality=88, optimize=True)
    except ServiceError as error:
        sys.exit(f"docs: {error}")
