// The view of the settings.

import assert from "node:assert/strict";
import { test } from "node:test";
import { ANSWERS, settle } from "./support/rig.mjs";
import { button, shown } from "./support/view.mjs";

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

test("the first target is named, and its settings are written together", async () => {
  const file = { ...ANSWERS["GET v1/configuration"], text: "rig: { id: rig-1 }\nboard: simulated\n" };
  const { root, requests } = await shown("set", ["read", "act"], { ...ANSWERS, "GET v1/configuration": file });
  const section = () => root.querySelector("[data-section=\"targets\"]");
  const add = (name) => {
    section().querySelector(".new-name").querySelector("input").value = name;
    button(section(), "Add to targets").click();
  };
  assert.equal(section().querySelectorAll(".setting").length, 0);
  for (const name of ["Office", "a.b", "", "x".repeat(33)]) {
    add(name);
    assert.match(section().textContent, /Enter a name: a name is 1 to 32 of a-z 0-9 - _\./, name);
  }
  add("back-up_1");
  for (const [key, value] of [["kind", "webdav"], ["url", "https://pages.example/dav/"]]) {
    const row = root.querySelector(`[data-key="targets.back-up_1.${key}"]`);
    button(row, `Change targets.back-up_1.${key}`).click();
    row.querySelector(key === "kind" ? "select" : "input").value = value;
    button(row, "Add to the changes").click();
  }
  add("back-up_1");
  assert.match(section().textContent, /"back-up_1" is there already\./);
  button(root, "Check and write").click();
  await settle();
  assert.deepEqual(requests.find(({ path }) => path === "PATCH v1/configuration").body.set, {
    "targets.back-up_1.kind": "webdav", "targets.back-up_1.url": "\"https://pages.example/dav/\"",
  });
});

test("the settings of each name stand together, and tokens are named in the file alone", async () => {
  const text = "targets:\n  a: { kind: webdav }\n  b: { kind: s3 }\napi: { tcp: { port: 80 } }\n";
  const file = { ...ANSWERS["GET v1/configuration"], text };
  const { root } = await shown("set", ["read", "act"], { ...ANSWERS, "GET v1/configuration": file });
  const keys = root.querySelectorAll(".setting").map((row) => row.getAttribute("data-key"));
  const names = keys.filter((key) => key.startsWith("targets.")).map((key) => key.split(".")[1]);
  assert.equal(names.lastIndexOf("a"), names.indexOf("b") - 1);
  const forms = root.querySelectorAll(".new-name");
  assert.deepEqual(forms.map((form) => form.querySelector("button").textContent), [
    "Add to cameras", "Add to buttons", "Add to indicators", "Add to lamps", "Add to targets",
  ]);
  const viewer = await shown("set", ["read"], { ...ANSWERS, "GET v1/configuration": file });
  assert.equal(viewer.root.querySelectorAll(".new-name").length, 0);
});
