// States, sentences and settings.

import assert from "node:assert/strict";
import { test } from "node:test";
import { capturesAfter, captureSentence, isFinished } from "../../../page/core/capture-progress.js";
import { linePath, rangeOfTens, scale, ticks, timeLine, timeTicks } from "../../../page/core/chart.js";
import { readinessInWords } from "../../../page/core/codes.js";
import { BEGINNING, connectionAfter, connectionAge, connectionSentence } from "../../../page/core/connection.js";
import { lockAll, modeInWords, zoomAfterWheel, zoomWithin } from "../../../page/core/controls.js";
import { eventSentence } from "../../../page/core/event-words.js";
import { movieSentence, recordedSeconds, recordingSentence } from "../../../page/core/movie.js";
import { marksOf, picturesAfter } from "../../../page/core/pictures.js";
import { forgetOld, pressesByHour, sinceTime } from "../../../page/core/press-hours.js";
import { Problem } from "../../../page/core/api.js";
import { UNKNOWN, needsStatus, rigAfter } from "../../../page/core/rig-state.js";
import { choicesOf, faultOf, limitsOf, matching, settingsOf, yamlOf } from "../../../page/core/settings.js";
import { countsSentence, isPaused, progressOf, targetInWords } from "../../../page/core/targets.js";
import { TemperatureLog } from "../../../page/core/temperature-log.js";
import { RigClock, countdown, spoken } from "../../../page/core/time.js";
import { bytes, distance, exposure, percent, words } from "../../../page/core/words.js";
import { nodeAt, readYAML, shownNode } from "../../../page/core/yaml.js";
import { DECLARATIONS, STATUS, WARNINGS } from "./support/rig.mjs";

test("an outage keeps its beginning, and its end is told", () => {
  const lost = { lost: new Problem(0, "offline", "The rig does not answer.") };
  let connection = connectionAfter(BEGINNING, { opened: true }, 1000);
  assert.equal(connectionSentence(connection), undefined);
  connection = connectionAfter(connection, lost, 5000);
  connection = connectionAfter(connection, lost, 65_000);
  assert.equal(connection.since, 5000);
  assert.match(connectionSentence(connection), /^Offline since \d\d:\d\d:05\. The rig does not answer\./);
  assert.equal(connectionAge(connection, 125_000), "for 2 min");
  connection = connectionAfter(connection, { lost: new Problem(503, "tooManyListeners", "Too many listen.") }, 70_000);
  assert.match(connectionSentence(connection), /^No events since .* Too many listen\.$/);
  assert.equal(connectionAfter(connection, { opened: true }, 80_000).state, "online");
});

test("events change what they report, and leave the rest", () => {
  const rig = { status: STATUS, readAt: 1 };
  const readiness = { state: "notReadyMomentarily", reasons: ["cameraUnplugged"] };
  const after = rigAfter(rig, { kind: "readiness", data: { readiness } }, 2);
  assert.deepEqual(after.status, { ...STATUS, readiness });
  const movie = { ...STATUS.movie, state: "recording" };
  const filmed = rigAfter(rig, { kind: "movie", data: { movie } }, 3);
  assert.deepEqual([filmed.status.movie, filmed.movieReadAt], [movie, 3]);
  const later = rigAfter(filmed, { kind: "targets", data: { targets: [] } }, 4);
  assert.equal(later.movieReadAt, 3, "the recorded time goes on from its own report");
  assert.equal(rigAfter(rig, { kind: "targets", data: { targets: [] } }, 2).readAt, 2);
  assert.equal(rigAfter(rig, { kind: "missed", data: {} }, 2), rig);
  assert.equal(rigAfter(UNKNOWN, { kind: "readiness", data: { readiness } }, 2), UNKNOWN);
  const pressed = rigAfter(rig, { kind: "press", data: { press: { number: 8, outcome: "pending" } } }, 2);
  assert.deepEqual(pressed.status.presses, { last: 8, stored: 6, refused: 1, inFlight: 1, warnings: undefined });
  assert.ok(needsStatus("missed", {}) && !needsStatus("press", { press: { outcome: "pending" } }));
});

