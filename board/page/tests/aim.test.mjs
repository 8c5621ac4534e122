// The view to aim, focus and calibrate by.

import assert from "node:assert/strict";
import { test } from "node:test";
import { ANSWERS, countOf, settle } from "./support/rig.mjs";
import { button, document, shown } from "./support/view.mjs";
import { makeGuides } from "../../../page/views/aim/guides-overlay.js";

test("aim shows the level, the camera's values and its sentences", async () => {
  const { root, requests } = await shown("aim");
  for (const part of ["The right side is 3.0° higher", "red 1.8, blue 1.6", "4600 K", "2.50 diopters, 40 cm, focused", "The camera has no gamma.", "Gamma (0.1 to 10)"]) {
    assert.ok(root.textContent.includes(part), `"${part}" in: ${root.textContent}`);
  }
  assert.ok(requests.some(({ path, query }) => path === "GET v1/preview/stream" && query === "?width=640&fps=15"));
  root.querySelector(".picture-box").dispatch("wheel", { deltaY: -200 });
  await settle();
  assert.deepEqual(requests.find(({ path }) => path === "PATCH v1/session").body, { zoom: 1.21 });
});

test("aim draws the page with its score, and stops when it is switched off", async () => {
  const { root, requests } = await shown("aim");
  const overlay = root.querySelector(".page-overlay");
  assert.equal(overlay.querySelector(".page-outline").getAttribute("points"), "20.00,0.00 80.00,0.00 80.00,90.00 20.00,90.00");
  assert.equal(overlay.querySelectorAll(".page-region").length, 1);
  assert.equal(overlay.querySelectorAll(".page-up").length, 1);
  const note = root.querySelector(".aim-score");
  assert.equal(note.querySelector("meter").getAttribute("value"), "0.42");
  assert.match(note.textContent, /Move the whole page into the picture\. Now a reflection covers a part of the page\./);
  assert.ok(requests.some(({ path }) => path === "GET v1/preview/page"));
  button(root, "Page").click();
  assert.equal(overlay.children.length, 0);
  assert.equal(note.hidden, true);
});

test("the guided calibration goes through its pictures, and gives the guides their scale", async () => {
  const { root, requests } = await shown("aim");
  button(root, "Calibrate…").click();
  const dialog = document.body.querySelector("dialog");
  for (let step = 1; step <= 5; step += 1) {
    assert.match(dialog.querySelector("h3").textContent, new RegExp(`^${step} of 5: `));
    assert.equal(dialog.querySelector(".step-drawing").getAttribute("role"), "img");
    if (step === 3) button(dialog, "Calibrate now").click();
    if (step === 4) button(dialog, "Measure").click();
    await settle();
    if (step === 3) assert.match(dialog.textContent, /Exposure8\.0 ms/);
    if (step === 4) assert.match(dialog.textContent, /Pixels to an inch300\.0/);
    button(dialog, step < 5 ? "Next" : "Close").click();
  }
  assert.deepEqual(requests.find(({ path }) => path === "POST v1/session/scale").body, { widthMillimeters: 210, heightMillimeters: 297 });
  assert.equal(document.body.querySelector("dialog"), null);
});

test("a choice that is made by keyboard keeps the focus when the rig has answered", async () => {
  const { root, requests } = await shown("aim");
  const before = root.querySelectorAll("select").find((one) => one.parentElement.textContent.startsWith("Mains frequency"));
  before.focus();
  before.value = "50";
  before.dispatch("change");
  await settle();
  assert.deepEqual(requests.find(({ path }) => path === "PATCH v1/session").body, { flicker: 50 });
  const { activeElement } = document;
  assert.notEqual(activeElement, before, "the answer has made the choice anew");
  assert.ok(root.contains(activeElement) && activeElement.parentElement.textContent.startsWith("Mains frequency"));
});

test("fixed values have a field each, and both are needed", async () => {
  const { root, requests } = await shown("aim");
  const [exposure, balance] = root.querySelectorAll("form");
  const [ms, gain] = exposure.querySelectorAll("input");
  assert.equal(gain.value, "1");
  exposure.dispatch("submit");
  await settle();
  assert.match(root.textContent, /Enter a number above 0 for each: ms, gain\./);
  ms.value = "8.3";
  exposure.dispatch("submit");
  balance.querySelectorAll("input")[0].value = "1.8";
  balance.dispatch("submit");
  await settle();
  const changes = requests.filter(({ path }) => path === "PATCH v1/session").map(({ body }) => body);
  assert.deepEqual(changes, [{ exposure: { durationMicroseconds: 8300, gain: 1 } }]);
  assert.equal(ms.value, "");
});

test("the level is not shown as level while it cannot be read", async () => {
  const answers = { ...ANSWERS, "GET v1/accelerometer": { state: "ok", reading: { rig: [0, 0, 9.81] } } };
  const { root } = await shown("aim", ["read"], answers);
  const level = root.querySelector(".level");
  assert.ok(level.classList.contains("is-level"));
  answers["GET v1/accelerometer"] = Response.json({ error: { code: "conflict", message: "It is away." } }, { status: 409 });
  await new Promise((resolve) => setTimeout(resolve, 600));
  await settle();
  assert.ok(!level.classList.contains("is-level"));
  assert.equal(level.querySelector(".bubble").getAttribute("visibility"), "hidden");
  assert.match(level.textContent, /It is away\./);
});

