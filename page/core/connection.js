// The state of the connection to the rig, as people are told.

import { clockTime, spoken } from "./time.js";

/** The state before the first answer. */
export const BEGINNING = Object.freeze({ state: "connecting", since: undefined, problem: undefined });

/** The state of a page that has left its connection, because nobody looks at it. */
export const LEFT = Object.freeze({ state: "left", since: undefined, problem: undefined });

/**
 * Returns the next state of the connection.
 *
 * @param {typeof BEGINNING} connection the state so far
 * @param {{opened: true} | {lost: import("./api.js").Problem}} change
 * @param {number} now the time in milliseconds
 */
export function connectionAfter(connection, change, now) {
  if (change.opened) return { state: "online", since: now, problem: undefined };
  const problem = change.lost.message;
  // A rig that answers with a refusal is there; only its events are missing.
  const state = change.lost.isOffline ? "offline" : "refused";
  const since = connection.state === state ? connection.since : now;
  return { state, since, problem };
}

/** Returns the sentence about a connection; undefined while all is well. */
export function connectionSentence(connection) {
  switch (connection.state) {
    case "offline":
      return `Offline since ${clockTime(connection.since)}. ${connection.problem} `
        + "What is shown here is the last that was known.";
    case "refused":
      return `No events since ${clockTime(connection.since)}. ${connection.problem}`;
    default:
      return undefined;
  }
}

/** Returns how long a connection has been lost, for example `for 2 min`. */
export function connectionAge(connection, now) {
  return connection.since === undefined ? "" : `for ${spoken(now - connection.since)}`;
}
