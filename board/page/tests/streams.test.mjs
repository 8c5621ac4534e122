// Parsers of the two streams, in any pieces.

import assert from "node:assert/strict";
import { test } from "node:test";
import { EventParser, runOf } from "../../../page/core/event-parser.js";
import { followEvents, pauseAfter } from "../../../page/core/event-stream.js";
import { API, Problem } from "../../../page/core/api.js";
import { MultipartParser, boundaryOf } from "../../../page/core/multipart.js";
import { frameOf, readPreview } from "../../../page/core/preview-stream.js";
import { settle } from "./support/rig.mjs";

const bytes = (text) => new TextEncoder().encode(text);
const joined = (...pieces) => Uint8Array.from(pieces.flatMap((piece) => [...(typeof piece === "string" ? bytes(piece) : piece)]));

/** Pushes a stream in pieces of some length. */
function pushed(parser, stream, length) {
  const found = [];
  for (let at = 0; at < stream.length; at += length) found.push(...parser.push(stream.subarray(at, at + length)));
  return found;
}

test("events are read whatever the pieces", () => {
  const stream = bytes(": listening\n\nid: run-7\nevent: press\ndata: {\"a\":\ndata: \"ä\"}\n\n"
    + "event: missed\r\ndata: {}\r\n\r\n: alive\n\n");
  for (let length = 1; length < 20; length += 1) {
    const events = pushed(new EventParser(), stream, length);
    assert.deepEqual(events, [
      { kind: "press", id: "run-7", data: "{\"a\":\n\"ä\"}" }, { kind: "missed", id: "run-7", data: "{}" },
    ]);
  }
});

test("an event without an end is refused", () => {
  const parser = new EventParser();
  assert.throws(() => {
    for (let piece = 0; piece < 100; piece += 1) parser.push(bytes("data: ".padEnd(100_000, "x")));
  });
});

test("a rig that does not answer within a minute is offline, and an answer or the caller's end stops the clock", async (context) => {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  const api = new API({
    base: "http://rig/",
    fetch: (address, { signal }) => address.endsWith("/time") ? Response.json({})
      : new Promise((_, reject) => signal.addEventListener("abort", () => reject(new Error("aborted")))),
  });
  assert.deepEqual(await api.get("v1/time"), {});
  const silent = api.get("v1/status").catch((problem) => problem);
  context.mock.timers.tick(59_000);
  const left = new AbortController();
  const other = api.get("v1/status", {}, left.signal).catch((problem) => problem);
  left.abort();
  assert.equal((await other).isOffline, undefined, "who leaves is told no problem of the rig");
  context.mock.timers.tick(1000);
  assert.ok((await silent).isOffline);
});

test("the run of an event is the part before its number", () => {
  assert.equal(runOf("ab-c-12"), "ab-c");
  assert.equal(runOf(""), "");
});

const part = (body, { number, length = true } = {}) => joined(
  "--frame\r\nContent-Type: image/jpeg\r\n", length ? `Content-Length: ${body.length}\r\n` : "",
  `X-Platen-Frame: ${number}\r\nX-Platen-Angle: 90\r\nX-Platen-Mirrored: true\r\nX-Platen-Sharpness: 0.5\r\n\r\n`, body, "\r\n");

test("parts are read whatever the pieces, with and without a length", () => {
  const first = Uint8Array.of(0xff, 0xd8, 13, 10, 45, 45, 0xff, 0xd9);
  const second = Uint8Array.of(0xff, 0xd8, 1, 2, 3, 0xff, 0xd9);
  for (const length of [true, false]) {
    const stream = joined(part(first, { number: 1, length }), part(second, { number: 2, length }), "--frame--\r\n");
    for (let step = 1; step < 60; step += 1) {
      const parts = pushed(new MultipartParser("frame"), stream, step);
      assert.deepEqual(parts.map(({ body }) => [...body]), [[...first], [...second]], `pieces of ${step}`);
      assert.equal(parts[1].fields.get("x-platen-frame"), "2");
    }
  }
});

test("a boundary inside a body with a length ends nothing", () => {
  const body = bytes("xx\r\n--frame\r\nContent-Length: 3\r\n\r\nabc");
  const parts = new MultipartParser("--frame").push(joined(part(body, { number: 1 }), part(bytes("z"), { number: 2 })));
  assert.deepEqual(parts.map((one) => one.body.length), [body.length, 1]);
});

test("the buffer does not grow with the number of parts", () => {
  const parser = new MultipartParser("frame");
  const stream = part(new Uint8Array(50_000), { number: 1 });
  let highest = 0;
  for (let round = 0; round < 500; round += 1) {
    assert.equal(pushed(parser, stream, 7_919).length, 1);
    highest = Math.max(highest, parser.capacity);
  }
  assert.ok(highest <= 128 * 1024, `${highest} bytes`);
});