test("the warnings about the last picture come with it, and go with the next press", () => {
  const page = { warnings: WARNINGS };
  let rig = { status: STATUS, readAt: 1 };
  const after = (press) => {
    rig = rigAfter(rig, { kind: "press", data: { press } }, 2);
    return rig.status.presses.warnings;
  };
  assert.equal(after({ number: 8, outcome: "pending" }), undefined);
  assert.equal(after({ number: 8, outcome: "stored", page }), WARNINGS);
  assert.equal(after({ number: 8, outcome: "stored", page, receipt: { target: "office" } }), WARNINGS);
  assert.equal(after({ number: 9, outcome: "refused", reason: "storageFull" }), WARNINGS, "the picture is still the last one");
  assert.equal(after({ number: 10, outcome: "pending" }), undefined);
  assert.equal(after({ number: 8, outcome: "stored", page }), undefined, "an earlier picture is no longer before the camera");
  assert.equal(after({ number: 10, outcome: "stored" }), undefined);
});

test("readiness names the reason and the advice", () => {
  const view = readinessInWords({ state: "notReadyMomentarily", reasons: ["cameraUnplugged"] }, DECLARATIONS.codes);
  assert.deepEqual([view.tone, view.title, view.reasons[0].meaning, view.reasons[0].flashes],
    ["fault", "Not ready", "The camera has been unplugged.", "1-2"]);
  assert.match(view.reasons[0].advice, /^Plug the camera in/);
  assert.equal(readinessInWords({ state: "notReadyWaitingForProcessing", reasons: [] }, {}).tone, "busy");
  assert.equal(readinessInWords({ state: "sessionNotRunning", reasons: [] }, {}).title, "Not running");
  assert.equal(readinessInWords(undefined, {}).tone, "unknown");
});

test("a capture goes through its steps, and back through none", () => {
  let captures = [];
  for (const report of [
    { press: 7, step: "settingsResolved", count: 2 }, { press: 8, step: "settingsResolved", count: 1 },
    { press: 7, step: "photoDelivered", index: 1, count: 2 }, { press: 7, step: "exposureBegan" },
  ]) captures = capturesAfter(captures, report);
  assert.deepEqual(captures.map(({ press, step }) => [press, step]), [[8, 0], [7, 3]]);
  assert.equal(captureSentence(captures[1]), "Press 7: stored, 1 of 2.");
  captures = capturesAfter(captures, { press: 8, step: "captureFinished", reason: "noFrameInTime" });
  assert.equal(captureSentence(captures[0]), "Press 8: no picture.");
  assert.ok(isFinished(captures[0]));
});

test("the last fifty pictures are kept, each file of a press for itself", () => {
  let pictures = [];
  for (let number = 1; number <= 60; number += 1) {
    const itemIDs = number === 60 ? ["a", "b"] : undefined;
    pictures = picturesAfter(pictures, { number, outcome: "stored", itemIDs, itemID: `i${number}` });
  }
  assert.deepEqual([pictures.length, pictures[0].id, pictures[1].id, pictures[49].press], [50, "a", "b", 12]);
  assert.equal(picturesAfter(pictures, { number: 61, outcome: "refused" }), pictures);
  assert.equal(picturesAfter(pictures, { number: 61, outcome: "stored", itemID: "m", path: "/spool/m.mp4" }), pictures);
  const near = picturesAfter(pictures, { number: 61, outcome: "stored", itemID: "c", nearDuplicateOf: "a", pictureState: "purged" })[0];
  assert.deepEqual(marksOf(near, pictures), ["looks like press 60", "purged"]);
  const warned = picturesAfter(pictures, { number: 62, outcome: "stored", itemIDs: ["d", "e"], page: { warnings: WARNINGS } });
  assert.deepEqual(marksOf(warned[0], warned), ["the page lies crooked", "the page is the same as before"]);
  assert.deepEqual(marksOf(warned[1], warned), []);
});

test("presses are counted by the hour, and old ones forgotten", () => {
  const now = Date.parse("2026-01-02T12:30:00Z");
  const presses = new Map([
    [1, { number: 1, time: "2026-01-01T12:59:00Z", outcome: "stored" }],
    [2, { number: 2, time: "2026-01-02T12:01:00Z", outcome: "stored" }],
    [3, { number: 3, time: "2026-01-02T11:59:00Z", outcome: "refused" }], [4, { number: 4, outcome: "stored" }],
  ]);
  const hours = pressesByHour(presses.values(), now);
  assert.equal(hours.length, 24);
  assert.deepEqual([hours[23].stored, hours[22].refused], [1, 1]);
  assert.equal(hours.reduce((sum, hour) => sum + hour.stored + hour.refused, 0), 2);
  forgetOld(presses, now);
  assert.deepEqual([...presses.keys()], [2, 3, 4]);
  assert.equal(sinceTime(now), "2026-01-01T13:00:00.000Z");
});

