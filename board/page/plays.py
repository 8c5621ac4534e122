# SPDX-License-Identifier: Apache-2.0
"""What is played on the page in the browser: each function is a play that raises PlayError when the page is not as it should be."""

import base64
import json
import os
import re

from PIL import Image

from chromium import Tab, resident_memory
from scenereader import frame_number
from service import looks

VIEWS = ("aim", "operate", "watch", "set")
WIDTHS = {375: 812, 768: 1024, 1440: 900}
# The buttons that change nothing on the rig; tests of the views without a browser have the same list (board/page/tests/views.test.mjs).
LOOKING = re.compile(r"Lying|Thirds|Page|Sound|Loupe|Focus peaking|Forget the best value|Look again|Hold still|Show the difference|Press \d+|Sign out")
BUTTONS = """[...document.querySelectorAll("main button")].filter((button) => button.checkVisibility())
  .map((button) => button.getAttribute("aria-label") ?? button.textContent)"""


def there(selector):
    """The expression that finds an element."""
    return f"document.querySelector({json.dumps(selector)})"


# The signs that a view shows what it has asked of the rig.
LOADED = {
    "aim": (there("canvas.live[data-painted]"), there(".histogram-outline[d]"), there(".bubble[visibility]"), there(".figures dd"),
            there('[aria-label="Zoom"] .state') + ".textContent !== '–'"),
    "operate": (there('.readiness:not([data-tone="unknown"])'), there(".gallery .tile")),
    "watch": (there(".targets .target"), there(".legend li"), there("rect.stored"), there(".findings"),
              "!" + there("main") + ".textContent.includes('Nothing is known yet.')"),
    "set": (there(".setting-list .setting"), there(".history li")),
}
LUMA = """(() => { const canvas = document.querySelector("canvas.live");
  const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
  let text = ""; for (let at = 0; at < data.length; at += 4) text += String.fromCharCode(data[at + 1]);
  return [btoa(text), canvas.width, canvas.height, canvas.dataset.frame]; })()"""


class PlayError(Exception):
    """The page is not as it should be."""


def expect(holds, sentence):
    """Raises unless something holds."""
    if not holds:
        raise PlayError(sentence)


def sign_in(tab, rig, token):
    """Opens the page and enters a token."""
    tab.navigate(rig.address)
    tab.wait_for("the page asks for the token, or knows it", "document.querySelector('#token, nav')")
    if tab.evaluate("!document.querySelector('#token')"):
        tab.click(".who button")
        tab.wait_for("the page asks for the token", "document.querySelector('#token')")
    tab.click("#token")
    tab.type(token)
    tab.click("form button")


def show(tab, view):
    """Goes to a view by its link."""
    # Another tab may have been opened since, behind which this one draws nothing.
    tab.call("Page.bringToFront")
    tab.click(f'a[data-view="{view}"]')
    tab.wait_for(f"the view {view} is shown",
                 f"document.querySelector('.view.{view}') && document.title.startsWith('{view.capitalize()}')")


def show_loaded(tab, view):
    """Goes to a view, and waits until the rig has answered what the view asks first."""
    show(tab, view)
    tab.wait_for(f"the view {view} has loaded", " && ".join(LOADED[view]))


def strangers(tab, rig):
    """A wrong token is refused in words, a right one gives a cookie that no script reads."""
    sign_in(tab, rig, "platen_wrong")
    tab.wait_for("a wrong token is refused with a sentence", "document.querySelector('.problem')?.textContent.endsWith('.')")
    sign_in(tab, rig, rig.builder)
    tab.wait_for("the views are shown", "document.querySelector('nav')")
    expect(tab.evaluate("document.cookie") == "", "a script can read the cookie")
    kept = tab.evaluate("Object.keys(localStorage).length + Object.keys(sessionStorage).length")
    expect(kept == 0, "the page keeps something in the browser")


