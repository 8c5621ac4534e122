// The views in a document without a browser: what they show, what they ask of the rig, and who sees which button.

import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { afterEach, beforeEach, test } from "node:test";
import { installDocument } from "./support/document.mjs";
import { ANSWERS, DECLARATIONS, STATUS, WARNINGS, fakeAPI, settle } from "./support/rig.mjs";
import { PAUSES } from "../../../page/core/event-stream.js";
import { Page, VIEWS, viewOf } from "../../../page/views/page.js";
import { RigStore } from "../../../page/dom/store.js";
import { makeGuides } from "../../../page/views/aim/guides-overlay.js";
import { showSignIn } from "../../../page/views/sign-in.js";

let document;
let stop;

beforeEach(() => {
  document = installDocument();
  stop = new AbortController();
});
afterEach(() => stop.abort());

/** Shows a view to a person with some permissions. */
async function shown(name, permissions = ["read", "act"], answers = ANSWERS) {
  const { api, requests } = fakeAPI(answers);
  const store = new RigStore(api);
  stop.signal.addEventListener("abort", () => store.stop());
  const said = [];
  const context = {
    api, store, declarations: DECLARATIONS, codes: DECLARATIONS.codes, who: { name: "builder", permissions },
    mayAct: permissions.includes("act"), announce: (text) => said.push(text),
    gathered: { changes: new Map(), hash: undefined },
  };
  const root = document.createElement("div");
  document.body.append(root);
  VIEWS.find((view) => view.name === name).show(root, context, stop.signal);
  await store.readStatus();
  await settle();
  assert.ok(!root.textContent.includes("[object"), `the view shows a value that is no text: ${root.textContent}`);
  return { root, requests, store, said, context };
}

const buttons = (root) => root.querySelectorAll("button");
const labelOf = (button) => button.getAttribute("aria-label") ?? button.textContent;
const button = (root, label) => {
  const found = buttons(root).find((one) => one.textContent === label || labelOf(one) === label);
  assert.ok(found, `no button "${label}" among ${buttons(root).map(labelOf).join(" | ")}`);
  return found;
};

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
    const { store } = await shown(name);
    stop.abort();
    await settle();
    document.body.replaceChildren();
    store.stop();
  });
}

test("operate shows the readiness, the pictures and their marks", async () => {
  const { root, said } = await shown("operate");
  assert.equal(root.querySelector(".readiness").getAttribute("data-tone"), "ready");
  assert.equal(root.querySelectorAll(".tile").length, 2);
  assert.match(root.querySelector(".gallery").textContent, /looks like press 6/);
  assert.deepEqual(said.filter((text) => text !== "Not known yet"), ["Ready"]);
});

test("a rig whose connection is lost is not said to be ready", async () => {
  const { root, store } = await shown("operate", ["read", "act"], { ...ANSWERS, "GET v1/events": new Response("") });
  store.start();
  await settle();
  assert.equal(store.connection.state, "offline");
  const readiness = root.querySelector(".readiness");
  assert.equal(readiness.getAttribute("data-tone"), "unknown");
  assert.match(readiness.textContent, /^Not known yet/);
});

test("pictures are read again when events were missed", async () => {
  const missed = new Response("event: missed\ndata: {}\n\n");
  const { store, requests } = await shown("operate", ["read"], { ...ANSWERS, "GET v1/events": missed });
  const readings = () => requests.filter(({ path }) => path === "GET v1/presses").length;
  const before = readings();
  store.start();
  await settle();
  assert.equal(readings(), before + 2, "once for the new connection, and once for what was missed");
});

test("a tile loads its thumbnail, without one the whole picture, and else shows a frame", async () => {
  const { root } = await shown("operate");
  const [tile] = root.querySelector(".gallery").children;
  const image = tile.querySelector("img");
  const path = "http://rig/v1/spool/items/00000a-0000000007-0123456789abcdef";
  assert.deepEqual([image.getAttribute("src"), image.getAttribute("loading")], [`${path}/thumbnail`, "lazy"]);
  image.dispatch("error");
  assert.equal(image.getAttribute("src"), `${path}/image`);
  assert.ok(!tile.classList.contains("has-no-thumbnail"));
  image.dispatch("error");
  assert.ok(tile.classList.contains("has-no-thumbnail"));
});

