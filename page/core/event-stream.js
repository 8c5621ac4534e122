// The connection to the rig's events, which is made anew for as long as the page is open.

import { EventParser, runOf } from "./event-parser.js";
import { Problem } from "./api.js";

/** The silence after which a connection counts as lost; a sign of life comes every 10 s. */
export const SILENCE = 25_000;
/** The shortest and the longest pause before another attempt, in milliseconds. */
export const PAUSES = { shortest: 1000, longest: 10_000 };

/** Returns the pause before an attempt, after some failed ones. */
export function pauseAfter(failures) {
  return Math.min(PAUSES.shortest * 2 ** Math.max(0, failures - 1), PAUSES.longest);
}

/** Waits for a time, or until a signal is aborted. */
export function pause(milliseconds, signal) {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve();
    const timer = setTimeout(done, milliseconds);
    function done() {
      clearTimeout(timer);
      signal?.removeEventListener("abort", done);
      resolve();
    }
    signal?.addEventListener("abort", done);
  });
}

/**
 * Follows the rig's events until a signal is aborted.
 *
 * @param {object} options
 * @param {import("./api.js").API} options.api the client of the rig
 * @param {AbortSignal} options.signal ends the following
 * @param {(event: {kind: string, id: string, data: any}) => void} options.onEvent
 * @param {() => void} options.onOpen called when a connection stands
 * @param {(problem: Problem) => void} options.onLost called when a connection or an attempt failed
 * @param {() => void} options.onRestart called when the events are those of another run
 * @param {typeof pause} [options.wait] waits between two attempts
 * @param {number} [options.silence] the silence after which a connection counts as lost
 * @param {(leave: () => void) => () => void} [options.whenUnwanted] calls `leave` when nobody needs the
 *   events any more, which ends the connection; returns what ends the watch
 * @param {(signal: AbortSignal) => Promise<void>} [options.untilWanted] waits until somebody needs them again
 */
export async function followEvents({
  api, signal, onEvent, onOpen, onLost, onRestart, wait = pause, silence = SILENCE,
  whenUnwanted = () => () => {}, untilWanted = async () => {},
}) {
  let lastID = "";
  let failures = 0;
  while (!signal.aborted) {
    const attempt = new AbortController();
    const stop = () => attempt.abort();
    signal.addEventListener("abort", stop);
    let isUnwanted = false;
    const endWatch = whenUnwanted(() => {
      isUnwanted = true;
      stop();
    });
    let timer;
    const expectSign = () => {
      clearTimeout(timer);
      timer = setTimeout(stop, silence);
    };
    try {
      expectSign();
      const headers = { Accept: "text/event-stream" };
      if (lastID) headers["Last-Event-ID"] = lastID;
      const answer = await api.request("v1/events", { headers, signal: attempt.signal });
      onOpen();
      const parser = new EventParser();
      const reader = answer.body.getReader();
      for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
        expectSign();
        for (const event of parser.push(piece.value)) {
          if (event.id && lastID && runOf(event.id) !== runOf(lastID)) onRestart();
          if (event.id) lastID = event.id;
          onEvent({ ...event, data: JSON.parse(event.data) });
        }
        // A connection that gives nothing, or nothing that can be taken, is a failed attempt.
        failures = 0;
      }
      onLost(new Problem(0, "offline", "The rig has ended the connection."));
    } catch (error) {
      if (signal.aborted) return;
      if (!isUnwanted) onLost(error instanceof Problem ? error
        : new Problem(0, "offline", "The connection to the rig is lost."));
    } finally {
      clearTimeout(timer);
      endWatch();
      signal.removeEventListener("abort", stop);
      attempt.abort();
    }
    if (isUnwanted) {
      await untilWanted(signal);
      continue;
    }
    failures += 1;
    await wait(pauseAfter(failures), signal);
  }
}
