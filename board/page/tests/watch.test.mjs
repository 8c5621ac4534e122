// The view to watch the rig by.

import assert from "node:assert/strict";
import { test } from "node:test";
import { ANSWERS, STATUS, countOf, settle } from "./support/rig.mjs";
import { button, document, eventsOf, shown } from "./support/view.mjs";
import { PAUSES } from "../../../page/core/event-stream.js";

test("watch says why a target waits, what the doctor advises, and what was interrupted", async () => {
  const { root, store } = await shown("watch", ["read", "act"], { ...ANSWERS, "GET v1/events": new Response(": listening\n\n") });
  store.start();
  await settle();
  const text = root.textContent;
  for (const part of ["The server did not answer.", "next attempt in 0:", "the voltage was too low", "Check it.",
    "of each minute for a day.", "about 7897 more", "Set aside1 picture",
    "The camera has been unplugged."]) assert.ok(text.includes(part), `"${part}" in: ${text}`);
});

test("watch draws the temperatures that the rig has kept", async () => {
  const { store } = await shown("watch", ["read"], { ...ANSWERS, "GET v1/events": eventsOf("progress") });
  store.start();
  await settle();
  assert.deepEqual(store.temperatures.lines().get("cpu-thermal").map(({ y }) => y), [44, 48]);
});

test("what is unfolded, and the button that has the focus, stay so when figures change", async () => {
  const answers = { ...ANSWERS };
  const { root, store } = await shown("watch", ["read", "act"], answers);
  const states = () => root.querySelectorAll("details").find((one) => one.textContent.startsWith("All states"));
  const [first, retry] = [states(), button(root, "Let the pictures that were set aside wait again")];
  first.open = true;
  retry.focus();
  answers["GET v1/status"] = { ...STATUS, spool: { ...STATUS.spool, waiting: 3 } };
  await store.readStatus();
  await settle();
  assert.notEqual(states(), first);
  assert.ok(states().open);
  assert.notEqual(document.activeElement, retry);
  assert.ok(root.contains(document.activeElement) && document.activeElement.textContent === retry.textContent);
});

test("the disk's figures are read again after a while, although no count has changed", async (context) => {
  context.mock.timers.enable({ apis: ["Date"] });
  const { store, requests } = await shown("watch");
  const readings = () => countOf(requests, "GET v1/spool");
  const before = readings();
  await store.readStatus();
  assert.equal(readings(), before);
  context.mock.timers.tick(31_000);
  await store.readStatus();
  assert.equal(readings(), before + 1);
});

test("the presses of this hour begin anew with the hour", async (context) => {
  context.mock.timers.enable({ apis: ["Date", "setInterval"], now: Date.parse("2026-01-02T03:50:00Z") });
  const { root } = await shown("watch");
  assert.match(root.textContent, /in this hour 2 stored/);
  context.mock.timers.tick(660_000);
  assert.match(root.textContent, /2 stored and 0 refused; in this hour 0 stored/);
});

test("the interruptions are read again when events were missed", async (context) => {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  const missed = new Response("event: missed\ndata: {}\n\n");
  const { store, requests } = await shown("watch", ["read"], { ...ANSWERS, "GET v1/events": missed });
  const readings = () => countOf(requests, "GET v1/session/interruptions");
  const before = readings();
  store.start();
  await settle();
  assert.equal(readings(), before + 2, "once for the new connection, and once for what was missed");
});

test("the events of a rig that has booted have the times of its new clock", async (context) => {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  const press = (id, timeNanoseconds) => new Response(`id: ${id}\nevent: press\ndata: ${JSON.stringify({
    timeNanoseconds, press: { number: 9, outcome: "pending" },
  })}\n\n`);
  const answers = { ...ANSWERS, "GET v1/events": press("one-1", 9e11) };
  const { store } = await shown("watch", ["read"], answers);
  store.start();
  await settle();
  let answer;
  answers["GET v1/events"] = press("two-1", 6e9);
  answers["GET v1/time"] = new Promise((resolve) => { answer = resolve; });
  context.mock.timers.tick(PAUSES.shortest);
  await settle();
  answer({ ...ANSWERS["GET v1/time"], monotonicNanoseconds: 6e9 });
  await settle();
  const [newest] = store.events;
  assert.equal(newest.kind, "press");
  assert.ok(Math.abs(newest.time - Date.now()) < 60_000, `${newest.time - Date.now()} ms`);
  assert.ok(Math.abs(store.clock.time(6e9) - Date.now()) < 60_000);
});
