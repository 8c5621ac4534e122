// A rig for tests: answers of the API by path, and the requests that were made.

import { API } from "../../../../page/core/api.js";
import { declarationsOf } from "../../../../page/core/declarations.js";
import { DECLARATIONS_REPORT } from "./declarations.mjs";

/** The declarations as the views have them. */
export const DECLARATIONS = declarationsOf(DECLARATIONS_REPORT);

/** Two warnings about a picture. */
export const WARNINGS = [
  { code: "pageCrooked", meaning: "the page lies crooked", advice: "Straighten the page, and take it again." },
  { code: "pageRepeated", meaning: "the page is the same as before", advice: "Turn the page, and take the next one." },
];

export const STATUS = {
  rig: "rig-1", version: "0.1.0", board: "simulated", uptimeSeconds: 60,
  readiness: { state: "ready", reasons: [] },
  session: {
    state: "running", adjustments: [], framesSeen: 10, size: { width: 1920, height: 1080 },
    camera: { id: "camera-1", model: "imx477" },
  },
  rotation: { captureAngle: 0, previewAngle: 0, exifOrientation: 1, accelerometer: "ok" },
  thermal: {
    state: "nominal", hottest: "cpu-thermal",
    temperatures: [{ zone: "cpu-thermal", celsius: 48, limits: { fair: 60, serious: 70, critical: 80 } }],
  },
  spool: { waiting: 2, delivered: 5, parked: 1, quarantined: 0, bytesWaiting: 5_000_000 },
  targets: [{
    name: "office", kind: "webdav", url: "https://pages.example/dav/", state: "waitingToRetry",
    detail: "The server did not answer.", nextAttemptSeconds: 30, holds: [], faults: ["targetUnreachable"],
    running: [{ itemID: "a", bytesSent: 10, bytes: 100 }], delivered: 5, duplicates: 0, failures: 2, parked: 1,
  }],
  presses: { last: 7, stored: 6, refused: 1, inFlight: 0 }, lights: [], buttons: [],
  movie: { state: "idle", elapsedSeconds: 0, frames: 0, droppedFrames: 0, bytes: 0, recorderFailures: 0 },
};

export const SESSION = {
  session: STATUS.session,
  settings: {
    camera: "main", preset: "1080p", frameRate: 30, zoom: 1, exposure: "auto", whiteBalance: "auto",
    focus: "continuous", flicker: "off", prioritization: "balanced", fastCapture: true,
  },
  controls: {
    zoom: 1, exposure: "auto", whiteBalance: { red: 1.8, blue: 1.6 }, focus: "continuous", flicker: "off",
    isCalibrated: false, notes: ["The camera has no gamma."],
  },
  lens: { farthest: 0, nearest: 10, focusesAtPoint: true }, cameras: ["main", "side"], readiness: STATUS.readiness,
};

const PRESS = {
  number: 7, source: "button", outcome: "stored", itemID: "00000a-0000000007-0123456789abcdef", exifOrientation: 6,
  time: "2026-01-02T03:04:05.678Z", pictureState: "stored", nearDuplicateOf: "00000a-0000000006-0123456789abcdef",
};

const CONFIGURATION = "rig: { id: rig-1 }\nboard: simulated\ncamera: { frame_rate: 30 }\ntargets:\n  office: { kind: webdav }\n";

