// Recordings in words.

import { factsOf } from "./codes.js";
import { listedCodes, sentence, words } from "./words.js";

const STATES = {
  idle: "Nothing is being recorded.",
  starting: "The recording starts.",
  recording: "Recording.",
  paused: "The recording is paused.",
  interrupted: "The recording is interrupted.",
  finishing: "The recording is being stored.",
};

/** Returns whether there is a recording that can be ended. */
export function isGoingOn({ state }) {
  return state !== "idle";
}

/** Returns whether there is a recording that can be paused, or whose pause can be ended. */
export function canBePaused({ state }) {
  return state === "starting" || state === "recording" || state === "paused";
}

/**
 * Returns the sentences about the outcome of a recording: its length with the reason of its end, what is missing, and the
 * reason that its sound ended early; or the reason of its refusal.
 */
export function recordingSentence({ outcome, reason, cause, durationSeconds, gaps = [], soundEnd }) {
  if (outcome === "stored") {
    const missing = gaps.reduce((seconds, gap) => seconds + gap.seconds, 0);
    const reasons = listedCodes([...new Set(gaps.flatMap((gap) => gap.reasons))]);
    return [
      `Recorded ${durationSeconds.toFixed(0)} s: ${words(reason)}.`,
      cause && sentence(cause),
      gaps.length && `${missing.toFixed(0)} s are not recorded: ${reasons}.`,
      soundEnd && sentence(soundEnd),
    ].filter(Boolean).join(" ");
  }
  return sentence(cause ?? `the recording was refused: ${words(reason)}`);
}

/** Returns the sentence about the state of a recording with its reason, or about the length of the one before. */
export function movieSentence({ state, reason, last }, declared) {
  if (state === "idle" && last?.outcome === "stored") return recordingSentence(last);
  const title = STATES[state] ?? sentence(words(state));
  return reason ? `${title} ${factsOf(declared, reason).meaning}` : title;
}

/**
 * Returns the recorded time in seconds, which goes on while frames are written.
 *
 * @param {{state: string, elapsedSeconds: number}} movie the report of the recording
 * @param {number} readAt the time of the report in milliseconds
 * @param {number} now the time in milliseconds
 */
export function recordedSeconds({ state, elapsedSeconds }, readAt, now) {
  return elapsedSeconds + (state === "recording" ? Math.max(0, now - readAt) / 1000 : 0);
}