test("a measured scale holds until the view is another one", () => {
  const guides = makeGuides();
  guides.look(["camera-1", 1]);
  guides.show({ width: 4000, height: 3000 }, 0);
  const select = guides.controls.querySelector("select");
  select.value = "a5";
  select.dispatch("change");
  assert.match(guides.note.textContent, /proportions of A5/);
  guides.measure(300);
  guides.look(["camera-1", 1]);
  assert.match(guides.note.textContent, /true size of A5/);
  guides.look(["camera-1", 2]);
  assert.match(guides.note.textContent, /proportions of A5/);
});

test("a tap moves the loupe, and focuses only for who may act", async () => {
  for (const permissions of [["read"], ["read", "act"]]) {
    const { root, requests } = await shown("aim", permissions);
    const box = root.querySelector(".picture-box");
    const at = { pointerId: 1, clientX: 160, clientY: 120, button: 0 };
    box.dispatch("pointerdown", at);
    box.dispatch("pointerup", at);
    await settle();
    assert.ok(requests.some(({ path, query }) => path === "GET v1/preview/loupe" && query === "?x=250&y=250&width=480&height=320"));
    const focused = requests.filter(({ path }) => path === "POST v1/session/focus").map(({ body }) => body);
    assert.deepEqual(focused, permissions.includes("act") ? [{ focusPoint: { x: 0.25, y: 0.25 } }] : []);
  }
});

test("the place of a focus is marked until the lens has settled, and the loupe focuses by keyboard", async () => {
  const answers = { ...ANSWERS };
  delete answers["POST v1/session/focus"];
  const { root, requests } = await shown("aim", ["read", "act"], answers);
  const [mark, atLoupe] = [root.querySelector(".focus-mark"), button(root, "Focus at the loupe")];
  assert.deepEqual([mark.hidden, atLoupe.hidden], [true, true]);
  button(root, "Loupe").click();
  assert.equal(atLoupe.hidden, false);
  root.querySelector(".loupe-picture").dispatch("keydown", { key: "ArrowRight" });
  atLoupe.click();
  await settle();
  assert.deepEqual([mark.hidden, mark.style.left, mark.style.top], [false, "51%", "50%"]);
  assert.deepEqual(requests.find(({ path }) => path === "POST v1/session/focus").body, { focusPoint: { x: 0.51, y: 0.5 } });
  const { root: fixed, requests: plain } = await shown("aim", ["read", "act"], {
    ...ANSWERS, "GET v1/session": { ...ANSWERS["GET v1/session"], lens: { farthest: 0, nearest: 10 } },
  });
  button(fixed, "Loupe").click();
  assert.equal(button(fixed, "Focus at the loupe").hidden, true);
  for (const kind of ["pointerdown", "pointerup"]) {
    fixed.querySelector(".picture-box").dispatch(kind, { pointerId: 1, clientX: 160, clientY: 120, button: 0 });
  }
  await settle();
  assert.deepEqual(plain.find(({ path }) => path === "POST v1/session/focus").body, {});
});

test("the loupe of a camera that faces the person is mirrored as the live picture is", async () => {
  globalThis.createImageBitmap = async () => ({ width: 4, height: 2, close() {} });
  try {
    for (const [mirrored, wanted] of [["true", [-1, 0, -0, 1, 4, 0]], ["false", [1, 0, 0, 1, 0, 0]]]) {
      const answer = new Response("jpeg", { headers: { "Content-Type": "image/jpeg", "X-Platen-Mirrored": mirrored } });
      const { root } = await shown("aim", ["read"], { ...ANSWERS, "GET v1/preview/loupe": answer });
      let matrix;
      root.querySelector(".loupe-picture").getContext = () => ({ drawImage() {}, setTransform: (...values) => (matrix = values) });
      button(root, "Loupe").click();
      await settle();
      assert.deepEqual(matrix?.map((value) => value + 0), wanted.map((value) => value + 0));
    }
  } finally {
    delete globalThis.createImageBitmap;
  }
});

test("the camera's values are not shown while they cannot be read", async (context) => {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  const answers = { ...ANSWERS };
  const { root } = await shown("aim", ["read"], answers);
  assert.match(root.textContent, /4600 K/);
  answers["GET v1/preview"] = Response.json({ error: { code: "conflict", message: "No camera." } }, { status: 409 });
  context.mock.timers.tick(1000);
  await settle();
  assert.doesNotMatch(root.textContent, /4600 K/);
});

test("a session that can be read again, also after missed events, leaves no problem", async (context) => {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  const message = "The camera is away.";
  const refusal = Response.json({ error: { code: "unavailable", message } }, { status: 503 });
  const missed = new Response("event: missed\ndata: {}\n\n");
  const answers = { ...ANSWERS, "GET v1/events": missed, "GET v1/session": refusal };
  const { root, store, requests } = await shown("aim", ["read"], answers);
  assert.ok(root.textContent.includes(message));
  answers["GET v1/session"] = ANSWERS["GET v1/session"];
  store.start();
  await settle();
  assert.ok(!root.textContent.includes(message));
  assert.equal(countOf(requests, "GET v1/session"), 3);
});
