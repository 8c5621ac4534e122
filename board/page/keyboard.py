# SPDX-License-Identifier: Apache-2.0
"""The page by the keyboard alone: a person signs in, takes a picture, goes from view to view and sets a value."""

import json

from plays import PlayError, expect, there

SETTING, VALUE = "image.quality", "91"
# More keys than the longest view has places.
MOST_KEYS = 400
SHIFT = 8


def walk(tab, selector, backward=False):
    """Goes with the Tab key to an element; the focus can be seen at each step."""
    for _ in range(MOST_KEYS):
        tab.press("Tab", SHIFT if backward else 0)
        is_there, is_seen, name = tab.evaluate(f"""(() => {{ const element = document.activeElement;
            if (!element || element === document.body) return [false, true, "the page"];
            const {{ outlineStyle, outlineWidth }} = getComputedStyle(element);
            return [element.matches({json.dumps(selector)}), outlineStyle !== "none" && parseFloat(outlineWidth) >= 2,
              element.outerHTML.slice(0, 200)]; }})()""")
        expect(is_seen, f"the focus cannot be seen at {name}")
        if is_there:
            return
    raise PlayError(f"the Tab key does not lead to \"{selector}\"")


def sign_in(tab, rig, token):
    """Opens the page, leaves another person's sign-in, and enters a token."""
    tab.navigate(rig.address)
    tab.wait_for("the page asks for the token, or knows it", there("#token, nav"))
    if tab.evaluate(f"!{there('#token')}"):
        walk(tab, "#skip")
        walk(tab, ".who button")
        tab.press("Enter")
        tab.wait_for("the page asks for the token", there("#token"))
    expect(tab.evaluate("document.activeElement.id") == "token", "the focus is not where the token is entered")
    tab.type(token)
    tab.press("Enter")
    tab.wait_for("the views are shown", there("nav"))


def show(tab, view, backward=False):
    """Goes to a view; the focus goes to its heading."""
    walk(tab, f'a[data-view="{view}"]', backward)
    tab.press("Enter")
    tab.wait_for(f"the view {view} is shown", f"{there('.view.' + view)} && document.activeElement.localName === 'h1'")


def play(tab, rig):
    """Does everything by keys."""
    sign_in(tab, rig, rig.builder)
    # The view that is shown already is none to go to.
    show(tab, "watch")
    show(tab, "operate", backward=True)
    before = rig.service.last_press_number()
    walk(tab, "button.shutter")
    tab.press(" ")
    expect(rig.service.wait_for_press_after(before)["outcome"] == "stored", "the picture by the keyboard is refused")
    show(tab, "set", backward=True)
    walk(tab, "#setting-search")
    tab.type(SETTING)
    tab.wait_for("the setting is found", there(f'[data-key="{SETTING}"]'))
    walk(tab, f'button[aria-label="Change {SETTING}"]')
    tab.press("Enter")
    tab.wait_for("the focus is where the value is entered", "document.activeElement.matches('.setting-form input')")
    tab.type(VALUE)
    tab.press("Enter")
    tab.wait_for("the change waits", there(".pending:not([hidden]) li"))
    walk(tab, ".pending button.primary", backward=True)
    tab.press("Enter")
    tab.wait_for("the change is written", f"{there('.pending h2')}?.textContent === 'Written'")
    section, key = SETTING.split(".")
    text = rig.service.get("/v1/configuration")["text"]
    expect(section in text and f"{key}: {VALUE}" in text, f"the change by the keyboard is not in the file: {text}")
