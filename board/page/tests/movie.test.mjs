// The panel of recordings.

import assert from "node:assert/strict";
import { test } from "node:test";
import { ANSWERS, STATUS, settle } from "./support/rig.mjs";
import { button, buttons, document, eventsOf, labelOf, shown } from "./support/view.mjs";

/** Returns an answer with reports of a recording as events. */
const movieEvents = (...reports) => eventsOf("movie", ...reports.map((movie) => ({ ...STATUS.movie, ...movie })));

/** Shows a rig whose recording has had some events since the status. */
async function filmed(permissions, ...reports) {
  const answers = { ...ANSWERS, "GET v1/events": movieEvents(...reports) };
  const view = await shown("operate", permissions, answers);
  delete answers["GET v1/status"];
  view.store.start();
  await settle();
  view.store.stop();
  return { ...view, panel: view.root.querySelector(".movie") };
}

test("a recording is started and ended by the same button, which keeps the focus", async () => {
  const { panel, root, requests } = await filmed(["read", "act"], {});
  const record = button(panel, "Start recording");
  record.focus();
  record.click();
  await settle();
  const going = await filmed(["read", "act"], { state: "recording", press: 8, elapsedSeconds: 65.2, droppedFrames: 3 });
  assert.match(going.panel.textContent, /Recording\.Time1:05Frames dropped3End recordingPause recording/);
  assert.ok(!going.panel.querySelector("meter"), "a level without a sound");
  button(going.panel, "End recording").click();
  await settle();
  assert.equal(document.activeElement, record);
  assert.ok(root.contains(record));
  const acts = [...requests, ...going.requests].map(({ path }) => path).filter((path) => path.startsWith("POST "));
  assert.deepEqual(acts, ["POST v1/movie/start", "POST v1/movie/stop"]);
});

test("a recording is paused and resumed by the same button, which keeps the focus", async () => {
  const answers = { ...ANSWERS };
  const { root, requests, store } = await shown("operate", ["read", "act"], answers);
  const panel = root.querySelector(".movie");
  const turn = async (state) => {
    answers["GET v1/status"] = { ...STATUS, movie: { ...STATUS.movie, state, press: 8, reason: state === "interrupted" ? "cameraStalled" : undefined } };
    await store.readStatus();
    return buttons(panel).map(labelOf);
  };
  assert.deepEqual(await turn("idle"), ["Start recording"]);
  assert.deepEqual(await turn("recording"), ["End recording", "Pause recording"]);
  const pause = button(panel, "Pause recording");
  pause.focus();
  pause.click();
  await settle();
  assert.deepEqual(await turn("paused"), ["End recording", "Resume recording"]);
  assert.match(panel.textContent, /^RecordingThe recording is paused\./);
  assert.equal(button(panel, "Resume recording"), pause);
  pause.click();
  await settle();
  assert.deepEqual(await turn("starting"), ["End recording", "Pause recording"]);
  assert.ok(document.activeElement === pause && panel.contains(pause));
  assert.equal(pause.getAttribute("type"), "button");
  // An interruption hides whether there is a pause, and what is being stored has none.
  for (const state of ["interrupted", "finishing"]) assert.deepEqual(await turn(state), ["End recording"]);
  assert.deepEqual(await turn("idle"), ["Start recording"]);
  const acts = requests.map(({ path }) => path).filter((path) => path.startsWith("POST "));
  assert.deepEqual(acts, ["POST v1/movie/pause", "POST v1/movie/resume"]);
});

test("a pause that is refused says why below the buttons", async () => {
  const message = "The movie cannot be changed: there is no recording.";
  const refusal = Response.json({ error: { code: "conflict", message } }, { status: 409 });
  const status = { ...STATUS, movie: { ...STATUS.movie, state: "recording", press: 8 } };
  const answers = { ...ANSWERS, "GET v1/status": status, "POST v1/movie/pause": refusal };
  const { root } = await shown("operate", ["read", "act"], answers);
  const panel = root.querySelector(".movie");
  button(panel, "Pause recording").click();
  await settle();
  assert.equal(panel.querySelector(".problem").textContent, message);
  assert.equal(button(panel, "Pause recording").getAttribute("aria-busy"), null);
});