def live_picture(tab, rig, count):
    """The canvas has the frame that its head names, turned by the preview angle alone however gravity pulls.

    Returns how far the canvas is behind the newest frame, in milliseconds, at most: reading the canvas takes time, too.
    """
    show(tab, "aim")
    latencies = []
    is_lying = str(rig.mounting_angle % 180 == 0).lower()
    for angle in (0, 90, 180, 270):
        rig.service.simulate("turn", degrees=angle)
        tab.wait_for("the picture lies as the camera is mounted",
                     "(canvas => canvas.dataset.painted > 2 "
                     f"&& (canvas.width > canvas.height) === {is_lying})(document.querySelector('canvas.live'))")
        for _ in range(count // 4):
            text, width, height, head = tab.evaluate(LUMA)
            newest = rig.service.get("/v1/preview?width=8&height=8")
            painted = frame_number(base64.b64decode(text), width, height)
            expect(painted is not None, f"the frame's number cannot be read from a canvas of {width}x{height}")
            expect(painted == int(head) % (1 << 32), f"the canvas shows frame {painted}, and its head says {head}")
            latencies.append((newest["frame"] % (1 << 32) - painted) * 1000 / rig.FRAME_RATE)
    rig.service.simulate("turn", degrees=0)
    return sorted(latencies)


def stranger_aims(tab, rig):
    """A rig that stands crooked and is out of focus is set right with nothing but what the page shows."""
    show(tab, "aim")
    figure, level = (f"document.querySelector('{place}').textContent" for place in (".sharpness .figure", ".level p"))
    sharp = float(tab.wait_for("a sharpness is shown", f"parseFloat({figure})"))
    rig.service.simulate("turn", degrees=4)
    rig.service.call("PATCH", "/v1/session", {"focus": {"diopters": 0.2}})
    blurred = float(tab.wait_for("the picture is shown blurred", f"parseFloat({figure}) < {sharp / 2} && {figure}"))
    tab.wait_for("the rig is shown crooked", f"{level} !== 'Level.'")
    tilt = 4.0
    for _ in looks(20):
        said = tab.evaluate(level)
        if said == "Level.":
            break
        if found := re.search(r"([\d.]+)° (clockwise|counterclockwise|higher)", said):
            # The hands of the stranger turn the rig by what the page says.
            tilt -= float(found[1]) if found[2] != "counterclockwise" else -float(found[1])
            rig.service.simulate("turn", degrees=round(tilt % 360, 2))
            tab.wait_for("the level follows the hands", f"{level} !== {json.dumps(said)}")
    else:
        raise PlayError(f"the rig cannot be leveled by the page: {said}")
    press_button(tab, "Focus now")
    tab.wait_for("the picture is sharp", f"parseFloat({figure}) > {(blurred + sharp) / 2}")
    show(tab, "operate")
    before = rig.service.last_press_number()
    press_button(tab, "Take picture")
    expect(rig.service.wait_for_press_after(before)["outcome"] == "stored", "the picture of the stranger is refused")
    tab.wait_for("the picture is shown", f"document.querySelector('.gallery').textContent.includes('Press {before + 1}')")
    tab.wait_for("its thumbnail is loaded", "document.querySelector('.tile img[src$=thumbnail]')?.naturalWidth > 0")


def pinch(tab, rig):
    """Two fingers that move apart on the live picture zoom the camera."""
    show_loaded(tab, "aim")
    x, y = tab.evaluate("(area => [area.x + area.width / 2, area.y + area.height / 2])(document.querySelector('canvas.live').getBoundingClientRect())")

    def touch(kind, *places):
        tab.call("Input.dispatchTouchEvent", type=kind, touchPoints=[{"x": x + place, "y": y, "id": number} for number, place in enumerate(places)])

    tab.call("Emulation.setTouchEmulationEnabled", enabled=True, maxTouchPoints=2)
    touch("touchStart", -30, 30)
    for apart in range(35, 65, 5):
        touch("touchMove", -apart, apart)
    touch("touchEnd")
    tab.call("Emulation.setTouchEmulationEnabled", enabled=False)
    # No other zoom is sent after the last one.
    if not any(abs(rig.service.get("/v1/session")["settings"]["zoom"] - 2) < 0.001 for _ in looks(20)):
        raise PlayError(f"the camera does not zoom by two: {rig.service.get('/v1/session')['settings']['zoom']}")
    rig.service.call("PATCH", "/v1/session", {"zoom": 1})


def same_page(tab, rig):
    """A page that was not turned is told beside its picture, and taken again from there."""
    def lay(page):
        rig.service.simulate("showPage", page=page)
        # The frames that are on their way show the page before.
        first = rig.service.get("/v1/preview?width=8&height=8")["frame"]
        if not any(rig.service.get("/v1/preview?width=8&height=8")["frame"] > first + 2 for _ in looks(20)):
            raise PlayError("the live picture stands still")

    def take(label, is_same):
        before = rig.service.last_press_number()
        press_button(tab, label)
        number = rig.service.wait_for_press_after(before)["number"]
        tab.wait_for("the picture is shown", f"document.querySelector('.gallery').textContent.includes('Press {number}')")
        tab.wait_for(f"the page says {'' if is_same else 'not '}that it is the same one", "Boolean(document.querySelector("
                     "'.page-warning:not([hidden])')?.textContent.includes('The page is the same as before.'))"
                     f" === {str(is_same).lower()}")
        return rig.service.get(f"/v1/presses/{number}")

    show_loaded(tab, "operate")
    lay(7)
    take("Take picture", False)
    same = take("Take picture", True)
    expect("pageRepeated" in [warning["code"] for warning in same["page"]["warnings"]], f"the ledger has no warning: {same}")
    lay(400)
    take("Take it again", False)


def viewer(tab, rig):
    """A stored picture is shown one to one, its neighbors by their buttons, and is taken again from there."""
    show_loaded(tab, "operate")
    newest = rig.service.last_press_number()
    tab.evaluate(there(".gallery .tile") + ".click()")
    image = there(".viewer img")

    def is_shown(press):
        return f"/^Press {press}\\b/.test({there('.viewer .picture-title')}.textContent)"

    tab.wait_for("the newest picture is shown", f"{is_shown(newest)} && {image}.naturalWidth > 0")
    press_button(tab, "One to one")
    tab.wait_for("a pixel of the picture is one of the screen",
                 f"Math.abs({image}.getBoundingClientRect().width * devicePixelRatio - {image}.naturalWidth) < 1")
    press_button(tab, "Older")
    tab.wait_for("the picture before is shown", f"!{is_shown(newest)}")
    press_button(tab, "Newer")
    tab.wait_for("the newest picture is shown again", is_shown(newest))
    press_button(tab, "Retake…")
    tab.wait_for("the page asks whether the picture is to be taken again", there('[data-answer="yes"]'))
    tab.evaluate(there('[data-answer="yes"]') + ".click()")
    taken = rig.service.wait_for_press_after(newest)["number"]
    tab.wait_for("the new picture is shown", is_shown(taken))
    tab.evaluate(there(".viewer .close") + ".click()")


def refused_recording(tab):
    """A recording that cannot begin says why on the page."""
    show_loaded(tab, "operate")
    expect(press_button(tab, "Start recording"), "no button starts a recording")
    tab.wait_for("the page says that the recorder is missing",
                 "document.querySelector('.movie .problem')?.textContent.includes('platen-recorder')")
    tab.wait_for("nothing that does not go on can be paused", "!document.querySelector('.movie .pause')")


def press_button(tab, label):
    """Presses the button with a label, if it is there; returns whether it was."""
    return tab.evaluate(f"""(() => {{ const button = [...document.querySelectorAll("button")].find((button) => button.checkVisibility()
        && (button.getAttribute("aria-label") ?? button.textContent) === {json.dumps(label)});
        button?.click(); return Boolean(button); }})()""")


def readers(tab, rig):
    """Who may only look sees no button that acts."""
    sign_in(tab, rig, rig.reader)
    tab.wait_for("the views are shown", "document.querySelector('nav')")
    for view in VIEWS:
        show_loaded(tab, view)
        acting = [label for label in tab.evaluate(BUTTONS) if not LOOKING.match(label)]
        expect(not acting, f"who may only look sees in {view}: {acting}")
    status = tab.evaluate("fetch('v1/presses', { method: 'POST' }).then((answer) => answer.status)")
    expect(status == 403, f"who may only look presses the shutter, and gets {status}")
    kept = tab.evaluate("fetch('v1/history').then((answer) => answer.json()).then(({ samples }) => samples.at(-1)?.celsius)")
    expect(kept, "the rig keeps no temperatures")


def every_button(tab, rig):
    """Each button is pressed once, each dialog is agreed to, and nothing is thrown; returns the number of buttons."""
    sign_in(tab, rig, rig.builder)
    tab.wait_for("the views are shown", "document.querySelector('nav')")
    pressed = 0
    for view in VIEWS:
        show_loaded(tab, view)
        tab.evaluate("document.querySelectorAll('main details').forEach((details) => { details.open = true; })")
        for label in tab.evaluate(BUTTONS):
            pressed += press_button(tab, label)
            tab.evaluate("new Promise((resolve) => setTimeout(resolve, 300))")
            tab.evaluate("""[...document.querySelectorAll("dialog")].reverse().forEach((dialog) =>
                (dialog.querySelector('[data-answer="yes"]') ?? dialog.querySelector(".close")).click())""")
        if view == "aim":
            rig.service.call("POST", "/v1/session/resume")
            rig.service.wait_until_ready()
    expect(pressed > 40, f"only {pressed} buttons are there")
    return pressed


def offline(tab, rig):
    """The page says since when the rig is away, and goes on by itself when the rig is back."""
    show(tab, "aim")
    rig.service.stop()
    tab.wait_for("the page says that it is offline",
                 "/^Offline since \\d\\d:\\d\\d:\\d\\d/.test(document.querySelector('#connection:not([hidden])')?.textContent)")
    rig.service.start()
    tab.wait_for("the page is online again, or asks who is there",
                 "document.querySelector('#connection[hidden]') || document.querySelector('#token')")
    if tab.evaluate("Boolean(document.querySelector('#token'))"):
        raise PlayError("the restart of the rig has ended the sign-in")
    painted = tab.evaluate("Number(document.querySelector('canvas.live').dataset.painted ?? 0)")
    tab.wait_for("the live picture goes on", f"Number(document.querySelector('canvas.live').dataset.painted ?? 0) > {painted + 10}")


def memory(tab, rig, browser, frames):
    """The memory is the same after many frames, as many a second as the rig has; returns the growth of the processes in MiB."""
    tab.resize(768, 700)
    tab.call("Page.addScriptToEvaluateOnNewDocument", source=f"""
        const plain = fetch;
        globalThis.fetch = (address, options) => plain(String(address).replace(/\\bfps=\\d+/, "fps={rig.FRAME_RATE}"), options);""")
    sign_in(tab, rig, rig.builder)
    tab.wait_for("the views are shown", "document.querySelector('nav')")
    show(tab, "aim")
    painted = "Number(document.querySelector('canvas.live').dataset.painted ?? 0)"
    # A browser that has just started still fills its caches.
    start = frames // 10 + 500
    tab.wait_for("the first frames were drawn", f"{painted} > {start}", frames)
    expect(any(f"fps={rig.FRAME_RATE}" in address for address in tab.addresses), "the live picture comes at another rate than was asked for")
    # The browser's own record of each request takes half a megabyte in 1,000 frames.
    tab.call("Network.disable")
    heap, resident = tab.heap(), resident_memory(browser)
    tab.wait_for("all frames were drawn", f"{painted} > {start + frames}", frames)
    growth = tab.heap() - heap, resident_memory(browser) - resident
    expect(growth[0] < 5 and growth[1] < 10,
           f"over {frames} frames the objects grew by {growth[0]:.1f} MiB, the process by {growth[1]:.1f} MiB")
    unbroken(tab)
    return growth[1]


def screenshots(tab, folder):
    """Writes a picture of each view at each width, and of each view in dark colors."""
    os.makedirs(folder, exist_ok=True)

    def take(name):
        path = os.path.join(folder, f"{name}.png")
        tab.screenshot(path)
        Image.open(path).convert("RGB").quantize(256).save(path, optimize=True)

    for view in VIEWS:
        for width, height in WIDTHS.items():
            tab.resize(width, height)
            show_loaded(tab, view)
            take(f"{view}-{width}")
        tab.resize(1440, 900)
        tab.wear("dark")
        show_loaded(tab, view)
        ground = tab.evaluate("getComputedStyle(document.body).backgroundColor.match(/\\d+/g).map(Number)")
        expect(max(ground[:3]) < 64, f"{view} is not dark where a person prefers that: {ground}")
        take(f"{view}-1440-dark")
        tab.wear("light")


def widths(tab):
    """No view is wider than the screen of a phone, a tablet or a desk."""
    for width, height in WIDTHS.items():
        tab.resize(width, height)
        for view in VIEWS:
            show_loaded(tab, view)
            expect(tab.evaluate("document.documentElement.scrollWidth <= innerWidth"), f"{view} is wider than a screen of {width} pixels")


# A button that opens a dialog, in each view that has one.
DIALOGS = {
    "aim": "[...document.querySelectorAll('button')].find((button) => button.textContent === 'Calibrate…')",
    "operate": there(".gallery .tile"),
    "set": "[...document.querySelectorAll('.history button')].find((button) => button.textContent === 'Roll back…')",
}


def accessibility(tab, rig, script):
    """The rules of axe find nothing in any view, dialog or sign-in, in both colors and sizes; returns how many rules have judged."""
    with open(script, encoding="utf-8") as file:
        rules = file.read()
    passed = set()

    def judge(what):
        tab.evaluate(f"{rules}; true")
        found, kept = tab.evaluate("""axe.run().then(({ violations, passes }) =>
            [violations.map(({ id, nodes }) => `${id}: ${nodes[0].html}`), passes.map(({ id }) => id)])""")
        expect(not found, f"axe finds in {what}: {found}")
        expect("color-contrast" in kept, f"axe has not judged the contrast of {what}")
        passed.update(kept)

    # The view of the settings has a dialog about an earlier version alone.
    rig.service.call("PATCH", "/v1/configuration", {"set": {"rig.make": "Platen"}})
    for scheme in ("dark", "light"):
        tab.wear(scheme)
        for width in (375, 1440):
            tab.resize(width, WIDTHS[width])
            for view in VIEWS:
                show_loaded(tab, view)
                judge(f"{view}, {width} pixels wide, in {scheme} colors")
                if view in DIALOGS:
                    tab.evaluate(f"({DIALOGS[view]}).click()")
                    tab.wait_for(f"the dialog of {view} is open", there("dialog[open]"))
                    judge(f"the dialog of {view}, {width} pixels wide, in {scheme} colors")
                    tab.evaluate(there("dialog .close") + ".click()")
            tab.click(".who button")
            tab.wait_for("the page asks for the token", there("#token"))
            judge(f"the sign-in, {width} pixels wide, in {scheme} colors")
            sign_in(tab, rig, rig.builder)
            tab.wait_for("the views are shown", there("nav"))
    return len(passed)


def many_tabs(browser, rig):
    """Seven tabs of a browser that makes six connections to the rig all know the rig, once the hidden ones have left theirs.

    A tab that has left knows, when a person comes back to it, what was taken meanwhile.
    """
    tabs = []
    for _ in range(7):
        tabs.append(Tab(browser))
        tabs[-1].call("Page.bringToFront")
        tabs[-1].navigate(rig.address + "#operate")
        tabs[-1].wait_for("the view knows the rig", there('.readiness:not([data-tone="unknown"])'))
    press = rig.service.shoot()["number"]
    tabs[0].call("Page.bringToFront")
    tabs[0].wait_for("a tab that had left knows the rig again", there('.readiness:not([data-tone="unknown"])'))
    tabs[0].wait_for("it shows the picture that was taken meanwhile", f"{there('.gallery')}.textContent.includes('Press {press}')")
    for tab in tabs:
        unbroken(tab)
        tab.call("Page.close")
    return len(tabs)


def own_addresses(tab, rig):
    """The page has asked for nothing but the rig."""
    foreign = [address for address in tab.addresses if not address.startswith((rig.address, "blob:", "about:"))]
    expect(not foreign, f"the page asks for {foreign[:3]}")
    unbroken(tab)


def unbroken(tab):
    """Nothing was thrown in the page, and no rule of its policy was broken."""
    expect(not tab.problems, f"the browser reports: {tab.problems[:3]}")
