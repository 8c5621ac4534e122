// The view of the settings.

import assert from "node:assert/strict";
import { test } from "node:test";
import { ANSWERS, settle } from "./support/rig.mjs";
import { VIEWS } from "../../../page/views/page.js";
import { button, document, shown, stop } from "./support/view.mjs";

test("a change of a setting is checked, gathered, and written with the hash of the file", async () => {
  const { root, requests } = await shown("set");
  const row = root.querySelector("[data-key=\"camera.frame_rate\"]");
  button(row, "Change camera.frame_rate").click();
  const input = row.querySelector("input");
  input.value = "500";
  button(row, "Add to the changes").click();
  assert.match(row.textContent, /The range is 1 to 120 frames a second\./);
  input.value = "25";
  button(row, "Add to the changes").click();
  assert.match(root.querySelector(".pending").textContent, /camera\.frame_rate: 30 → 25/);
  button(root, "Check and write").click();
  await settle();
  const written = requests.find(({ path }) => path === "PATCH v1/configuration");
  assert.deepEqual(written.body, { set: { "camera.frame_rate": "25" }, ifHash: "abc" });
  assert.match(root.querySelector(".pending").textContent, /It takes effect at the next start/);
  assert.equal(root.querySelector("[data-key=\"spool.directory\"]").querySelectorAll("button").length, 0);
});

test("changes are written with the hash of the file that they were gathered from", async () => {
  const conflict = Response.json({ error: { code: "conflict", message: "The file has changed." } }, { status: 409 });
  const answers = { ...ANSWERS, "GET v1/events": new Response(": listening\n\n"), "PATCH v1/configuration": conflict };
  const { root, requests, store } = await shown("set", ["read", "act"], answers);
  const row = () => root.querySelector("[data-key=\"camera.frame_rate\"]");
  const open = () => button(row(), "Change camera.frame_rate").click();
  const hashes = () => requests.filter(({ path }) => path === "PATCH v1/configuration").map(({ body }) => body.ifHash);
  open();
  const input = row().querySelector("input");
  input.value = "25";
  // Another person changes the file, and the connection is made anew.
  answers["GET v1/configuration"] = { ...ANSWERS["GET v1/configuration"], hash: "other" };
  store.start();
  await settle();
  assert.equal(row().querySelector("input"), input, "the form is still there");
  button(row(), "Add to the changes").click();
  await settle();
  assert.equal(row().querySelector("input"), null);
  button(root, "Check and write").click();
  await settle();
  assert.deepEqual(hashes(), ["abc"]);
  assert.match(root.querySelector(".pending").textContent, /The file has changed\./);
  // After the changes are dropped, the next ones are those of the present file.
  button(root, "Drop all").click();
  await settle();
  open();
  row().querySelector("input").value = "26";
  button(row(), "Add to the changes").click();
  button(root, "Check and write").click();
  await settle();
  assert.deepEqual(hashes(), ["abc", "other"]);
});

/** Shows the settings of a file; returns what `shown` does. */
const shownFile = (text, permissions = ["read", "act"]) => shown("set", permissions, {
  ...ANSWERS, "GET v1/events": new Response(": listening\n\n"),
  "GET v1/configuration": { ...ANSWERS["GET v1/configuration"], text },
});
const sectionOf = (root, name) => root.querySelector(`[data-section="${name}"]`);
const keysOf = (root) => root.querySelectorAll(".setting").map((row) => row.getAttribute("data-key"));
/** Enters a name; returns its field. */
function enter(root, section, name) {
  const field = sectionOf(root, section).querySelector(".new-name").querySelector("input");
  field.value = name;
  field.dispatch("input");
  return field;
}
/** Adds a name to a section. */
function add(root, section, name) {
  enter(root, section, name);
  button(sectionOf(root, section), `Add to ${section}`).click();
}
/** Opens the form of a key; returns its field. */
function opened(root, key) {
  const row = root.querySelector(`[data-key="${key}"]`);
  button(row, `Change ${key}`).click();
  return row.querySelector("select") ?? row.querySelector("input");
}

