// The stream of the live picture: frames with their heads, until a signal is aborted.

import { MultipartParser, boundaryOf } from "./multipart.js";
import { Problem, within } from "./api.js";

/** The time in milliseconds until a stream begins; the rig waits 10 s for a first frame. */
const BEGINNING_LIMIT = 15_000;

/** The silence in milliseconds after which a stream counts as lost; the rig repeats a picture earlier. */
const SILENCE = 10_000;

const number = (text) => (text === undefined || text === "" ? undefined : Number(text));

/**
 * Returns a frame from a part of the stream.
 *
 * @param {{fields: Map<string, string>, body: Uint8Array}} part
 */
export function frameOf({ fields, body }) {
  return {
    bytes: body,
    type: fields.get("content-type") ?? "image/jpeg",
    number: number(fields.get("x-platen-frame")),
    sensorTime: number(fields.get("x-platen-sensor-time")),
    angle: number(fields.get("x-platen-angle")) ?? 0,
    isMirrored: /^(true|1|yes)$/i.test(fields.get("x-platen-mirrored") ?? ""),
    sharpness: number(fields.get("x-platen-sharpness")),
    exposureMicroseconds: number(fields.get("x-platen-exposure")),
    gain: number(fields.get("x-platen-gain")),
  };
}

/**
 * Reads the live picture until it ends, or until nothing has come for a while.
 *
 * @param {object} options
 * @param {import("./api.js").API} options.api the client of the rig
 * @param {number} options.width the most columns
 * @param {number} options.fps the most frames a second
 * @param {AbortSignal} options.signal ends the reading
 * @param {(frame: ReturnType<typeof frameOf>) => void} options.onFrame
 * @throws {Problem} when the rig refuses, or ends the stream
 */
export function readPreview({ api, width, fps, signal, onFrame }) {
  return within(BEGINNING_LIMIT, signal, async (limited, begun) => {
    const answer = await api.request("v1/preview/stream", { query: { width, fps }, signal: limited });
    begun();
    return readFrames(answer, onFrame);
  });
}

/** Reads the frames of an answer until it ends. */
async function readFrames(answer, onFrame) {
  const boundary = boundaryOf(answer.headers.get("content-type"));
  if (!boundary) {
    await answer.body?.cancel();
    throw new Problem(answer.status, "unknown", "The rig sends no live picture.");
  }
  const parser = new MultipartParser(boundary);
  const reader = answer.body.getReader();
  let isSilent = false;
  let timer;
  // A network that is gone ends no connection by itself.
  const read = () => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      isSilent = true;
      reader.cancel().catch(() => {});
    }, SILENCE);
    return reader.read();
  };
  try {
    for (let piece = await read(); !piece.done; piece = await read()) {
      // Of the frames that come at once only the newest is shown.
      const parts = parser.push(piece.value);
      if (parts.length) onFrame(frameOf(parts[parts.length - 1]));
    }
  } finally {
    clearTimeout(timer);
    await reader.cancel().catch(() => {});
  }
  throw new Problem(0, "ended", isSilent ? "The live picture has stopped coming."
    : "The rig has ended the live picture.");
}