/** The answers by method and path. */
export const ANSWERS = {
  "GET v1/sign-in": { name: "builder", permissions: ["read", "act"] },
  "POST v1/sign-in": undefined,
  "POST v1/sign-out": undefined,
  "GET v1/declarations": DECLARATIONS_REPORT,
  "GET v1/status": STATUS,
  "GET v1/time": { time: "2026-01-02T03:04:05Z", trust: "synchronized", monotonicNanoseconds: 1e12 },
  "GET v1/history": {
    periodSeconds: 60, samples: [{ timeNanoseconds: 6e10, celsius: { "cpu-thermal": 44 }, state: "nominal", firmware: [] }],
  },
  "GET v1/session": SESSION,
  "PATCH v1/session": SESSION,
  "POST v1/session/focus": SESSION,
  "POST v1/session/stop": SESSION,
  "POST v1/session/calibrate": { exposureMicroseconds: 8000, gain: 1.5, redGain: 1.8, blueGain: 1.6 },
  "POST v1/session/scale": { pixelsPerInch: 300, angleDegrees: 0.4, keystone: 0.01 },
  "DELETE v1/session/calibration": SESSION,
  "GET v1/accelerometer": { state: "ok", captureAngle: 0, reading: { rig: [0.5, 0.2, 9.7] } },
  "GET v1/preview": { colorTemperature: 4600, diopters: 2.5, focusState: "focused", clippedHighlights: 0.02, clippedShadows: 0 },
  "GET v1/preview/page": {
    outline: [{ x: 0.2, y: 0 }, { x: 0.8, y: 0 }, { x: 0.8, y: 0.9 }, { x: 0.2, y: 0.9 }],
    regions: [{ x: 0.3, y: 0.1, width: 0.4, height: 0.6 }], textAngle: 90, skew: 0.4, letterHeight: 14,
    warnings: [{ code: "glare", meaning: "a reflection covers a part of the page", advice: "Turn the lamp." }],
    aim: 0.42, advice: "Move the whole page into the picture.", frame: 12, frameSize: { width: 4056, height: 3040 },
    angle: 0, isMirrored: false, ageMilliseconds: 120,
  },
  "GET v1/presses": { presses: [PRESS, { ...PRESS, number: 6, itemID: PRESS.nearDuplicateOf, nearDuplicateOf: undefined }] },
  "POST v1/presses": { ...PRESS, number: 8, itemID: "00000a-0000000008-0123456789abcdef" },
  "POST v1/movie/start": { ...STATUS.movie, state: "recording", press: 8 },
  "POST v1/movie/pause": { ...STATUS.movie, state: "paused", press: 8 },
  "POST v1/movie/resume": { ...STATUS.movie, state: "starting", press: 8 },
  "POST v1/movie/stop": { press: 8, outcome: "stored", reason: "stopped", durationSeconds: 61.5, frames: 1845, droppedFrames: 0 },
  "DELETE v1/spool/items/*": { deleted: "x" },
  "GET v1/spool": {
    directory: "/var/lib/platen", states: [{ state: "stored", items: 2, bytes: 5_000_000 }], targets: [],
    freeBytes: 2e10, minimumFreeBytes: 2.56e8, hasBallast: true, audit: [],
  },
  "GET v1/session/interruptions": {
    lasting: [], ended: [{ reason: "cameraUnplugged", beganNanoseconds: 9e11, endedNanoseconds: 9.1e11, refuses: true }],
  },
  "GET v1/doctor": {
    version: "0.1.0", isServiceRunning: true, findings: [
      { part: "supply", verdict: "warning", seen: "the voltage was too low", code: "undervoltageBefore", advice: "Check it." },
      { part: "clock", verdict: "ok", seen: "the clock is synchronized" },
    ],
  },
  "POST v1/targets/retry": { targets: ["office"] },
  "POST v1/targets/pause": { arePaused: true },
  "POST v1/spool/retry": { retried: 1 },
  "GET v1/configuration": {
    path: "/etc/platen/platen.yaml", hash: "abc", isRunning: true, text: CONFIGURATION, issues: [],
  },
  "PATCH v1/configuration": {
    hash: "abd", lines: ["-camera: { frame_rate: 30 }", "+camera: { frame_rate: 25 }"], needsRestart: true,
    note: "It takes effect at the next start of the service.",
  },
  "GET v1/configuration/history": { entries: [{ number: 1, hash: "abb", bytes: 300, time: "2026-01-01T00:00:00Z" }] },
  "GET v1/configuration/history/1": { entry: { number: 1 }, lines: ["-a", "+b"] },
  "POST v1/configuration/rollback": { hash: "abb", lines: [], needsRestart: true, note: "Restored." },
  "POST v1/service/restart": { ending: "serviceRestart", pressesInFlight: 0 },
};

/** Returns a client whose requests are answered here, with the list of the requests. */
export function fakeAPI(answers = ANSWERS, onSignedOut) {
  const requests = [];
  const send = async (address, { method, body, signal }) => {
    const url = new URL(address);
    const path = `${method} ${url.pathname.slice(1)}`;
    const key = path in answers ? path : path.replace(/[^/]+$/, "*");
    requests.push({ path, query: url.search, body: body && JSON.parse(body) });
    // Streams and pictures stay open until they are left.
    if (!(key in answers)) {
      return new Promise((_, reject) => signal?.addEventListener("abort", () => reject(new Error("left"))));
    }
    const answer = await answers[key];
    if (answer instanceof Response) return answer.clone();
    return answer === undefined ? new Response(null, { status: 204 }) : Response.json(answer);
  };
  return { api: new API({ fetch: send, base: "http://rig/", onSignedOut }), requests };
}

/** Returns the number of requests with a method and a path. */
export const countOf = (requests, wanted) => requests.filter(({ path }) => path === wanted).length;

/** Lets everything that was begun go on, until nothing waits but time. */
export async function settle() {
  for (let turn = 0; turn < 30; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}