test("a stream without a boundary and a part without an end are refused", () => {
  assert.throws(() => new MultipartParser("frame").push(new Uint8Array(40_000)));
  assert.throws(() => new MultipartParser("frame").push(bytes("--frame\r\nContent-Length: 99999999999\r\n\r\n")));
});

test("the boundary of a media type is found", () => {
  assert.equal(boundaryOf("multipart/x-mixed-replace; boundary=frame"), "frame");
  assert.equal(boundaryOf("multipart/x-mixed-replace;boundary=\"a b\""), "a b");
  assert.equal(boundaryOf("image/jpeg"), undefined);
});

test("a frame has the values of its head", () => {
  const [found] = new MultipartParser("frame").push(joined(part(bytes("x"), { number: 12 }), "--frame"));
  const frame = frameOf(found);
  assert.deepEqual([frame.number, frame.angle, frame.isMirrored, frame.sharpness, frame.gain], [12, 90, true, 0.5, undefined]);
});

test("the rig's own stream gives each part when its last byte is there", () => {
  // As Sources/API/Alignment/PreviewPicture.swift writes it: the delimiter follows each picture.
  const head = (number, length) => `Content-Type: image/jpeg\r\nContent-Length: ${length}\r\nX-Platen-Frame: ${number}\r\n`
    + "X-Platen-Sensor-Time: 5000000003\r\nX-Platen-Angle: 270\r\nX-Platen-Mirrored: false\r\nX-Platen-Sharpness: 0.1875\r\n"
    + "X-Platen-Exposure: 9500\r\nX-Platen-Gain: 1.25\r\n\r\n";
  const parser = new MultipartParser(boundaryOf("multipart/x-mixed-replace; boundary=platen-picture"));
  assert.equal(parser.push(bytes("--platen-picture\r\n")).length, 0);
  for (const number of [1, 2, 3]) {
    const picture = Uint8Array.of(0xff, 0xd8, number, 13, 10, 0xff, 0xd9);
    const [found] = parser.push(joined(head(number, picture.length), picture));
    assert.deepEqual([...found.body], [...picture]);
    const { bytes: _, ...frame } = frameOf(found);
    assert.deepEqual(frame, {
      type: "image/jpeg", number, sensorTime: 5000000003, angle: 270, isMirrored: false, sharpness: 0.1875,
      exposureMicroseconds: 9500, gain: 1.25,
    });
    assert.equal(parser.push(bytes("\r\n--platen-picture\r\n")).length, 0);
  }
});

const streamOf = (...pieces) => new ReadableStream({
  start(controller) {
    for (const piece of pieces) controller.enqueue(piece);
    controller.close();
  },
});

test("of frames that come at once the newest is shown, and the end of the stream is a problem", async () => {
  const body = streamOf(joined(part(bytes("a"), { number: 1 }), part(bytes("b"), { number: 2 })));
  const headers = { "Content-Type": "multipart/x-mixed-replace; boundary=frame" };
  const api = new API({ base: "http://rig/", fetch: async () => new Response(body, { headers }) });
  const numbers = [];
  await assert.rejects(readPreview({
    api, width: 640, fps: 15, signal: new AbortController().signal, onFrame: (frame) => numbers.push(frame.number),
  }), /ended/);
  assert.deepEqual(numbers, [2]);
});

test("a stream that gives nothing for a while has ended", async () => {
  const timers = [];
  const { setTimeout: realSet, clearTimeout: realClear } = globalThis;
  globalThis.setTimeout = (work, time) => timers.push({ work, time });
  globalThis.clearTimeout = (number) => {
    if (number) timers[number - 1].isCleared = true;
  };
  try {
    let isCanceled = false;
    const body = new ReadableStream({
      start: (controller) => controller.enqueue(joined(part(bytes("a"), { number: 1 }), "--frame")),
      cancel: () => { isCanceled = true; },
    });
    const headers = { "Content-Type": "multipart/x-mixed-replace; boundary=frame" };
    const api = new API({ base: "http://rig/", fetch: async () => new Response(body, { headers }) });
    const numbers = [];
    const reading = readPreview({
      api, width: 640, fps: 15, signal: new AbortController().signal, onFrame: (frame) => numbers.push(frame.number),
    });
    const isRefused = assert.rejects(reading, (error) => error instanceof Problem && /stopped coming/.test(error.message));
    await settle();
    assert.deepEqual(timers.map(({ time, isCleared = false }) => [time, isCleared]), [[15_000, true], [10_000, true], [10_000, false]]);
    assert.ok(!isCanceled);
    timers[2].work();
    await isRefused;
    assert.ok(isCanceled);
    assert.deepEqual(numbers, [1]);
  } finally {
    Object.assign(globalThis, { setTimeout: realSet, clearTimeout: realClear });
  }
});