test("a new picture comes first, and the focus stays where it is", async () => {
  const { root, store } = await shown("operate");
  const list = root.querySelector(".gallery");
  const [first, second] = list.children;
  store.start();
  await settle();
  assert.deepEqual(list.children, [first, second], "the same pictures have the same elements after another reading");
});

test("a refused press is told with its reason, and the same button presses again", async () => {
  const refusal = Response.json({ number: 9, outcome: "refused", reason: "thermalPressure", source: "api" }, { status: 409 });
  const { root, requests } = await shown("operate", ["read", "act"], { ...ANSWERS, "POST v1/presses": refusal });
  for (let press = 0; press < 2; press += 1) {
    button(root, "Take picture").click();
    await settle();
  }
  assert.match(root.querySelector(".shutter-box").textContent, /Press 9 was refused: It is too hot\. Let the rig cool down/);
  assert.equal(requests.filter(({ path }) => path === "POST v1/presses").length, 2);
});

/** Returns the answers of a rig whose last picture has some warnings. */
const warned = (warnings) => ({ ...ANSWERS, "GET v1/status": { ...STATUS, presses: { ...STATUS.presses, warnings } } });

test("operate says what is wrong with the picture just taken, and takes it again", async () => {
  const answers = warned(WARNINGS);
  const { root, requests, store } = await shown("operate", ["read", "act"], answers);
  const place = root.querySelector(".page-warning");
  assert.equal(place.hidden, false);
  assert.match(place.textContent, /The page lies crooked\.Straighten the page, and take it again\./);
  assert.equal(place.querySelectorAll(".meaning").length, 2);
  button(root, "Take it again").click();
  await settle();
  const press = requests.find(({ path }) => path === "POST v1/presses");
  assert.deepEqual(press.body, { retake: true });
  assert.equal(requests.filter(({ path }) => path.startsWith("DELETE ")).length, 0, "no picture is lost");
  answers["GET v1/status"] = STATUS;
  await store.readStatus();
  assert.equal(place.hidden, true);
  assert.equal(place.querySelectorAll(".meaning").length, 0);
});

test("a retake that is refused says so beside the warning, which stays", async () => {
  const refusal = Response.json({ number: 9, outcome: "refused", reason: "storageFull", source: "api" }, { status: 409 });
  const { root } = await shown("operate", ["read", "act"], { ...warned(WARNINGS), "POST v1/presses": refusal });
  button(root, "Take it again").click();
  await settle();
  const place = root.querySelector(".page-warning");
  assert.match(place.querySelector(".problem").textContent, /^Press 9 was refused: The disk is full/);
  assert.equal(place.querySelectorAll(".meaning").length, 2);
});

test("who may only look sees the warning, and no button for a retake", async () => {
  const { root } = await shown("operate", ["read"], warned(WARNINGS));
  const place = root.querySelector(".page-warning");
  assert.equal(place.hidden, false);
  assert.equal(place.querySelectorAll("button").length, 0);
});

test("the last pictures are marked with their warnings", async () => {
  const { presses } = ANSWERS["GET v1/presses"];
  const answers = { ...ANSWERS, "GET v1/presses": { presses: [{ ...presses[0], page: { warnings: WARNINGS } }, presses[1]] } };
  const { root } = await shown("operate", ["read"], answers);
  const [first, second] = root.querySelectorAll(".marks").map((marks) => marks.textContent);
  assert.match(first, /the page lies crooked.*the page is the same as before.*looks like press 6/);
  assert.equal(second, "");
});

