# SPDX-License-Identifier: Apache-2.0
"""Programs that are no page of ours play the live picture: each shows a token as the password of a user that does not matter."""

import hashlib
import os
import subprocess
from urllib.parse import urlsplit

from PIL import Image

from campaign import BOARD, CampaignError
from plays import PlayError, expect
from service import PATIENCE, looks

HERE = os.path.dirname(os.path.realpath(__file__))
FRAMES = 20
STREAM = "v1/preview/stream?width=320"
NOBODY = 65534
FFMPEG = ("ffmpeg", "-hide_banner", "-loglevel", "error", "-i")
OPENCV = """
import hashlib, sys, cv2
video = cv2.VideoCapture(sys.argv[1], cv2.CAP_FFMPEG)
for _ in range(int(sys.argv[2])):
    is_read, frame = video.read()
    if is_read:
        print(hashlib.sha256(frame).hexdigest())
"""
# What Home Assistant's component "mjpeg" does: a still picture whole, and of the stream the bytes from a beginning to an end.
AIOHTTP = """
import asyncio, sys, aiohttp

async def main(stream, still, password, folder):
    login = aiohttp.BasicAuth("viewer", password)
    async with aiohttp.ClientSession(raise_for_status=True) as session:
        async with session.get(still, auth=login) as answer:
            open(folder + "/still.jpg", "wb").write(await answer.read())
        async with session.get(stream, auth=login) as answer:
            data, number = b"", 0
            async for chunk in answer.content.iter_any():
                data += chunk
                end = data.find(b"\\xff\\xd9") + 2
                if end > 1:
                    open(f"{folder}/{number}.jpg", "wb").write(data[data.find(b"\\xff\\xd8"):end])
                    data, number = data[end:], number + 1
                if number == 2:
                    break

asyncio.run(main(*sys.argv[1:]))
"""
IMG = f"""(async () => {{
  const img = document.createElement("img");
  img.src = "{STREAM}";
  document.body.append(img);
  const shown = new Set();
  for (const end = Date.now() + 60_000; shown.size < 2 && Date.now() < end;) {{
    await new Promise((resolve) => setTimeout(resolve, 50));
    if (!img.naturalWidth) continue;
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [img.naturalWidth, img.naturalHeight];
    canvas.getContext("2d").drawImage(img, 0, 0);
    shown.add(canvas.toDataURL());
  }}
  img.src = "";
  img.remove();
  return shown.size;
}})()"""


def run(command, **options):
    """What a program prints; its complaint when it fails."""
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace", check=False,
                          timeout=60 * PATIENCE, **options)
    expect(done.returncode == 0, f"{command[0]} does not play the live picture: {done.stderr[-1000:]}")
    return done.stdout


def python(requirements):
    """A Python with packages of PyPI."""
    tools = subprocess.run([os.path.join(BOARD, "lib", "packages"), requirements], stdout=subprocess.PIPE, text=True, check=False)
    if tools.returncode != 0:
        raise CampaignError("the packages of the players could not be installed; the message is above")
    return os.path.join(tools.stdout.strip(), "bin", "python")


def address(rig, password, path=STREAM):
    """An address with the password in it, as people give it to players."""
    return f"http://viewer:{password}@{urlsplit(rig.address).netloc}/{path}"


def moving(digests, player):
    """Expects as many frames as were asked for, and not the same one all the time."""
    expect(len(digests) == FRAMES, f"{player} has read {len(digests)} frames of {FRAMES}")
    expect(len(set(digests)) > 1, f"{player} has read the same frame {FRAMES} times")


def ffmpeg(rig):
    """Has ffmpeg read frames, which asks without a password first."""
    lines = run([*FFMPEG, address(rig, rig.reader), "-frames:v", str(FRAMES), "-f", "framemd5", "-"])
    moving([line.split(",")[-1] for line in lines.splitlines() if not line.startswith("#")], "ffmpeg")


def opencv(rig):
    """Has OpenCV read frames."""
    script = [python(os.path.join(BOARD, "pages", "packages.txt")), "-c", OPENCV]
    moving(run([*script, address(rig, rig.reader), str(FRAMES)]).split(), "OpenCV")


def home_assistant(rig, folder):
    """Has aiohttp read a still picture and two frames, as Home Assistant does."""
    os.makedirs(folder)
    script = [python(os.path.join(HERE, "players.txt")), "-c", AIOHTTP]
    run([*script, rig.address + STREAM, rig.address + "v1/preview/loupe", rig.reader, folder])
    for name in ("still.jpg", "0.jpg", "1.jpg"):
        with Image.open(os.path.join(folder, name)) as picture:
            picture.load()
            expect(picture.format == "JPEG", f"aiohttp has read \"{name}\", which is {picture.format}")


def vlc(rig, folder):
    """Has VLC show frames on no display; it refuses root and writes what it shows."""
    os.makedirs(folder)
    # The folder of the test is its owner's.
    for place in (os.path.dirname(folder), os.path.dirname(os.path.dirname(folder))):
        os.chmod(place, 0o755)
    account = {}
    if os.geteuid() == 0:
        os.chown(folder, NOBODY, NOBODY)
        account = {"user": NOBODY, "group": NOBODY, "extra_groups": []}
    log_path = folder + ".log"
    with open(log_path, "wb") as log:
        player = subprocess.Popen(  # pylint: disable=consider-using-with
            ["cvlc", "--intf", "dummy", "--vout", "dummy", "--no-audio", "--video-filter", "scene", "--scene-path", folder,
             "--scene-format", "png", "--scene-ratio", "1", address(rig, rig.reader)],
            stdin=subprocess.DEVNULL, stdout=log, stderr=log, env={"PATH": "/usr/bin:/bin", "HOME": folder}, **account)
    try:
        for _ in looks(30):
            # The newest one may still be written.
            names = sorted(name for name in os.listdir(folder) if name.endswith(".png"))[:-1]
            if len(names) >= FRAMES or player.poll() is not None:
                break
    finally:
        player.terminate()
        try:
            player.wait(20)
        except subprocess.TimeoutExpired:
            player.kill()
            player.wait()
    digests = []
    for name in names[:FRAMES]:
        with Image.open(os.path.join(folder, name)) as picture:
            digests.append(hashlib.sha256(picture.convert("RGB").tobytes()).hexdigest())
    try:
        moving(digests, "VLC")
    except PlayError as error:
        with open(log_path, encoding="utf-8", errors="replace") as log:
            raise PlayError(f"{error}; it says: {log.read()[-1000:]}") from None


def img(tab):
    """An `<img>` of the rig's own page shows frames one after the other."""
    expect(tab.evaluate(IMG) == 2, "an <img> does not show two different frames")


def wrong_password(rig):
    """A wrong password plays nothing."""
    command = [*FFMPEG, address(rig, "platen_wrong"), "-frames:v", "1", "-f", "null", "-"]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace", check=False,
                          timeout=60 * PATIENCE)
    expect(done.returncode != 0 and "401" in done.stderr, f"a wrong password plays the live picture: {done.stderr[-1000:]}")


def play(tab, rig, folder):
    """Has all players play; the page in the tab is signed in."""
    os.makedirs(folder)
    wrong_password(rig)
    ffmpeg(rig)
    opencv(rig)
    home_assistant(rig, os.path.join(folder, "aiohttp"))
    vlc(rig, os.path.join(folder, "vlc"))
    img(tab)