test("events of a recording change what is shown in place", async () => {
  const last = { press: 8, outcome: "stored", reason: "stopped", durationSeconds: 61.5 };
  const { panel } = await filmed(["read", "act"], { state: "recording" }, { state: "interrupted", reason: "cameraUnplugged" });
  assert.match(panel.querySelector("[role=\"status\"]").textContent, /^The recording is interrupted\. The camera has been unplugged\.$/);
  const { panel: after } = await filmed(["read", "act"], { state: "recording" }, { state: "finishing" }, { last });
  assert.equal(after.textContent, "RecordingRecorded 62 s: stopped.Start recording");
});

test("the level of the sound is shown where the rig has one", async () => {
  const { panel } = await filmed(["read"], { state: "recording", soundLevelDecibels: -12.4 });
  assert.equal(panel.querySelector("meter").getAttribute("value"), "-12.4");
  assert.match(panel.textContent, /Sound -12 dBFS$/);
  assert.equal(panel.querySelectorAll("button").length, 0, "who may only look starts, pauses and ends nothing");
});

test("the reason that the sound has ended takes the place of its level, and stays with the recording before", async () => {
  const soundEnd = "The microphone \"plughw:1,0\" gives no sound, and the movie is recorded without: it has been unplugged.";
  const sounding = { state: "recording", soundLevelDecibels: -12.4 };
  const { panel } = await filmed(["read"], sounding, { state: "recording", soundEnd });
  assert.ok(!panel.querySelector("meter"), "a level of a sound that has ended");
  assert.ok(panel.textContent.endsWith(`Sound${soundEnd}`), panel.textContent);
  const last = { press: 8, outcome: "stored", reason: "stopped", durationSeconds: 61.5, soundEnd };
  const { panel: after } = await filmed(["read"], { state: "recording", soundEnd }, { last });
  assert.equal(after.textContent, `RecordingRecorded 62 s: stopped. ${soundEnd}`);
});

test("a refused recording is told with its reason, whoever has wanted it", async () => {
  const message = "This rig makes no recordings.";
  const refusal = Response.json({ error: { code: "unsupported", message } }, { status: 409 });
  const { root } = await shown("operate", ["read", "act"], { ...ANSWERS, "POST v1/movie/start": refusal });
  button(root, "Start recording").click();
  await settle();
  assert.equal(root.querySelector(".movie").querySelector(".problem").textContent, message);
  const last = { press: 9, outcome: "refused", reason: "thermalPressure", cause: "the movie cannot begin: it is too hot" };
  const { panel } = await filmed(["read"], { last });
  assert.match(panel.querySelector(".problem").textContent, /^The movie cannot begin: it is too hot\.$/);
  const stored = { ...last, outcome: "stored", durationSeconds: 2 };
  const { panel: after } = await filmed(["read"], { last }, { state: "recording", last }, { last: stored });
  assert.equal(after.querySelector(".problem").textContent, "");
});

test("nothing of recordings is shown on a rig without them", async () => {
  const { movie, ...rest } = STATUS;
  assert.ok(movie);
  const { root } = await shown("operate", ["read", "act"], { ...ANSWERS, "GET v1/status": rest });
  assert.equal(root.querySelector(".movie").hidden, true);
});

test("the recorded time stands still while the rig does not answer", async (context) => {
  context.mock.timers.enable({ apis: ["setInterval", "Date"] });
  const { panel, store } = await filmed(["read"], { state: "recording", elapsedSeconds: 65.2 });
  assert.equal(store.connection.state, "offline");
  context.mock.timers.tick(10_000);
  assert.match(panel.textContent, /Time1:05/);
});
