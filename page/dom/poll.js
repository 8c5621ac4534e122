// Work that is repeated while the page is looked at.

import { pause } from "../core/event-stream.js";

/** Waits until the page is visible, or a signal is aborted. */
export function untilVisible(signal) {
  return new Promise((resolve) => {
    if (!document.hidden || signal.aborted) return resolve();
    const done = () => {
      if (document.hidden && !signal.aborted) return;
      document.removeEventListener("visibilitychange", done);
      signal.removeEventListener("abort", done);
      resolve();
    };
    document.addEventListener("visibilitychange", done);
    signal.addEventListener("abort", done);
  });
}

/**
 * Calls a function when the page has been hidden for a while.
 *
 * @param {number} milliseconds the while
 * @param {() => void} leave
 * @returns {() => void} what ends the watch
 */
export function whenHiddenFor(milliseconds, leave) {
  let timer;
  const look = () => {
    clearTimeout(timer);
    if (document.hidden) timer = setTimeout(leave, milliseconds);
  };
  document.addEventListener("visibilitychange", look);
  look();
  return () => {
    clearTimeout(timer);
    document.removeEventListener("visibilitychange", look);
  };
}

/**
 * Repeats work with a pause after each time, until a signal is aborted.
 *
 * @param {() => Promise<unknown>} work
 * @param {number} interval the pause in milliseconds
 * @param {AbortSignal} signal
 * @param {(error?: Error) => void} [onEnd] called after each time, with the error of a failed one
 */
export async function poll(work, interval, signal, onEnd = () => {}) {
  while (!signal.aborted) {
    await untilVisible(signal);
    if (signal.aborted) return;
    try {
      await work();
      if (!signal.aborted) onEnd();
    } catch (error) {
      if (!signal.aborted) onEnd(error);
    }
    await pause(interval, signal);
  }
}