test("the first target is named, and its settings are written together", async () => {
  const { root, requests, said, context } = await shownFile("rig: { id: rig-1 }\nboard: simulated\n");
  assert.ok(!keysOf(root).some((key) => key.startsWith("targets.")));
  for (const name of ["Office", "a.b", "", "x".repeat(33)]) {
    add(root, "targets", name);
    assert.match(sectionOf(root, "targets").textContent, /Enter a name: a name is 1 to 32 of a-z 0-9 - _\./, name);
  }
  const rate = opened(root, "camera.frame_rate");
  rate.value = "25";
  add(root, "targets", "back-up_1");
  assert.equal(said.at(-1), "The settings of targets.back-up_1 are listed.");
  assert.equal(document.activeElement, button(root, "Change targets.back-up_1.kind"));
  assert.equal(root.querySelector("[data-key=\"camera.frame_rate\"]").querySelector("input"), rate, "another form stays open");
  for (const [key, value] of [["kind", "webdav"], ["url", "https://pages.example/dav/"]]) {
    opened(root, `targets.back-up_1.${key}`).value = value;
    button(root.querySelector(`[data-key="targets.back-up_1.${key}"]`), "Add to the changes").click();
  }
  add(root, "targets", "back-up_1");
  assert.match(sectionOf(root, "targets").textContent, /"back-up_1" is there already\./);
  // The name outlasts a look at another view with its changes.
  const again = document.createElement("div");
  VIEWS.find(({ name }) => name === "set").show(again, context, stop.signal);
  await settle();
  assert.ok(keysOf(again).includes("targets.back-up_1.url"));
  button(again, "Check and write").click();
  await settle();
  assert.deepEqual(requests.find(({ path }) => path === "PATCH v1/configuration").body.set, {
    "targets.back-up_1.kind": "webdav", "targets.back-up_1.url": "\"https://pages.example/dav/\"",
  });
});

test("a name that is being typed stays, and a dropped one goes", async () => {
  const { root, store } = await shownFile("board: simulated\n");
  const field = enter(root, "lamps", "left");
  store.start();
  await settle();
  assert.equal(enter(root, "lamps", "left"), field);
  add(root, "lamps", "left");
  opened(root, "lamps.left.led").value = "lamp";
  button(root.querySelector("[data-key=\"lamps.left.led\"]"), "Add to the changes").click();
  button(root, "Drop all").click();
  await settle();
  assert.ok(!keysOf(root).includes("lamps.left.led"));
});

test("the settings of each name stand together, and names are added where they can be", async () => {
  const text = "shutter: { line: GPIO17 }\ntargets:\n  a: { kind: webdav }\n  b: { kind: s3 }\napi: { tcp: { port: 80 } }\n";
  const { root } = await shownFile(text);
  const names = keysOf(root).filter((key) => key.startsWith("targets.")).map((key) => key.split(".")[1]);
  assert.equal(names.lastIndexOf("a"), names.indexOf("b") - 1);
  assert.deepEqual(root.querySelectorAll(".new-name").map((form) => form.querySelector("button").textContent), [
    "Add to cameras", "Add to indicators", "Add to lamps", "Add to thermal.zones", "Add to targets",
  ]);
  assert.match(sectionOf(root, "buttons").textContent, /The file has shutter, which excludes buttons\./);
  const lights = sectionOf(root, "indicators").querySelector("select").querySelectorAll("option");
  assert.deepEqual(lights.map(({ textContent }) => textContent), ["ready", "fault", "upload", "power", "single"]);
  const viewer = await shownFile(text, ["read"]);
  assert.equal(viewer.root.querySelectorAll(".new-name").length, 0);
});

test("names are added only beside what does not exclude them", async () => {
  const { root } = await shownFile("camera: { id: a }\nthermal: { zones: [cpu-thermal] }\n");
  assert.match(sectionOf(root, "cameras").textContent, /The file has camera\.id, which excludes cameras\./);
  assert.match(sectionOf(root, "thermal").textContent, /The file has thermal\.zones as a list\./);
});

test("a masked line hides none of the lines after it", async () => {
  const { root } = await shownFile("targets: { token-box: (not shown)\ncamera:\n  frame_rate: 25\n");
  assert.match(root.querySelector("[data-key=\"camera.frame_rate\"]").textContent, /25/);
  const inner = await shownFile("targets: {\n  box: { user: \"{\", password: (not shown)\n  other: { kind: s3 }\n}\ncamera:\n  frame_rate: 26\n");
  assert.match(inner.root.querySelector("[data-key=\"targets.other.kind\"]").textContent, /s3/);
  assert.match(inner.root.querySelector("[data-key=\"camera.frame_rate\"]").textContent, /26/);
});
