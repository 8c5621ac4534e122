// The view to take pictures by.

import assert from "node:assert/strict";
import { test } from "node:test";
import { ANSWERS, STATUS, WARNINGS, countOf, settle } from "./support/rig.mjs";
import { button, consoleErrors, document, eventsOf, openStream, shown } from "./support/view.mjs";

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

test("pictures are read again when events were missed", async (context) => {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  const missed = new Response("event: missed\ndata: {}\n\n");
  const { store, requests } = await shown("operate", ["read"], { ...ANSWERS, "GET v1/events": missed });
  const readings = () => countOf(requests, "GET v1/presses");
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

test("a new picture comes first, and the focus stays where it is", async (context) => {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  const { presses } = ANSWERS["GET v1/presses"];
  const press = { ...presses[0], number: 8, itemID: "00000a-0000000008-0123456789abcdef" };
  const { root, store, requests } = await shown("operate", ["read", "act"], { ...ANSWERS, "GET v1/events": eventsOf("press", press) });
  const list = root.querySelector(".gallery");
  const [first, second] = list.children;
  first.querySelector("button").focus();
  const { activeElement } = document;
  store.start();
  await settle();
  assert.equal(countOf(requests, "GET v1/presses"), 2);
  assert.equal(list.children.length, 3);
  assert.deepEqual(list.children.slice(1), [first, second], "the same pictures have the same elements after another reading");
  assert.equal(document.activeElement, activeElement);
});

test("a refused press is told with its reason, and the same button presses again", async () => {
  const refusal = Response.json({ number: 9, outcome: "refused", reason: "thermalPressure", source: "api" }, { status: 409 });
  const { root, requests } = await shown("operate", ["read", "act"], { ...ANSWERS, "POST v1/presses": refusal });
  for (let press = 0; press < 2; press += 1) {
    button(root, "Take picture").click();
    await settle();
  }
  assert.match(root.querySelector(".shutter-box").textContent, /Press 9 was refused: It is too hot\. Let the rig cool down/);
  assert.equal(countOf(requests, "POST v1/presses"), 2);
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

test("a late report of a capture that is no longer shown is not announced", async () => {
  const reports = [1, 2, 3, 4, 5].map((press) => ({ press, step: "settingsResolved" }));
  const finished = [1, 5].map((press) => ({ press, step: "captureFinished" }));
  const answers = { ...ANSWERS, "GET v1/events": eventsOf("progress", ...reports, ...finished) };
  const { store, said } = await shown("operate", ["read"], answers);
  const errors = await consoleErrors(async () => {
    store.start();
    await settle();
  });
  assert.deepEqual(errors, []);
  assert.deepEqual(said.filter((text) => text.startsWith("Press")), ["Press 5: finished."]);
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

test("a countdown is shown while it runs, and heard once it is asked for", async () => {
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
      const events = openStream();
      const { root, store } = await shown("operate", ["read"], { ...ANSWERS, "GET v1/events": events.answer });
      const countdown = root.querySelector(".countdown");
      assert.equal(countdown.hidden, true);
      if (isHeard) button(root, "Sound").click();
      store.start();
      events.send(await eventsOf("handsFree", ...reports).text());
      await settle();
      assert.equal(countdown.hidden, false);
      assert.equal(countdown.querySelector("p").hidden, seen === undefined);
      if (seen) assert.match(countdown.textContent, seen);
      assert.equal(tones.length, isHeard ? 2 * reports.filter(({ secondsLeft }) => secondsLeft).length : 0);
      tones.length = 0;
      events.end();
      store.stop();
    }
  } finally {
    delete globalThis.AudioContext;
  }
});

test("an event outlasts the answer that was on its way when it came", async (context) => {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  const readiness = { state: "notReadyMomentarily", reasons: ["cameraUnplugged"] };
  const answers = { ...ANSWERS, "GET v1/events": eventsOf("readiness", readiness) };
  const { store, requests } = await shown("operate", ["read"], answers);
  const readings = () => countOf(requests, "GET v1/status");
  const before = readings();
  let answer;
  answers["GET v1/status"] = new Promise((resolve) => { answer = resolve; });
  store.start();
  await settle();
  assert.equal(store.rig.status.readiness.state, "notReadyMomentarily");
  answer(STATUS);
  await settle();
  assert.equal(store.rig.status.readiness.state, "notReadyMomentarily", "the older answer has hidden the event");
  assert.equal(readings(), before + 1);
  context.mock.timers.tick(500);
  assert.equal(readings(), before + 2, "the answer may have been the newer one");
});

test("a picture outlasts the list that was on its way when it came", async () => {
  const { presses } = ANSWERS["GET v1/presses"];
  const press = { ...presses[0], number: 8, itemID: "00000a-0000000008-0123456789abcdef", nearDuplicateOf: undefined };
  const answers = { ...ANSWERS, "GET v1/events": eventsOf("press", press) };
  const { root, store } = await shown("operate", ["read"], answers);
  let answer;
  answers["GET v1/presses"] = new Promise((resolve) => { answer = resolve; });
  store.start();
  await settle();
  answer({ presses });
  await settle();
  assert.deepEqual(root.querySelectorAll(".caption").map(({ textContent }) => textContent.split(",")[0]), ["Press 8", "Press 7", "Press 6"]);
});

test("a capture shows its steps, and its files as they are stored", async () => {
  const { root, store } = await shown("operate", ["read"], {
    ...ANSWERS, "GET v1/events": eventsOf("progress", { press: 5, step: "photoDelivered", index: 1, count: 2 }),
  });
  store.start();
  await settle();
  const capture = root.querySelector(".capture");
  assert.match(capture.textContent, /^Press 5 · 1 of 2Settings/);
  const steps = capture.querySelectorAll("li");
  assert.deepEqual(steps.map((step) => step.classList.contains("is-done")), [true, true, true, true, false]);
  assert.equal(steps[3].getAttribute("aria-current"), "step");
});

test("a capture whose end was missed is no longer shown as going on", async () => {
  const going = await eventsOf("progress", { press: 5, step: "exposureBegan" }).text();
  const answers = { ...ANSWERS, "GET v1/events": new Response(`${going}event: missed\ndata: {}\n\n`) };
  const { root, store } = await shown("operate", ["read"], answers);
  store.start();
  await settle();
  assert.equal(root.querySelectorAll(".capture").length, 0);
});

test("a countdown ends with the connection that told it, and with missed events", async () => {
  const counting = "event: handsFree\ndata: {\"handsFree\": {\"secondsLeft\": 2}}\n\n";
  for (const [after, isCounting] of [["", true], ["event: missed\ndata: {}\n\n", false]]) {
    const events = openStream();
    const { root, store } = await shown("operate", ["read"], { ...ANSWERS, "GET v1/events": events.answer });
    store.start();
    events.send(counting + after);
    await settle();
    const line = root.querySelector(".countdown").querySelector("p");
    assert.equal(line.hidden, !isCounting);
    events.end();
    await settle();
    assert.equal(line.hidden, true);
    store.stop();
  }
});

test("the readiness of a rig that gives no events is that of its status", async (context) => {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  const refusal = Response.json({ error: { code: "unavailable", message: "Too many listen." } }, { status: 503 });
  const { store, requests } = await shown("operate", ["read"], { ...ANSWERS, "GET v1/events": refusal });
  const readings = () => countOf(requests, "GET v1/status");
  const before = readings();
  store.start();
  await settle();
  assert.deepEqual([store.connection.state, readings()], ["refused", before + 1]);
});