test("temperatures are kept once a minute, and each change of the state", () => {
  const log = new TemperatureLog();
  const report = (celsius, state = "nominal") => ({ state, temperatures: [{ zone: "cpu", celsius }, { zone: "case" }] });
  for (let second = 0; second < 180; second += 1) log.take(report(40 + second), second * 1000);
  log.take(report(75, "serious"), 180_500);
  log.take(report(60), 200_000);
  assert.deepEqual(log.lines().get("cpu").map(({ x }) => x), [0, 60_000, 120_000, 180_500, 200_000]);
  assert.deepEqual(log.heldBack(300_000), [{ start: 180_500, end: 200_000 }]);
  log.take(report(50), 86_400_000 + 150_000);
  assert.equal(log.start, 180_500);
});

test("the rig's history stands before what came since, and a gap is not held back", () => {
  const log = new TemperatureLog();
  const report = (celsius) => ({ state: "nominal", temperatures: [{ zone: "cpu", celsius }] });
  const sample = (minute, celsius, firmware = []) => ({ timeNanoseconds: minute * 60e9, celsius: { cpu: celsius }, state: "nominal", firmware });
  const clock = new RigClock(0, 0);
  log.take(report(48), 185_000);
  log.take(report(49), 245_000);
  log.takeHistory({ periodSeconds: 60, samples: [sample(1, 70, ["throttled"]), sample(2, 51), sample(3, 52)] }, clock);
  assert.deepEqual(log.lines().get("cpu").map(({ x, y }) => [x, y]), [[60_000, 70], [120_000, 51], [180_000, 52], [245_000, 49]]);
  assert.deepEqual(log.heldBack(300_000), [{ start: 60_000, end: 120_000 }]);
  log.takeHistory({ periodSeconds: 60, samples: [] }, clock);
  log.takeHistory({ periodSeconds: 60, samples: [sample(60, 80, ["throttled"]), sample(90, 50)] }, clock);
  assert.equal(log.samples.length, 6, "what an earlier run of the service told stays");
  assert.deepEqual(log.heldBack(90 * 60_000).at(-1), { start: 3_600_000, end: 3_720_000 });
});

test("drawings over time have their scales", () => {
  const x = scale([0, 10], [0, 100]);
  assert.equal(linePath([{ x: 0, y: 1 }, { x: 5, y: 2 }], x, (y) => y), "M0.0 1.0L50.0 2.0");
  assert.deepEqual(rangeOfTens([43, 48]), [40, 60]);
  assert.deepEqual(ticks([40, 60], 10), [40, 50, 60]);
  assert.ok(timeTicks([0, 86_400_000]).length <= 8);
  const rows = timeLine({
    lasting: [{ reason: "storageFull", refuses: true, beganNanoseconds: 9e9 }],
    ended: [{ reason: "undervoltage", refuses: false, beganNanoseconds: 1e9, endedNanoseconds: 2e9 },
      { reason: "undervoltage", refuses: false, beganNanoseconds: -9e9, endedNanoseconds: -8e9 }],
  }, new RigClock(0, 0), [0, 10_000]);
  assert.deepEqual(rows.map(({ reason, bars }) => [reason, bars.map(({ start, end }) => [start, end])]),
    [["storageFull", [[9000, 10_000]]], ["undervoltage", [[1000, 2000]]]]);
});

test("a target says why it waits", () => {
  const view = targetInWords(STATUS.targets[0], DECLARATIONS.codes);
  assert.deepEqual([view.title, view.tone, view.why], ["Waiting to retry", "fault", ["The server did not answer."]]);
  assert.match(view.advice[0], /^Check that the server runs/);
  const held = { ...STATUS.targets[0], state: "held", holds: ["window", "technician"], faults: [], detail: undefined };
  assert.deepEqual(targetInWords(held, {}).why.length, 2);
  assert.ok(isPaused([held]) && !isPaused(STATUS.targets));
  assert.equal(progressOf({ bytesSent: 25, bytes: 100 }), 0.25);
  assert.equal(countsSentence(STATUS.targets[0]), "5 pictures delivered, 2 failed attempts, 1 set aside.");
});

test("the recorded time goes on only while frames are written, and interruptions and refusals have their reasons", () => {
  assert.equal(recordedSeconds({ state: "recording", elapsedSeconds: 61.5 }, 1000, 4500), 65);
  assert.equal(recordedSeconds({ state: "paused", elapsedSeconds: 61.5 }, 1000, 4500), 61.5);
  assert.equal(recordedSeconds({ state: "recording", elapsedSeconds: 2 }, 5000, 4500), 2, "a clock that was set back takes nothing away");
  const full = movieSentence({ state: "interrupted", reason: "storageFull" }, DECLARATIONS.codes);
  assert.match(full, /^The recording is interrupted\. The disk is full/);
  assert.equal(movieSentence({ state: "idle" }, DECLARATIONS.codes), "Nothing is being recorded.");
  const refused = { outcome: "refused", reason: "noFrames", cause: "the movie cannot begin: the camera has no frame to spare for it" };
  assert.equal(recordingSentence(refused), "The movie cannot begin: the camera has no frame to spare for it.");
  assert.equal(recordingSentence({ outcome: "refused", reason: "noFrames" }), "The recording was refused: no frames.");
});