test("a stream that does not begin is that of a rig that does not answer", async (context) => {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  const api = new API({
    base: "http://rig/",
    fetch: (_, { signal }) => new Promise((_, reject) => signal.addEventListener("abort", () => reject(new Error("aborted")))),
  });
  const reading = readPreview({ api, width: 640, fps: 15, signal: new AbortController().signal, onFrame: () => {} });
  const isRefused = assert.rejects(reading, (error) => error instanceof Problem && error.isOffline);
  context.mock.timers.tick(15_000);
  await isRefused;
});

test("an event that cannot be taken is a failed attempt", async () => {
  const stop = new AbortController();
  const api = new API({ base: "http://rig/", fetch: async () => new Response("event: press\ndata: {\n\n") });
  const pauses = [];
  await followEvents({
    api, signal: stop.signal, onEvent: () => {}, onOpen: () => {}, onLost: () => {}, onRestart: () => {},
    wait: async (time) => {
      pauses.push(time);
      if (pauses.length === 3) stop.abort();
    },
  });
  assert.deepEqual(pauses, [pauseAfter(1), pauseAfter(2), pauseAfter(3)]);
});

test("the events are followed over a lost connection and a restart", async () => {
  const stop = new AbortController();
  const asked = [];
  const told = [];
  const answers = [
    () => new Response(streamOf(bytes("id: one-1\nevent: press\ndata: {}\n\n"))),
    () => Promise.reject(new TypeError("no network")),
    () => Response.json({ error: { code: "tooManyListeners", message: "Too many listen." } }, { status: 503 }),
    () => new Response(streamOf(bytes("id: two-1\nevent: press\ndata: {}\n\n"))),
  ];
  const api = new API({
    base: "http://rig/",
    fetch: (_, { headers }) => {
      asked.push(headers["Last-Event-ID"]);
      return answers[asked.length - 1]();
    },
  });
  const pauses = [];
  await followEvents({
    api, signal: stop.signal,
    onEvent: ({ kind }) => told.push(kind), onOpen: () => told.push("open"),
    onLost: (problem) => told.push(problem.isOffline ? "offline" : problem.message), onRestart: () => told.push("restart"),
    wait: async (time) => {
      pauses.push(time);
      if (pauses.length === answers.length) stop.abort();
    },
  });
  assert.deepEqual(asked, [undefined, "one-1", "one-1", "one-1"]);
  assert.deepEqual(told, ["open", "press", "offline", "offline", "Too many listen.", "open", "restart", "press", "offline"]);
  assert.deepEqual(pauses, [pauseAfter(1), pauseAfter(2), pauseAfter(3), pauseAfter(1)]);
});

test("events that nobody needs for a while end their connection, which is no loss, and go on where they ended", async () => {
  const stop = new AbortController();
  const asked = [];
  const told = [];
  let leave;
  let watches = 0;
  const api = new API({
    base: "http://rig/",
    fetch: async (_, { headers, signal }) => {
      asked.push(headers["Last-Event-ID"]);
      return new Response(new ReadableStream({
        start(controller) {
          controller.enqueue(bytes("id: one-1\nevent: press\ndata: {}\n\n"));
          signal.addEventListener("abort", () => controller.error(new Error("left")));
        },
      }));
    },
  });
  await followEvents({
    api, signal: stop.signal,
    onEvent: ({ kind }) => {
      told.push(kind);
      if (asked.length === 1) leave();
      else stop.abort();
    },
    onOpen: () => told.push("open"), onLost: () => told.push("lost"), onRestart: () => told.push("restart"),
    wait: () => assert.fail("nothing was lost"),
    whenUnwanted: (end) => {
      leave = end;
      watches += 1;
      return () => { watches -= 1; };
    },
    untilWanted: async () => told.push("wanted"),
  });
  assert.deepEqual(asked, [undefined, "one-1"]);
  assert.deepEqual(told, ["open", "press", "wanted", "open", "press"]);
  assert.equal(watches, 0);
});

test("a problem has the sentence of the API", async () => {
  const api = new API({
    base: "http://rig/", fetch: async () => Response.json({ error: { code: "conflict", message: "It is busy." } }, { status: 409 }),
  });
  await assert.rejects(api.post("v1/session/focus"), (error) => (
    error instanceof Problem && error.status === 409 && error.code === "conflict" && error.message === "It is busy."));
});

test("a request names the page, so that the browser asks nobody for a password", async () => {
  const sent = [];
  const api = new API({ base: "http://rig/", fetch: async (address, { headers }) => {
    sent.push([address, headers]);
    return new Response("{}");
  } });
  await api.get("v1/preview");
  await api.request("v1/events", { headers: { Accept: "text/event-stream" } });
  assert.deepEqual(sent, [
    ["http://rig/v1/preview", { "X-Requested-With": "platen" }],
    ["http://rig/v1/events", { "X-Requested-With": "platen", Accept: "text/event-stream" }],
  ]);
});