/** Returns an answer with the progress of captures as events. */
const progressEvents = (...reports) => new Response(
  reports.map((progress) => `event: progress\ndata: ${JSON.stringify({ progress })}\n\n`).join(""));

/** Runs work and returns the errors that were written to the console. */
async function consoleErrors(work) {
  const real = console.error;
  const errors = [];
  console.error = (error) => errors.push(error.message);
  try {
    await work();
  } finally {
    console.error = real;
  }
  return errors;
}

test("a late report of a capture that is no longer shown is not announced", async () => {
  const reports = [1, 2, 3, 4, 5].map((press) => ({ press, step: "settingsResolved" }));
  const finished = [1, 5].map((press) => ({ press, step: "captureFinished" }));
  const answers = { ...ANSWERS, "GET v1/events": progressEvents(...reports, ...finished) };
  const { store, said } = await shown("operate", ["read"], answers);
  const errors = await consoleErrors(async () => {
    store.start();
    await settle();
  });
  assert.deepEqual(errors, []);
  assert.deepEqual(said.filter((text) => text.startsWith("Press")), ["Press 5: finished."]);
});

test("a listener that fails costs neither the other listeners nor the events", async () => {
  const answers = { ...ANSWERS, "GET v1/events": progressEvents({ press: 1 }, { press: 2 }) };
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

/** Returns an answer with reports of a recording as events. */
const movieEvents = (...reports) => new Response(
  reports.map((movie) => `event: movie\ndata: ${JSON.stringify({ movie: { ...STATUS.movie, ...movie } })}\n\n`).join(""));

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

test("a retake deletes the earlier picture when the new one is stored", async () => {
  const { root, requests } = await shown("operate");
  root.querySelector(".tile").click();
  button(document.body, "Retake…").click();
  await settle();
  document.body.querySelector("[data-answer=\"yes\"]").click();
  await settle();
  const acts = requests.filter(({ path }) => !path.startsWith("GET "));
  assert.deepEqual(acts.map(({ path, query }) => path + query), [
    "POST v1/presses", "DELETE v1/spool/items/00000a-0000000007-0123456789abcdef?confirm=00000a-0000000007-0123456789abcdef",
  ]);
  assert.deepEqual(acts[0].body, { retake: true }, "the newest picture is of the page that lies there");
});

test("a retake deletes all files of an earlier press, which it does not replace", async () => {
  const { presses } = ANSWERS["GET v1/presses"];
  const itemIDs = ["00000a-0000000006-0123456789abcdef", "00000a-0000000006-1123456789abcdef"];
  const answers = { ...ANSWERS, "GET v1/presses": { presses: [presses[0], { ...presses[1], itemIDs, receipt: undefined, pictureState: "stored" }] } };
  const { root, requests } = await shown("operate", ["read", "act"], answers);
  const tiles = root.querySelectorAll(".tile");
  assert.equal(tiles.length, 3);
  tiles[2].click();
  button(document.body, "Retake…").click();
  await settle();
  document.body.querySelector("[data-answer=\"yes\"]").click();
  await settle();
  const acts = requests.filter(({ path }) => !path.startsWith("GET "));
  assert.deepEqual(acts.map(({ path }) => path), ["POST v1/presses", ...itemIDs.map((id) => `DELETE v1/spool/items/${id}`)]);
  assert.equal(acts[0].body, undefined);
});

test("a picture that is loaded after the wish for one to one gets its size", async () => {
  const { root } = await shown("operate");
  root.querySelector(".tile").click();
  const image = document.body.querySelector("dialog").querySelector("img");
  image.naturalWidth = 0;
  button(document.body, "One to one").click();
  assert.equal(image.style.width, "");
  image.naturalWidth = 4056;
  image.dispatch("load");
  assert.equal(image.style.width, "4056px");
  button(document.body, "One to one").click();
  assert.equal(image.style.width, "");
});

test("watch says why a target waits, what the doctor advises, and what was interrupted", async () => {
  const { root, store } = await shown("watch");
  store.start();
  await settle();
  const text = root.textContent;
  for (const part of ["The server did not answer.", "next attempt in 0:", "the voltage was too low", "Check it.",
    "of each minute for a day.", "about 7897 more", "Set aside1 picture"]) assert.ok(text.includes(part), `"${part}" in: ${text}`);
});

test("watch draws the temperatures that the rig has kept", async () => {
  const { store } = await shown("watch", ["read"], { ...ANSWERS, "GET v1/events": progressEvents() });
  store.start();
  await settle();
  assert.deepEqual(store.temperatures.lines().get("cpu-thermal").map(({ y }) => y), [44, 48]);
});

test("aim shows the level, the camera's values and its sentences", async () => {
  const { root, requests } = await shown("aim");
  for (const part of ["The right side is 3.0° higher", "red 1.8, blue 1.6", "4600 K", "2.50 diopters, 40 cm, focused", "The camera has no gamma."]) {
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

test("a countdown is shown while it runs, and heard once it is asked for", async () => {
  const event = (handsFree) => `event: handsFree\ndata: ${JSON.stringify({ handsFree })}\n\n`;
  const tones = [];
  globalThis.AudioContext = class {
    currentTime = 1;
    createOscillator() {
      return { frequency: {}, connect() {}, start: () => tones.push("start"), stop: (time) => tones.push(time) };
    }
    close() {}
  };
  try {
    for (const [isHeard, reports, seen] of [
      [false, [{ secondsLeft: 2 }], /taken in 2 s/], [true, [{ secondsLeft: 2 }, { secondsLeft: 1 }], /taken in 1 s/],
      [true, [{ secondsLeft: 1 }, {}], undefined],
    ]) {
      const answers = { ...ANSWERS, "GET v1/events": new Response(reports.map(event).join("")) };
      const { root, store } = await shown("operate", ["read"], answers);
      const countdown = root.querySelector(".countdown");
      assert.equal(countdown.hidden, true);
      if (isHeard) button(root, "Sound").click();
      store.start();
      await settle();
      store.stop();
      assert.equal(countdown.hidden, false);
      assert.equal(countdown.querySelector("p").hidden, seen === undefined);
      if (seen) assert.match(countdown.textContent, seen);
      assert.equal(tones.length, isHeard ? 2 * reports.filter(({ secondsLeft }) => secondsLeft).length : 0);
      tones.length = 0;
    }
  } finally {
    delete globalThis.AudioContext;
  }
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

const WINDOW = {
  location: { hash: "#watch" }, addEventListener() {}, setTimeout: () => 0, setInterval: () => 0, clearInterval() {},
};

/** Makes the page as index.html has it. */
function frame() {
  for (const [tag, id] of [["header", "bar"], ["p", "connection"], ["main", "view"], ["p", "announcer"], ["a", "skip"]]) {
    const element = document.createElement(tag);
    element.setAttribute("id", id);
    document.body.append(element);
  }
}

test("a stranger is asked for the token, and then sees the views", async () => {
  frame();
  const unknown = Response.json({ error: { code: "unauthenticated", message: "Who?" } }, { status: 401 });
  const answers = { ...ANSWERS, "GET v1/sign-in": unknown };
  let requests;
  const page = new Page(document, WINDOW, (onSignedOut) => {
    const made = fakeAPI(answers, onSignedOut);
    requests = made.requests;
    return made.api;
  });
  await page.start();
  document.getElementById("token").value = " platen_x ";
  answers["GET v1/sign-in"] = ANSWERS["GET v1/sign-in"];
  document.body.querySelector("form").dispatch("submit");
  await settle();
  assert.deepEqual(requests.find(({ path }) => path === "POST v1/sign-in").body, { token: "platen_x" });
  assert.equal(document.title, "Watch · Platen");
  const current = document.querySelectorAll("a").filter((link) => link.getAttribute("aria-current") === "page");
  assert.deepEqual(current.map((link) => link.textContent), ["Watch"]);
  button(document.body, "Sign out").click();
  await settle();
  assert.ok(!document.getElementById("token"), "who is known without a sign-in stays");
  answers["GET v1/sign-in"] = unknown;
  button(document.body, "Sign out").click();
  await settle();
  assert.ok(document.getElementById("token"), "the sign-in is shown again");
});

test("gathered changes outlast another view, and the page of a new version is loaded when they are written", async () => {
  frame();
  let reloads = 0;
  const location = { hash: "#set", reload: () => { reloads += 1; } };
  const listeners = {};
  const window = {
    ...WINDOW, location, addEventListener: (kind, listener) => { listeners[kind] = listener; },
  };
  const waiting = [];
  const { setTimeout: later } = globalThis;
  globalThis.setTimeout = (work, delay) => { waiting.push({ work, delay }); };
  stop.signal.addEventListener("abort", () => { globalThis.setTimeout = later; });
  /** Makes the connection to the events anew, after which the page reads the status. */
  async function reconnect() {
    for (const { work } of waiting.splice(0).filter(({ delay }) => delay === PAUSES.shortest)) work();
    await settle();
  }
  const answers = { ...ANSWERS, "GET v1/events": new Response(": listening\n\n") };
  const page = new Page(document, window, (onSignedOut) => fakeAPI(answers, onSignedOut).api);
  await page.start();
  await settle();
  const row = () => document.body.querySelector("[data-key=\"camera.frame_rate\"]");
  button(row(), "Change camera.frame_rate").click();
  row().querySelector("input").value = "25";
  button(row(), "Add to the changes").click();
  for (const hash of ["#aim", "#set"]) {
    location.hash = hash;
    listeners.hashchange();
    await settle();
  }
  assert.match(document.querySelector(".pending").textContent, /1 change to be written.*camera\.frame_rate/s);
  assert.equal(reloads, 0);
  answers["GET v1/status"] = { ...STATUS, version: "0.2.0" };
  await reconnect();
  assert.equal(reloads, 0, "the page is loaded while changes wait");
  button(document.body, "Drop all").click();
  await settle();
  button(row(), "Change camera.frame_rate").click();
  await reconnect();
  assert.equal(reloads, 0, "the page is loaded while a form is open");
  button(row(), "Cancel").click();
  await reconnect();
  await reconnect();
  assert.equal(reloads, 1, "the page of the new version is loaded once");
  answers["GET v1/sign-in"] = Response.json({ error: { code: "unauthenticated", message: "Who?" } }, { status: 401 });
  button(document.body, "Sign out").click();
  await settle();
});

test("a browser that keeps no cookie is told why the token is asked for again", async () => {
  frame();
  const unknown = Response.json({ error: { code: "unauthenticated", message: "Who?" } }, { status: 401 });
  const page = new Page(document, WINDOW, (onSignedOut) => fakeAPI({ ...ANSWERS, "GET v1/sign-in": unknown }, onSignedOut).api);
  await page.start();
  assert.doesNotMatch(document.body.textContent, /cookies/);
  document.getElementById("token").value = "platen_x";
  document.body.querySelector("form").dispatch("submit");
  await settle();
  assert.match(document.body.textContent, /The browser has not kept the sign-in\. Allow cookies/);
});

test("a wrong token is told in the words of the rig", async () => {
  const wrong = Response.json({ error: { code: "unauthenticated", message: "The token is not one of this rig's." } }, { status: 401 });
  const { api } = fakeAPI({ "POST v1/sign-in": wrong });
  const root = document.createElement("main");
  document.body.append(root);
  showSignIn(root, api, undefined, assert.fail);
  root.querySelector("form").dispatch("submit");
  await settle();
  assert.equal(root.querySelector(".problem").textContent, "The token is not one of this rig's.");
});

test("an address names a view, and any other shows what happens", () => {
  assert.deepEqual(["#aim", "#set", "", "#view"].map((hash) => viewOf(hash).name), ["aim", "set", "operate", "operate"]);
});