test("countdowns and durations are read as people say them", () => {
  assert.deepEqual([countdown(65, 0, 0), countdown(65, 0, 60_000), countdown(5, 0, 9000), countdown(3700, 0, 0)],
    ["in 1:05", "in 0:05", "now", "in 1:01:40"]);
  assert.deepEqual([5000, 65_000, 3_900_000, 190_000_000].map(spoken), ["5 s", "1 min", "1 h 5 min", "2 d 4 h"]);
});

test("figures have their units", () => {
  assert.deepEqual([words("thermalPressure"), bytes(999), bytes(3_400_000), bytes(2.56e8), exposure(8333), exposure(2e6), percent(0.025),
    distance(2)],
    ["thermal pressure", "999 B", "3.4 MB", "256 MB", "8.3 ms", "2.00 s", "2.5 %", "50 cm"]);
  assert.deepEqual(["auto", { diopters: 2 }, { red: 1, blue: 2 }, { durationMicroseconds: 8000, gain: 2 }].map(modeInWords),
    ["automatic", "2 diopters, 50 cm", "red 1, blue 2", "8.0 ms, gain 2"]);
  assert.deepEqual([zoomWithin(0.2), zoomWithin(500), zoomAfterWheel(2, -100)], [1, 100, 2.2]);
  assert.equal(lockAll({}).focus, undefined);
});

test("events have sentences, and what people need not know has none", () => {
  const tell = (kind, report) => eventSentence({ kind, data: { [kind]: report } });
  assert.equal(tell("press", { number: 1, outcome: "refused", reason: "storageFull" }), "Press 1: refused, storage full.");
  assert.equal(tell("press", { number: 2, outcome: "stored", pressToStoredMilliseconds: 60, page: { warnings: WARNINGS.slice(0, 1) } }),
    "Press 2: 0 ms from its frame, upright, stored after 60 ms. The page lies crooked. Straighten the page, and take it again.");
  assert.equal(tell("readiness", { state: "notReadyMomentarily", reasons: [] }), undefined);
  assert.equal(tell("interruption", { reason: "cameraUnplugged", beganNanoseconds: 0, endedNanoseconds: 2.5e9 }),
    "Over after 2.5 s: camera unplugged.");
  assert.equal(tell("delivery", { press: 3, target: "office", state: "waitingToRetry", detail: "it is away" }),
    "Press 3: its upload to \"office\" waits: it is away.");
  assert.equal(tell("movie", { state: "interrupted", reason: "cameraStalled" }), "The recording is interrupted: camera stalled.");
  assert.equal(tell("movie", { state: "finishing" }), undefined);
  assert.equal(tell("movie", { state: "recording", droppedFrames: 3 }), "The recording lacks 3 frames.");
  const recorded = { outcome: "stored", reason: "stopped", durationSeconds: 61.5 };
  assert.equal(tell("movie", { state: "idle", last: recorded }), "Recorded 62 s: stopped.");
  const silent = { ...recorded, soundEnd: "It was unplugged." };
  assert.equal(tell("movie", { state: "idle", last: silent }), "Recorded 62 s: stopped. It was unplugged.");
  const broken = { ...recorded, reason: "writerFailed", cause: "the recorder hung", gaps: [{ seconds: 4, reasons: ["paused", "writerFailed"] }] };
  assert.equal(tell("movie", { state: "idle", last: broken }),
    "Recorded 62 s: writer failed. The recorder hung. 4 s are not recorded: paused, writer failed.");
  assert.equal(tell("movie", { state: "paused" }), "The recording is paused.");
  assert.equal(tell("movie", { state: "recording", droppedFrames: 0 }), "Recording.");
  assert.equal(eventSentence({ kind: "missed", data: {} }), "Events were missed.");
  assert.equal(eventSentence({ kind: "later", data: {} }), undefined);
});

