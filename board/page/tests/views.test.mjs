// All views: what they leave behind, and who sees which button.

import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { test } from "node:test";
import { ANSWERS, fakeAPI, settle } from "./support/rig.mjs";
import { button, buttons, consoleErrors, document, eventsOf, labelOf, shown, stop } from "./support/view.mjs";
import { RigStore } from "../../../page/dom/store.js";
import { Page, VIEWS } from "../../../page/views/page.js";

test("every module of the page can be loaded, and needs no document for it", async () => {
  delete globalThis.document;
  const folder = new URL("../../../page/", import.meta.url);
  const files = readdirSync(folder, { recursive: true }).map(String).filter((name) => name.endsWith(".js") && name !== "main.js");
  assert.ok(files.length > 40);
  for (const file of files) await import(new URL(file, folder));
});

/** The buttons that change nothing on the rig. */
const LOOKING = /^(Lying|Thirds|Page|Sound|Loupe|Focus peaking|Forget the best value|Look again|Hold still|Show the difference|Press \d+)/;

for (const { name } of VIEWS) {
  test(`who may only look sees no button that acts in the view ${name}`, async () => {
    const { root, requests } = await shown(name, ["read"]);
    for (const one of buttons(root)) assert.match(labelOf(one), LOOKING);
    for (const input of root.querySelectorAll("input")) {
      assert.ok(input.getAttribute("type") === "search" || input.parent.hidden, "an input of a control is shown");
    }
    for (const one of buttons(root)) await Promise.race([one.click(), settle()]);
    assert.deepEqual(requests.filter(({ path }) => !path.startsWith("GET ")), []);
  });

  test(`each button of the view ${name} works, and no problem is left`, async () => {
    const { root } = await shown(name);
    const labels = buttons(root).map(labelOf);
    assert.ok(labels.some((label) => !LOOKING.test(label)));
    for (const label of labels) {
      const one = buttons(root).find((candidate) => labelOf(candidate) === label);
      // A button may have gone with what it stood beside.
      if (!one) continue;
      one.click();
      await settle();
      for (const dialog of document.body.querySelectorAll("dialog")) {
        (dialog.querySelector("[data-answer=\"yes\"]") ?? dialog.querySelector(".close")).click();
        await settle();
      }
    }
    const problems = root.querySelectorAll(".problem").map((line) => line.textContent)
      .filter((text) => text);
    assert.deepEqual(problems, []);
  });

  test(`the view ${name} leaves nothing behind`, async () => {
    const timers = new Set();
    const { setInterval: realSet, clearInterval: realClear } = globalThis;
    globalThis.setInterval = (...values) => {
      const timer = realSet(...values);
      timers.add(timer);
      return timer;
    };
    globalThis.clearInterval = (timer) => {
      timers.delete(timer);
      realClear(timer);
    };
    try {
      const { store } = await shown(name, ["read", "act"], { ...ANSWERS, "GET v1/events": new Response(": listening\n\n") });
      store.start();
      await settle();
      assert.ok(timers.size > 0);
      stop.abort();
      await settle();
      store.stop();
      assert.equal(timers.size, 0);
    } finally {
      Object.assign(globalThis, { setInterval: realSet, clearInterval: realClear });
    }
  });
}

test("a listener that fails costs neither the other listeners nor the events", async (context) => {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  const answers = { ...ANSWERS, "GET v1/events": eventsOf("progress", { press: 1 }, { press: 2 }) };
  const store = new RigStore(fakeAPI(answers).api);
  const told = [];
  store.on("event", () => {
    throw new Error("broken");
  }, stop.signal);
  store.on("event", ({ data }) => told.push(data.progress.press), stop.signal);
  const errors = await consoleErrors(async () => {
    store.start();
    await settle();
  });
  store.stop();
  assert.deepEqual(told, [1, 2]);
  assert.deepEqual(errors, ["broken", "broken"]);
});