const FILE = `# the rig
rig: { id: rig-1, model: "A \\"B\\"" } # here
board: linux
camera:
  frame_rate: 25
  pixel_formats: [yuv420,
    nv12]
  exposure: { duration: 12 ms, gain: 1.5 }
indicators:
  ready: { led: "rig:green:ready" }
thermal: { zones: [cpu-thermal] }
buttons:
  main:
    line: GPIO17
targets:
  office:
    kind: webdav
    url: "https://(not shown)@pages.example/dav/"
    password_file: (not shown)
      (not shown)
list:
- one
- 'it''s'
`;

test("the values of a file are read as it is written by people", () => {
  const file = readYAML(FILE);
  const shown = (path) => shownNode(nodeAt(file, path.split(".")));
  assert.deepEqual(["rig.id", "rig.model", "camera.frame_rate", "camera.pixel_formats", "camera.exposure.duration", "indicators.ready.led",
    "thermal.zones", "buttons.main.line", "targets.office.url", "targets.office.password_file", "list", "none.at.all"].map(shown),
  ["rig-1", "A \"B\"", "25", "[yuv420, nv12]", "12 ms", "rig:green:ready", "[cpu-thermal]", "GPIO17",
    "https://(not shown)@pages.example/dav/", "(not shown)", "[one, it's]", ""]);
  for (const text of ["", "a", "]: {", "{", "a: [b, {c: d", "- - -\n  b", "a: ]x}, y"]) readYAML(text);
});

test("declarations with names give a setting for each name of the file", () => {
  const settings = settingsOf(DECLARATIONS.settings, FILE);
  const found = (key) => settings.find((setting) => setting.key === key);
  assert.equal(found("camera.frame_rate").value, "25");
  assert.equal(found("camera.zoom").value, undefined);
  assert.equal(found("targets.office.kind").value, "webdav");
  assert.equal(found("buttons.main.line").value, "GPIO17");
  assert.ok(!settings.some(({ key }) => /\.[A-Z]+(\.|$)/.test(key)));
  assert.ok(matching(settings, "frame rate wanted").some(({ key }) => key === "camera.frame_rate"));
});

const declared = (key) => DECLARATIONS.settings.find(({ path }) => path === key);

test("a value is checked by its declaration before it is written", () => {
  for (const [key, good, bad] of [
    ["camera.frame_rate", "25", "300"], ["camera.frame_rate", "0.5e", undefined], ["camera.mounting_angle", "90", "45"],
    ["camera.stall_timeout", "1500 ms", "1 ms"], ["camera.size", "4056x3040", "4056"], ["accelerometer.frozen_after", "off", "0.1 s"],
    ["image.maximum_bytes", "2 MB", "5 B"], ["image.prioritization", "quality", "best"], ["image.fast_capture", "true", "yes"],
    ["camera.stall_timeout", "1500 ms", "30 ms("], ["accelerometer.frozen_after", "off", "o("], ["targets.NAME.parallel", "8", "9"], ["spool.minimum_free", "1 GiB", "1 G"], ["thermal.fair", "-10", "200"],
  ]) {
    assert.ok(declared(key), key);
    if (bad === undefined) assert.notEqual(faultOf(declared(key), good), undefined, key);
    else {
      assert.equal(faultOf(declared(key), good), undefined, `${key}: ${good}`);
      assert.match(faultOf(declared(key), bad) ?? "", /\.$/, `${key}: ${bad}`);
    }
  }
  assert.deepEqual(choicesOf(declared("camera.position")), ["front", "back", "external"]);
  assert.deepEqual(limitsOf("200 ms to 1 min"), { lowest: 0.2, highest: 60 });
});

test("every declared default passes the check of its own declaration", () => {
  const plain = new Set(["whole number", "number", "duration", "bytes", "true or false", "word"]);
  const checked = DECLARATIONS.settings.filter(({ type, standard: value }) => plain.has(type) && /^[\w.-]+( [a-zA-Z]+)?$/.test(value)
    && !["none", "required", "no limit", "always", "linux"].includes(value) && !/^(half|the|not)/.test(value));
  assert.ok(checked.length > 60, `${checked.length}`);
  for (const setting of checked) assert.equal(faultOf(setting, setting.standard), undefined, `${setting.path}: ${setting.standard}`);
});

test("typed values become YAML", () => {
  assert.deepEqual([
    yamlOf(declared("camera.frame_rate"), " 25 "), yamlOf(declared("rig.make"), "a: \"b\""), yamlOf(declared("image.formats"), "jpeg, dng"),
    yamlOf(declared("image.formats"), "[jpeg]"),
    yamlOf(declared("camera.exposure"), "auto"), yamlOf(declared("camera.stall_timeout"), "2 s"),
  ], ["25", "\"a: \\\"b\\\"\"", "[\"jpeg\", \"dng\"]", "[jpeg]", "auto", "2 s"]);
});
